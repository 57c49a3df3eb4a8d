"""``by_seat: true``: whether it matters who goes first: what each seat has, all bots together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skate_sim.differences import amount, listed, scale_of
from skate_sim.games import Outcome
from skate_sim.observed import ALL
from skate_sim.stats import Estimate, corrected, normal
from skate_sim.study import UNCHANGED

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.sections import Context, Part


@dataclass(frozen=True, eq=False)
class SeatsAnswer:
    """What each seat has above the mean of all seats, by variant."""

    variants: tuple[str, ...]
    axis_name: str
    name: str = "by_seat"
    of_variants: bool = True

    @property
    def told(self) -> tuple[str, ...]:
        """Variants that this answer tells of."""
        return self.variants

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``by_seat``: a row for each variant and seat: above the mean of all seats, with its interval."""
        import pandas as pd

        rows = []
        for variant in self._played(found):
            results, outcome = found.variant(variant), self._outcome(found, variant)
            table = results.seats()
            table = table[table["bot"] == ALL]
            mean = float(table[outcome.name].mean())
            for row in table.to_dict("records"):
                value, low, high = (row[f"{outcome.name}{end}"] - mean for end in ("", "_low", "_high"))
                texts = {"variant": variant or results.name, "seat": row["seat"], "outcome": outcome.name}
                rows.append(texts | {"value": value, "low": low, "high": high})
        return {"by_seat": pd.DataFrame(rows)}

    def findings(self, found: Any) -> list[str]:
        """The first seat's advantage, and the seats that have more or less than their part beyond doubt."""
        table, sentences = self.tables(found)["by_seat"], []
        strict = normal(corrected(found.level, len(table))) / normal(found.level)
        for variant, part in table.groupby("variant", sort=False):
            outcome = self._outcome(found, str(variant) if variant in found.names else "")
            first = part.iloc[0]
            worth = amount(Estimate(first["value"], first["low"], first["high"]), outcome, found.level)
            sides: dict[str, list[str]] = {"more": [], "less": []}
            for row in part.to_dict("records"):
                half = strict * (row["high"] - row["low"]) / 2
                if abs(row["value"]) > half:
                    sides["more" if row["value"] > 0 else "less"].append(f"{self.axis_name} {row['seat']}")
            sure = [f"{listed(seats)} {word}" for word, seats in sides.items() if seats]
            text = f"beyond doubt {' and '.join(sure)} than a fair part" if sure else "no seat is ahead beyond doubt"
            sentences.append(f"{variant}: going first is worth {worth}; {text}.")
        return sentences

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``by_seat``: advantages by variant, a marker a seat."""
        from skate_sim.drawing import Drawing

        table = self.tables(found)["by_seat"]
        outcome = self._outcome(found, next(iter(self._played(found))))
        label = f"{outcome.label} above a fair one" + (" [% points]" if outcome.kind == "share" else "")
        words = {"rows": "variant", "series": "seat", "label": label, "ranked": False, "scale": scale_of(outcome)}
        return {"by_seat": Drawing("ladder", f"{outcome.label} by seat", table, words)}

    def _played(self, found: Any) -> list[str]:
        return [name for name in self.variants if name in found.names] or list(found.names)[:1]

    @staticmethod
    def _outcome(found: Any, variant: str) -> Outcome:
        results = found.variant(variant)
        outcome: Outcome = results.declaration.outcome(results.headline)
        return outcome


def plan_by_seat(form: bool, context: Context) -> Part:
    """The variants that are listed, or the experiment itself.

    Raises
    ------
    ExperimentError
        Bots that are not rotated: then a seat is a bot.
    """
    from skate_sim.sections import Part

    if not context.plain.rotated:
        raise context.report.error(("by_seat",), "bots sit in fixed seats; only those of a pool sit in each")
    if context.listed:
        return Part({}, (), SeatsAnswer(tuple(context.listed), "seat"))
    return Part({UNCHANGED: context.unchanged}, (), SeatsAnswer((UNCHANGED,), "seat"))
