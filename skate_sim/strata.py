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
    """What is seen of a number, or of each of several, in each lineup that has games."""

    games: np.ndarray
    weights: np.ndarray  # of the strata, adding up to 1
    means: np.ndarray  # by stratum; of several numbers, a row for each
    deviations: np.ndarray  # sums of squared deviations from the stratum's mean

    @property
    def mean(self) -> float:
        """Weighted mean of the means of the one number."""
        return self.averages()[0]

    def averages(self) -> list[float]:
        """Weighted mean of the means of each number; never outside their range by rounding."""
        means = np.atleast_2d(self.means)
        ends = zip((self.weights * means).tolist(), means.min(axis=1).tolist(), means.max(axis=1).tolist(), strict=True)
        return [min(max(math.fsum(parts), low), high) for parts, low, high in ends]

    def rows(self, numbers: Sequence[int]) -> Strata:
        """Some of several numbers."""
        return Strata(self.games, self.weights, self.means[numbers], self.deviations[numbers])


def strata_of(games: Whole, totals: Whole, squares: Whole, units: Whole = 1, weights: Any = None) -> Strata | None:
    """Exact means and sums of squared deviations, as (n * squares - total**2) / n in whole numbers; None: no game."""
    arrays = [np.atleast_1d(np.asarray(a)) for a in (games, totals, squares, units, 1 if weights is None else weights)]
    n, total, square, unit, weight = np.broadcast_arrays(*arrays)
    many = strata_of_many(n, total[np.newaxis], square[np.newaxis], unit[np.newaxis], weight)
    return many and Strata(many.games, many.weights, many.means[0], many.deviations[0])


def strata_of_many(
    games: np.ndarray, totals: np.ndarray, squares: np.ndarray, units: np.ndarray, weights: np.ndarray
) -> Strata | None:
    """The same of several numbers, a row each: what is common to them is done but once, which is most of it."""
    played = games > 0
    if not played.any():
        return None
    # Rows lie side by side in memory, so that each is added up as it would be alone, to the last bit.
    n, total, square, unit = games[played], *(np.ascontiguousarray(a[:, played]) for a in (totals, squares, units))
    exact = _exact_in_doubles(n, total, square, unit)
    if all(exact) or not any(exact):
        means, deviations = _moments(n, total, square, unit, np.int64 if all(exact) else object)
    else:
        means, deviations = np.empty(total.shape), np.empty(total.shape)
        for kind, rows in ((np.int64, exact), (object, [not e for e in exact])):
            means[rows], deviations[rows] = _moments(n, total[rows], square[rows], unit[rows], kind)
    shares = weights[played].astype(float)
    return Strata(n.astype(float), shares / shares.sum(), means, deviations)


def _moments(
    n: np.ndarray, total: np.ndarray, square: np.ndarray, unit: np.ndarray, kind: type
) -> tuple[np.ndarray, np.ndarray]:
    n, total, square, unit = (a.astype(kind) for a in (n, total, square, unit))
    means = (total / (n * unit)).astype(float)
    return means, ((n * square - total * total) / (n * unit * unit)).astype(float)


def _exact_in_doubles(n: np.ndarray, total: np.ndarray, square: np.ndarray, unit: np.ndarray) -> list[bool]:
    """For each number whether 64 bits come to the same as whole numbers of any size, which take much longer."""
    if not all(a.dtype.kind in "iu" for a in (n, total, square, unit)):
        return [False] * len(total)
    most, ends = int(n.max()), (total.max(axis=1), total.min(axis=1), square.max(axis=1), unit.max(axis=1))
    return [
        max(most * squares, max(high, -low) ** 2, most * units * units) < _DOUBLES
        for high, low, squares, units in zip(*(end.tolist() for end in ends), strict=True)
    ]


def variance_of_mean(strata: Strata) -> tuple[float, float]:
    """Variance of the weighted mean of the one number, and its degrees of freedom; see :func:`variances_of_means`."""
    (variance,), (freedom,) = variances_of_means(strata)
    return variance, freedom


def variances_of_means(strata: Strata) -> tuple[list[float], list[float]]:
    """Variance of the weighted mean of each number, and its degrees of freedom.

    Degrees of freedom of several strata are Satterthwaite's. Strata of a single game say nothing of their own
    variance: then the variance of all games together is used for each, which is too large rather than too small.
    """
    n, weights = strata.games, strata.weights
    means, deviations = np.atleast_2d(strata.means), np.atleast_2d(strata.deviations)
    count = float(n.sum())
    if count < 2:
        return [math.nan] * len(means), [0.0] * len(means)
    if (n < 2).any():
        away = means - np.array(strata.averages())[:, np.newaxis]
        pooled = (deviations.sum(axis=1) + (n * away**2).sum(axis=1)) / (count - 1)
        return (float((weights**2 / n).sum()) * pooled).tolist(), [count - 1] * len(means)
    parts = weights**2 * deviations / (n * (n - 1))
    variances, spread = parts.sum(axis=1).tolist(), (parts**2 / (n - 1)).sum(axis=1).tolist()
    freedoms = [v**2 / s if v != 0 else count - len(n) for v, s in zip(variances, spread, strict=True)]
    return variances, freedoms


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
    total = np.asarray(sums).reshape(len(n), -1)
    product = np.asarray(products).reshape(len(n), total.shape[1], total.shape[1])
    weight = np.broadcast_to(np.asarray(1.0 if weights is None else weights, float), n.shape)
    played = n > 0
    n, total, product, weight = n[played], total[played], product[played], weight[played]
    if sum(n.tolist()) < 2:
        return None
    kind = np.int64 if _products_are_exact(n, total, product) else object
    n, total, product = (a.astype(kind) for a in (n, total, product))
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


def _products_are_exact(n: np.ndarray, total: np.ndarray, product: np.ndarray) -> bool:
    """Whether numbers of 64 bits come to the same as whole numbers of any size."""
    if not all(a.dtype.kind in "iu" for a in (n, total, product)):
        return False
    sizes = [max(int(a.max()), -int(a.min())) for a in (n, total, product)]
    return sizes[0] * sizes[2] + sizes[1] ** 2 < _DOUBLES
