"""Luck and skill: unbiased by enumeration with fractions, planted parts recovered, intervals that cover."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from skate_sim.lineups import rotated_lineups
from skate_sim.luck import FORMS, PARTS, forms_of, shares_of_variance, variance_parts

ROTATED = rotated_lineups(3, 3)
Deal = tuple[list[int], list[int], int]  # what it brings to each seat, to each bot, and to all


def tallied(outcomes: np.ndarray, lineups: np.ndarray, batches: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Block by block, as a run would."""
    forms = forms_of(outcomes, lineups)
    of_batch = np.arange(len(outcomes)) % batches
    take = [of_batch == b for b in range(batches)]
    return (
        np.array([t.sum() for t in take]),
        np.array([outcomes[t].sum(axis=0) for t in take]),
        np.array([forms[t].sum(axis=0) for t in take]),
    )


def test_forms_by_hand() -> None:
    lineups = np.array([[0, 1], [1, 0]])
    got = dict(zip(FORMS, forms_of([[1, 2, 3, 5]], lineups)[0].tolist(), strict=True))
    assert got == {
        "place": 1 + 4 + 9 + 25,
        "cell": 1 + 4 + 9 + 25,
        "seat": (1 + 3) ** 2 + (2 + 5) ** 2,
        "bot": (1 + 5) ** 2 + (2 + 3) ** 2,
        "game": 3**2 + 8**2,
        "bot_in_game": 1 + 4 + 9 + 25,
        "block": 11**2,
    }
    twice = dict(zip(FORMS, forms_of([[1, 2, 3, 5]], np.array([[0, 0], [0, 0]]))[0].tolist(), strict=True))
    assert (twice["cell"], twice["bot"], twice["bot_in_game"]) == (16 + 49, 121, 9 + 64)


def planted(
    deals: list[tuple[list[int], list[int], int]], rests: list[list[int]], means: list[list[int]]
) -> np.ndarray:
    """Outcomes of every deal with every rest: (blocks, places)."""
    rows = []
    for (of_seat, of_bot, of_all), rest in product(deals, rests):
        row = []
        for game, lineup in enumerate(ROTATED.tolist()):
            for seat, bot in enumerate(lineup):
                row.append(means[bot][seat] + of_all + of_seat[seat] + of_bot[bot] + rest[3 * game + seat])
        rows.append(row)
    return np.array(rows)


def uncorrelated_rests() -> list[list[int]]:
    """Nine numbers with mean 0, uncorrelated over these eighteen: one of them at a time is 3 or -3."""
    return [[sign * 3 if i == j else 0 for i in range(9)] for j in range(9) for sign in (1, -1)]


def test_unbiased_by_enumeration() -> None:
    """Over all pairs of blocks, every part is on average exactly what was planted."""
    deals = [([2, -1, -1], [0, 1, -1], 1), ([0, 0, 0], [-3, 2, 1], 2), ([-1, -2, 3], [0, 0, 0], -3)]
    means = [[5, 3, 4], [3, 3, 3], [1, 0, 2]]
    universe = planted(deals, uncorrelated_rests(), means)
    b = np.array(means, float)
    # Effects of the deals have their own means, which belong to the bots and seats.
    seat, bot, every = (np.array([d[i] for d in deals], float) for i in range(3))
    shifted = b + seat.mean(axis=0)[None, :] + bot.mean(axis=0)[:, None]
    skill, seating = np.var(shifted.mean(axis=1)), np.var(shifted.mean(axis=0))
    of_seat, of_bot = seat.var(axis=0).mean(), bot.var(axis=0).mean()
    rest = 9 * 2 / 18
    expected = {
        "bots": skill,
        "seats": seating,
        "places": np.var(shifted) - skill - seating,
        "deal": np.var(every) + of_seat,
        "bots_by_deal": of_bot,
        "rest": rest,
    }
    # Independent blocks: the mean over all ordered pairs, a block with itself included.
    forms = forms_of(universe, ROTATED)
    count = len(universe)
    total = sum(
        variance_parts(2, universe[i] + universe[j], forms[i] + forms[j], ROTATED)
        for i in range(count)
        for j in range(count)
    )
    got = dict(zip(PARTS, (total / count**2).tolist(), strict=True))
    assert got.pop("variance") == pytest.approx(universe.var(), rel=1e-9)
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_parts_add_up_exactly_in_whole_numbers() -> None:
    rng = np.random.default_rng(8)
    outcomes = rng.integers(0, 61, (50, 12)) + 10**6  # far from 0: nothing may cancel
    lineups = np.array([[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 1]])
    got = variance_parts(*(t[0] for t in tallied(outcomes, lineups)), lineups, 60)
    assert got[1:].sum() == pytest.approx(got[0], rel=1e-9)
    n = 50
    column_sums, squares = outcomes.sum(axis=0).tolist(), (outcomes.astype(object) ** 2).sum()
    within = Fraction(n * squares - sum(s * s for s in column_sums), n * (n - 1))
    means = Fraction(sum(s * s for s in column_sums) - squares, n * (n - 1) * 12)
    forms = forms_of(outcomes.astype(object), lineups)[:, 6].sum()
    grand = Fraction(int(sum(column_sums) ** 2 - forms), n * (n - 1) * 144)
    exact = (within / 12 + means - grand) / 3600
    assert got[0] == pytest.approx(float(exact), rel=1e-12)


def win_shares(skill: float, luck: float, noise: float, blocks: int, seed: int) -> np.ndarray:
    """Four bots in rotation; the highest of skill + luck of the seat + noise wins."""
    rng, lineups = np.random.default_rng(seed), rotated_lineups(4, 4)
    of_seat = luck * rng.normal(size=(blocks, 1, 4))
    strength = skill * lineups[None] + of_seat + noise * rng.normal(size=(blocks, 4, 4))
    wins = strength == strength.max(axis=2, keepdims=True)
    return (60 * wins).reshape(blocks, 16).astype(np.int64)


def test_all_skill_all_deal_and_all_noise() -> None:
    lineups = rotated_lineups(4, 4)
    for skill, luck, noise, part in ((1, 0, 1e-9, "bots"), (1e-9, 1, 1e-12, "deal"), (0, 0, 1, "rest")):
        got = shares_of_variance(*tallied(win_shares(skill, luck, noise, 4000, 9), lineups, 32), lineups, units=60)
        assert got.variance.mean == pytest.approx(0.1875, rel=1e-3)
        for name in PARTS[1:]:
            share = getattr(got, name)
            assert share.mean == pytest.approx(1 if name == part else 0, abs=0.03), name
            assert share.low - 1e-9 <= share.mean <= share.high + 1e-9


def test_coverage_of_shares() -> None:
    """100 runs against a long one: intervals hold its shares in 95%, but for 4 standard errors and 1% for its own."""
    lineups = rotated_lineups(4, 4)
    long = shares_of_variance(*tallied(win_shares(0.5, 1, 1, 200_000, 10), lineups, 32), lineups, units=60)
    runs, held = 100, dict.fromkeys(PARTS[1:], 0)
    for run in range(runs):
        got = shares_of_variance(*tallied(win_shares(0.5, 1, 1, 640, 100 + run), lineups, 16), lineups, units=60)
        for name in held:
            held[name] += getattr(got, name).low <= getattr(long, name).mean <= getattr(got, name).high
    for name, number in held.items():
        assert abs(number / runs - 0.95) < 4 * math.sqrt(0.05 * 0.95 / runs) + 0.01, name


def test_a_bot_in_several_seats_and_two_bots_in_two() -> None:
    lineups = rotated_lineups(2, 4)
    rng = np.random.default_rng(11)
    outcomes = (100 * lineups.ravel() + rng.normal(0, 30, (2000, 16))).round().astype(np.int64)
    got = shares_of_variance(*tallied(outcomes, lineups, 8), lineups)
    assert got.bots.mean == pytest.approx(2500 / 3400, abs=0.02)
    assert got.rest.mean == pytest.approx(900 / 3400, abs=0.02)
    two = rotated_lineups(2, 2)
    few = shares_of_variance(*tallied(outcomes[:, :4], two, 8), two)
    assert math.isnan(few.deal.mean)
    assert not math.isnan(few.bots.mean)


def test_what_cannot_be_told() -> None:
    with pytest.raises(ValueError, match="every seat equally often"):
        shares_of_variance([2], [[0] * 3], [[0] * 7], np.array([[0, 1, 2]]))
    with pytest.raises(ValueError, match="places need"):
        shares_of_variance([2], [[0] * 4], [[0] * 7], ROTATED)
    one = shares_of_variance(*tallied(np.arange(9)[None], ROTATED), ROTATED)
    assert math.isnan(one.variance.mean)
