"""Means and variances of games that different lineups play, from exact sums.

Lineups are strata: each has its own mean and variance, and how lineups differ is not noise. The mean over lineups
is the weighted mean of their means, its variance the sum of the weighted variances of these means (W. G. Cochran,
*Sampling Techniques*, 3rd ed. 1977, chapter 5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: A whole number, or one for each stratum.
Whole = int | Sequence[int] | np.ndarray

#: Up to here, every whole number is a double, and so the quotient of two is rounded but once.
_DOUBLES = 2**53


@dataclass(frozen=True, eq=False)
class Strata:
    """What is seen of a number in each lineup that has games."""

    games: np.ndarray
    weights: np.ndarray  # of the strata, adding up to 1
    means: np.ndarray
    deviations: np.ndarray  # sums of squared deviations from the stratum's mean

    @property
    def mean(self) -> float:
        """Weighted mean of the means; never outside their range by rounding."""
        mean = math.fsum(self.weights * self.means)
        return min(max(mean, float(self.means.min())), float(self.means.max()))


def strata_of(games: Whole, totals: Whole, squares: Whole, units: Whole = 1, weights: Any = None) -> Strata | None:
    """Exact means and sums of squared deviations, as (n * squares - total**2) / n in whole numbers; None: no game."""
    arrays = [np.atleast_1d(np.asarray(a)) for a in (games, totals, squares, units, 1 if weights is None else weights)]
    n, total, square, unit, weight = np.broadcast_arrays(*arrays)
    played = n > 0
    if not played.any():
        return None
    n, total, square, unit = (a[played] for a in (n, total, square, unit))
    whole = np.int64 if _exact_in_doubles(n, total, square, unit) else object
    n, total, square, unit = (a.astype(whole) for a in (n, total, square, unit))
    shares = weight[played].astype(float)
    means = (total / (n * unit)).astype(float)
    deviations = ((n * square - total * total) / (n * unit * unit)).astype(float)
    return Strata(n.astype(float), shares / shares.sum(), means, deviations)


def _exact_in_doubles(n: np.ndarray, total: np.ndarray, square: np.ndarray, unit: np.ndarray) -> bool:
    """Whether numbers of 64 bits come to the same as whole numbers of any size, which take much longer."""
    if not all(a.dtype.kind in "iu" for a in (n, total, square, unit)):
        return False
    most, largest, units = int(n.max()), max(int(total.max()), -int(total.min())), int(unit.max())
    return max(most * int(square.max()), largest * largest, most * units * units) < _DOUBLES


def variance_of_mean(strata: Strata) -> tuple[float, float]:
    """Variance of the weighted mean, and its degrees of freedom.

    Degrees of freedom of several strata are Satterthwaite's. Strata of a single game say nothing of their own
    variance: then the variance of all games together is used for each, which is too large rather than too small.
    """
    n, weights = strata.games, strata.weights
    count = float(n.sum())
    if count < 2:
        return math.nan, 0.0
    if (n < 2).any():
        between = float((n * (strata.means - strata.mean) ** 2).sum())
        pooled = (float(strata.deviations.sum()) + between) / (count - 1)
        return float((weights**2 / n).sum()) * pooled, count - 1
    parts = weights**2 * strata.deviations / (n * (n - 1))
    variance = float(parts.sum())
    if variance == 0:
        return 0.0, count - len(n)
    return variance, variance**2 / float((parts**2 / (n - 1)).sum())


@dataclass(frozen=True, eq=False)
class Moments:
    """Weighted means of several numbers of the same games, and the covariance matrix of these means."""

    games: float
    means: np.ndarray
    covariance: np.ndarray
    parts: np.ndarray  # (strata, numbers, numbers): what each stratum brings to the covariance
    freedom: np.ndarray  # of each part

    def along(self, direction: np.ndarray) -> tuple[float, float]:
        """Variance of a linear combination of the means, and its degrees of freedom (Satterthwaite)."""
        parts = np.einsum("sij,i,j->s", self.parts, direction, direction)
        variance = float(max(0.0, parts.sum()))
        if variance <= 0:
            return 0.0, float(self.freedom.sum())
        return variance, variance**2 / float((parts**2 / self.freedom).sum())


def moments_of(games: Whole, sums: Any, products: Any, weights: Any = None) -> Moments | None:
    """Means and covariances from exact sums; None: fewer than two games.

    Parameters
    ----------
    games : int or sequence of int
        By stratum.
    sums : array of int, (strata, numbers)
    products : array of int, (strata, numbers, numbers)
        Sums over the games of the products of every two numbers.
    weights : sequence of float, optional
        Of the strata; equal when left out.
    """
    n = np.atleast_1d(np.asarray(games))
    total = np.asarray(sums, object).reshape(len(n), -1)
    product = np.asarray(products, object).reshape(len(n), total.shape[1], total.shape[1])
    weight = np.broadcast_to(np.asarray(1.0 if weights is None else weights, float), n.shape)
    played = n > 0
    n, total, product, weight = n[played].astype(object), total[played], product[played], weight[played]
    if sum(n.tolist()) < 2:
        return None
    weight = weight / weight.sum()
    means = (total / n[:, None]).astype(float)
    outer = total[:, :, None] * total[:, None, :]
    spreads = ((n[:, None, None] * product - outer) / n[:, None, None]).astype(float)
    count, mean = n.astype(float), weight @ means
    if (count < 2).any():
        away = means - mean
        pooled = (spreads.sum(axis=0) + np.einsum("s,si,sj->ij", count, away, away)) / (count.sum() - 1)
        parts = (float((weight**2 / count).sum()) * pooled)[None]
        return Moments(float(count.sum()), mean, parts[0], parts, np.array([count.sum() - 1]))
    parts = spreads * (weight**2 / (count * (count - 1)))[:, None, None]
    return Moments(float(count.sum()), mean, parts.sum(axis=0), parts, count - 1)
