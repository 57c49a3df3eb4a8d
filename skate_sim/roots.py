"""Where a function of one number is zero."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import suppress

#: Steps after which a search would be hopeless; bisection alone needs about sixty.
_MOST_STEPS = 100


def root_between(
    function: Callable[[float], float],
    low: float,
    high: float,
    *,
    xtol: float = 2e-12,
    rtol: float = 4 * sys.float_info.epsilon,
) -> float:
    """A root of a continuous function that has different signs at two ends.

    Brent's method: interpolation where it gets on, else bisection. It takes the very steps of
    ``scipy.optimize.brentq``, whose import would take longer than a small run plays.

    Parameters
    ----------
    low, high : float
        The two ends.
    xtol, rtol : float
        The root is known to ``xtol`` plus this part of it.

    Raises
    ------
    ValueError
        Both ends have the same sign.
    ArithmeticError
        No root after 100 steps.

    Notes
    -----
    R. P. Brent, *Algorithms for Minimization Without Derivatives*, 1973, chapters 3 and 4.
    """
    before, at, other = low, high, 0.0  # the last point, this one, and the one on the root's other side
    f_before, f_at, f_other = function(before), function(at), 0.0
    if f_before == 0:
        return before
    if f_at == 0:
        return at
    if (f_before > 0) == (f_at > 0):
        raise ValueError(f"the function has the same sign at {low} and {high}: {f_before} and {f_at}")
    step_before = step = 0.0
    for _ in range(_MOST_STEPS):
        if f_before != 0 and f_at != 0 and math.copysign(1, f_before) != math.copysign(1, f_at):
            other, f_other = before, f_before
            step_before = step = at - before
        if abs(f_other) < abs(f_at):
            before, at, other = at, other, at
            f_before, f_at, f_other = f_at, f_other, f_at
        near = (xtol + rtol * abs(at)) / 2
        half = (other - at) / 2
        if f_at == 0 or abs(half) < near:
            return at
        step_before, step = _next_step(
            (before, f_before), (at, f_at), (other, f_other), (step_before, step), (half, near)
        )
        before, f_before = at, f_at
        at += step if abs(step) > near else near if half > 0 else -near
        f_at = function(at)
    raise ArithmeticError(f"no root found between {low} and {high} after {_MOST_STEPS} steps")


def _next_step(
    before: tuple[float, float],
    at: tuple[float, float],
    other: tuple[float, float],
    steps: tuple[float, float],
    bisection: tuple[float, float],
) -> tuple[float, float]:
    """The step before the next one and the next one: by interpolation if that is short enough, else half the way."""
    (x0, f0), (x1, f1), (x2, f2) = before, at, other
    (half, near), (step_before, step) = bisection, steps
    if abs(step_before) > near and abs(f1) < abs(f0):
        tried = math.inf
        with suppress(ZeroDivisionError):  # values so small that nothing is left of their product
            if x0 == x2:
                tried = -f1 * (x1 - x0) / (f1 - f0)
            else:
                slope, slope_other = (f0 - f1) / (x0 - x1), (f2 - f1) / (x2 - x1)
                tried = -f1 * (f2 * slope_other - f0 * slope) / (slope_other * slope * (f2 - f0))
        if 2 * abs(tried) < min(abs(step_before), 3 * abs(half) - near):
            return step, tried
    return half, half
