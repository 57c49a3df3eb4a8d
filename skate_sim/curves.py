"""Curves: how an outcome goes with a number that varies, where it is highest, and how flat it is there.

A pool that has the same bot with several values of one parameter has a curve; a sweep has one for each bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skate_sim.differences import listed
from skate_sim.digits import format_interval
from skate_sim.games import Outcome
from skate_sim.observed import observed
from skate_sim.ranges import value_text
from skate_sim.ranking import Ranking, rank_bots
from skate_sim.ranking_table import means_together
from skate_sim.simulation import Plan
from skate_sim.stats import LEVEL, Estimate
from skate_sim.tables import mean_of
from skate_sim.tallies import Tallies

COLUMNS = (
    *("bot", "number", "at", "outcome", "mean", "mean_low", "mean_high", "best_rank", "worst_rank"),
    *("behind_best", "behind_best_low", "behind_best_high", "chance_of_best"),
)
#: Fewer values than these are no curve.
FEWEST = 3
#: What is called near the best: so much of a share.
NEAR = 0.01

Row = Mapping[str, Any]


def curve_rows(
    bot: str, number: str, values: Sequence[Any], outcome: str, means: Sequence[Estimate], ranking: Ranking
) -> list[dict[str, Any]]:
    """Rows of a curve: its means, each with its own interval, and how far below the highest each is.

    Ranks and the intervals of ``behind_best`` hold for all values together, whichever is the highest.
    """
    best, rows = ranking.order[0], []
    for n, (value, mean) in enumerate(zip(values, means, strict=True)):
        row = {"bot": bot, "number": number, "at": value, "outcome": outcome}
        row |= {"mean": mean.mean, "mean_low": mean.low, "mean_high": mean.high}
        row |= {"best_rank": ranking.best_ranks[n], "worst_rank": ranking.worst_ranks[n]}
        row |= {"behind_best": float(ranking.differences[best, n]), "behind_best_low": float(ranking.lows[best, n])}
        row |= {"behind_best_high": float(ranking.highs[best, n])}
        rows.append(row | {"chance_of_best": float(ranking.chance_of_best[n])})
    return rows


def curves_table(plan: Plan, tallies: Tallies, level: float = LEVEL) -> pd.DataFrame:
    """One row for each bot of a pool that is there with three or more values of one parameter: see :data:`COLUMNS`."""
    rows: list[dict[str, Any]] = []
    game, found = plan.game, _of_pool(plan)
    names = [c.name for c in plan.layout.seat_columns]
    for name in dict.fromkeys([game.headlines[plan.resolved.seats], game.score]):
        together = means_together(plan, tallies, game.outcome(name)) if found else None
        if together is None:
            continue
        outcome = game.outcome(name)
        for (code, parameter), members in found.items():
            values = [plan.bots[bot].values[parameter] for bot in members]
            at = [together.bots.index(bot) for bot in members]
            ranking = rank_bots(together.means[at], together.covariance[np.ix_(at, at)], level)
            its = [observed(plan, tallies, bot) for bot in members]
            means = [mean_of(plan, bot, names.index(name), outcome, level) for bot in its]
            rows += curve_rows(code, parameter, values, name, means, ranking)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _of_pool(plan: Plan) -> dict[tuple[str, str], list[int]]:
    """Numbers of the bots of each curve, by code and parameter, in ascending order of the parameter."""
    found = {}
    for code in dict.fromkeys(bot.code.name for bot in plan.bots):
        members = [n for n, bot in enumerate(plan.bots) if bot.code.name == code]
        values = [plan.bots[n].values for n in members]
        varied = [p for p in values[0] if len({v[p] for v in values}) > 1]
        if len(varied) == 1 and len({v[varied[0]] for v in values}) == len(members) >= FEWEST:
            found[code, varied[0]] = sorted(members, key=lambda n: plan.bots[n].values[varied[0]])
    return found


def peak_sentences(curve: pd.DataFrame, outcome: Outcome) -> list[str]:
    """Where a curve is highest, which values cannot be told from that, and how flat it is, beyond doubt."""
    rows = curve.to_dict("records")
    top = max(rows, key=lambda row: row["mean"])
    value, number = value_text(top["at"]), top["number"]
    mean = format_interval(top["mean"], top["mean_low"], top["mean_high"], outcome.kind)
    place = rows.index(top)
    text = f"{top['bot']}: the peak is at {number} = {value}, {outcome.label} {mean}"
    if place in (0, len(rows) - 1):
        text += f"; it is the {'lowest' if place == 0 else 'highest'} value tried"
    alike = [row for row in rows if row is not top and row["behind_best_low"] <= 0]
    others = listed(value_text(row["at"]) for row in alike)
    other = f"Not to be told from it: {others}." if alike else "All other values are below it, beyond doubt."
    return [f"{text}. {other} {flatness(rows, place, outcome)}".strip()]


def flatness(rows: Sequence[Mapping[Any, Any]], place: int, outcome: Outcome) -> str:
    """The values around the highest that are near it, beyond doubt; of shares."""
    if outcome.kind not in ("share", "flag"):
        return ""
    first = last = place
    while first > 0 and rows[first - 1]["behind_best_high"] < NEAR:
        first -= 1
    while last < len(rows) - 1 and rows[last + 1]["behind_best_high"] < NEAR:
        last += 1
    number = rows[place]["number"]
    if first == last:
        return ""
    ends = f"{value_text(rows[first]['at'])} to {value_text(rows[last]['at'])}"
    return f"Every {number} tried from {ends} is within {100 * NEAR:g} point of it, with certainty."


def curves_of(table: pd.DataFrame, outcome: str) -> Iterable[pd.DataFrame]:
    """The curves of one outcome in a table."""
    for _, curve in table[table["outcome"] == outcome].groupby(["bot", "number"], sort=False):
        yield curve


def moving_sentences(tables: Mapping[str, pd.DataFrame], outcomes: Mapping[str, Outcome]) -> list[str]:
    """Where the peaks of the same curves are in each of several runs, by the runs' names."""
    told: dict[tuple[str, str], list[str]] = {}
    for name, table in tables.items():
        for curve in curves_of(table, outcomes[name].name):
            rows = curve.to_dict("records")
            top = max(rows, key=lambda row: row["mean"])
            alike = [value_text(row["at"]) for row in rows if row is not top and row["behind_best_low"] <= 0]
            text = f"{value_text(top['at'])} with {name}"
            text += f" ({listed(alike)} cannot be told from it)" if alike else ""
            told.setdefault((str(top["bot"]), str(top["number"])), []).append(text)
    return [f"{bot}: the peak is at {number} {'; '.join(texts)}." for (bot, number), texts in told.items()]
