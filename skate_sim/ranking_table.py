"""Which bots are better than which at a table: the ranking of a run, from how their results go together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from skate_sim.games import Outcome
from skate_sim.observed import display_names, unit_of
from skate_sim.ranking import rank_bots
from skate_sim.simulation import Plan
from skate_sim.stats import LEVEL
from skate_sim.strata import moments_of
from skate_sim.tallies import Tallies

COLUMNS = (
    *("outcome", "bot", "rank", "best_rank", "worst_rank", "chance_of_best", "group"),
    *("value", "behind_best", "behind_best_low", "behind_best_high"),
)


#: Whole numbers below this size have 64 bits.
_WHOLE = 2**63


class Together(NamedTuple):
    """Means of bots, for one seat in one game, and the covariance matrix of these means."""

    bots: list[int]
    means: np.ndarray
    covariance: np.ndarray


def means_together(plan: Plan, tallies: Tallies, outcome: Outcome) -> Together | None:
    """Bots' means of an outcome and their covariance, as lineups weigh them.

    The mean of a bot is that of its table row: over the lineups that have games, the sum of its seats' means over the
    number of its seats. So the means of all seats of a lineup vary together, and lineups are independent strata.

    Returns
    -------
    Together or None
        None: fewer than two bots, fewer than two games, or an outcome whose products are not tallied.
    """
    layout, seats = plan.layout, plan.resolved.seats
    names = [c.name for c in layout.seat_columns]
    crossed = [names[n] for n in layout.crossed.tolist()]
    played = tallies.games > 0
    lineups = layout.lineups[:, :seats][played]
    bots = sorted(set(lineups.ravel().tolist()))
    if outcome.name not in crossed or len(bots) < 2 or int(tallies.games.sum()) < 2:
        return None
    column = names.index(outcome.name)
    at = (lineups[:, np.newaxis, :] == np.array(bots)[:, np.newaxis]).astype(np.int64)  # (lineups, bots, seats)
    totals, products = tallies.seat_sums[played][:, :, column], tallies.products[crossed.index(outcome.name)][played]
    # A sum over some seats is at most as large as that over all, and so are sums over pairs of them.
    most = max(int(np.abs(totals).max()) * seats, int(np.abs(products).max()) * seats**2)
    if most >= _WHOLE:
        at, totals, products = (a.astype(object) for a in (at, totals, products))
    sums = (at @ totals[:, :, np.newaxis])[:, :, 0]
    between = at @ products @ at.transpose(0, 2, 1)
    found = moments_of(tallies.games[played], sums, between)
    if found is None:
        return None
    scale = len(lineups) / (at.sum(axis=(0, 2)) * unit_of(outcome, plan.game))
    return Together(bots, found.means * scale, found.covariance * np.outer(scale, scale))


def ranking_table(plan: Plan, tallies: Tallies, level: float = LEVEL) -> pd.DataFrame:
    """One row for each bot, by the headline and by the score: ranks, chance of being best, how far behind the best.

    Ranks count from 1. ``best_rank`` to ``worst_rank`` are the ranks that a bot may have, and ``group`` has a
    letter for each set of bots no two of which can be told apart; these and the intervals of ``behind_best`` (to the
    bot with the highest mean) hold for all bots together (see :func:`skate_sim.ranking.rank_bots`).
    """
    rows = []
    names, game = display_names(plan.bots), plan.game
    for outcome in dict.fromkeys([game.headlines[plan.resolved.seats], game.score]):
        found = means_together(plan, tallies, game.outcome(outcome))
        if found is None:
            continue
        try:
            ranking = rank_bots(found.means, found.covariance, level)
        except ValueError:  # tallies that contradict each other, which the checks tell
            continue
        best = ranking.order[0]
        for place, number in enumerate(ranking.order):
            letters = "".join(letter_of(n) for n, group in enumerate(ranking.groups) if number in group)
            row = {"outcome": outcome, "bot": names[found.bots[number]], "rank": place + 1}
            row |= {"best_rank": ranking.best_ranks[number], "worst_rank": ranking.worst_ranks[number]}
            row |= {"chance_of_best": float(ranking.chance_of_best[number]), "group": letters}
            row |= {"value": float(found.means[number]), "behind_best": float(ranking.differences[best, number])}
            row |= {"behind_best_low": float(ranking.lows[best, number])}
            rows.append(row | {"behind_best_high": float(ranking.highs[best, number])})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def letter_of(number: int) -> str:
    """a, b, ..., z, then a1, b1, ..."""
    return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
