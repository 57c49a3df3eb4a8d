"""Differences as rows of tables and as words; what the answers of an experiment file have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skate_sim.compared import Compared
from skate_sim.digits import digits_for, fixed, format_interval
from skate_sim.games import Game, Outcome
from skate_sim.observed import ALL
from skate_sim.paired import Difference
from skate_sim.ranges import listed as listed
from skate_sim.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing

#: What something less itself is.
NOTHING_AT_ALL = Difference(Estimate(0.0, 0.0, 0.0), math.nan, math.inf)


def difference_cells(found: Difference) -> dict[str, float]:
    """Columns of a difference: ``value``, its interval ``low`` to ``high``, ``correlation`` and ``worth``."""
    value, low, high = found.estimate
    return {"value": value, "low": low, "high": high, "correlation": found.correlation, "worth": found.worth}


def measured(game: Game, seats: int) -> list[Outcome]:
    """The outcomes that answers are about: the one that ranks, and the score."""
    return [game.outcome(name) for name in dict.fromkeys([game.headlines[seats], game.score])]


def bots_in(compared: Compared, seat: int | None = None) -> dict[str, int]:
    """Number of each bot, by name; only those that sit in a seat (from 0), if one is given."""
    lineups = compared.plan.layout.lineups[:, : compared.plan.resolved.seats]
    sitting = set((lineups if seat is None else lineups[:, seat]).ravel().tolist())
    return {name: entry for entry, name in enumerate(compared.bot_names()) if entry in sitting}


def with_all(bots: Mapping[str, int]) -> dict[str, int | None]:
    """The bots, and first all of them together, unless there is just one."""
    return dict(bots) if len(bots) == 1 else {ALL: None, **bots}


def row_names(game: Game, table: str, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Readable name of each row: the table's first text, with the row's id where two are alike."""
    columns = next(t for t in game.tables if t.name == table).columns
    column = next((c.name for c in columns if c.kind == "text"), None)
    names = {row: str(cells[column]) if column else row for row, cells in rows.items()}
    alike = list(names.values())
    return {row: f"{name} ({row})" if alike.count(name) > 1 else name for row, name in names.items()}


def plain_label(outcome: Outcome) -> str:
    """An outcome's label inside a sentence; those of points are names."""
    return outcome.label if outcome.kind == "points" else outcome.label.lower()


def amount(estimate: Estimate, outcome: Outcome, level: float) -> str:
    """A difference in words: ``+4.2 points of win share (95% 4.0 to 4.4)``, with the digits that it supports."""
    percent = outcome.kind in ("share", "flag")
    mean, low, high = (100 * x if percent else x for x in estimate)
    what = f"points of {plain_label(outcome)}" if percent else outcome.unit or outcome.label
    if not math.isfinite(low) or not math.isfinite(high):
        return f"{mean:+.2g} {what} (interval not known)"
    if low == high:
        return f"exactly {mean:g} {what}"
    decimals = digits_for((high - low) / 2)
    value = fixed(mean, decimals)
    sign = "" if value.startswith("-") else "+"
    return f"{sign}{value} {what} ({100 * level:.4g}% {fixed(low, decimals)} to {fixed(high, decimals)})"


def amount_cell(estimate: Estimate, outcome: Outcome) -> str:
    """A difference as a table shows it: with its interval and its sign, shares in points of a percent."""
    scale = 100 if outcome.kind in ("share", "flag") else 1
    mean, low, high = (scale * x for x in estimate)
    if mean == low == high == 0:
        return "0 exactly"
    text = format_interval(mean, low, high, "points")
    shows = any(digit in "123456789" for digit in text.partition(" ")[0])
    return f"+{text}" if mean > 0 and shows else text


def is_sure(estimate: Estimate) -> bool:
    """Whether a difference is beyond doubt not zero, as far as its interval says."""
    return estimate.low > 0 or estimate.high < 0


def dots(table: pd.DataFrame, rows: str, series: str | None, title: str, label: str, outcome: Outcome) -> Drawing:
    """Values with intervals around a line at 0: a line a row, a marker for each of a series."""
    from skate_sim.drawing import Drawing

    words = {"rows": rows, "series": series, "label": label, "scale": scale_of(outcome)}
    columns = [rows, *([series] if series else []), "value", "low", "high"]
    return Drawing("ladder", title, table[columns], words)


def scale_of(outcome: Outcome) -> int:
    """Shares and flags are drawn in percent."""
    return 100 if outcome.kind in ("share", "flag") else 1
