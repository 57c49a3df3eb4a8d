"""The kernel against exact numbers, for the printed deck and edited ones: round 1 of two-player games.

Nobody's combo is cut short there, so each seat of ``stop_at_n`` must stand, score and hold cards as the exact
solver says, within 4 standard errors.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from skate_sim.simulation import play_games
from skate_sim.testing import plan_of
from tests.exact import stop_at_n, trick_deck

GAMES = 100_000
DECKS: dict[str, dict[str, Any]] = {
    "printed": {},
    "no red": {"cards.manual": "remove", "cards.no_comply": "remove", "cards.no_comply_broken": "remove"},
    "all broken": {
        f"cards.{card}.broken": True
        for card in ("melon_grab", "handplant", "boardslide", "manual", "ollie", "no_comply")
    },
    "no effects": {f"cards.{card}.effect": "none" for card in ("handplant", "no_comply", "pop_shove_it")},
    "many replays": {
        "cards.melon_grab.effect": "replay",
        "cards.pop_shove_it.times": 2,
        "cards.manual.effect": "replay",
    },
    "grey tricks": {"cards.ollie.colour": "grey", "cards.manual.colour": "grey", "cards.ollie.points": -2},
    "unlike points": {"cards.melon_grab.points": 7, "cards.powerslide.points": 0, "cards.ollie.copies": 30},
}


@pytest.mark.parametrize("n", [2, 4, 6])
@pytest.mark.parametrize("name", DECKS)
def test_round_1_is_exact(name: str, n: int) -> None:
    plan = plan_of([f"stop_at_n:n={n}"] * 2, edits=DECKS[name], count=GAMES, seed=40 + n)
    tallies, _ = play_games(plan)
    exact = stop_at_n(trick_deck(plan.resolved.tables["cards"]), n)
    columns = [c.name for c in plan.layout.seat_columns]

    def mean(seat: int, column: str) -> tuple[float, float]:
        number = columns.index(column)
        value = Fraction(int(tallies.seat_sums[0, seat, number]), GAMES)
        variance = Fraction(int(tallies.seat_squares[0, seat, number]), GAMES) - value * value
        return float(value), math.sqrt(variance / GAMES)

    for seat in (0, 1):
        fallen, error = mean(seat, "round_falls_1")
        assert abs(1 - fallen - float(exact.standing)) <= 4 * error + 1e-12
        points, error = mean(seat, "round_points_1")
        assert abs(points - float(exact.points)) <= 4 * error + 1e-12
        cards, error = mean(seat, "round_cards_1")
        assert abs(cards - float(exact.mean_cards * exact.standing)) <= 4 * error + 1e-12
