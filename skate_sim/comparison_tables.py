"""Tables of a comparison: differences between variants, tidy, each with its paired interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from skate_sim.compared import Compared
from skate_sim.comparison import Contrast
from skate_sim.differences import is_sure
from skate_sim.games import Outcome
from skate_sim.observed import ALL, Observed, observed
from skate_sim.stats import LEVEL, corrected
from skate_sim.tables import Row

DIFFERENCES = (
    *("variant", "baseline", "bot", "outcome", "label", "unit", "value"),
    *("difference", "low", "high", "certain", "correlation", "worth"),
)
#: Rows above which only outcomes that are shown are in the table.
MOST_ROWS = 4000


def differences_table(
    compared: Compared, level: float = LEVEL, contrasts: Iterable[Contrast] | None = None
) -> pd.DataFrame:
    """One row for each contrast, bot (``all`` for outcomes of the game) and outcome without axis.

    ``value`` is the variant's own mean (NaN for a contrast of several variants); ``difference``, ``low`` and ``high``
    are of the variant less its baseline on the same games; ``worth`` is how many games of independent runs a game of
    both says as much as. ``certain``: at the same level for all rows of the table together (Bonferroni), the whole
    interval, which is then wider than from ``low`` to ``high``, is on one side of 0. All contrasts of the comparison,
    unless some are given.
    """
    contrasts = tuple(compared.comparison.contrasts if contrasts is None else contrasts)
    bots = compared.bot_names()
    outcomes = [o for o in compared.plan.game.outcomes if o.axis is None and o.kind != "label"]
    if len(contrasts) * len(bots) * len(outcomes) > MOST_ROWS:
        outcomes = [o for o in outcomes if o.shown]
    cells = [(contrast, *cell) for contrast in contrasts for cell in _cells(outcomes, len(bots))]
    strict = corrected(level, max(1, len(cells)))
    rows = []
    for contrast, outcome, entry in cells:
        row = difference_row(compared, contrast, outcome, entry, level)
        # Only what the narrower interval is sure of can be certain.
        sure = row["low"] > 0 or row["high"] < 0
        sure = sure and is_sure(compared.difference(contrast, outcome, entry=entry, level=strict).estimate)
        rows.append(row | {"certain": sure})
    return pd.DataFrame(rows, columns=list(DIFFERENCES))


def _cells(outcomes: Iterable[Outcome], bots: int) -> Iterator[tuple[Outcome, int | None]]:
    for outcome in outcomes:
        for entry in range(bots) if outcome.level == "seat" else (None,):
            yield outcome, entry


def difference_row(
    compared: Compared, contrast: Contrast, outcome: Outcome, entry: int | None, level: float = LEVEL
) -> Row:
    """A row of the table of differences."""
    found = compared.difference(contrast, outcome, entry=entry, level=level)
    mean, low, high = found.estimate
    names = {"variant": contrast.name, "baseline": contrast.baseline}
    bot = ALL if entry is None else compared.bot_names()[entry]
    texts = {"bot": bot, "outcome": outcome.name, "label": outcome.label, "unit": outcome.unit}
    numbers = {"value": _value(compared, contrast, outcome, entry), "difference": mean, "low": low, "high": high}
    return names | texts | numbers | {"correlation": found.correlation, "worth": found.worth}


def _value(compared: Compared, contrast: Contrast, outcome: Outcome, entry: int | None) -> float:
    """Mean of the variant itself."""
    if contrast.name not in compared.plans:
        return float("nan")
    plan, tallies = compared.plans[contrast.name], compared.by_variant[contrast.name]
    columns = plan.layout.seat_columns if outcome.level == "seat" else plan.layout.game_columns
    column = next(n for n, c in enumerate(columns) if c.outcome.name == outcome.name and c.index is None)
    if outcome.level == "seat":
        its = observed(plan, tallies, entry)
    else:
        its = Observed(tallies.games, tallies.games * 0 + 1, tallies.game_sums, tallies.game_squares)
    return its.estimate(outcome, column, plan.game).mean
