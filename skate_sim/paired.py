"""Differences between two results of the same games: on the same luck, most of the noise cancels.

Tallied over the games that both played (game by game the same luck) are, for a number ``a`` and its counterpart
``b``, the sums and squares of each, and of ``d = a - b`` the squares and the sizes ``|d|``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from skate_sim.roots import root_between
from skate_sim.stats import LEVEL, NOTHING, Estimate, normal, student
from skate_sim.strata import Strata, Whole, strata_of, variance_of_mean

#: Before any is seen, half a game that differs by all that a share can: a few that happen to be alike in size
#: do not pass for all there are.
_PRIOR = 0.5


class Difference(NamedTuple):
    """A difference on the same games.

    Attributes
    ----------
    estimate : Estimate
        Mean of ``a - b`` with its interval.
    correlation : float
        Between ``a`` and ``b``, within lineups; NaN where one of them never varies.
    worth : float
        How many games of two independent runs say as much as one pair: the variance of the difference of two
        independent runs over that of the paired difference. Infinite when no game differs.
    """

    estimate: Estimate
    correlation: float
    worth: float


NO_DIFFERENCE = Difference(NOTHING, math.nan, math.nan)


def paired_difference(
    games: Whole,
    sums_a: Whole,
    squares_a: Whole,
    sums_b: Whole,
    squares_b: Whole,
    squares_d: Whole,
    sizes_d: Whole,
    *,
    units: Whole = 1,
    weights: Any = None,
    share: bool = False,
    identical: bool = False,
    level: float = LEVEL,
) -> Difference:
    """Mean of ``a - b`` over the games that both played, with its interval.

    Parameters
    ----------
    games, sums_a, squares_a, sums_b, squares_b : int or sequence of int
        By stratum: games, and sums and sums of squares of ``a`` and of ``b``.
    squares_d, sizes_d : int or sequence of int
        Sums of ``(a - b)**2`` and of ``|a - b|`` over the games.
    units, weights
        As in :func:`skate_sim.stats.mean_interval`.
    share : bool
        ``a`` and ``b`` are between 0 and 1 (once divided by ``units``).
    identical : bool
        Both are the same thing (same plan, bots and cards), so that the difference is 0 by construction, with an
        interval of width 0. Without this flag, games that all came out alike prove only that few differ: the
        interval of a share then goes as far as 3.84/n to both sides, and that of any other number is not known.

    Raises
    ------
    ValueError
        ``identical``, but some games differ.

    Notes
    -----
    When nearly all games come out alike, the differences that remain are as skewed as rare counts, and Student's
    interval misses. Then the interval is T. Tango's score interval for paired proportions (Statistics in Medicine
    17 (1998) 891), whose games differ by +c, -c or 0. The step ``c`` is mean square over mean size, so that such games
    have the mean, the mean size and the variance of those observed; ties make it less than 1. Strata enter by the
    effective number of games, as in :func:`skate_sim.stats.share_interval`.

    For a share it is always this one. For other numbers it is this one while fewer than half of the games differ
    (effectively: ``mean size**2 / mean square``), with Student's t for the number of differing games, as their
    sizes are themselves estimated; otherwise Student's.
    """
    d = _whole(sums_a) - _whole(sums_b)
    strata = strata_of(games, d, squares_d, units, weights)
    a = strata_of(games, sums_a, squares_a, units, weights)
    b = strata_of(games, sums_b, squares_b, units, weights)
    sizes = strata_of(games, sizes_d, squares_d, units, weights)
    if strata is None or a is None or b is None or sizes is None:
        return NO_DIFFERENCE
    if identical:
        if sizes.means.any():
            raise ValueError("two runs that are said to be identical have games that differ")
        estimate = Estimate(0.0, 0.0, 0.0)
    else:
        estimate = _interval(strata, sizes.mean, share, level)
    return Difference(estimate, *agreement(*(variance_of_mean(s)[0] for s in (a, b, strata))))


def _whole(numbers: Whole) -> np.ndarray:
    return np.asarray(numbers).astype(object)


def agreement(of_a: float, of_b: float, of_difference: float) -> tuple[float, float]:
    """Correlation and worth, from the variances of both means and of the paired difference."""
    apart = of_a + of_b
    if not apart > 0:
        return math.nan, math.nan
    worth = apart / of_difference if of_difference > 0 else math.inf
    if of_a <= 0 or of_b <= 0:
        return math.nan, worth
    correlation = (apart - of_difference) / (2 * math.sqrt(of_a * of_b))
    return min(1.0, max(-1.0, correlation)), worth


def _interval(strata: Strata, size: float, share: bool, level: float) -> Estimate:
    n, weights, mean = strata.games, strata.weights, strata.mean
    count = float(n.sum())
    square = float((weights * (strata.deviations / n + strata.means**2)).sum())
    variance, freedom = variance_of_mean(strata)
    if not share:
        if size == 0 or freedom < 1:
            return Estimate(mean, math.nan, math.nan)
        if size * size > square / 2:
            half = student(freedom, level) * math.sqrt(variance)
            return Estimate(mean, mean - half, mean + half)
    prior = _PRIOR / count if share else 0.0
    step = (square + prior) / (size + prior)
    spread = square - mean * mean
    effective = count
    if spread > 0:  # the variance of each stratum is its own after one game more that is like all
        effective = spread / float((weights**2 * (strata.deviations + spread) / n**2).sum())
    differing = effective * size / step
    critical = normal(level) if share else student(max(1.0, differing), level)
    ups, downs = (differing + effective * mean / step) / 2, (differing - effective * mean / step) / 2
    low, high = score_interval(max(0.0, ups), max(0.0, downs), effective, critical)
    return Estimate(mean, min(mean, low * step), max(mean, high * step))


def score_interval(ups: float, downs: float, games: float, critical: float) -> tuple[float, float]:
    """Tango's interval of the chance of +1 less that of -1, from (not necessarily whole) numbers of games."""
    at = (ups - downs) / games

    def excess(difference: float) -> float:
        away = ups - downs - games * difference
        linear = ups + downs - (2 * games - ups + downs) * difference
        constant = downs * difference * (1 - difference)
        root = math.sqrt(max(0.0, linear * linear + 8 * games * constant))
        # Of the two forms of the root of the quadratic the one in which nothing cancels.
        fewer = (root + linear) / (4 * games) if linear >= 0 else 2 * constant / (root - linear)
        variance = games * (2 * fewer + difference * (1 - difference))
        return away * away - critical * critical * max(0.0, variance)

    def end(bound: float) -> float:
        # Just beside the estimate, where the variance may be 0.
        inside = at + (bound - at) * 1e-3 * critical**2 / (games + critical**2)
        if excess(bound) <= 0 or excess(inside) >= 0:
            return bound if excess(bound) <= 0 else at
        return root_between(excess, inside, bound, xtol=1e-15, rtol=1e-12)

    return end(-1.0), end(1.0)
