"""Whole games: known truth first, then symmetry, then the same bits whatever the machine does."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from skate_sim import games
from skate_sim.bot_files import available_bots, parse_bot
from skate_sim.lineups import rotated_lineups
from skate_sim.simulation import Plan, make_plan, play_games
from skate_sim.tallies import Tallies
from skate_sim.testing import plan_of

GAME = games.load("skate_legend")
BUNDLED = sorted(available_bots(GAME))
#: Chance to stand, mean points (0 if fallen) and mean cards when standing of stop-at-N in round 1, computed with
#: fractions; in a two-player game nobody's combo is cut short.
EXACT = {
    1: (0.997963, 1.2142, 1.105),
    2: (0.993399, 2.2964, 2.100),
    3: (0.914169, 3.1110, 3.091),
    4: (0.749723, 3.3661, 4.080),
    5: (0.520822, 2.9028, 5.066),
    6: (0.288036, 1.9165, 6.048),
    7: (0.113074, 0.8743, 7.027),
}
#: Standard errors allowed; the half unit of the last digit printed above is added.
ERRORS = 4.0


def column(plan: Plan, name: str) -> int:
    return [c.name for c in plan.layout.seat_columns].index(name)


def mean_and_error(plan: Plan, tallies: Tallies, seat: int, name: str) -> tuple[float, float]:
    number = column(plan, name)
    n = int(tallies.games.sum())
    mean = int(tallies.seat_sums[0, seat, number]) / n
    variance = int(tallies.seat_squares[0, seat, number]) / n - mean * mean
    return mean, math.sqrt(variance / n)


@pytest.mark.parametrize("n", EXACT)
def test_round_1_of_two_stop_at_n_is_exact(n: int) -> None:
    plan = plan_of([f"stop_at_n:n={n}"] * 2, count=400_000, seed=20 + n)
    tallies, _ = play_games(plan)
    stand, points, cards = EXACT[n]
    for seat in (0, 1):
        fallen, error = mean_and_error(plan, tallies, seat, "round_falls_1")
        assert abs(1 - fallen - stand) < ERRORS * error + 5e-7
        mean, error = mean_and_error(plan, tallies, seat, "round_points_1")
        assert abs(mean - points) < ERRORS * error + 5e-5
        # Cards are validated only when standing: a ratio, with its error by the delta method at worst case.
        validated, error = mean_and_error(plan, tallies, seat, "round_cards_1")
        assert abs(validated / (1 - fallen) - cards) < ERRORS * error / (1 - fallen) + 5e-4


@pytest.mark.parametrize("bot", BUNDLED)
@pytest.mark.parametrize("seats", sorted(GAME.seats))
def test_mirror_match_is_fair(bot: str, seats: int) -> None:
    plan = plan_of([bot] * seats, count=20_000, seed=5)
    tallies, finished = play_games(plan)
    for seat in range(seats):
        mean, error = mean_and_error(plan, tallies, seat, "win_share")
        assert abs(mean / GAME.share_units - 1 / seats) < ERRORS * error / GAME.share_units
    assert tallies.seat_sums[:, :, column(plan, "win_share")].sum() == finished * GAME.share_units


def pool_plan(count: int) -> Plan:
    bots = [parse_bot(b, GAME) for b in ("risk_threshold", "random_legal", "stop_at_n", "score_chaser", "helmet_saver")]
    resolved = GAME.resolve(GAME, 3, "online", {}, {"cards.ollie.copies": 3})
    return make_plan(resolved, bots, rotated_lineups(5, 3), count, 99)


@pytest.mark.parametrize(("threads", "chunk"), [(1, None), (2, None), (1, 7), (2, 1000), (2, 511), (3, 5000)])
def test_same_bits_whatever_the_threads_and_chunks(threads: int, chunk: int | None) -> None:
    plan = pool_plan(6_000)
    reference, _ = play_games(plan, threads=1, chunk=6_000)
    tallies, _ = play_games(plan, threads=threads, chunk=chunk)
    assert tallies.equals(reference)


def test_any_executor_gives_the_same_bits() -> None:
    plan = pool_plan(3_000)
    with ThreadPoolExecutor(2) as executor:
        tallies, _ = play_games(plan, executor=executor, chunk=100)
    assert tallies.equals(play_games(plan)[0])


def test_a_longer_run_has_the_games_of_a_shorter_one() -> None:
    short, _ = play_games(plan_of(["stop_at_n"] * 4, count=500, seed=3))
    longer, _ = play_games(plan_of(["stop_at_n"] * 4, count=1500, seed=3))
    other, _ = play_games(plan_of(["stop_at_n"] * 4, count=500, seed=4))
    assert (longer.seat_squares >= short.seat_squares).all()
    assert not np.array_equal(short.seat_sums, other.seat_sums)


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    for bots, seats in [(2, 4), (4, 4), (6, 4), (9, 5), (40, 4)]:
        lineups = rotated_lineups(bots, seats)
        for seat in range(seats):
            counts = np.bincount(lineups[:, seat], minlength=bots)
            assert counts.min() == counts.max() > 0
        assert all(len(set(row)) == min(bots, seats) for row in lineups.tolist())
