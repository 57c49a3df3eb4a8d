"""Ratios of two sums of the same games, such as points per play, and differences of two such ratios.

Of each game a numerator ``y`` and a denominator ``x`` are tallied: their sums, and the sums over the games of the
products of every two of them. Plays of one game are not independent of each other; games are.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from skate_sim.paired import NO_DIFFERENCE, Difference, agreement
from skate_sim.stats import LEVEL, NOTHING, Estimate, score_count, student, wilson
from skate_sim.strata import Whole, moments_of

Kind = Literal["share", "count", "real"]


def ratio_interval(
    games: Whole,
    sums: Any,
    products: Any,
    *,
    weights: Any = None,
    kind: Kind = "real",
    level: float = LEVEL,
) -> Estimate:
    """Sum of ``y`` over sum of ``x``, with its interval.

    Parameters
    ----------
    games : int or sequence of int
        By stratum.
    sums : array of int, (strata, 2)
        Of ``y`` and ``x``.
    products : array of int, (strata, 2, 2)
        ``[[sum y*y, sum y*x], [sum x*y, sum x*x]]``.
    weights : sequence of float, optional
        Of the strata; equal when left out. The ratio is that of the weighted means.
    kind : {"share", "count", "real"}
        ``share``: ``y`` is between 0 and ``x`` in every game. ``count``: neither is ever negative.

    Returns
    -------
    Estimate
        Of NaN when all denominators are 0; with NaN bounds when they may well be 0 on average.

    Notes
    -----
    ``real``: E. C. Fieller's interval (JRSS B 16 (1954) 175), all ratios ``r`` for which the mean of ``y - r * x``
    may be 0. ``share``: Wilson's interval at the effective number of chances, and ``count``: the score interval of
    :func:`skate_sim.stats.count_interval`, both with the variance of the mean of ``(y - r * x) / mean of x``
    (Cochran, *Sampling Techniques*, section 6.4), as rare events are skewed.
    """
    m = moments_of(games, sums, products, weights)
    if m is None or m.means[1] == 0:
        return NOTHING
    ratio = float(m.means[0] / m.means[1])
    chances = float(m.games * m.means[1])
    variance, freedom = m.along(np.array([1.0, -ratio]) / m.means[1])
    if kind == "share":
        spread = ratio * (1 - ratio)
        return wilson(ratio, spread / variance if variance > 0 and spread > 0 else chances, level)
    if kind == "count":
        return score_count(ratio, variance, chances, freedom, level)
    t = student(freedom, level)
    (yy, yx), (_, xx) = t * t * m.covariance
    y, x = m.means
    leading, middle, constant = x * x - xx, y * x - yx, y * y - yy
    if leading <= 0:
        return Estimate(ratio, math.nan, math.nan)
    half = math.sqrt(max(0.0, middle * middle - leading * constant))
    low, high = (middle - half) / leading, (middle + half) / leading
    return Estimate(ratio, min(ratio, low), max(ratio, high))


def ratio_difference(
    games: Whole,
    sums: Any,
    products: Any,
    *,
    weights: Any = None,
    identical: bool = False,
    level: float = LEVEL,
) -> Difference:
    """Difference ``sum y_a / sum x_a - sum y_b / sum x_b`` of two ratios of the same games.

    Parameters
    ----------
    games : int or sequence of int
        By stratum.
    sums : array of int, (strata, 4)
        Of ``y_a``, ``x_a``, ``y_b`` and ``x_b``.
    products : array of int, (strata, 4, 4)
        Sums over the games of the products of every two of them.
    weights, identical
        As in :func:`skate_sim.paired.paired_difference`.

    Notes
    -----
    Student's interval of the linearised difference ``(y_a - r_a x_a) / mean x_a - (y_b - r_b x_b) / mean x_b``
    (the delta method). Where every game came out alike, but not by construction, its bounds are not known.
    """
    m = moments_of(games, sums, products, weights)
    if m is None or m.means[1] == 0 or m.means[3] == 0:
        return NO_DIFFERENCE
    y_a, x_a, y_b, x_b = (float(mean) for mean in m.means)
    of_a = np.array([1 / x_a, -y_a / x_a**2, 0.0, 0.0])
    of_b = np.array([0.0, 0.0, 1 / x_b, -y_b / x_b**2])
    apart = y_a / x_a - y_b / x_b
    same = _all_alike(sums, products)
    variance, freedom = (0.0, 1.0) if same else m.along(of_a - of_b)
    agreed = agreement(m.along(of_a)[0], m.along(of_b)[0], variance)
    if identical:
        if not same:
            raise ValueError("two runs that are said to be identical have games that differ")
        return Difference(Estimate(0.0, 0.0, 0.0), *agreed)
    half = student(freedom, level) * math.sqrt(variance) if variance > 0 else math.nan
    return Difference(Estimate(apart, apart - half, apart + half), *agreed)


def _all_alike(sums: Any, products: Any) -> bool:
    """Whether no game differs: the sums of squares of both differences are 0, in whole numbers."""
    total, product = np.asarray(sums, object).reshape(-1, 4), np.asarray(products, object).reshape(-1, 4, 4)
    apart = [product[:, i, i] - 2 * product[:, i, i + 2] + product[:, i + 2, i + 2] for i in (0, 1)]
    return not any(a.any() for a in apart) and bool((total[:, :2] == total[:, 2:]).all())
