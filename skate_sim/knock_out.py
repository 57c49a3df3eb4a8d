"""``knock_out:`` what each card does to the game: the same games without it, or with a blank in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skate_sim.changes import check, edited, rows_of
from skate_sim.comparison import Contrast
from skate_sim.differences import (
    NOTHING_AT_ALL,
    amount,
    bots_in,
    difference_cells,
    dots,
    is_sure,
    listed,
    measured,
    row_names,
    scale_of,
)
from skate_sim.games import ContentError, Outcome, Pieces, choices_text
from skate_sim.paired import Difference
from skate_sim.section_forms import KnockOut
from skate_sim.stats import Estimate, corrected
from skate_sim.study import UNCHANGED

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part


ALL_ROWS = "all"
#: What stands for the game as a whole where a bot's name would be.
GAME = "game"


@dataclass(frozen=True, eq=False)
class KnockOutAnswer:
    """What becomes of bots and game without each row.

    Attributes
    ----------
    names : dict
        Readable name of each row.
    how : str
        ``removed`` or ``blank``.
    contrasts : dict of row to Contrast
        None where the row already is as it would be.
    left_out : dict of row to reason
        Rows without which there is no game.
    """

    names: Mapping[str, str]
    how: str
    contrasts: Mapping[str, Contrast | None]
    left_out: Mapping[str, str]
    name: str = "knock_out"

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``knock_out``: a row for each row, bot (or ``game``) and outcome.

        ``low`` to ``high`` is the interval of one difference; ``sure`` says whether it is still apart from zero
        when corrected for all rows and bots of the outcome.
        """
        import pandas as pd

        rows = []
        for outcome, whose in self._outcomes(found):
            level = corrected(found.level, len(self.contrasts) * len(whose))
            for row in self.contrasts:
                for bot, entry in whose.items():
                    difference = self._difference(found, row, outcome, entry, found.level)
                    sure = is_sure(self._difference(found, row, outcome, entry, level).estimate)
                    first = {"row": row, "name": self.names[row], "bot": bot, "outcome": outcome.name}
                    rows.append(first | difference_cells(difference) | {"sure": sure})
        return {"knock_out": pd.DataFrame(rows)}

    def findings(self, found: Any) -> list[str]:
        """What changes each bot and the game most, and rows that change nothing beyond doubt."""
        table = self.tables(found)["knock_out"]
        sentences = []
        for outcome, whose in self._outcomes(found):
            for who in whose:
                chosen = table[(table["outcome"] == outcome.name) & (table["bot"] == who) & table["sure"]]
                what = f"{outcome.label} of {'the game' if who == GAME else who}"
                rows = sorted(chosen.to_dict("records"), key=lambda row: -abs(row["value"]))
                if rows:
                    estimate = Estimate(rows[0]["value"], rows[0]["low"], rows[0]["high"])
                    change = amount(estimate, outcome, found.level)
                    sentences.append(f"{what} changes most with {rows[0]['name']} {self._done()}: {change}.")
                else:
                    sentences.append(f"{what} is changed beyond doubt by no row {self._done()}.")
        quiet = [n for n, rows in table.groupby("name", sort=False) if not rows["sure"].any()]
        if quiet:
            text = f"No change beyond doubt, corrected for all rows and bots: {listed(map(str, quiet))}"
            sentences.append(f"{text} {self._done()}.")
        sentences += [f"{self.names[row]} was left out: {reason}." for row, reason in self.left_out.items()]
        return sentences

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``knock_out``: change of the headline by row, a marker a bot."""
        outcome = self._outcomes(found)[0][0]
        table = self.tables(found)["knock_out"]
        label = f"Change of {outcome.label.lower()}" + (" [% points]" if scale_of(outcome) == 100 else "")
        title = f"{outcome.label}: what changes with each row {self._done()}"
        return {"knock_out": dots(table[table["outcome"] == outcome.name], "name", "bot", title, label, outcome)}

    def _done(self) -> str:
        return "made blank" if self.how == "blank" else "taken away"

    def _outcomes(self, found: Any) -> list[tuple[Outcome, dict[str, int | None]]]:
        """Outcomes, each with those who have it."""
        game, bots = found.compared.plan.game, bots_in(found.compared)
        of_bots = measured(game, found.compared.plan.resolved.seats)
        of_game = [o for o in game.outcomes if o.level == "game" and o.shown and o.kind != "label" and o.axis is None]
        whose: list[tuple[Outcome, dict[str, int | None]]] = [(o, {**bots}) for o in of_bots]
        whose += [(o, {GAME: None}) for o in of_game]
        return whose

    def _difference(self, found: Any, row: str, outcome: Outcome, entry: int | None, level: float) -> Difference:
        contrast = self.contrasts[row]
        if contrast is None:
            return NOTHING_AT_ALL
        result: Difference = found.compared.difference(contrast, outcome, entry=entry, level=level)
        return result


def plan_knock_out(form: KnockOut, context: Context) -> Part:
    """A variant for each row, without it or with a blank.

    Raises
    ------
    ExperimentError
        No such row, or one that the game cannot do without.
    """
    from skate_sim.sections import Part

    pieces, report = context.game.pieces, context.report
    if pieces is None or form.table not in (None, pieces.table):
        title, valid = context.game.title, pieces.table if pieces else "it has none"
        raise report.error(("knock_out",), f"{title} has no such table whose rows can be taken away; valid: {valid}")
    rows = rows_of(context.plain, pieces.table)
    every = form.rows == [ALL_ROWS]
    chosen = list(rows) if every else form.rows
    variants: dict[str, Experiment] = {UNCHANGED: context.unchanged}
    contrasts: dict[str, Contrast | None] = {}
    left_out: dict[str, str] = {}
    for number, row in enumerate(chosen):
        where = ("knock_out", "rows") if every else ("knock_out", "rows", number)
        if row not in rows:
            raise report.error(where, f"no row {row!r} in table {pieces.table}; {choices_text(row, rows)}")
        if row in contrasts:
            raise report.error(where, f"found {row!r} twice; each row is listed once")
        name = f"{row} {form.how}"
        variant, reason = _without(context.plain, name, pieces, row, form.how)
        if variant is None and not every:
            raise report.error(where, f"{row} cannot be {form.how}: {reason}")
        if variant is None:
            left_out[row] = reason
        elif all(rows[row][column] == value for column, value in _cells(pieces, form.how).items()):
            contrasts[row] = None
        else:
            variants[name] = variant
            contrasts[row] = Contrast(name, UNCHANGED, {name: 1, UNCHANGED: -1})
    answer = KnockOutAnswer(row_names(context.game, pieces.table, rows), form.how, contrasts, left_out)
    return Part(variants, tuple(c for c in contrasts.values() if c is not None), answer)


def _cells(pieces: Pieces, how: str) -> Mapping[str, Any]:
    return pieces.blank if how == "blank" else pieces.removed


def _without(plain: Experiment, name: str, pieces: Pieces, row: str, how: str) -> tuple[Experiment | None, str]:
    """The experiment without a row, or why there is none."""
    cells = _cells(pieces, how)
    variant = edited(plain, name, pieces.table, row, cells)
    try:
        check(variant)
    except ContentError as error:
        return None, error.message
    after = rows_of(variant, pieces.table)[row]
    wrong = [column for column, value in cells.items() if after[column] != value]
    if wrong:  # a rule switch that has the last word
        return None, f"the rules keep its {listed(wrong)}"
    return variant, ""
