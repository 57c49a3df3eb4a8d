"""Confidence sequences: known critical values, exactness on Brownian motion, and looks at skewed shares."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skate_sim.sequences import ConfidenceSequence, deviation_of, games_needed
from skate_sim.stats import share_interval


def test_without_a_first_look_it_is_the_published_mixture() -> None:
    """Waudby-Smith et al. (2024), theorem 2.2: sqrt(2 (n r² + 1) / (n r²) * log(sqrt(n r² + 1) / alpha))."""
    sequence = ConfidenceSequence(tightest=10_000, first=1)
    rho2 = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 10_000  # their closed, approximate choice
    for n in (100, 10_000, 10**6):
        nr = n * rho2
        published = math.sqrt(2 * (nr + 1) / nr * math.log(math.sqrt(nr + 1) / 0.05))
        assert sequence.critical(n) == pytest.approx(published, rel=0.02)
    assert sequence.critical(10_000) == pytest.approx(3.0351, abs=1e-4)


def test_it_is_tightest_where_it_is_told() -> None:
    at = [10**3, 10**4, 10**5, 10**6]
    others = {t: ConfidenceSequence(t, first=100).critical(10**5) for t in at}
    assert min(others, key=others.__getitem__) == 10**5


def test_a_late_first_look_makes_it_tighter() -> None:
    early, late = ConfidenceSequence(2000, first=1), ConfidenceSequence(2000, first=2000)
    for n in (2000, 10_000, 10**6):
        assert 0.9 * early.critical(n) < late.critical(n) < 0.98 * early.critical(n)
    assert late.critical(1999) == math.inf


@pytest.mark.parametrize("tightest", [500, 5_000])
def test_misses_of_brownian_motion_are_as_many_as_allowed(tightest: int) -> None:
    """700 looks, each after 1% more: at most 5% (4 standard errors), and not far below."""
    runs, first = 4000, 500
    rng = np.random.default_rng(3)
    sequence = ConfidenceSequence(tightest, first=first)
    sums, missed = rng.normal(0, math.sqrt(first), runs), np.zeros(runs, bool)
    n = first
    for _ in range(700):
        missed |= np.abs(sums) > sequence.critical(n) * math.sqrt(n)
        step = max(1, n // 100)
        sums += rng.normal(0, math.sqrt(step), runs)
        n += step
    error = 4 * math.sqrt(0.05 * 0.95 / runs)
    assert 0.025 < missed.mean() < 0.05 + error


@pytest.mark.parametrize("share", [0.005, 0.25, 0.99])
def test_all_looks_at_shares_with_ties(share: float) -> None:
    """40 looks at win shares in sixtieths, 250 runs: the true one is held at all looks in 95% of runs, but for 4 se."""
    rng = np.random.default_rng(4)
    sequence, runs, values = ConfidenceSequence(20_000), 250, np.array([0, 20, 30, 60])
    tied = min(share, 1 - share) / 4
    chances = np.array([0, tied, tied, share - tied * 5 / 6])
    chances[0] = 1 - chances.sum()
    missed = 0
    for _ in range(runs):
        counts = np.cumsum(rng.multinomial(2000, chances, size=40), axis=0)
        for look, seen in enumerate(counts, 1):
            n = 2000 * look
            totals, squares = int(seen @ values), int(seen @ values**2)
            _, low, high = share_interval(n, totals, squares, units=60, level=sequence.level_at(n))
            if not low <= share <= high:
                missed += 1
                break
    assert missed / runs <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)
    assert missed > 0


@given(st.floats(1e-4, 0.1), st.floats(0.01, 10), st.sampled_from([None, 2_000, 10**5]))
def test_games_needed_reach_the_half_width(half_width: float, deviation: float, tightest: int | None) -> None:
    sequence = None if tightest is None else ConfidenceSequence(tightest)
    n = games_needed(half_width, deviation, sequence)
    used = sequence or ConfidenceSequence(n, first=1)
    reached = used.critical(n) * deviation / math.sqrt(n)
    assert reached <= half_width * (1 + 1e-6)
    if n > 2_000:
        assert reached > half_width * 0.999
    assert deviation_of(reached, n, used) == pytest.approx(deviation)


def test_far_from_where_it_is_tightest_levels_stay_below_one() -> None:
    sequence = ConfidenceSequence(10**12)
    estimate = share_interval(2000, 500, 500, level=sequence.level_at(2000))
    assert 0 < estimate.low < 0.2
    assert sequence.level_at(2000) < 1


def test_bad_sequences() -> None:
    for options in ({"tightest": 0}, {"tightest": 1, "first": 0}, {"tightest": 1, "level": 1.0}):
        with pytest.raises(ValueError, match="must be"):
            ConfidenceSequence(**options)
    with pytest.raises(ValueError, match="half_width"):
        games_needed(0, 1)
