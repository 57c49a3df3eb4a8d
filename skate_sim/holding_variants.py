"""``holding:`` together with variants: what it is worth to hold a card in each, and how much that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skate_sim.changes import rows_of
from skate_sim.comparison import Contrast
from skate_sim.differences import (
    NOTHING_AT_ALL,
    amount_cell,
    bots_in,
    difference_cells,
    dots,
    is_sure,
    plain_label,
    scale_of,
    with_all,
)
from skate_sim.games import Outcome
from skate_sim.holding import MOST_TOLD, Case, HoldingAnswer
from skate_sim.holding_plan import plan_one
from skate_sim.paired import Difference
from skate_sim.section_forms import Holding
from skate_sim.stats import corrected

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part

#: Changes that are told in words, of many cards.
MOST_CHANGES = 6
#: Lines of the figure; of more, only those of the first place are drawn.
MOST_DRAWN = 24


@dataclass(frozen=True, eq=False)
class HoldingInVariants:
    """What each card is worth to its holder in each variant; the games are the same for all.

    Attributes
    ----------
    parts : dict of variant to HoldingAnswer
    baseline : str
        The variant that the others are compared to.
    changes : dict of (variant, case) to Contrast
        What a card is worth in a variant less what it is in the baseline; None where it is compared to itself.
    edited : frozenset of str
        Cards that are not the same in all variants.
    """

    parts: Mapping[str, HoldingAnswer]
    baseline: str
    changes: Mapping[tuple[str, Case], Contrast | None]
    edited: frozenset[str]
    name: str = "holding"
    of_variants: bool = True

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``holding`` and ``holding_ranks`` with a column for the variant, and ``holding_change`` to the baseline."""
        import pandas as pd

        made: dict[str, list[pd.DataFrame]] = {}
        for variant, part in self.parts.items():
            for name, table in part.tables(found).items():
                made.setdefault(name, []).append(table.assign(variant=variant)[["variant", *table]])
        tables = {name: pd.concat(parts, ignore_index=True) for name, parts in made.items()}
        first = self._first
        order = {card: number for number, card in enumerate(first.cards)}
        tables["holding"] = tables["holding"].sort_values("row", kind="stable", key=lambda rows: rows.map(order))
        rows = [
            {"variant": variant, "baseline": self.baseline, "row": card, "name": first.names[card], "bot": bot}
            | {first.pieces.axis: place, "outcome": outcome.name}
            | difference_cells(self._change(found, variant, (card, place), outcome, entry, found.level))
            for outcome in first.outcomes(found.compared)
            for bot, entry in with_all(bots_in(found.compared, first.seat)).items()
            for variant, (card, place) in self.changes
        ]
        return {"holding": tables.pop("holding"), "holding_change": pd.DataFrame(rows)} | tables

    def findings(self, found: Any) -> list[str]:
        """What each card is worth in each variant: of many, the edited ones, and what else changes beyond doubt."""
        outcome, cards = self._first.outcomes(found.compared)[0], self._first.cards
        if len(cards) <= MOST_TOLD:
            return [self._of_card(found, card, outcome) for card in cards]
        told = [self._of_card(found, card, outcome) for card in cards if card in self.edited]
        return told[:MOST_TOLD] + [self._certain(found, variant, outcome) for variant in self._others]

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``holding``: the values with their intervals, a marker a variant."""
        first, table = self._first, self.tables(found)["holding"]
        outcome, axis = first.outcomes(found.compared)[0], first.pieces.axis
        table = table[(table["outcome"] == outcome.name) & (table["bot"] == table["bot"].iloc[0])]
        label = f"{outcome.label} {first.against}" + (" [% points]" if scale_of(outcome) == 100 else "")
        title = f"What each {first.pieces.word} is worth to its holder"
        if len(table) > MOST_DRAWN * len(self.parts):
            table, title = (
                table[table[axis] == first.places[0]],
                f"{title}, from {first.axis_name} {first.places[0]} on",
            )
        elif len(first.places) > 1:
            table = table.assign(
                name=[f"{n}, {first.axis_name} {p}" for n, p in zip(table["name"], table[axis], strict=True)]
            )
        return {"holding": dots(table, "name", "variant", title, label, outcome)}

    @property
    def _first(self) -> HoldingAnswer:
        return self.parts[self.baseline]

    @property
    def _others(self) -> list[str]:
        return [variant for variant in self.parts if variant != self.baseline]

    def _change(
        self, found: Any, variant: str, case: Case, outcome: Outcome, entry: int | None, level: float
    ) -> Difference:
        contrast = self.changes[variant, case]
        if contrast is None:
            return NOTHING_AT_ALL
        result: Difference = found.compared.difference(
            contrast, outcome, entry=entry, seat=self._first.seat, level=level
        )
        return result

    def _everyone(self, found: Any) -> tuple[int | None, str]:
        """All bots together, or the only one, and what it is called."""
        bots = with_all(bots_in(found.compared, self._first.seat))
        who, entry = next(iter(bots.items()))
        return entry, "all bots together" if entry is None else who

    def _of_card(self, found: Any, card: str, outcome: Outcome) -> str:
        entry, by = self._everyone(found)
        first, parts, unit = self._first, [], f" {_unit(outcome)}"
        for place in first.places:
            said = []
            for variant, part in self.parts.items():
                worth = part.difference(found, (card, place), outcome, entry).estimate
                said.append(f"{amount_cell(worth, outcome)}{unit} with {variant}")
                unit = ""
            for variant in self._others:
                change = self._change(found, variant, (card, place), outcome, entry, found.level).estimate
                less = f" of {variant} from {self.baseline}" if len(self._others) > 1 else ""
                said.append(f"a difference{less} of {amount_cell(change, outcome)}")
            parts.append(f"from {first.axis_name} {place} on {', '.join(said)}")
        return f"{first.names[card]} is worth to its holder, {first.against} ({by}): {'; '.join(parts)}."

    def _certain(self, found: Any, variant: str, outcome: Outcome) -> str:
        """The cards whose worth changes, beyond doubt when corrected for all that are looked at."""
        entry, by = self._everyone(found)
        first, sure = self._first, []
        strict = corrected(found.level, len(self.changes))
        for name, (card, place) in self.changes:
            if name != variant:
                continue
            if is_sure(self._change(found, variant, (card, place), outcome, entry, strict).estimate):
                change = self._change(found, variant, (card, place), outcome, entry, found.level).estimate
                text = f"{first.names[card]} from {first.axis_name} {place} on {amount_cell(change, outcome)}"
                sure.append((-abs(change.mean), text))
        start = f"What a card is worth to its holder with {variant}, less with {self.baseline} ({by})"
        if not sure:
            return f"{start}: no change is beyond doubt."
        more = f"; and {len(sure) - MOST_CHANGES} smaller changes" if len(sure) > MOST_CHANGES else ""
        largest = "; ".join(text for _, text in sorted(sure)[:MOST_CHANGES])
        return f"{start}, beyond doubt [{_unit(outcome)}]: {largest}{more}."


def _unit(outcome: Outcome) -> str:
    """What a difference is counted in."""
    return f"points of {plain_label(outcome)}" if scale_of(outcome) == 100 else outcome.unit or outcome.label


def plan_in_variants(form: Holding, context: Context) -> Part:
    """Variants in which each card is given, of each variant that the file lists; see :mod:`skate_sim.holding`.

    Raises
    ------
    ExperimentError
        As of one experiment; the message ends with the variant.
    """
    from skate_sim.sections import Part

    baseline = context.baseline if context.baseline in context.listed else next(iter(context.listed))
    parts: dict[str, HoldingAnswer] = {}
    variants: dict[str, Experiment] = {}
    for name, listed in context.listed.items():
        made, parts[name] = plan_one(form, replace(context, plain=listed), name, f" with {name}")
        variants |= made
    changes: dict[tuple[str, Case], Contrast | None] = {}
    for name, part in parts.items():
        if name != baseline:
            for case, contrast in part.values.items():
                changes[name, case] = _change(contrast, parts[str(baseline)].values[case])
    contrasts = [*(c for part in parts.values() for c in part.contrasts), *(c for c in changes.values() if c)]
    answer = HoldingInVariants(parts, str(baseline), changes, _edited(context))
    return Part(dict(context.listed) | variants, tuple(contrasts), answer)


def _edited(context: Context) -> frozenset[str]:
    """Rows whose cells are not the same in all variants."""
    assert context.game.pieces
    tables = [rows_of(listed, context.game.pieces.table) for listed in context.listed.values()]
    return frozenset(row for row in tables[0] if any(dict(t.get(row, {})) != dict(tables[0][row]) for t in tables))


def _change(here: Contrast | None, there: Contrast | None) -> Contrast | None:
    """What one contrast is above another."""
    if here is None or there is None:
        return None
    weights = {**here.weights}
    for name, weight in there.weights.items():
        weights[name] = weights.get(name, 0) - weight
    return Contrast(here.name, there.name, weights, here.divisor)
