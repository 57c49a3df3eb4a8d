"""Luck and skill: how much of an outcome's variance comes from the bots, the seats and the deal.

Wanted is a crossed design: the same luck (a *block*) is played by all lineups, and every bot sits in every seat
equally often. A seat of a lineup is a *place*, and so a bot in a seat. With ``place = lineup * seats + seat``, these
whole numbers are tallied, separately for each of a few batches of blocks (the batch of a block must depend on its
number alone, such as ``block % 32``):

- ``blocks[batch]``: number of blocks;
- ``sums[batch, place]``: sum over the blocks of the outcome in each place;
- ``forms[batch, form]``: sum over the blocks of the :data:`FORMS`, squares of sums within the block.

:func:`forms_of` computes the forms of given blocks. Tallies of different blocks are merged by adding them up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from skate_sim.stats import LEVEL, Estimate, student

#: Places are added up in these ways, and the sums of the squares of the results are tallied: each place alone, places
#: of the same bot in the same seat, in the same seat, of the same bot, in the same game, of the same bot in the same
#: game, and all places.
FORMS = ("place", "cell", "seat", "bot", "game", "bot_in_game", "block")

#: What :func:`variance_parts` gives.
PARTS = ("variance", "bots", "seats", "places", "deal", "bots_by_deal", "rest")


@dataclass(frozen=True)
class Luck:
    """Variance of what one seat has in one game, and the shares of it that add up to 1.

    Attributes
    ----------
    variance : Estimate
        Of a place taken at random in a block at random.
    bots : Estimate
        Skill: bots' means differ.
    seats : Estimate
        Seats' means differ.
    places : Estimate
        What else differs in the means: a bot suits a seat, or its opponents.
    deal : Estimate
        Luck that a seat has, whoever sits there.
    bots_by_deal : Estimate
        A deal suits a bot, wherever it sits.
    rest : Estimate
        Luck of neither alone: the bots' own, and what the others at the table do.
    """

    variance: Estimate
    bots: Estimate
    seats: Estimate
    places: Estimate
    deal: Estimate
    bots_by_deal: Estimate
    rest: Estimate


def forms_of(outcomes: Any, lineups: Any) -> np.ndarray:
    """Forms of blocks.

    Parameters
    ----------
    outcomes : array of int, (blocks, places)
    lineups : array of int, (lineups, seats)
        Bot by seat, bots counting from 0.

    Returns
    -------
    array, (blocks, forms)
    """
    table = np.asarray(lineups)
    values = np.asarray(outcomes).reshape(-1, table.size)
    return np.stack([_grouped(values, key) for key in _keys(table)], axis=1)


def _keys(table: np.ndarray) -> list[np.ndarray]:
    """For each form the group of every place."""
    games, seats = table.shape
    bot, seat, game = table.ravel().astype(int), np.tile(np.arange(seats), games), np.repeat(np.arange(games), seats)
    bots = int(bot.max()) + 1
    return [np.arange(table.size), bot * seats + seat, seat, bot, game, game * bots + bot, np.zeros(table.size, int)]


def _grouped(values: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Sum of squares of the sums of each group."""
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    return np.asarray((np.add.reduceat(values[:, order], starts, axis=1) ** 2).sum(axis=1))


def variance_parts(blocks: int, sums: Any, forms: Any, lineups: Any, units: int = 1) -> np.ndarray:
    """Unbiased parts of the variance, in the order of PARTS; the last six add up to the first.

    Parameters
    ----------
    blocks : int
    sums : array of int, (places,)
    forms : array of int, (forms,)
    lineups : array of int, (lineups, seats)
    units : int
        The outcome is stored in whole multiples of ``1 / units``.

    Notes
    -----
    See :func:`shares_of_variance`. NaN with fewer than two blocks; NaN for the last three where there are no two
    places with both bot and seat different in different games (two bots in two seats).
    """
    table, n = np.asarray(lineups), int(blocks)
    seats, bots = table.shape[1], len(np.unique(table))
    if n < 2:
        return np.full(len(PARTS), np.nan)
    within = np.asarray(forms).astype(object).ravel()
    across = forms_of(np.asarray(sums).astype(object), table)[0] - within  # products of different blocks
    counts = forms_of(np.ones(table.size, np.int64), table)[0]
    m, scale = table.size, n * (n - 1) * units**2
    covariances = (n - 1) * within - across

    def share(whole: Any, places: int) -> float:
        """Last of all the division, so that nothing cancels in floats."""
        return float(Fraction(int(whole), places * scale))

    def covariance(*signs: int) -> float:
        pairs = int(np.dot(signs, counts))
        return share(np.dot(signs, covariances), pairs) if pairs else np.nan

    same_seat = covariance(0, -1, 1, 0, 0, 0, 0)
    same_bot = covariance(1, -1, 0, 1, 0, -1, 0)
    neither = covariance(0, 1, -1, -1, -1, 1, 1)
    of_seat = (same_seat - neither) * (seats - 1) / seats
    of_bot = (same_bot - neither) * (bots - 1) / bots
    of_all = neither + of_seat / max(1, seats - 1) + of_bot / max(1, bots - 1)
    deal = of_all + of_seat
    means = share(m * across[0] - across[6], m * m)
    skill, seating = share(bots * across[3] - across[6], m * m), share(seats * across[2] - across[6], m * m)
    noise = share(covariances[0], m)
    parts = [means + noise, skill, seating, means - skill - seating, deal, of_bot, noise - deal - of_bot]
    return np.array(parts)


def shares_of_variance(
    blocks: Any, sums: Any, forms: Any, lineups: Any, *, units: int = 1, level: float = LEVEL
) -> Luck:
    """Shares of the variance that come from the bots, the seats, the deal, and what is left.

    Parameters
    ----------
    blocks : array of int, (batches,)
    sums : array of int, (batches, places)
    forms : array of int, (batches, forms)
    lineups : array of int, (lineups, seats)
        Bot by seat.
    units : int
        The outcome is stored in whole multiples of ``1 / units``.

    Raises
    ------
    ValueError
        Some bot does not sit in every seat equally often, or the shapes do not fit.

    Notes
    -----
    A game is taken as *mean of the place + effect of the deal on the seat + effect of the deal on the bot + rest*. The
    effects may be distributed in any way; the rests of different games are uncorrelated. The parts are found by the
    method of moments from covariances between different games of a block: same seat and different bots, same bot and
    different seats, both different (S. R. Searle, G. Casella and C. E. McCulloch, *Variance Components*, 1992,
    chapter 5; for a given set of seats and bots: J. Cornfield and J. W. Tukey, Annals of Mathematical Statistics 27
    (1956) 907). What is in common to a whole block counts as deal. Squares of means are products of different blocks,
    so that noise in them does not pass for skill: each part is unbiased, and one that is nearly 0 may come out below.

    Intervals are by the jackknife over the batches (B. Efron and C. Stein, Annals of Statistics 9 (1981) 586), with
    Student's t; NaN with fewer than three batches that have blocks.
    """
    n, table = np.atleast_1d(np.asarray(blocks)).astype(object), np.asarray(lineups)
    total = np.asarray(sums).astype(object).reshape(len(n), -1)
    form = np.asarray(forms).astype(object).reshape(len(n), -1)
    if total.shape[1] != table.size or form.shape[1] != len(FORMS):
        raise ValueError(f"{table.size} places need as many sums and {len(FORMS)} forms in each batch")
    cells = np.unique(_keys(table)[1], return_counts=True)[1]
    if len(cells) != table.shape[1] * len(np.unique(table)) or len(set(cells.tolist())) > 1:
        raise ValueError("luck and skill can only be told apart when every bot sits in every seat equally often")
    played = np.flatnonzero(n > 0)
    everything = n.sum(), total.sum(axis=0), form.sum(axis=0)
    whole = variance_parts(*everything, table, units)
    without = [
        variance_parts(everything[0] - n[i], everything[1] - total[i], everything[2] - form[i], table, units)
        for i in played
    ]
    left_out = np.array(without).reshape(len(played), len(PARTS))
    shares = [_jackknife(whole[i] / whole[0], left_out[:, i] / left_out[:, 0], level) for i in range(1, len(PARTS))]
    return Luck(_jackknife(whole[0], left_out[:, 0], level), *shares)


def _jackknife(value: float, left_out: np.ndarray, level: float) -> Estimate:
    """Value with its interval from those with one batch left out each."""
    g = len(left_out)
    if g < 3:
        return Estimate(float(value), np.nan, np.nan)
    variance = (g - 1) / g * float(((left_out - left_out.mean()) ** 2).sum())
    half = student(g - 1, level) * variance**0.5
    return Estimate(float(value), float(value - half), float(value + half))
