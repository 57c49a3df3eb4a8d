"""Which bots are better than which: simultaneous comparisons, ranks as intervals, chances of being best, cycles.

Bots that play in the same games have correlated means (win shares even add up), so everything here starts from the
means and their covariance matrix. Normal integrals are by Monte Carlo with a fixed seed: the same numbers give the
same ranking, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtri

from skate_sim.stats import LEVEL, Estimate, corrected, normal

#: Draws; the critical value is known to about 0.2% (a Sobol sequence would need fewer, but half a second to import).
_POINTS = 2**17
_SEED = 20210929
#: Draws that are looked at together: they stay in a processor's cache.
_BLOCK = 2048
#: Fewer draws than these beyond the critical value do not tell it: then it is Bonferroni's.
_TAIL = 100
#: Draws for so many bots are kept for the next ranking; they take half a megabyte a bot.
_MOST_KEPT = 32
_kept_draws: dict[str, np.ndarray] = {}
#: Differences that are smaller than this part of the means are rounding.
_ROUNDING = 1e-12
#: Steps of the search for a long cycle.
_PATIENCE = 20_000


@dataclass(frozen=True, eq=False)
class Ranking:
    """How k bots compare; every claim that "this one is better" holds together with all others at the level.

    Attributes
    ----------
    order : list of int
        Bots from the highest mean to the lowest.
    differences, lows, highs : float array, (k, k)
        Mean of the row's bot less that of the column's, with simultaneous intervals.
    best_ranks, worst_ranks : list of int
        The ranks that a bot may have, from 1; together for all bots at the level.
    groups : list of list of int
        All largest sets of bots no two of which can be told apart, the best first; every bot is in one or more.
    chance_of_best : float array, (k,)
        See :func:`chances_of_best`.
    best_over_worst : Estimate
        How much more the best bot has than the worst, whichever these are.
    critical : float
        Multiple of the standard error of a difference to either side.
    """

    order: list[int]
    differences: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    best_ranks: list[int]
    worst_ranks: list[int]
    groups: list[list[int]]
    chance_of_best: np.ndarray
    best_over_worst: Estimate
    critical: float

    def apart(self, one: int, other: int) -> bool:
        """Whether two bots can be told apart."""
        return bool(self.lows[one, other] > 0 or self.highs[one, other] < 0)


def rank_bots(means: Sequence[float] | np.ndarray, covariance: Any, level: float = LEVEL) -> Ranking:
    """Ranking of bots by their means.

    Parameters
    ----------
    means : sequence of float, (k,)
    covariance : array of float, (k, k)
        Of the means (not of single games). It may be singular.
    level : float
        Chance that all intervals of differences hold at once, and so all that is said of ranks and groups. Of a
        confidence sequence it is that of its look (see :mod:`skate_sim.sequences`); above 0.998 the correction
        is Bonferroni's.

    Notes
    -----
    The intervals of all k(k-1)/2 differences are made as wide as the largest of their standardised errors is with
    chance ``level``, given how they are correlated (max-t: Y. Hochberg and A. C. Tamhane, *Multiple Comparison
    Procedures*, 1987, chapter 5; Tukey's method, for any covariance). A bot's best rank is 1 + the number of bots that
    are better than it beyond doubt (M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, Review of Economic Studies
    91 (2024) 476). Groups are those of a compact letter display (H.-P. Piepho, J. Computational and Graphical
    Statistics 13 (2004) 456).
    """
    mean, cov = np.asarray(means, float), np.asarray(covariance, float)
    k = len(mean)
    if cov.shape != (k, k) or k == 0:
        raise ValueError(f"{k} means need a covariance matrix of {k} times {k}, not {cov.shape}")
    if not np.isfinite(cov).all():
        return _unknown(mean, level)
    draws = _normal_draws(cov)
    errors = np.sqrt(np.maximum(0.0, np.diag(cov)[:, None] + np.diag(cov)[None, :] - 2 * cov))
    errors[errors <= _ROUNDING * (1 + np.abs(mean).max())] = 0.0
    critical = _max_t(draws, errors, level)
    differences = mean[:, None] - mean[None, :]
    lows, highs = differences - critical * errors, differences + critical * errors
    better = lows > 0  # of row over column
    order = sorted(range(k), key=lambda bot: (-mean[bot], bot))
    return Ranking(
        order,
        differences,
        lows,
        highs,
        (1 + better.sum(axis=0)).tolist(),
        (k - better.sum(axis=1)).tolist(),
        _groups(better | better.T, order),
        _best(mean, draws),
        Estimate(float(differences.max()), float(max(0.0, lows.max())), float(highs.max())),
        critical,
    )


def _unknown(mean: np.ndarray, level: float) -> Ranking:
    """The ranking when nothing is known of the means' errors, as of a single game."""
    k = len(mean)
    differences = mean[:, None] - mean[None, :]
    open_ended = np.where(np.eye(k, dtype=bool), 0.0, np.inf)
    order = sorted(range(k), key=lambda bot: (-mean[bot], bot))
    widest = Estimate(float(differences.max()), 0.0, float(open_ended.max()))
    everybody, chances = [list(range(k))], np.full(k, 1 / k)
    return Ranking(
        order, differences, -open_ended, open_ended, [1] * k, [k] * k, everybody, chances, widest, normal(level)
    )


def chances_of_best(means: Sequence[float] | np.ndarray, covariance: Any) -> np.ndarray:
    """Chance of each bot that its true mean is the highest, given what was seen; they add up to 1.

    The share of draws from the normal distribution around the means, with their covariance, in which the bot is the
    highest: the posterior chance when nothing was known before the games (a flat prior). Bots that are equal
    in a draw share it.
    """
    return _best(np.asarray(means, float), _normal_draws(np.asarray(covariance, float)))


def find_cycles(
    advantages: Any, errors: Any, level: float = LEVEL, critical: float | None = None
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Bots that beat each other in a circle, beyond doubt.

    Parameters
    ----------
    advantages, errors : array of float, (k, k)
        Advantage of the row's bot over the column's in their direct comparison, and its standard error. Advantages
        are antisymmetric. An error of NaN: the two were not compared.
    critical : float, optional
        Multiple of the error that an advantage must exceed. Left out, it is Bonferroni's for all pairs compared (the
        comparisons may depend on each other in any way), so that all claims together hold at the level.

    Returns
    -------
    triples : list of tuple
        Every (a, b, c) with a over b over c over a, a the lowest number.
    longer : list of tuple
        A cycle of each knot of more than three bots (strongly connected component): the longest that a bounded
        search finds.
    """
    from scipy.sparse.csgraph import connected_components  # half a second that only cycles need

    edge, error = np.asarray(advantages, float), np.asarray(errors, float)
    k = len(edge)
    compared = np.isfinite(edge) & np.isfinite(error) & ~np.eye(k, dtype=bool)
    pairs = int(np.triu(compared | compared.T).sum())
    if critical is None:
        critical = normal(corrected(level, pairs))
    over = np.zeros((k, k), bool)
    over[compared] = edge[compared] > critical * error[compared]
    triples: list[tuple[int, ...]] = [
        (a, b, c)
        for a, x, y in combinations(range(k), 3)
        for b, c in ((x, y), (y, x))
        if over[a, b] and over[b, c] and over[c, a]
    ]
    _, knots = connected_components(over, connection="strong")
    longer = []
    for knot in sorted(set(knots.tolist())):
        members = np.flatnonzero(knots == knot).tolist()
        if len(members) > 3:
            longer.append(_long_cycle(over, members))
    return triples, longer


def _normal_draws(covariance: np.ndarray) -> np.ndarray:
    """Random normal vectors of mean 0, (k, points / 2); the other half are these with the opposite sign."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    if values[0] < -1e-8 * max(values[-1], 0.0) or not np.isfinite(values).all():
        raise ValueError("the matrix is no covariance matrix: it has a negative eigenvalue")
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    standard = _standard_draws(len(values))
    draws = np.empty(standard.shape[::-1])
    for first in range(0, len(standard), _BLOCK):  # small products, which BLAS does not split among threads
        draws[:, first : first + _BLOCK] = root @ standard[first : first + _BLOCK].T
    return draws


def _standard_draws(k: int) -> np.ndarray:
    """Random vectors of k independent standard normal numbers, (points / 2, k): always the same.

    Fewer bots have the first of the numbers that more bots have, so that a run with several rankings draws once.
    """
    size = _POINTS // 2 * k
    kept: np.ndarray = _kept_draws.get("", np.empty(0))
    if len(kept) < size:
        kept = ndtri(np.maximum(np.random.default_rng(_SEED).random(size), 1e-16))
        if k <= _MOST_KEPT:
            _kept_draws[""] = kept
    return kept[:size].reshape(-1, k)


def _max_t(draws: np.ndarray, errors: np.ndarray, level: float) -> float:
    """Quantile of the largest standardised difference; that of a single one when there is just one pair.

    Rounded, as another numpy has other last digits, which would be in every interval of a table.
    """
    pairs = int(np.count_nonzero(np.triu(errors, 1)))
    if pairs < 2:
        return normal(level)
    points = draws.shape[1]  # the other half has the same sizes
    if (1 - level) * points < _TAIL:
        return normal(corrected(level, pairs))
    largest, room = np.zeros(points), np.empty((len(errors), _BLOCK))
    scales = np.divide(1.0, errors, where=errors > 0, out=np.zeros_like(errors))  # of no size where no error is
    for first in range(0, points, _BLOCK):
        block, to = draws[:, first : first + _BLOCK], largest[first : first + _BLOCK]
        for i in range(len(errors) - 1):
            sizes = np.subtract(block[i + 1 :], block[i], out=room[i + 1 :, : len(to)])
            np.abs(sizes, out=sizes)
            np.multiply(sizes, scales[i, i + 1 :, np.newaxis], out=sizes)
            np.maximum(to, sizes.max(axis=0), out=to)
    return max(normal(level), round(float(np.quantile(largest, level)), 4))


def _best(means: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """How often each mean is the highest, with the draws added and subtracted."""
    means = means[:, np.newaxis]
    tolerance = _ROUNDING * (1 + (np.abs(means) + np.abs(draws).max(axis=1, keepdims=True)).max())
    wins, met = np.zeros(len(means), np.int64), 0
    for first in range(0, draws.shape[1], _BLOCK):
        block = draws[:, first : first + _BLOCK]
        for values in (means + block, means - block):
            highest = values >= values.max(axis=0) - tolerance
            wins += np.count_nonzero(highest, axis=1)
            met += values.shape[1]
    if wins.sum() == met:  # nobody shares a draw
        return np.asarray(wins / met)
    values = (means + np.concatenate([draws, -draws], axis=1)).T
    highest = values >= values.max(axis=1, keepdims=True) - tolerance
    return np.asarray((highest / highest.sum(axis=1, keepdims=True)).mean(axis=0))


def _groups(apart: np.ndarray, order: list[int]) -> list[list[int]]:
    """All maximal sets without a pair that is apart: insert and absorb (Piepho 2004)."""
    groups = [frozenset(order)]
    for i, j in combinations(order, 2):
        if apart[i, j]:
            split = [g - {gone} for g in groups if {i, j} <= g for gone in (i, j)]
            kept = [g for g in groups if not {i, j} <= g]
            for group in sorted(split, key=len, reverse=True):
                if not any(group <= other for other in kept):
                    kept.append(group)
            groups = kept
    place = {bot: n for n, bot in enumerate(order)}
    return sorted((sorted(g, key=place.__getitem__) for g in groups), key=lambda g: [place[b] for b in g])


def _long_cycle(over: np.ndarray, members: list[int]) -> tuple[int, ...]:
    """The longest cycle through the first member of a knot that a search of bounded length meets."""
    start = members[0]
    following = {a: [b for b in members if over[a, b]] for a in members}
    best: tuple[int, ...] = _shortest_cycle(following, start)
    stack: list[tuple[int, ...]] = [(start,)]
    steps = 0
    while stack and steps < _PATIENCE and len(best) < len(members):
        path, steps = stack.pop(), steps + 1
        for after in reversed(following[path[-1]]):
            if after == start and len(path) > len(best):
                best = path
            elif after not in path:
                stack.append((*path, after))
    return best


def _shortest_cycle(following: dict[int, list[int]], start: int) -> tuple[int, ...]:
    paths: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    for path in paths:
        for after in following[path[-1]]:
            if after == start:
                return path
            if after not in seen:
                seen.add(after)
                paths.append((*path, after))
    raise ValueError("no cycle in a knot")  # a knot is strongly connected
