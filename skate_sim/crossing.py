"""Break-even: the value of a number at which a difference is zero, with its interval.

Differences are known at some values, each with an error, and on common luck the errors are correlated. Between these
values the curve is taken as straight. A value belongs to the interval when the difference there may be zero: when 0 is
within the pointwise band of the curve (E. C. Fieller, JRSS B 16 (1954) 175; inverse regression: N. R. Draper and
H. Smith, *Applied Regression Analysis*, 3rd ed. 1998, section 3.2). The true crossing is left out only if the band
misses the true difference right there, so the interval has the band's level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from skate_sim.stats import LEVEL, Estimate, normal


@dataclass(frozen=True)
class Crossing:
    """Where a difference is zero between the lowest and the highest value tried.

    Attributes
    ----------
    kind : {"found", "none", "undecided"}
        ``found``: the sign changes beyond doubt. ``none``: the difference is beyond doubt not zero anywhere.
        ``undecided``: it may or may not be zero somewhere.
    estimate : Estimate
        The value and its interval, the part in one piece around the value; NaN as mean where the curve does not
        cross zero itself, and all NaN for ``none``. Infinite bounds: the interval goes on beyond the values tried.
    others : tuple of (float, float)
        Other pieces in which the difference may be zero, for a curve that turns round.
    start, end : float
        The lowest and the highest value tried.
    sign : int
        Of the difference where it is not zero anywhere; 0 otherwise.
    """

    kind: Literal["found", "none", "undecided"]
    estimate: Estimate
    others: tuple[tuple[float, float], ...]
    start: float
    end: float
    sign: int

    def __str__(self) -> str:
        between = f"between {self.start:g} and {self.end:g}"
        if self.kind == "none":
            return f"no such value {between}: the difference is {'above' if self.sign > 0 else 'below'} zero throughout"
        mean, low, high = self.estimate
        if self.kind == "undecided" and not math.isfinite(mean):
            return f"not decided {between}"
        lower = "lower" if math.isinf(low) else f"{low:.4g}"
        upper = "higher" if math.isinf(high) else f"{high:.4g}"
        return f"{mean:.4g} ({lower} to {upper})" + (", not decided" if self.kind == "undecided" else "")


def find_crossing(
    values: Sequence[float] | np.ndarray,
    differences: Sequence[float] | np.ndarray,
    covariance: Any,
    *,
    level: float = LEVEL,
) -> Crossing:
    """The value at which a difference is zero.

    Parameters
    ----------
    values : sequence of float, (m,)
        Ascending, all different; two at least.
    differences : sequence of float, (m,)
    covariance : array of float, (m, m) or (m,)
        Of the differences; a vector of variances when they are independent.
    level : float
        Of the interval. Inside a search that looks again after every batch: the level of a confidence sequence.

    Raises
    ------
    ValueError
        Fewer than two values, or not ascending.
    """
    x, d = np.asarray(values, float), np.asarray(differences, float)
    cov = np.asarray(covariance, float)
    cov = np.diag(cov) if cov.ndim == 1 else cov
    if len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError("a crossing needs two or more values in ascending order")
    if d.shape != x.shape or cov.shape != (len(x), len(x)):
        raise ValueError(f"{len(x)} values need as many differences and their covariance matrix")
    z2 = normal(level) ** 2
    pieces = _pieces(x, d, cov, z2)
    start, end = float(x[0]), float(x[-1])
    if not pieces:
        nothing = Estimate(math.nan, math.nan, math.nan)
        return Crossing("none", nothing, (), start, end, int(np.sign(d[0])))
    roots = _roots(x, d)
    sure = np.sign(np.where(d * d > z2 * np.diag(cov), d, 0.0))
    changed = bool((sure > 0).any() and (sure < 0).any())
    # The piece with the estimate; of several the one around the first estimate, or the widest.
    inside = [(p, r) for p in pieces for r in roots if p[0] - 1e-12 * abs(p[0]) <= r <= p[1] + 1e-12 * abs(p[1])]
    piece, root = inside[0] if inside else (max(pieces, key=lambda p: p[1] - p[0]), math.nan)
    low = -math.inf if piece[0] <= start and cov[0, 0] > 0 else piece[0]
    high = math.inf if piece[1] >= end and cov[-1, -1] > 0 else piece[1]
    others = tuple(p for p in pieces if p != piece)
    kind: Literal["found", "undecided"] = "found" if changed and math.isfinite(root) else "undecided"
    return Crossing(kind, Estimate(root, low, high), others, start, end, 0)


def _pieces(x: np.ndarray, d: np.ndarray, cov: np.ndarray, z2: float) -> list[tuple[float, float]]:
    """Intervals of values at which the band around the piecewise linear curve holds 0."""
    found: list[tuple[float, float]] = []
    for i in range(len(x) - 1):
        # At (1 - w) * first + w * second: squared difference less z² variance, a parabola in w.
        rise = d[i + 1] - d[i]
        varying = cov[i, i] - 2 * cov[i, i + 1] + cov[i + 1, i + 1]
        a = rise * rise - z2 * varying
        b = 2 * (d[i] * rise - z2 * (cov[i, i + 1] - cov[i, i]))
        c = d[i] * d[i] - z2 * cov[i, i]
        for low, high in _not_positive(a, b, c):
            at = (float(x[i] + low * (x[i + 1] - x[i])), float(x[i] + high * (x[i + 1] - x[i])))
            if found and at[0] <= found[-1][1]:
                found[-1] = (found[-1][0], at[1])
            else:
                found.append(at)
    return found


def _not_positive(a: float, b: float, c: float) -> list[tuple[float, float]]:
    """Parts of [0, 1] on which ``a w² + b w + c <= 0``."""
    cuts = {0.0, 1.0}
    discriminant = b * b - 4 * a * c
    if a == 0:
        cuts |= {-c / b} if b != 0 else set()
    elif discriminant >= 0:
        q = -(b + math.copysign(math.sqrt(discriminant), b)) / 2
        cuts |= {q / a} | ({c / q} if q != 0 else set())
    ends = sorted(w for w in cuts if 0 <= w <= 1)
    parts: list[tuple[float, float]] = []
    for low, high in pairwise(ends):
        middle = (low + high) / 2
        if a * middle * middle + b * middle + c <= 0:
            parts.append((low, high))
    # Single points: a curve without error is zero at its root alone.
    touching = [w for w in ends if abs(a * w * w + b * w + c) <= 1e-14 * (abs(a) + abs(b) + abs(c))]
    parts += [(w, w) for w in touching if not any(low <= w <= high for low, high in parts)]
    return sorted(parts)


def _roots(x: np.ndarray, d: np.ndarray) -> list[float]:
    """Values at which the curve itself is zero."""
    roots = [float(v) for v, y in zip(x, d, strict=True) if y == 0]
    for i in range(len(x) - 1):
        if d[i] * d[i + 1] < 0:
            roots.append(float(x[i] - d[i] * (x[i + 1] - x[i]) / (d[i + 1] - d[i])))
    return sorted(roots)


def next_values(
    values: Sequence[float] | np.ndarray,
    differences: Sequence[float] | np.ndarray,
    errors: Sequence[float] | np.ndarray,
    start: float,
    end: float,
    *,
    step: float | None = None,
    level: float = LEVEL,
) -> list[float]:
    """Values to play next in a search for the crossing between ``start`` and ``end``.

    Parameters
    ----------
    values, differences, errors : sequence of float
        Played so far, in any order, with standard errors; may be empty.
    step : float, optional
        Values can only be ``start`` plus a multiple of this (1 for whole numbers).

    Returns
    -------
    list of float
        First both ends. Then, while a bracket is known (neighbours whose signs differ beyond doubt, or the ends),
        one value inside: where the line between its ends is zero, but never in the outer tenth (a safeguarded
        secant, as noise can mislead it). A bracket that cannot be split, because of the step or because the signs
        next to the crossing are not certain, is played on: its ends are returned, for more games. Empty: both ends
        have beyond doubt the same sign, and so does all that was tried in between.
    """
    played = sorted(zip(map(float, values), map(float, differences), map(float, errors), strict=True))
    missing = [v for v in (start, end) if not any(v == p[0] for p in played)]
    if missing:
        return missing
    z = normal(level)
    signs = [0 if abs(d) <= z * e else int(math.copysign(1, d)) for _, d, e in played]
    certain = [(p, s) for p, s in zip(played, signs, strict=True) if s]
    brackets = [(p, q) for (p, s), (q, t) in pairwise(certain) if s != t]
    unsure = [p[0] for p, s in zip(played, signs, strict=True) if not s]
    if not brackets:
        return _around(unsure, [p[0] for p in played])
    (low, at_low, _), (high, at_high, _) = brackets[0]
    between = [v for v in unsure if low < v < high]
    if between:  # known to be close: more games there, and at its neighbours for the slope
        return _around(between, [low, *between, high])
    secant = low - at_low * (high - low) / (at_high - at_low)
    new = min(max(secant, low + (high - low) / 10), high - (high - low) / 10)
    if step is not None:
        new = start + round((new - start) / step) * step
        new = min(max(new, low + step), high - step)
        if not low < new < high:
            return [low, high]
    return [new]


def _around(chosen: list[float], everything: list[float]) -> list[float]:
    """The chosen values and their neighbours."""
    places = {everything.index(v) + by for v in chosen for by in (-1, 0, 1)}
    return [everything[p] for p in sorted(places) if 0 <= p < len(everything)]
