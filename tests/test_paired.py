"""Paired differences and ratios: hand-computed truths, brute-force likelihoods, coverage by enumeration."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as reference
from scipy.optimize import minimize_scalar

from skate_sim import stats
from skate_sim.paired import Difference, paired_difference, score_interval
from skate_sim.ratios import ratio_difference, ratio_interval


def paired(a: list[int], b: list[int], **options: object) -> Difference:
    d = [x - y for x, y in zip(a, b, strict=True)]
    sums = (sum(a), sum(x * x for x in a), sum(b), sum(x * x for x in b), sum(x * x for x in d), sum(map(abs, d)))
    return paired_difference(len(a), *sums, **options)  # type: ignore[arg-type]


def test_points_by_hand() -> None:
    a, b = [10, 12, 9, 15, 11], [8, 11, 9, 11, 10]
    got = paired(a, b)
    d = [2, 1, 0, 4, 1]
    variance = Fraction(sum(5 * x * x for x in d) - 64, 20)  # (n * squares - total**2) / (n * (n - 1))
    assert variance == Fraction(23, 10)
    assert got.estimate.mean == 1.6
    assert got.estimate.half_width == pytest.approx(reference.t.ppf(0.975, 4) * math.sqrt(variance / 5), rel=1e-12)
    assert got.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-12)
    assert got.worth == pytest.approx((np.var(a, ddof=1) + np.var(b, ddof=1)) / 2.3, rel=1e-12)


def test_the_same_thing_has_no_difference() -> None:
    got = paired([10, 12, 9], [10, 12, 9], identical=True)
    assert got == ((0, 0, 0), 1, math.inf)
    with pytest.raises(ValueError, match="identical"):
        paired([1, 2, 3], [2, 1, 3], identical=True)


def test_games_all_alike_prove_only_that_few_differ() -> None:
    shares = paired([0, 60, 30] * 500, [0, 60, 30] * 500, units=60, share=True)
    assert shares.estimate == (0, pytest.approx(-3.8415 / 1503.8415, rel=1e-4), pytest.approx(0.0025545, rel=1e-4))
    points = paired([3, 4, 5], [3, 4, 5])
    assert points.estimate.mean == 0
    assert math.isnan(points.estimate.low)
    assert math.isnan(points.estimate.high)
    assert points.worth == math.inf


def test_few_games_say_little() -> None:
    assert math.isnan(paired_difference(0, 0, 0, 0, 0, 0, 0).estimate.mean)
    assert math.isnan(paired([3], [5]).estimate.low)
    assert paired([3], [3], identical=True).estimate == (0, 0, 0)


def test_lineups_are_strata() -> None:
    two = paired_difference([3, 3], [6, 306], [14, 31214], [3, 303], [5, 30605], [3, 3], [3, 3])
    assert two.estimate == pytest.approx((1, 1, 1))
    assert two.worth == math.inf  # the difference of the lineups is no noise


def test_score_interval_is_tangos() -> None:
    """Ends are where the constrained maximum likelihood, found by search, makes the score z."""
    ups, downs, n = 12, 2, 50
    for end in score_interval(ups, downs, n, 1.959964):

        def unlikely(q: float, end: float = end) -> float:
            return -ups * math.log(q + end) - downs * math.log(q) - (n - 14) * math.log(1 - 2 * q - end)

        q = minimize_scalar(unlikely, bounds=(1e-9, (1 - end) / 2 - 1e-9), method="bounded", options={"xatol": 1e-12}).x
        score = (ups - downs - n * end) / math.sqrt(n * (2 * q + end * (1 - end)))
        assert abs(score) == pytest.approx(1.959964, rel=1e-5)


@pytest.mark.parametrize("games", [1, 7, 10**6, 10**12])
def test_score_interval_at_its_ends(games: int) -> None:
    z2 = 3.8414588
    bound = z2 / (games + z2)
    assert score_interval(0, 0, games, math.sqrt(z2)) == pytest.approx((-bound, bound), rel=1e-9)
    low, high = score_interval(games, 0, games, math.sqrt(z2))
    assert (low, high) == (pytest.approx(games / (games + z2) - bound, abs=1e-9), 1)
    assert score_interval(0, games, games, math.sqrt(z2)) == pytest.approx((-high, -low))


SHARES = st.lists(st.tuples(*[st.sampled_from([0, 10, 12, 15, 20, 30, 60])] * 2), min_size=1, max_size=60)


@given(SHARES, st.booleans())
def test_a_difference_turned_round(pairs: list[tuple[int, int]], share: bool) -> None:
    a, b = [list(side) for side in zip(*pairs, strict=True)]
    one, other = paired(a, b, units=60, share=share), paired(b, a, units=60, share=share)
    low, mean, high = one.estimate.low, one.estimate.mean, one.estimate.high
    assert mean == float(Fraction(sum(a) - sum(b), 60 * len(a)))
    assert (-high, -mean, -low) == pytest.approx(
        (other.estimate.low, other.estimate.mean, other.estimate.high), rel=1e-6, abs=1e-9, nan_ok=True
    )
    if share:
        assert -1 - 1e-9 <= low <= mean <= high <= 1 + 1e-9
        assert low < high
    assert one.worth == pytest.approx(other.worth, nan_ok=True)


@given(SHARES, st.integers(2, 9))
def test_units_do_not_matter(pairs: list[tuple[int, int]], times: int) -> None:
    a, b = [list(side) for side in zip(*pairs, strict=True)]
    one = paired(a, b, units=60, share=True)
    other = paired([times * x for x in a], [times * x for x in b], units=60 * times, share=True)
    assert one.estimate == pytest.approx(other.estimate, rel=1e-9, abs=1e-12)


def test_many_differing_games_are_students() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.choice([0, 20, 30, 60], size=4000, p=[0.7, 0.05, 0.05, 0.2]).tolist() for _ in "ab")
    got = paired(a, b, units=60, share=True).estimate
    student = stats.mean_interval(4000, sum(a) - sum(b), sum((x - y) ** 2 for x, y in zip(a, b, strict=True)), units=60)
    assert got == pytest.approx(student, abs=student.half_width / 50)


@pytest.mark.parametrize("expected", [3.0, 5.0, 10.0, 30.0])
@pytest.mark.parametrize("up", [1.0, 0.8, 0.5])
@pytest.mark.parametrize("size", [60, 30])
def test_coverage_when_few_games_differ(expected: float, up: float, size: int) -> None:
    """Enumerated: numbers of games up and down are Poisson (of 10,000 games)."""
    n, most = 10_000, 70
    chance = np.outer(
        reference.poisson.pmf(np.arange(most), expected * up),
        reference.poisson.pmf(np.arange(most), expected * (1 - up)),
    )
    truth, covered = size / 60 * expected * (2 * up - 1) / n, 0.0
    for ups, downs in np.argwhere(chance > 1e-6).tolist():
        k = ups + downs
        sums = (size * ups, size**2 * ups, size * downs, size**2 * downs, size**2 * k, size * k)
        low, high = paired_difference(n, *sums, units=60, share=True).estimate[1:]
        covered += chance[ups, downs] * (low <= truth <= high)
    # A handful of equal sizes is as discrete as a count: off by the chance of one number of games.
    assert (0.935 if expected >= 10 else 0.925) < covered < (0.97 if expected >= 10 else 0.995)


# Ratios


def moments(columns: list[list[int]]) -> tuple[int, list[int], list[list[int]]]:
    products = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in columns] for a in columns]
    return len(columns[0]), [sum(c) for c in columns], products


def test_ratio_by_hand_is_fiellers() -> None:
    y, x = [10, 14, 9, 20, 16], [4, 5, 4, 7, 6]
    got = ratio_interval(*moments([y, x]))
    assert got.mean == 69 / 26
    t = reference.t.ppf(0.975, 4)
    for end in got[1:]:  # at the ends the mean of y - r * x is as far from 0 as Student's t allows
        away = np.array(y) - end * np.array(x)
        # degrees of freedom are those of a single stratum
        assert abs(away.mean()) == pytest.approx(t * math.sqrt(np.var(away, ddof=1) / 5), rel=1e-9)


def test_ratio_of_a_constant_denominator_is_the_mean() -> None:
    y, x = [1, 3, 2, 7, 1, 1], [2] * 6
    mean = stats.mean_interval(6, 15, 65, units=2)
    assert ratio_interval(*moments([y, x])) == pytest.approx(mean, rel=1e-12)
    assert ratio_interval(*moments([y, x]), kind="count") == pytest.approx(
        stats.count_interval(6, 15, 65, units=2), rel=1e-9
    )


def test_ratio_strata_have_their_own_variances() -> None:
    first, second = moments([[2, 4, 3, 9], [2] * 4]), moments([[9, 8, 8, 1, 1], [2] * 5])
    got = ratio_interval([4, 5], [first[1], second[1]], [first[2], second[2]], weights=[1, 3])
    squares = [first[2][0][0], second[2][0][0]]
    assert got == pytest.approx(stats.mean_interval([4, 5], [18, 27], squares, units=2, weights=[1, 3]), rel=1e-9)
    products = [[[y * y, 2 * y], [2 * y, 4]] for y in (3, 5, 10)]
    alone = ratio_interval([1, 1, 1], [[3, 2], [5, 2], [10, 2]], products)
    assert alone == pytest.approx(stats.mean_interval([1] * 3, [3, 5, 10], [9, 25, 100], units=2), rel=1e-9)


def test_share_of_independent_chances_is_wilsons() -> None:
    y, x = [1] * 30 + [0] * 970, [1] * 1000
    got = ratio_interval(*moments([y, x]), kind="share")
    assert got == pytest.approx(stats.wilson(0.03, 1000), abs=2e-5)
    none = ratio_interval(*moments([[0] * 9, [1] * 9]), kind="share")
    assert none == stats.wilson(0, 9)


def test_events_that_come_together_say_less() -> None:
    together = [10 if i % 10 == 0 else 0 for i in range(1000)]
    got = ratio_interval(*moments([together, [10] * 1000]), kind="share")
    assert got.half_width > 3 * stats.wilson(0.1, 10_000).half_width


def test_denominators_that_may_be_zero_bound_nothing() -> None:
    got = ratio_interval(*moments([[1, 2, 3, 0], [1, 0, 0, 0]]))
    assert got.mean == 6
    assert math.isnan(got.low)
    assert math.isnan(ratio_interval(*moments([[1, 2], [0, 0]])).mean)
    assert math.isnan(ratio_interval(1, [1, 1], [[1, 1], [1, 1]]).mean)


def test_ratio_strata_are_weighted() -> None:
    first, second = moments([[2, 4, 3], [1, 2, 1]]), moments([[9, 8, 8], [3, 2, 3]])
    sums, products = [first[1], second[1]], [first[2], second[2]]
    got = ratio_interval([3, 3], sums, products, weights=[1, 3])
    assert got.mean == pytest.approx(
        float((Fraction(9, 3) + 3 * Fraction(25, 3)) / (Fraction(4, 3) + 3 * Fraction(8, 3)))
    )


def test_difference_of_ratios() -> None:
    rng = np.random.default_rng(2)
    x_a, x_b = rng.poisson(8, 500) + 1, rng.poisson(8, 500) + 1
    y_a, y_b = 3 * x_a + rng.poisson(2, 500), 2 * x_b + rng.poisson(2, 500)
    columns = [c.tolist() for c in (y_a, x_a, y_b, x_b)]
    got = ratio_difference(*moments(columns))
    r_a, r_b = y_a.sum() / x_a.sum(), y_b.sum() / x_b.sum()
    e = (y_a - r_a * x_a) / x_a.mean() - (y_b - r_b * x_b) / x_b.mean()
    assert got.estimate.mean == pytest.approx(r_a - r_b, rel=1e-12)
    half = reference.t.ppf(0.975, 499) * e.std(ddof=1) / math.sqrt(500)
    assert got.estimate.half_width == pytest.approx(half, rel=1e-9)
    same = [columns[0], columns[1], columns[0], columns[1]]
    assert ratio_difference(*moments(same), identical=True).estimate == (0, 0, 0)
    assert math.isnan(ratio_difference(*moments(same)).estimate.low)
    with pytest.raises(ValueError, match="identical"):
        ratio_difference(*moments(columns), identical=True)
