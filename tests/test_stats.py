"""Intervals against known values, exact arithmetic, and coverage by enumerating everything that can happen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as reference

from skate_sim import stats
from skate_sim.digits import whole
from skate_sim.stats import Estimate
from skate_sim.strata import strata_of, strata_of_many, variance_of_mean, variances_of_means

WHOLE = st.integers(0, 1000)


def sums(values: list[int]) -> tuple[int, int, int]:
    return len(values), sum(values), sum(v * v for v in values)


def holds(estimate: Estimate, truth: float) -> bool:
    """Whether an interval has the true value; a bound that is not known bounds nothing."""
    low = -math.inf if math.isnan(estimate.low) else estimate.low
    high = math.inf if math.isnan(estimate.high) else estimate.high
    return low - 1e-12 <= truth <= high + 1e-12


def multinomial(counts: Sequence[int], chances: Sequence[float]) -> float:
    """Chance of these counts."""
    ways = math.factorial(sum(counts)) // math.prod(math.factorial(c) for c in counts)
    return ways * math.prod(p**c for p, c in zip(chances, counts, strict=True))


# Means


def test_mean_is_students() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    expected = reference.ttest_1samp(values, 0).confidence_interval()
    got = stats.mean_interval(*sums(values))
    assert got == pytest.approx((np.mean(values), expected.low, expected.high), rel=1e-12)


@given(st.lists(WHOLE, min_size=2, max_size=30), st.integers(0, 10**15))
def test_nothing_cancels_however_far_from_zero(values: list[int], shift: int) -> None:
    near, far = stats.mean_interval(*sums(values)), stats.mean_interval(*sums([v + shift for v in values]))
    assert far.half_width == pytest.approx(near.half_width, rel=1e-9, abs=2e-16 * shift)
    assert stats.standard_deviation(*sums([v + shift for v in values])) == stats.standard_deviation(*sums(values))


def test_mean_of_a_trillion_games_is_exact() -> None:
    n, value = 10**12, 10**6
    total, squares = n * value + n // 2, n // 2 * (value**2 + (value + 1) ** 2)
    got = stats.mean_interval(n, total, squares)
    assert got.mean == value + 0.5
    assert got.half_width == pytest.approx(1.959964 * 0.5 / 10**6, rel=1e-3)
    assert stats.standard_deviation(n, total, squares) == pytest.approx(0.5, rel=1e-12)


def test_units_scale_everything() -> None:
    plain, scaled = stats.mean_interval(5, 10, 40), stats.mean_interval(5, 600, 40 * 3600, units=60)
    assert scaled == pytest.approx(plain)
    assert stats.standard_deviation(5, 600, 40 * 3600, 60) == pytest.approx(stats.standard_deviation(5, 10, 40))


@pytest.mark.parametrize("bits", [16, 24, 25, 26, 28, 30])
def test_whole_numbers_of_any_size_come_to_the_same(bits: int) -> None:
    rng = np.random.default_rng(bits)
    many = 2 ** (bits // 2)
    games, totals = rng.integers(many // 2, many, 300), rng.integers(-(2**bits), 2**bits, 300)
    squares = totals**2 // games + 1 + rng.integers(0, 4**bits // many, 300)
    for some in (slice(None), slice(0, 1), slice(7, 9)):
        arrays = [a[some] for a in (games, totals, squares, rng.integers(1, 60, 300))]
        quick, slow = strata_of(*arrays), strata_of(*(a.astype(object) for a in arrays))
        assert quick
        assert slow
        assert quick.means.tolist() == slow.means.tolist()
        assert quick.deviations.tolist() == slow.deviations.tolist()


@pytest.mark.parametrize(("factor", "fewest"), [(1, 2), (1, 0), (2**20, 2)])
def test_many_numbers_are_each_as_it_is_alone(factor: int, fewest: int) -> None:
    """To the last bit, also beside numbers so large that they are not exact in doubles."""
    rng = np.random.default_rng(7)
    games = rng.integers(fewest, 400, 90)
    weights = rng.integers(1, 4, 90).astype(float)
    values = rng.integers(0, 50, (6, 90)) * np.array([1, 1, 60, 1, factor, 1])[:, None]
    totals, squares = values * games, values**2 * games + games // 3
    units = np.ones((6, 90), np.int64) * np.array([1, 1, 60, 2, 1, 3])[:, None]
    together = strata_of_many(games, totals, squares, units, weights)
    assert together
    shares = strata_of_many(games, totals // 50 % games.clip(1), totals % 7, units, weights)
    assert shares
    for number in range(6):
        words = {"units": units[number], "weights": weights}
        own = strata_of(games, totals[number], squares[number], units[number], weights)
        assert own
        assert tuple(found[number] for found in variances_of_means(together)) == variance_of_mean(own)
        step = 1 / float(units[number].mean())
        alone = stats.mean_interval(games, totals[number], squares[number], **words)
        assert stats.mean_intervals(together)[number] == alone
        counted = stats.count_intervals(together, [step] * 6)[number]
        assert counted == stats.count_interval(games, totals[number], squares[number], **words)
        few = stats.share_interval(games, (totals // 50 % games.clip(1))[number], (totals % 7)[number], **words)
        assert stats.share_intervals(shares)[number] == few


def test_too_few_games_say_so() -> None:
    assert all(math.isnan(x) for x in stats.mean_interval(0, 0, 0))
    assert all(math.isnan(x) for x in stats.share_interval([0, 0], [0, 0], [0, 0]))
    one = stats.mean_interval(1, 7, 49)
    assert one.mean == 7
    assert math.isnan(one.low)
    assert math.isnan(stats.standard_deviation(1, 7, 49))


def test_strata_are_weighted_and_their_differences_are_no_noise() -> None:
    low, high = [1, 2, 3, 2], [101, 102, 103, 102]
    both = [list(pair) for pair in zip(sums(low), sums(high), strict=True)]
    got = stats.mean_interval(*both)
    assert got.mean == 52
    variance = np.var(low, ddof=1) / 4
    assert got.half_width == pytest.approx(reference.t.ppf(0.975, 6) * math.sqrt(variance / 2), rel=1e-12)
    assert stats.mean_interval(*sums(low + high)).half_width > 20 * got.half_width
    assert stats.mean_interval(*both, weights=[3, 1]).mean == 27


def test_strata_without_games_are_left_out() -> None:
    assert stats.mean_interval([4, 0], [8, 0], [18, 0]) == stats.mean_interval(4, 8, 18)


def test_strata_of_one_game_take_the_variance_of_all() -> None:
    got = stats.mean_interval([1, 1, 1, 1], [1, 2, 3, 4], [1, 4, 9, 16])
    assert got == pytest.approx(stats.mean_interval(4, 10, 30), rel=1e-12)


# Shares


def test_wilson_known_values() -> None:
    assert stats.wilson(0.1, 10) == pytest.approx((0.1, 0.017876, 0.404150), abs=1e-6)
    expected = reference.binomtest(7, 200).proportion_ci(method="wilson")
    assert stats.wilson(7 / 200, 200)[1:] == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_shares_stay_inside_and_never_pretend_certainty() -> None:
    none, every = stats.share_interval(1000, 0, 0), stats.share_interval(1000, 1000, 1000)
    assert none == (0, 0, pytest.approx(0.003827, abs=1e-6))
    assert every == (1, pytest.approx(1 - 0.003827, abs=1e-6), 1)
    alike = stats.share_interval(3, 90, 3 * 900, units=60)  # three games, three ties of two
    assert alike.low < 0.3
    assert alike.high > 0.7


def test_share_of_a_trillion_games() -> None:
    n = 10**12
    got = stats.share_interval(n, n // 200 * 60, n // 200 * 3600, units=60)
    assert got.mean == 0.005
    assert got.half_width == pytest.approx(1.959964 * math.sqrt(0.005 * 0.995 / n), rel=1e-5)


def test_ties_narrow_a_share() -> None:
    plain = stats.share_interval(1000, 500 * 60, 500 * 3600, units=60)
    tied = stats.share_interval(1000, 1000 * 30, 1000 * 900 - 0, units=60)
    mixed = stats.share_interval(1000, 500 * 60, 250 * 3600 + 500 * 900, units=60)
    assert tied.half_width < mixed.half_width < plain.half_width
    assert mixed.half_width == pytest.approx(plain.half_width * math.sqrt(0.5), rel=0.01)


def coverage_of_shares(n: int, chances: dict[int, float]) -> float:
    """Coverage of share_interval for n games with these chances of 0, 1/2 and 1, by enumeration."""
    truth = sum(value * chance for value, chance in chances.items()) / 2
    covered = 0.0
    for ones in range(n + 1):
        for halves in range(n + 1 - ones):
            chance = multinomial([n - ones - halves, halves, ones], [chances[0], chances[1], chances[2]])
            total, squares = halves + 2 * ones, halves + 4 * ones
            covered += chance * holds(stats.share_interval(n, total, squares, units=2), truth)
    return covered


def test_coverage_of_plain_shares() -> None:
    n = 50
    each = [stats.share_interval(n, wins, wins) for wins in range(n + 1)]
    truths = np.linspace(0.01, 0.99, 99)
    pmf = reference.binom.pmf(np.arange(n + 1)[:, None], n, truths)
    covered = np.array([[holds(e, p) for p in truths] for e in each])
    coverage = (pmf * covered).sum(axis=0)
    assert 0.945 < coverage.mean() < 0.965
    assert coverage.min() > 0.88


@pytest.mark.parametrize("tied", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("won", [0.01, 0.1, 0.25, 0.6])
def test_coverage_of_shares_with_ties(won: float, tied: float) -> None:
    assert 0.90 < coverage_of_shares(24, {0: 1 - won - tied, 1: tied, 2: won}) < 0.995


@pytest.mark.parametrize("chances", [(0.1, 0.9), (0.5, 0.5), (0.02, 0.4), (0.0, 1.0)])
@pytest.mark.parametrize("n", [3, 15])
def test_coverage_of_shares_in_strata(chances: tuple[float, float], n: int) -> None:
    truth, covered = sum(chances) / 2, 0.0
    for wins in product(range(n + 1), repeat=2):
        chance = math.prod(float(reference.binom.pmf(w, n, p)) for w, p in zip(wins, chances, strict=True))
        covered += chance * holds(stats.share_interval([n, n], wins, wins), truth)
    assert covered > 0.93


# Counts


@pytest.mark.parametrize("mean", [0.05, 0.5, 1.0, 3.0, 10.0, 40.0])
def test_coverage_of_rare_counts(mean: float) -> None:
    n, covered = 10_000, 0.0
    for events in range(150):
        chance = float(reference.poisson.pmf(events, mean))
        covered += chance * holds(stats.count_interval(n, events, events), mean / n)
    assert covered > 0.90


def test_counts_never_seen_have_an_upper_bound_and_many_counts_are_students() -> None:
    none = stats.count_interval(1000, 0, 0)
    assert none[:2] == (0, 0)
    assert none.high == pytest.approx(3.85 / 1000, abs=1e-5)
    often = [90 + i % 21 for i in range(2100)]
    assert stats.count_interval(*sums(often)) == pytest.approx(stats.mean_interval(*sums(often)), abs=0.002)
    assert stats.count_interval(10, 40, 160) == (4, 4, 4)


@pytest.mark.parametrize("bunches", [10.0, 25.0, 60.0])
def test_coverage_of_counts_that_come_in_bunches(bunches: float) -> None:
    """Bunches of 1 or 5, as many of each, in 10,000 games: the size of bunches is itself an estimate."""
    n, most, covered = 10_000, 80, 0.0
    chance = reference.poisson.pmf(np.arange(most), bunches / 2)
    for ones in range(most):
        for fives in range(most):
            both = float(chance[ones] * chance[fives])
            if both > 1e-6:
                estimate = stats.count_interval(n, ones + 5 * fives, ones + 25 * fives)
                covered += both * holds(estimate, 3 * bunches / n)
    assert (0.94 if bunches > 20 else 0.93) < covered < (0.965 if bunches > 20 else 0.98)


def test_rates() -> None:
    assert stats.rate_interval(3, 10) == stats.wilson(0.3, 10)
    assert all(math.isnan(x) for x in stats.rate_interval(0, 0))
    more = stats.rate_interval(120, 100)
    assert more.mean == 1.2
    share = reference.binomtest(120, 220).proportion_ci(method="wilson")
    assert more[1:] == pytest.approx((share.low / (1 - share.low), share.high / (1 - share.high)), rel=1e-9)


# Quantiles


def test_quantile_is_the_smallest_value_that_enough_do_not_exceed() -> None:
    values, counts = [10, 11, 12, 13], [25, 25, 25, 25]
    got = [stats.quantile(values, counts, q).mean for q in (0.01, 0.25, 0.2501, 0.5, 0.75, 1.0)]
    assert got == [10, 10, 11, 11, 12, 13]
    assert all(math.isnan(x) for x in stats.quantile(values, [0, 0, 0, 0], 0.5))


def test_quantile_interval_is_by_binomial_ranks() -> None:
    # 100 different values: ranks 40 and 61 are the textbook's 95% interval of a median.
    got = stats.quantile(np.arange(1, 101), np.ones(100, int), 0.5)
    assert got == (50, 40, 61)
    few = stats.quantile([1, 2, 3, 4, 5], [1, 1, 1, 1, 1], 0.5)
    assert math.isnan(few.low)
    assert math.isnan(few.high)


def test_quantile_with_several_numbers_a_game_is_wider() -> None:
    values, counts = np.arange(1, 401), np.ones(400, int)
    free, tied = stats.quantile(values, counts, 0.5), stats.quantile(values, counts, 0.5, games=100)
    assert tied == (200, 157, 244)
    assert tied.low < free.low < free.high < tied.high


@pytest.mark.parametrize("q", [0.05, 0.25, 0.5, 0.75, 0.95])
@pytest.mark.parametrize("n", [10, 40])
def test_coverage_of_quantiles_is_guaranteed(q: float, n: int) -> None:
    for chances in ((0.3, 0.4, 0.3), (0.05, 0.9, 0.05), (0.26, 0.5, 0.24)):
        truth = int(np.searchsorted(np.cumsum(chances), q - 1e-12))
        covered = 0.0
        for first in range(n + 1):
            for second in range(n + 1 - first):
                counts = [first, second, n - first - second]
                covered += multinomial(counts, chances) * holds(stats.quantile([0, 1, 2], counts, q), truth)
        assert covered >= 0.95 - 1e-9


def test_quantile_of_a_trillion() -> None:
    got = stats.quantile([0, 1, 2], [5 * 10**11 - 10**5, 2 * 10**5, 5 * 10**11 - 10**5], 0.5)
    assert got == (1, 0, 2)


def test_quantiles_in_open_ends_are_bounded_on_one_side() -> None:
    values, counts = [-1, 0, 1, 2], [10, 480, 500, 10]
    closed, opened = (stats.quantile(values, counts, 0.985, open_ends=o) for o in (False, True))
    assert closed == (1, 1, 2)
    assert opened == (1, 1, math.inf)
    assert stats.quantile(values, counts, 0.015, open_ends=True) == (0, -math.inf, 0)
    assert stats.quantile(values, counts, 0.5, open_ends=True) == stats.quantile(values, counts, 0.5)
    beyond = stats.quantile(values, [0, 0, 10, 990], 0.5, open_ends=True)
    assert beyond == (2, 2, math.inf)
    assert [whole(x, 0, 1) for x in (-1, 0, 1, 2)] == ["≤-1", "0", "1", "≥2"]


# Digits


@pytest.mark.parametrize(
    ("half_width", "decimals"),
    [(0.09, 2), (0.0354, 3), (0.0355, 2), (0.0949, 2), (0.095, 2), (0.22, 2), (1.0, 1), (9.4, 0), (9.5, 0), (123, -1)],
)
def test_digits_known(half_width: float, decimals: int) -> None:
    assert stats.digits_for(half_width) == decimals


@given(st.floats(1e-9, 1e9))
def test_digits_are_what_the_interval_supports(half_width: float) -> None:
    step = 10.0 ** -stats.digits_for(half_width)
    assert step / 2 <= half_width / 7 + 1e-12  # rounding does no harm
    assert step * 100 > half_width  # no more than two digits of the half width


@pytest.mark.parametrize(
    ("numbers", "kind", "text"),
    [
        ((0.2631, 0.2622, 0.2640), "share", "26.31% ± 0.09"),
        ((0.2631, 0.2622, 0.2640), "flag", "26.31% ± 0.09"),
        ((26.314, 26.19, 26.438), "points", "26.31 ± 0.12"),
        ((1234.0, 1111.0, 1357.0), "count", "1230 ± 120"),
        ((0.0, 0.0, 0.0038), "share", "0.00% (0.00 to 0.38)"),
        ((0.004, 0.0011, 0.0143), "share", "0.4% (0.1 to 1.4)"),
        ((0.25, 0.25, 0.25), "share", "25% ± 0"),
        ((-0.001, -0.2, 0.198), "points", "0.00 ± 0.20"),
        ((3.0, math.nan, math.nan), "points", "3 ± ?"),
        ((math.nan, math.nan, math.nan), "share", "–"),
    ],
)
def test_formatted(numbers: tuple[float, float, float], kind: str, text: str) -> None:
    assert stats.format_interval(*numbers, kind) == text
