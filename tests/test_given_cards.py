"""A Legendary given to a seat, to measure its value: who has it, when, and what else stays as it was."""

from __future__ import annotations

import pytest

import skate_sim
from skate_sim.games import ContentError
from skate_sim.simulation import tell_game
from skate_sim.testing import plan_of

BOTS = ["risk_threshold", "stop_at_n", "risk_threshold", "stop_at_n"]


def events(number: int, edits: dict[str, int] | None = None) -> list[dict]:
    return tell_game(plan_of(BOTS, edits=edits or {}), number)


@pytest.mark.parametrize(("seat", "round_number"), [(1, 1), (3, 2), (4, 4)])
def test_card_is_given_once_at_the_beginning_of_its_round(seat: int, round_number: int) -> None:
    edits = {"cards.kick_flip.given_to": seat, "cards.kick_flip.given_in": round_number}
    for number in range(20):
        told = events(number, edits)
        given = [e for e in told if e["event"] == "given"]
        assert [(e["card"], e["seat"], e["round"]) for e in given] == [("kick_flip", seat - 1, round_number)]
        before = told[: told.index(given[0])]
        assert all(e["event"] == "setup" or e["round"] < round_number for e in before)


def test_a_given_card_is_not_on_the_reward_pile() -> None:
    edits = {"cards.kick_flip.given_to": 1}
    rewards = [events(number, edits)[0]["rewards"] for number in range(60)]
    assert all("kick_flip" not in pile for pile in rewards)
    plain = [events(number)[0]["rewards"] for number in range(60)]
    assert any("kick_flip" in pile for pile in plain)


def test_other_luck_stays_where_it_was() -> None:
    """Deal, first skater, and the first round's cards do not know of a card that comes later."""
    edits = {"cards.hippy_jump.given_to": 2, "cards.hippy_jump.given_in": 3}
    for number in range(20):
        plain, given = events(number), events(number, edits)
        for key in ("dealt", "first_seat", "piles"):
            assert plain[0][key] == given[0][key]
        first = [[e for e in told if e.get("round") == 1 and e["event"] != "reward"] for told in (plain, given)]
        assert first[0] == first[1]


def test_given_card_helps_its_holder() -> None:
    games = 4000
    plain = skate_sim.simulate(BOTS, rotate=False, games=games).seats()
    given = skate_sim.simulate(BOTS, rotate=False, games=games, edits={"cards.kick_flip.given_to": 1}).seats()
    of_seat = [t[(t["seat"] == 1) & (t["bot"] == "all")].iloc[0] for t in (plain, given)]
    assert of_seat[1]["win_share_low"] > of_seat[0]["win_share_high"]


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ({"cards.ollie.given_to": 1}, "ollie cannot be given to a seat; only a Legendary can"),
        ({"cards.perfect_landing.given_to": 1}, "only a Legendary can"),
        ({"cards.kick_flip.given_to": 5}, "seat 5 in round 1; there are 4 seats, 4 rounds"),
        ({"cards.kick_flip.given_to": 1, "cards.kick_flip.given_in": 5}, "round 5; there are 4 seats, 4 rounds"),
        ({"cards.kick_flip.given_to": 1, "cards.180.given_to": 2}, "kick_flip and 180 are given to a seat"),
        ({"cards.kick_flip.given_to": 1, "cards.kick_flip.copies": 0}, "kick_flip cannot be given"),
    ],
)
def test_impossible_gifts_are_refused(edits: dict[str, int], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        plan_of(BOTS, edits=edits)
