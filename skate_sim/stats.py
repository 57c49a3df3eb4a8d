"""Intervals, from exact sums and histograms: pure functions on numbers.

Sums are whole numbers (see :mod:`skate_sim.tallies`), and so are the deviations from the mean until the last
division: nothing cancels, at any number of games. Every interval is two-sided, by default at 95%.

Games that different lineups play are strata (see :mod:`skate_sim.strata`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, ndtri, stdtrit

from skate_sim.digits import digits_for as digits_for
from skate_sim.digits import format_interval as format_interval
from skate_sim.strata import Strata, Whole, strata_of, variances_of_means

LEVEL = 0.95


class Estimate(NamedTuple):
    """A number and its interval; NaN where the games are too few to say."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


NOTHING = Estimate(math.nan, math.nan, math.nan)


def mean_interval(
    games: Whole,
    totals: Whole,
    squares: Whole,
    *,
    units: Whole = 1,
    weights: Sequence[float] | np.ndarray | None = None,
    level: float = LEVEL,
) -> Estimate:
    """Mean of a number with its interval by Student's t.

    Parameters
    ----------
    games, totals, squares : int or sequence of int
        Number of observations, their sum and the sum of their squares; for each stratum, when there are several.
    units : int or sequence of int
        The numbers are stored as whole multiples of ``1 / units``.
    weights : sequence of float, optional
        Of the strata; equal when left out.

    Notes
    -----
    Degrees of freedom of several strata are Satterthwaite's. Strata of a single game say nothing of their own
    variance: then the variance of all games together is used for each, which is too large rather than too small.
    """
    strata = strata_of(games, totals, squares, units, weights)
    return NOTHING if strata is None else mean_intervals(strata, level)[0]


def mean_intervals(strata: Strata, level: float = LEVEL) -> list[Estimate]:
    """:func:`mean_interval` of each of several numbers."""
    return [
        _mean_interval(mean, variance, freedom, level)
        for mean, variance, freedom in zip(strata.averages(), *variances_of_means(strata), strict=True)
    ]


def _mean_interval(mean: float, variance: float, freedom: float, level: float) -> Estimate:
    if freedom < 1:
        return Estimate(mean, math.nan, math.nan)
    half = student(freedom, level) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def count_interval(
    games: Whole,
    totals: Whole,
    squares: Whole,
    *,
    units: Whole = 1,
    weights: Sequence[float] | np.ndarray | None = None,
    level: float = LEVEL,
) -> Estimate:
    """Mean of a number that is never negative, such as a count of something that may be rare.

    The interval holds each mean that would not be surprising if the variance were proportional to the mean
    (a score interval for overdispersed Poisson counts). It never goes below zero; with nothing seen in n games
    it still reaches up to 3.84/n; with many events it is :func:`mean_interval`. Parameters are the same.
    """
    strata = strata_of(games, totals, squares, units, weights)
    return NOTHING if strata is None else count_intervals(strata, [1 / float(np.mean(units))], level)[0]


def count_intervals(strata: Strata, steps: Sequence[float], level: float = LEVEL) -> list[Estimate]:
    """:func:`count_interval` of each of several numbers; ``steps`` are what a single event adds to each."""
    estimates, count = [], float(strata.games.sum())
    for mean, variance, freedom, step in zip(strata.averages(), *variances_of_means(strata), steps, strict=True):
        seen = (variance, count, freedom) if freedom >= 1 else (mean / count, count, math.inf)
        estimates.append(score_count(mean, *seen, level, step=step))
    return estimates


def score_count(
    mean: float, variance: float, count: float, freedom: float, level: float = LEVEL, step: float = 1.0
) -> Estimate:
    """Score interval of a mean (or rate) that is never negative, whose variance is taken as proportional to it.

    Parameters
    ----------
    variance, freedom : float
        Of the mean, and its degrees of freedom.
    count : float
        Games (or chances).
    step : float
        What a single event adds. Events that come in bunches say how large bunches are by their own number alone:
        then degrees of freedom are at most that of the bunches, over the share of the variance that bunching makes.
    """
    ratio = variance / mean if mean > 0 else step / count
    if mean > 0 and ratio * count > step:
        bunching = 1 - step / (ratio * count)
        freedom = max(1.0, min(freedom, mean / ratio / bunching))
    critical = student(freedom, level) if math.isfinite(freedom) else normal(level)
    middle = mean + critical**2 * ratio / 2
    half = critical * math.sqrt(variance + (critical * ratio / 2) ** 2)
    return Estimate(mean, max(0.0, middle - half) if mean > 0 else 0.0, middle + half)


def share_interval(
    games: Whole,
    totals: Whole,
    squares: Whole,
    *,
    units: Whole = 1,
    weights: Sequence[float] | np.ndarray | None = None,
    level: float = LEVEL,
) -> Estimate:
    """Mean of a number between 0 and 1, such as a win share (1/k for each of k tied winners).

    Wilson's interval at the effective number of games, ``mean * (1 - mean) / variance of the mean``: the number
    of plain yes-or-no games that would say as much. It stays within 0 and 1 and is good at shares near them,
    where Student's is not. Parameters are those of :func:`mean_interval`.

    Notes
    -----
    See E. B. Wilson, JASA 22 (1927) 209; effective size: E. L. Korn and B. I. Graubard, Survey Methodology 24
    (1998) 193; both together: N. Dean and M. Pagano, J. Survey Statistics and Methodology 3 (2015) 484. Each
    stratum's variance is its own after one game more, whose squared deviation is ``mean * (1 - mean)``: so a
    few games that happen to be alike do not pass for certainty.
    """
    strata = strata_of(games, totals, squares, units, weights)
    return NOTHING if strata is None else share_intervals(strata, level)[0]


def share_intervals(strata: Strata, level: float = LEVEL) -> list[Estimate]:
    """:func:`share_interval` of each of several numbers."""
    means = [min(max(mean, 0.0), 1.0) for mean in strata.averages()]
    spreads, count = [mean * (1 - mean) for mean in means], float(strata.games.sum())
    after = np.atleast_2d(strata.deviations) + np.array(spreads)[:, np.newaxis]
    variances = (strata.weights**2 * after / strata.games**2).sum(axis=1).tolist()
    return [
        wilson(mean, spread / variance if spread != 0 else count, level)
        for mean, spread, variance in zip(means, spreads, variances, strict=True)
    ]


def wilson(share: float, games: float, level: float = LEVEL) -> Estimate:
    """Wilson's score interval of a share seen in a number of yes-or-no games (not necessarily whole)."""
    if not games > 0:
        return NOTHING
    z = normal(level)
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return Estimate(share, low, high)


def rate_interval(events: int, chances: int, level: float = LEVEL) -> Estimate:
    """Events per chance: Wilson's interval while events are at most one a chance.

    More events than chances are no share. Then both are taken as independent Poisson counts, so that the share of
    events among all of them is binomial, and its interval is turned into that of the ratio; this is wider than
    need be when each chance brings its own events.
    """
    if chances <= 0:
        return NOTHING
    if events <= chances:
        return wilson(events / chances, chances, level)
    _, low, high = wilson(events / (events + chances), events + chances, level)
    return Estimate(events / chances, low / (1 - low), high / (1 - high))


def standard_deviation(games: int, total: int, squares: int, unit: int = 1) -> float:
    """Standard deviation of single observations."""
    n, total, squares = int(games), int(total), int(squares)
    if n < 2:
        return math.nan
    return math.sqrt((n * squares - total * total) / (n * (n - 1))) / unit


def quantile(
    values: Sequence[int] | np.ndarray,
    counts: Sequence[int] | np.ndarray,
    q: float,
    *,
    games: int | None = None,
    open_ends: bool = False,
    level: float = LEVEL,
) -> Estimate:
    """Quantile of a histogram of whole numbers, with an interval by order statistics.

    The quantile is the smallest value that at least the share ``q`` of the numbers do not exceed. Whatever the
    distribution, ties included, the interval between the two order statistics holds the true one at least as
    often as ``level`` says (H. A. David and H. N. Nagaraja, *Order Statistics*, 3rd ed. 2003, section 7.1).

    Parameters
    ----------
    values, counts : sequence of int
        Values in ascending order and how often each was seen.
    games : int, optional
        Independent observations, when fewer than the counts (several numbers a game).
    open_ends : bool
        The first and the last value stand for all numbers at most, or at least, as large.

    Returns
    -------
    Estimate
        NaN for a bound for which the games are too few; infinite for one in an open end. A quantile that is itself in
        an open end is its value: at most, or at least, that much.
    """
    cumulative = np.cumsum(np.asarray(counts, np.int64))
    total = int(cumulative[-1]) if len(cumulative) else 0
    if total == 0:
        return NOTHING
    n = total if games is None else games
    tail = (1 - level) / 2

    def at(rank: int) -> float:
        inside = 1 <= rank <= total
        return float(values[int(np.searchsorted(cumulative, rank))]) if inside else math.nan

    below, above = _surprising(n, q, tail), _surprising(n, 1 - q, tail)
    low = at(below * total // n + 1) if below >= 0 else math.nan
    high = at(-(-(n - above) * total // n)) if above >= 0 else math.nan
    if open_ends:
        low = -math.inf if low == values[0] else low
        high = math.inf if high == values[-1] else high
    return Estimate(at(max(1, math.ceil(q * total - 1e-9))), low, high)


def _surprising(n: int, q: float, tail: float) -> int:
    """Most successes k out of n for which "at most k" has no more than the chance ``tail``; -1: there is none."""
    k = max(-1, int(n * q + float(ndtri(tail)) * math.sqrt(n * q * (1 - q))))
    while k >= 0 and bdtr(k, n, q) > tail:
        k -= 1
    while k < n and bdtr(k + 1, n, q) <= tail:
        k += 1
    return k


def corrected(level: float, comparisons: int) -> float:
    """Level of each of several intervals so that all hold together at ``level`` (Bonferroni's), however they depend."""
    return 1 - (1 - level) / max(1, comparisons)


def student(freedom: float, level: float = LEVEL) -> float:
    """Student's t that a share ``level`` of the distribution does not exceed in size."""
    return float(stdtrit(freedom, (1 + level) / 2))


@lru_cache
def normal(level: float = LEVEL) -> float:
    """What a share ``level`` of the normal distribution does not exceed in size."""
    return float(ndtri((1 + level) / 2))
