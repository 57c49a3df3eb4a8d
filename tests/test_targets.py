"""Targets: exact verdicts at their ends."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skate_sim.stats import NOTHING, Estimate
from skate_sim.targets import judge


@pytest.mark.parametrize(
    ("interval", "target", "verdict"),
    [
        ((0.20, 0.30), (0.20, 0.30), "holds"),
        ((0.20, 0.30), (0.21, 0.30), "undecided"),
        ((0.20, 0.30), (0.20, 0.29), "undecided"),
        ((0.20, 0.30), (0.31, 0.40), "fails"),
        ((0.20, 0.30), (0.30, 0.40), "undecided"),
        ((0.20, 0.30), (0.22, 0.28), "undecided"),
        ((0.20, 0.30), (None, 0.30), "holds"),
        ((0.20, 0.30), (0.10, None), "holds"),
        ((0.20, 0.30), (None, 0.19), "fails"),
        ((0.20, 0.30), (0.35, None), "fails"),
        ((0.0, 0.0), (0.0, 0.0), "holds"),
        ((math.nan, 0.30), (None, 0.30), "holds"),
        ((math.nan, 0.30), (0.10, 0.30), "undecided"),
        ((math.nan, 0.30), (0.35, None), "fails"),
        ((0.2, math.inf), (0.1, None), "holds"),
        ((0.2, math.inf), (0.1, 5), "undecided"),
    ],
)
def test_verdicts(interval: tuple[float, float], target: tuple[float | None, float | None], verdict: str) -> None:
    assert judge(Estimate(0.25, *interval), *target) == verdict


def test_nothing_is_undecided() -> None:
    assert judge(NOTHING, 0, 1) == "undecided"


def test_bad_targets() -> None:
    for ends in ((None, None), (2.0, 1.0), (math.nan, None)):
        with pytest.raises(ValueError, match="target"):
            judge(Estimate(0, 0, 0), *ends)


@given(*[st.floats(-10, 10)] * 4)
def test_turned_round(a: float, b: float, c: float, d: float) -> None:
    (low, high), (least, most) = sorted((a, b)), sorted((c, d))
    verdict = judge(Estimate(low, low, high), least, most)
    assert verdict == judge(Estimate(-high, -high, -low), -most, -least)
    inside = [least <= x <= most for x in (low, high)]
    assert (verdict == "holds") == all(inside)
