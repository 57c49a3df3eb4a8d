"""Rankings: Tukey's tables, exact chances, ranks and groups by brute force, planted cycles, and coverage."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference

from skate_sim import ranking
from skate_sim.ranking import chances_of_best, find_cycles, rank_bots


@pytest.mark.parametrize("k", [2, 3, 4, 8])
def test_independent_equal_errors_are_tukeys(k: int) -> None:
    got = rank_bots(np.zeros(k), np.eye(k) * 0.01)
    tukey = reference.studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2)
    assert got.critical == pytest.approx(tukey, rel=0.005)
    assert got.highs[0, 1] == pytest.approx(got.critical * 0.1 * math.sqrt(2))


def test_win_shares_that_add_up() -> None:
    """A singular covariance: two bots that share all wins are anticorrelated."""
    got = rank_bots([0.55, 0.45], [[1e-4, -1e-4], [-1e-4, 1e-4]])
    assert got.differences[0, 1] == pytest.approx(0.1)
    assert got.highs[0, 1] - got.differences[0, 1] == pytest.approx(1.959964 * 0.02, rel=1e-6)
    assert got.apart(0, 1)
    assert got.chance_of_best[0] == pytest.approx(reference.norm.cdf(5), abs=1e-4)


def test_ranks_and_groups() -> None:
    got = rank_bots([0.30, 0.10, 0.31, 0.28, 0.20], np.eye(5) * 0.01**2)
    # One standard error is 0.01, so differences beyond about 0.0386 count.
    assert got.order == [2, 0, 3, 4, 1]
    assert got.groups == [[2, 0, 3], [4], [1]]
    assert got.best_ranks == [1, 5, 1, 1, 4]
    assert got.worst_ranks == [3, 5, 3, 3, 4]
    overlapping = rank_bots([0.00, 0.03, 0.06], np.eye(3) * 0.01**2)
    assert overlapping.groups == [[2, 1], [1, 0]]
    assert (overlapping.best_ranks, overlapping.worst_ranks) == ([2, 1, 1], [3, 3, 2])
    assert overlapping.best_over_worst.mean == pytest.approx(0.06)
    assert 0 < overlapping.best_over_worst.low < 0.06


def test_the_same_bot_twice_cannot_be_told_apart() -> None:
    cov = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]) * 1e-6
    got = rank_bots([0.4, 0.4, 0.2], cov)
    assert (got.differences[0, 1], got.lows[0, 1], got.highs[0, 1]) == (0, 0, 0)
    assert got.groups == [[0, 1], [2]]
    assert got.chance_of_best == pytest.approx([0.5, 0.5, 0])


def test_levels_beyond_what_draws_can_tell_are_bonferronis() -> None:
    got = rank_bots(np.zeros(4), np.eye(4), level=1 - 1e-6)
    assert got.critical == pytest.approx(reference.norm.isf(0.5e-6 / 6), rel=1e-6)


def test_intervals_do_not_hang_on_last_digits() -> None:
    """Of eigenvectors, which differ between versions of numpy."""
    root = np.random.default_rng(3).normal(size=(5, 5))
    cov = root @ root.T
    jitter = np.diag([1e-13, 0, 2e-13, 0, 1e-13])
    assert rank_bots(np.zeros(5), cov).critical == rank_bots(np.zeros(5), cov + jitter).critical


def test_a_ranking_does_not_depend_on_those_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    means, covariance = [3.0, 2.5, 2.4, 1.0], np.diag([0.04, 0.09, 0.01, 0.25])
    monkeypatch.setattr(ranking, "_kept_draws", {})
    alone = rank_bots(means, covariance)
    rank_bots([*means, 0.0, 0.5], np.eye(6))
    after = rank_bots(means, covariance)
    monkeypatch.setattr(ranking, "_MOST_KEPT", 0)
    monkeypatch.setattr(ranking, "_kept_draws", {})
    fresh = rank_bots(means, covariance)
    for found in (after, fresh):
        assert found.critical == alone.critical
        assert found.chance_of_best.tolist() == alone.chance_of_best.tolist()


def test_one_bot() -> None:
    got = rank_bots([0.25], [[0.0]])
    assert (got.best_ranks, got.worst_ranks, got.groups) == ([1], [1], [[0]])
    assert got.best_over_worst == (0, 0, 0)


def test_chances_of_best_of_equals_and_of_two() -> None:
    assert chances_of_best([1, 1, 1, 1], np.eye(4)) == pytest.approx([0.25] * 4, abs=0.002)
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    exact = reference.norm.cdf(0.7 / math.sqrt(2))
    assert chances_of_best([1.7, 1.0], cov) == pytest.approx([exact, 1 - exact], abs=0.002)
    assert chances_of_best([1.7, 1.0], cov).sum() == pytest.approx(1)


def test_no_covariance_matrix() -> None:
    with pytest.raises(ValueError, match="negative eigenvalue"):
        rank_bots([1, 2], [[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="2 times 2"):
        rank_bots([1, 2], [[1, 0]])


@settings(max_examples=40)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=7), st.integers(0, 10**6))
def test_groups_are_all_maximal_sets(means: list[int], seed: int) -> None:
    k = len(means)
    root = np.random.default_rng(seed).normal(size=(k, k)) * 2
    got = rank_bots(means, root @ root.T)
    alike = [s for r in range(1, k + 1) for s in map(set, combinations(range(k), r)) if _all_alike(got.apart, s)]
    maximal = [s for s in alike if not any(s < other for other in alike)]
    assert sorted(map(sorted, got.groups)) == sorted(map(sorted, maximal))
    place = {bot: n for n, bot in enumerate(got.order, 1)}
    for bot in range(k):
        assert got.best_ranks[bot] <= place[bot] <= got.worst_ranks[bot]


def _all_alike(apart, bots) -> bool:  # type: ignore[no-untyped-def]
    return not any(apart(i, j) for i, j in combinations(sorted(bots), 2))


def test_coverage_of_ranks() -> None:
    """80 runs of six bots, some equal: no wrong claim in 95% of them, but for 4 standard errors."""
    rng = np.random.default_rng(5)
    truth = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    root = rng.normal(size=(6, 6)) / 2
    cov = root @ root.T
    runs, wrong, spread = 80, 0, 0
    true = truth[:, None] - truth[None, :]
    for seen in truth + rng.normal(size=(runs, 6)) @ root.T:
        got = rank_bots(seen, cov)
        wrong += not ((got.lows <= true + 1e-9) & (true <= got.highs + 1e-9)).all()
        spread += not got.best_over_worst.low <= 1 <= got.best_over_worst.high
    allowed = 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)
    assert 0.01 < wrong / runs < allowed
    assert spread / runs < allowed


# Cycles


def antisymmetric(k: int, wins: list[tuple[int, int]], size: float = 0.1) -> np.ndarray:
    matrix = np.zeros((k, k))
    for better, worse in wins:
        matrix[better, worse], matrix[worse, better] = size, -size
    return matrix


def test_rock_paper_scissors() -> None:
    wins = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    assert find_cycles(antisymmetric(4, wins), np.full((4, 4), 0.01)) == ([(0, 1, 2)], [])
    assert find_cycles(antisymmetric(4, wins), np.full((4, 4), 0.05)) == ([], [])  # two errors are not enough for six


def test_corrected_for_the_pairs_compared() -> None:
    wins = [(0, 2), (2, 1), (1, 0)]
    errors = np.full((3, 3), 0.1 / 2.3)
    assert find_cycles(antisymmetric(3, wins), errors)[0] == []  # 2.39 would be needed
    assert find_cycles(antisymmetric(3, wins), np.full((3, 3), 0.1 / 2.5))[0] == [(0, 2, 1)]
    assert find_cycles(antisymmetric(3, wins), errors, critical=2)[0] == [(0, 2, 1)]


def test_longer_cycles() -> None:
    ring = antisymmetric(6, [(i, (i + 1) % 5) for i in range(5)])
    assert find_cycles(ring, np.full((6, 6), 0.01)) == ([], [(0, 1, 2, 3, 4)])
    not_compared = np.full((6, 6), 0.01)
    not_compared[0, 1] = not_compared[1, 0] = math.nan
    assert find_cycles(ring, not_compared) == ([], [])


@settings(max_examples=60)
@given(st.integers(3, 7), st.integers(0, 10**6))
def test_cycles_are_cycles(k: int, seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).integers(-1, 2, (k, k)), 1).astype(float)
    edges = upper - upper.T
    triples, longer = find_cycles(edges, np.full((k, k), 0.1))
    for cycle in triples + longer:
        assert len(set(cycle)) == len(cycle)
        assert all(edges[a, b] > 0 for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    expected = sum(
        (edges[a, b] > 0 and edges[b, c] > 0 and edges[c, a] > 0)
        + (edges[b, a] > 0 and edges[c, b] > 0 and edges[a, c] > 0)
        for a, b, c in combinations(range(k), 3)
    )
    assert len(triples) == expected
    if (np.abs(edges) + np.eye(k)).all():  # in a tournament, a knot has a cycle through all its bots (Camion 1959)
        assert all(len(c) > 3 for c in longer)


def test_of_a_single_game_nothing_is_known() -> None:
    ranking = rank_bots([3.0, 5.0, 4.0], np.full((3, 3), np.nan))
    assert ranking.order == [1, 2, 0]
    assert (ranking.best_ranks, ranking.worst_ranks) == ([1, 1, 1], [3, 3, 3])
    assert ranking.groups == [[0, 1, 2]]
    assert ranking.chance_of_best.tolist() == pytest.approx([1 / 3] * 3)
    assert not any(ranking.apart(i, j) for i in range(3) for j in range(3))
    assert ranking.best_over_worst[:3] == (2.0, 0.0, np.inf)
