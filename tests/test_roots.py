"""Roots of functions: the very numbers that scipy finds, and what has no root."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq

from skate_sim.roots import root_between

FUNCTIONS: list[Callable[[float], float]] = [
    lambda x: x**3 - 2 * x - 5,
    lambda x: math.exp(-x) - x,
    lambda x: math.cos(x) - x**3,
    lambda x: math.sinh(x - 1),
    lambda x: math.atan(50 * (x - 0.3)),
    lambda x: -1.0 if x < 0.7 else 1.0,
    lambda x: x * math.exp(-(x**2)) - 1e-3,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("tolerances", [{}, {"xtol": 1e-15, "rtol": 1e-12}, {"xtol": 1e-3}])
def test_roots_are_those_of_scipy_to_the_last_bit(
    function: Callable[[float], float], tolerances: dict[str, float]
) -> None:
    ends = np.random.default_rng(5).uniform(-3, 4, (200, 2))
    tried = [(low, high) for low, high in ends.tolist() if function(low) * function(high) < 0]
    assert len(tried) > 20
    for low, high in tried:
        assert root_between(function, low, high, **tolerances) == brentq(function, low, high, **tolerances)


def test_an_end_may_be_the_root() -> None:
    assert root_between(lambda x: x, 0.0, 1.0) == 0
    assert root_between(lambda x: x - 1, 0.0, 1.0) == 1


def test_what_has_no_root_is_refused() -> None:
    with pytest.raises(ValueError, match=r"same sign at 0\.0 and 1\.0"):
        root_between(lambda x: 1 + x, 0.0, 1.0)
    with pytest.raises(ArithmeticError, match="no root found"):
        root_between(lambda x: math.copysign(1, x - 1e300), 0.0, 1.7e308, xtol=0.0, rtol=0.0)
