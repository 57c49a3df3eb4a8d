"""Break-even: exact roots, Fieller's interval, no such value, coverage, and a search that finds the value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skate_sim.crossing import find_crossing, next_values


def test_a_line_without_error() -> None:
    got = find_crossing([1, 3], [-1, 3], [0, 0])
    assert got.estimate == pytest.approx((1.5, 1.5, 1.5))
    assert (got.kind, got.others) == ("found", ())
    assert find_crossing([1, 2, 3], [-1, 0, 3], [0, 0, 0]).estimate == (2, 2, 2)


def test_ends_of_the_interval_are_where_the_band_touches_zero() -> None:
    x, d, cov = [0.0, 10.0], [-2.0, 3.0], np.array([[0.25, 0.1], [0.1, 0.36]])
    got = find_crossing(x, d, cov)
    assert got.estimate.mean == 4
    for end in got.estimate[1:]:
        w = end / 10
        at = (1 - w) * d[0] + w * d[1]
        variance = (1 - w) ** 2 * 0.25 + 2 * w * (1 - w) * 0.1 + w * w * 0.36
        assert at**2 == pytest.approx(1.959964**2 * variance, rel=1e-6)
    assert got.estimate.low < 4 < got.estimate.high
    assert str(got) == f"4 ({got.estimate.low:.4g} to {got.estimate.high:.4g})"


def test_common_luck_makes_it_sharper() -> None:
    x, d = [0, 10], [-2, 3]
    alone = find_crossing(x, d, [0.25, 0.25])
    shared = find_crossing(x, d, np.array([[0.25, -0.2], [-0.2, 0.25]]))
    assert shared.estimate.half_width < alone.estimate.half_width


def test_no_such_value() -> None:
    got = find_crossing([2, 3, 5], [0.5, 0.4, 0.6], [0.01, 0.01, 0.01])
    assert (got.kind, got.sign) == ("none", 1)
    assert str(got) == "no such value between 2 and 5: the difference is above zero throughout"
    below = find_crossing([2, 5], [-0.5, -0.5], [0.01, 0.01])
    assert str(below) == "no such value between 2 and 5: the difference is below zero throughout"


def test_undecided() -> None:
    near_the_end = find_crossing([0, 10], [3, 0.1], [0.01, 0.01])
    assert near_the_end.kind == "undecided"
    assert math.isnan(near_the_end.estimate.mean)
    assert near_the_end.estimate.high == math.inf
    assert 9 < near_the_end.estimate.low < 10
    assert str(near_the_end) == "not decided between 0 and 10"
    noise = find_crossing([0, 10], [0.1, -0.1], [0.04, 0.04])
    assert noise.kind == "undecided"
    assert noise.estimate == (5, -math.inf, math.inf)
    assert str(noise) == "5 (lower to higher), not decided"


def test_a_curve_that_turns_round_has_other_pieces() -> None:
    got = find_crossing([0, 1, 2], [1, -1, 1], [0.01, 0.01, 0.01])
    assert got.kind == "found"
    assert got.estimate.low < 0.5 < got.estimate.high < 1
    (piece,) = got.others
    assert piece == pytest.approx((2 - got.estimate.high, 2 - got.estimate.low))


def test_bad_values() -> None:
    for x, d in (([1], [1]), ([2, 1], [0, 1]), ([1, 1], [0, 1])):
        with pytest.raises(ValueError, match="ascending"):
            find_crossing(x, d, np.zeros(len(x)))
    with pytest.raises(ValueError, match="covariance"):
        find_crossing([1, 2], [0, 1], [1, 1, 1])


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=6), st.integers(0, 10**6))
def test_the_pieces_are_where_the_band_holds_zero(differences: list[int], seed: int) -> None:
    m = len(differences)
    root = np.random.default_rng(seed).normal(size=(m, m))
    cov, x = root @ root.T, np.arange(m, dtype=float)
    got = find_crossing(x, differences, cov)
    pieces = [] if got.kind == "none" else [got.estimate[1:], *got.others]
    for at in np.linspace(0, m - 1, 173):
        i = min(int(at), m - 2)
        weights = np.zeros(m)
        weights[[i, i + 1]] = 1 - (at - i), at - i
        away = weights @ differences
        excess = away**2 - 1.959964**2 * weights @ cov @ weights
        if abs(excess) > 1e-3:
            assert (excess < 0) == any(low <= at <= high for low, high in pieces)
    if math.isfinite(got.estimate.mean):
        assert got.estimate.low <= got.estimate.mean <= got.estimate.high


def test_coverage() -> None:
    """4,000 runs of correlated differences at five values: 95%, but for 4 standard errors."""
    rng = np.random.default_rng(6)
    x = np.array([1.0, 2, 4, 5, 7])
    truth = (x - 4.4) * 0.5
    root = rng.normal(size=(5, 5)) * 0.3
    runs, held = 4000, 0
    for seen in truth + rng.normal(size=(runs, 5)) @ root.T:
        got = find_crossing(x, seen, root @ root.T)
        held += any(low <= 4.4 <= high for low, high in [got.estimate[1:], *got.others])
    assert abs(held / runs - 0.95) < 4 * math.sqrt(0.05 * 0.95 / runs)


# The search


def test_first_the_ends() -> None:
    assert next_values([], [], [], 2, 9) == [2, 9]
    assert next_values([2], [1], [0.1], 2, 9) == [9]


def test_then_inside_the_bracket() -> None:
    assert next_values([2, 9], [-1, 1], [0.1, 0.1], 2, 9) == [5.5]
    assert next_values([2, 9], [-1, 1], [0.1, 0.1], 2, 9, step=1) in ([5], [6])
    assert next_values([9, 2], [1000, -1], [0.1, 0.1], 2, 9) == [pytest.approx(2.7)]  # not nearer than a tenth
    assert next_values([2, 9, 5], [-1, 1, 0.5], [0.1, 0.1, 0.1], 2, 9) == [4]


def test_what_cannot_be_split_is_played_on() -> None:
    assert next_values([2, 3], [-1, 1], [0.1, 0.1], 2, 3, step=1) == [2, 3]
    assert next_values([2, 5, 9], [-1, 0.1, 1], [0.1, 0.1, 0.1], 2, 9) == [2, 5, 9]
    assert next_values([2, 9], [1, 0.1], [0.1, 0.1], 2, 9) == [2, 9]


def test_one_sign_throughout_ends_the_search() -> None:
    assert next_values([2, 9], [1, 1], [0.1, 0.1], 2, 9) == []


@pytest.mark.parametrize("step", [None, 1.0])
def test_a_search_finds_the_value(step: float | None) -> None:
    rng = np.random.default_rng(7)

    def truth(v: float) -> float:
        return math.exp(v / 3) - math.exp(11.3 / 3)  # bent

    sums: dict[float, list[float]] = {}
    for _ in range(60):
        means = {v: (sum(s) / len(s), 2 / math.sqrt(len(s))) for v, s in sorted(sums.items())}
        asked = next_values(
            list(means), [m for m, _ in means.values()], [e for _, e in means.values()], 0, 20, step=step
        )
        for v in asked:
            sums.setdefault(v, []).append(truth(v) + rng.normal(0, 2))
    x = sorted(sums)
    got = find_crossing(x, [sum(sums[v]) / len(sums[v]) for v in x], [4 / len(sums[v]) for v in x])
    assert got.kind == "found"
    assert got.estimate.mean == pytest.approx(11.3, abs=0.15)
    assert got.estimate.half_width < 0.2
    if step:
        assert set(sums) >= {11, 12}
        assert all(v == int(v) for v in sums)
