"""Nothing overflows or is rounded away up to the most games and the largest seed that may be asked for."""

from __future__ import annotations

import io
from dataclasses import fields, replace
from fractions import Fraction
from math import isclose, sqrt

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from skate_sim import games, stats
from skate_sim.api import MAX_GAMES, MAX_SEED, plan_games, simulate
from skate_sim.results import Results
from skate_sim.run_report import print_results
from skate_sim.simulation import play_chunk, tell_game
from skate_sim.tallies import Tallies, empty_tallies
from skate_sim.testing import plan_of
from tests.reference import Game, first_difference
from tests.reference.variants import Variant, every_trick

LARGEST = 2**63 - 1
NORMAL = 1.959963984540054


# --- What the tallies hold ---


@pytest.mark.parametrize("game", [games.load(name) for name in games.names()], ids=lambda game: game.name)
def test_declared_numbers_fit_into_64_bits(game: games.Game) -> None:
    seats = max(game.seats)
    for outcome in game.outcomes:
        # A bot in every seat is observed once a game: its numbers are added up before they are squared.
        most = seats * max(abs(outcome.low), abs(outcome.high))
        assert most**2 * MAX_GAMES <= LARGEST, outcome.name
    assert seats * MAX_GAMES <= LARGEST  # a bin of a histogram
    assert 2**16 * game.share_units * MAX_GAMES <= LARGEST  # a ledger's win shares, at 65,536 events of a row a game


def mean_squares(bot: str, rules: dict[str, object], edits: dict[str, object]) -> float:
    """Largest mean of the squares that are tallied, with one bot in all seats of the largest table."""
    players = max(games.load(games.DEFAULT_GAME).seats)
    tallies = simulate([bot] * players, rotate=False, rules=rules, edits=edits, games=600).tallies
    squares = max(int(a.max()) for a in (tallies.seat_squares, tallies.group_squares, tallies.game_squares))
    return squares / 600


@pytest.mark.parametrize("bot", ["random_legal", "stop_at_n:n=9"])
def test_squares_of_printed_games_fit(bot: str) -> None:
    assert mean_squares(bot, {}, {}) * MAX_GAMES * 4 < LARGEST


@pytest.mark.parametrize("bot", ["random_legal", "risk_threshold", "stop_at_n:n=5"])
def test_squares_of_the_dearest_cards_fit_ten_billion_games(bot: str) -> None:
    """Ten rounds of cards of 99 points, far beyond what is printed: 64 bits are full after 6 * 10**10 games."""
    rules = {"rounds": 10, "helmet_points": 9}
    assert mean_squares(bot, rules, every_trick(points=99, broken=False)) * 10**10 < LARGEST


def times(tallies: Tallies, factor: int) -> Tallies:
    """Tallies as if the same games had been played so many times."""
    return Tallies(**{field.name: getattr(tallies, field.name) * factor for field in fields(tallies)})


@pytest.mark.parametrize("squares", ["seat_squares", "group_squares", "game_squares"])
def test_squares_beyond_64_bits_are_an_error(squares: str) -> None:
    """Sums that wrap around turn negative first."""
    plan = plan_games(["stop_at_n", "stop_at_n"], rotate=False, games=10)
    halves = [empty_tallies(plan.layout) for _ in range(2)]
    for half in halves:
        getattr(half, squares).flat[0] = 2**62 - 1
    assert getattr(halves[0] + halves[1], squares).flat[0] == LARGEST - 1
    getattr(halves[0], squares).flat[0] += 2
    with pytest.raises(OverflowError, match="64 bits"):
        halves[0] + halves[1]


def test_tables_of_the_most_games_are_those_of_few_with_narrower_intervals(results: Results) -> None:
    factor = MAX_GAMES // results.games
    plan = replace(results.plan, games=results.games * factor)
    many = Results(plan, times(results.tallies, factor), plan.games, 1.0)
    assert many.checks()["holds"].all()
    for name in ("bots", "seats", "by_round", "game"):
        few, now = results.tables()[name], many.tables()[name]
        numbers = few.select_dtypes(float)
        for column in [c for c in numbers.columns if f"{c}_low" in numbers.columns and c[0] != "q"]:
            pd.testing.assert_series_equal(now[column], few[column], rtol=1e-12)
            width, before = (table[f"{column}_high"] - table[f"{column}_low"] for table in (now, few))
            sure = few[column] > 0.1  # where few games had any, intervals are not symmetric
            assert (width[sure] * sqrt(factor) < 1.2 * before[sure]).all(), column
            assert (width[sure] * sqrt(factor) > 0.8 * before[sure]).all(), column
    for name in ("distributions", "ledger_legendaries", "ledger_combos"):
        counts = results.tables()[name].select_dtypes("integer").drop(columns="steps", errors="ignore")
        assert (many.tables()[name][counts.columns] == counts * factor).all(axis=None)
    printed = io.StringIO()
    print_results(Console(file=printed, width=120), many, everything=True)
    assert f"{plan.games:,} games" in printed.getvalue()
    assert "Checks: all" in printed.getvalue()


# --- Statistics ---


@pytest.mark.parametrize("rare", [7, 10**6, 5 * 10**11])
def test_deviations_of_a_trillion_games_are_exact(rare: int) -> None:
    """All games have 1000, but a few 1001: in floating point, the difference of the squares would be noise."""
    n = 10**12
    total, squares = 1000 * n + rare, 1000**2 * (n - rare) + 1001**2 * rare
    variance = Fraction(n * squares - total**2, n * (n - 1))
    assert variance == Fraction(rare * (n - rare), n * (n - 1))
    assert isclose(stats.standard_deviation(n, total, squares), sqrt(variance), rel_tol=1e-14)
    for interval in (stats.mean_interval, stats.count_interval):
        found = interval(n, total, squares)
        assert isclose(found.mean, Fraction(total, n), rel_tol=1e-15)
        # Bounds near 1000 are kept to some 1e-13: more than enough for an interval, not for its half width.
        assert isclose(found.half_width, NORMAL * sqrt(variance / n), rel_tol=1e-5, abs_tol=3e-13)


def test_shares_of_a_trillion_games_are_exact() -> None:
    n, won = 10**12, 3
    found = stats.share_interval(n, 60 * won, 60**2 * won, units=60)
    assert found.mean == won / n
    exact = stats.wilson(won / n, n)
    assert isclose(found.low, exact.low, rel_tol=1e-6)
    assert isclose(found.high, exact.high, rel_tol=1e-6)


def test_strata_of_numpy_integers_do_not_wrap() -> None:
    """Half of the games have 0, half 2500: n times the squares is far above 64 bits, and so is the difference."""
    n = np.full(3, 10**12)
    found = stats.mean_interval(n, 1250 * n, 1250 * 2500 * n)
    assert found.mean == 1250
    assert isclose(found.half_width, NORMAL * 1250 / sqrt(3 * 10**12), rel_tol=1e-9)


def test_quantiles_of_a_trillion_games() -> None:
    middle = 20
    counts = [(MAX_GAMES - middle) // 2, middle, (MAX_GAMES - middle) // 2]
    assert stats.quantile([4, 5, 6], counts, 0.5) == (5, 4, 6)
    assert stats.quantile([4, 5, 6], counts, 0.4) == (4, 4, 4)
    assert stats.quantile([4, 5, 6], [5 * c for c in counts], 0.6, games=MAX_GAMES) == (6, 6, 6)


# --- Games ---


@pytest.mark.parametrize("seed", [0, 2**63, MAX_SEED])
@pytest.mark.parametrize("number", [2**31, 2**32 + 1, MAX_GAMES - 1, MAX_GAMES])
def test_the_last_games_of_the_largest_seeds_are_those_of_the_reference(number: int, seed: int) -> None:
    variant = Variant("last", 4, 1, bots=("stop_at_n:n=3", "random_legal", "stop_at_n:n=5", "random_legal"))
    setup, *lines = tell_game(plan_of(variant.bot_names(), seed=seed), number)
    assert (setup["seed"], setup["game_number"]) == (seed, number)
    game = Game(variant.cards(), variant.resolved_rules(), variant.reference_bots(), seed, number)
    assert first_difference(game.play(), lines) is None


def test_the_last_games_are_counted_in_their_lineups() -> None:
    plan = plan_games(["stop_at_n:n=3", "stop_at_n:n=5", "random_legal"], players=2, games=MAX_GAMES, seed=MAX_SEED)
    first, count = MAX_GAMES - 5, 5
    tallies, _ = play_chunk(plan, first, count)
    expected = np.zeros_like(tallies.seat_sums)
    column = [c.name for c in plan.layout.seat_columns].index("tricks")
    for number in range(first, first + count):
        lineup = number % len(plan.layout.lineups)
        for event in tell_game(plan, number):
            if event["event"] == "trick":
                expected[lineup, event["seat"], column] += 1
    assert tallies.games.sum() == count
    assert tallies.games.max() == 1
    assert (tallies.seat_sums[:, :, column] == expected[:, :, column]).all()
    assert expected.sum() > 10


def test_more_than_the_most_is_refused() -> None:
    for words in ({"games": MAX_GAMES + 1}, {"seed": MAX_SEED + 1}):
        with pytest.raises(ValueError, match="a whole number from"):
            plan_games(["stop_at_n", "random_legal"], **words)
