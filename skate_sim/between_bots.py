"""How much more one bot has than another of the same run: bots that meet in a game share its luck."""

from __future__ import annotations

import math

import numpy as np

from skate_sim.games import Outcome
from skate_sim.observed import unit_of
from skate_sim.simulation import Plan
from skate_sim.tallies import Tallies


def difference_of_bots(
    plan: Plan, tallies: Tallies, one: int, other: int, outcome: Outcome, *, together: bool = False
) -> tuple[float, float]:
    """Mean for one seat of a bot less that of another, and the variance of this difference.

    Parameters
    ----------
    one, other : int
        Numbers of the bots.
    outcome : Outcome
        Of seats; one of those whose products between seats are tallied (``Layout.crossed``).
    together : bool
        Only games in which both sit at the table.

    Returns
    -------
    mean, variance : float
        NaN where one of them has no game, or lineups have fewer than two games each.

    Notes
    -----
    Lineups are strata. In a lineup a game's number is the sum of one bot's seats, over all its seats in all lineups,
    less that of the other: its variance has the covariance between the two.
    """
    layout, seats = plan.layout, plan.resolved.seats
    column = [c.name for c in layout.seat_columns].index(outcome.name)
    crossed = layout.crossed.tolist().index(column)
    sits = [(layout.lineups[:, :seats] == entry).astype(int) for entry in (one, other)]
    played = (sits[0].sum(axis=1) > 0) & (sits[1].sum(axis=1) > 0) if together else np.ones(len(layout.lineups), bool)
    unit = unit_of(outcome, plan.game)
    totals = [int(s[played].sum()) for s in sits]
    if not all(totals) or (tallies.games[played] < 2).any():
        return math.nan, math.nan
    # What each seat counts in a game's number: + for one bot, - for the other, over the seats that each has.
    weights = (sits[0] / totals[0] - sits[1] / totals[1])[played] / unit
    games = tallies.games[played].astype(float)
    sums = tallies.seat_sums[played, :, column].astype(float)
    products = tallies.products[crossed][played].astype(float)
    means = (weights * sums).sum(axis=1) / games
    squares = np.einsum("ls,lst,lt->l", weights, products, weights)
    variances = np.maximum(0.0, squares / games - means**2) / (games - 1)
    return float(means.sum()), float(variances.sum())


def number_of(plan: Plan, name: str, names: list[str]) -> int | None:
    """Number of the bot with this name among the names shown, or that its code has; None: there is none, or several."""
    found = [n for n, bot in enumerate(plan.bots) if name in (names[n], bot.name, bot.full_name, bot.code.name)]
    exact = [n for n in found if name in (names[n], plan.bots[n].full_name)]
    chosen = exact if exact else found
    return chosen[0] if len(chosen) == 1 else None


def has_products(plan: Plan, outcome: Outcome) -> bool:
    """Whether products between seats are tallied for an outcome."""
    return outcome.name in [plan.layout.seat_columns[c].name for c in plan.layout.crossed.tolist()]
