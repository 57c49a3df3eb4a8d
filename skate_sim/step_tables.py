"""The table of a step ledger: a life table of sequences that grow step by step, by bot.

Of those that *reached* k steps some ended there, as they chose to or had to; the others *tried* the step after. The
*hazard* is the share of these for which it was the end.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from skate_sim import stats
from skate_sim.games import StepLedger
from skate_sim.observed import ALL, display_names, games_of
from skate_sim.simulation import Plan
from skate_sim.tables import Row, estimated
from skate_sim.tallies import Tallies


def ends_of(plan: Plan, tallies: Tallies, ledger: StepLedger) -> np.ndarray:
    """How many sequences ended with so many steps in each way: int64 array, (entries, steps, endings)."""
    shape = (len(plan.bots), ledger.capacity, len(ledger.endings))
    return tallies.ledger[:, plan.game.ledger_place(ledger)].reshape(shape)


def step_table(plan: Plan, tallies: Tallies, ledger: StepLedger, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row for each bot (and for ``all``) and number of steps, up to the most that any sequence had.

    Columns: ``bot``, ``steps``, ``games`` of the bot, ``reached`` (sequences with at least so many steps); for every
    ending ``e``: ``e`` (how many ended so with exactly so many steps, the one that failed not counted) and
    ``e_share`` of all the bot's sequences; ``tried`` (how many went on to a further step), ``hazard`` (the share of
    these that failed with it) and ``reference`` (the exact hazard that the game declares to compare with, where there
    is one). Intervals are Wilson's and take sequences as independent. The last row that the kernel keeps is of so
    many steps or more; its hazard is not known.
    """
    ends = ends_of(plan, tallies, ledger)
    every = [*zip(display_names(plan.bots), ends, strict=True), (ALL, ends.sum(axis=0))]
    games = [games_of(plan, tallies, entry) for entry in range(len(plan.bots))]
    exact = list(ledger.reference(plan.resolved)) if ledger.reference else []
    most = int(np.flatnonzero(ends.sum(axis=(0, 2))).max(initial=0))
    rows: list[Row] = []
    for (bot, counts), played in zip(every, [*games, int(tallies.games.sum())], strict=True):
        reached = counts.sum(axis=1)[::-1].cumsum()[::-1].tolist()
        for steps in range(most + 1):
            row: Row = {"bot": bot, "steps": steps, "games": played, "reached": reached[steps]}
            row |= _ends(ledger, counts[steps].tolist(), reached[0], reached[steps], level)
            if steps == ledger.capacity - 1:
                row |= estimated("hazard", stats.NOTHING)
            rows.append(row | {"reference": exact[steps] if steps < len(exact) else math.nan})
    return pd.DataFrame(rows)


def _ends(ledger: StepLedger, counts: list[int], sequences: int, reached: int, level: float) -> Row:
    """How sequences with so many steps ended, and the hazard of going on."""
    ends = dict(zip(ledger.endings, counts, strict=True))
    row: Row = dict(ends)
    for ending, count in ends.items():
        row |= estimated(f"{ending}_share", stats.rate_interval(count, sequences, level))
    failed = ends[ledger.failure]
    tried = reached - sum(counts) + failed
    return row | {"tried": tried} | estimated("hazard", stats.rate_interval(failed, tried, level))
