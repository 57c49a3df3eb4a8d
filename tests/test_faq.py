"""The Frequently Asked Questions of the rulebook: each test is named by its question and quotes the answer."""

from __future__ import annotations

import pytest

from skate_sim.simulation import PlayError
from tests.rules import answers_at, games, play


@pytest.mark.parametrize(
    ("deck", "reason"), [("fog_broken", "broken"), ("melon_grab", "colour"), ("handplant_broken", "both")]
)
def test_what_makes_me_fall(deck: str, reason: str) -> None:
    """Three "Broken Skateboard" symbols and/or three cards of the same color; either one is enough."""
    game = play("1 1 1", "", deck=deck, rounds=1)
    assert game.of(0)[-3] == f"falls by {reason}: {deck} {deck} {deck}"
    assert play("1 1 stop", "", deck=deck, rounds=1).events("fall") == []


def test_only_a_fall_by_color_can_be_avoided() -> None:
    """Only a fall by color can be avoided, thanks to a Helmet token."""
    by_colour = play("1 1 1|1^ 1 1 stop", "", deck="melon_grab", rounds=2)
    assert by_colour.of(0, round=2)[-3].startswith("stops")
    by_broken = play("1 1 1|1^ 1 1", "", deck="handplant_broken", rounds=2)
    assert by_broken.of(0, round=2)[-3].startswith("falls by broken")


def test_what_happens_when_i_fall() -> None:
    """You discard the cards played during this round, take a Helmet token, and do not play until the next round."""
    game = play("1 1|1 1 1|1", "1 stop|1 1 1 stop|", "1 stop|1 1 1 stop", deck="melon_grab", rounds=3)
    fallen = game.of(0, round=2)
    assert fallen[-1] == "falls by colour: melon_grab melon_grab melon_grab"
    assert game.of(0, round=3)[0] == "plays melon_grab from pile 1"
    assert game.end[0]["tricks"] == 3  # of rounds 1 and 3
    assert game.end[0]["helmets_kept"] == 1


@pytest.mark.parametrize("card", [1, 2, 3])
def test_can_i_place_a_helmet_at_the_moment_i_fall(card: int) -> None:
    """No. The Helmet is placed on the card you just played, before you know what comes next."""
    tricks = ["1^" if number == card else "1" for number in (1, 2, 3)]
    game = play("1 1 1|" + " ".join(tricks), "", deck="boardslide", rounds=2)
    assert len(game.events("helmet")) == (1 if card < 3 else 0)
    assert len(game.events("fall")) == (1 if card < 3 else 2)


def test_does_the_helmet_protect_against_the_broken_skateboard() -> None:
    """No. Even if the card on which you place the Helmet bears a symbol, that symbol still counts."""
    game = play("1 1 1|1^ 1 1", "", deck="pop_shove_it_broken", rounds=2)
    assert game.of(0, round=2)[1] == "wears green helmet on pop_shove_it_broken"
    assert game.events("fall")[-1]["reason"] == "broken"


def test_how_many_helmets_within_a_combo() -> None:
    """Only one. A played Helmet is discarded when you validate your combo. Only unused Helmets earn 2 points."""
    game = play("1 1 1|1 1 1|1^ 1^ 1^ 1^ stop", "", deck="boardslide", rounds=3)
    assert len(game.events("helmet")) == 1
    assert game.end[0]["helmets"] == 2


@pytest.mark.parametrize(("deck", "effect"), [("handplant", "reveal"), ("no_comply", "draw")])
def test_does_an_effect_apply_if_it_makes_me_fall(deck: str, effect: str) -> None:
    """No. The fall is resolved immediately and prevents the effect."""
    game = play("2?1 2?2 1", "2?1 stop", deck=deck, rounds=1)
    tricks, effects = (len([e for e in game.events(kind) if e["seat"] == 0]) for kind in ("trick", effect))
    assert (tricks, effects) == (3, 2)


def test_can_i_play_a_legendary_trick_from_a_draw_pile() -> None:
    """No, only from your hand. They go directly into your hand."""
    sources = set()
    for game in games(60, "random_legal", "random_legal", "random_legal", edits={"cards.ollie.copies": 0}):
        legendary = {card for card, c in game.setup["cards"].items() if c["kind"] == "legendary"}
        sources |= {e["source"] for e in game.events("trick") if e["card"] in legendary}
        assert not {e["card"] for e in game.events("draw", "reveal")} & legendary
    assert sources == {"hand"}
    assert answers_at("1 1|never", "", deck="fog", rewards="720") == ["pile 1", "pile 2", "play 720°", "play Fog"]


def test_can_a_legendary_trick_meet_its_own_condition() -> None:
    """Yes. It counts among the cards of the combo. It can also help meet the condition of another Legendary Trick."""
    own = play("1 1|180 1 1 1", "", deck="fog", rewards="180")
    assert own.end[0]["legendaries"] == 4
    other = play("1 1|1 1|360 hippy_jump 1", "", deck="manual", rewards="360 hippy_jump")
    assert other.of(0, round=3)[-3] == "stops: 360 hippy_jump manual = 7"


def test_i_fall_with_a_legendary_trick_whose_condition_was_met() -> None:
    """Do I keep its points? No. It is discarded like the other cards and earns nothing."""
    cards = ". . . . fog fog_broken fog_broken fog_broken"
    game = play("1 1|180 1 1 1 1", "", deck="fog fog_broken", cards=cards, rewards="180")
    assert game.of(0, round=2)[-3] == "falls by broken: 180 fog fog_broken fog_broken fog_broken"
    assert game.end[0]["legendaries"] == 0


def test_what_if_a_draw_pile_runs_out() -> None:
    """Split the remaining draw pile in two. If both are empty, reshuffle the discard pile."""
    game = play("1 1 2|2 stop", "", deck="fog_broken=6", rounds=2)
    piles = [s for s in game.story() if s.startswith(("pile", "reshuffle"))]
    assert piles[:2] == ["pile 1 is split: 1 1", "reshuffle: 2 1"]


def test_there_are_no_more_helmet_tokens() -> None:
    """Replace it with any small object."""
    game = play(*["1 1 1|1 1 1"] * 5, deck="fog_broken=60", rounds=2)
    assert sum(seat["helmets_kept"] for seat in game.end) == len(game.events("fall")) == 8


def test_who_starts_the_next_round() -> None:
    """The skater who ended the previous round."""
    game = play("1 stop|", "1 1 1 stop|", "1 1 stop|", deck="fog", first=2, rounds=2)
    assert game.events("round_end")[0]["seat"] == game.events("trick", round=2)[0]["seat"] == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_how_many_rounds(seats: int) -> None:
    """Four. The skater who ends the 4th round takes the Perfect Landing card, worth 5 Prestige Points."""
    game = play(*[""] * seats, deck="fog")
    last = game.events("round_end")[-1]
    assert (last["round"], game.end[last["seat"]]["perfect_landing"]) == (4, 5)
    assert sum(seat["perfect_landing"] for seat in game.end) == 5


def test_how_is_a_tie_broken() -> None:
    """It isn't: the skaters concerned share the victory."""
    five = play(*["1 stop"] * 5, deck="fog", rounds=1, edits={"cards.perfect_landing.points": 0}).end
    assert [(seat["prestige"], seat["win_share"]) for seat in five] == [(1, "1/5")] * 5
    two = play("1 1 1", "1 1 1 stop", "", deck="ollie", rounds=1, edits={"cards.perfect_landing.points": 0}).end
    assert [(seat["prestige"], seat["win_share"]) for seat in two] == [(2, "1/2"), (2, "1/2"), (1, "0")]


def test_do_all_legendary_tricks_have_an_effect() -> None:
    """No. Only Kick Flip and Hippy Jump have one. Perfect Landing has neither a condition nor an effect."""
    cards = play("", "").setup["cards"]
    with_effect = {card for card, c in cards.items() if c["kind"] != "trick" and c["effect"] != "none"}
    assert with_effect == {"kick_flip", "hippy_jump"}
    last = cards["perfect_landing"]
    assert [last[column] for column in last if column.startswith("needs_")] == [0] * 8


def test_how_many_points_does_a_card_earn() -> None:
    """A Trick card earns 1 point, 2 points for a few. The exact value is printed on each card."""
    for card, points in (("manual", 1), ("powerslide", 2)):
        assert play("1 1 stop", "", deck=card, rounds=1).end[0]["tricks"] == 2 * points
    legendary = {"kick_flip": "kick_flip 1 1", "hippy_jump": "hippy_jump", "180": "180 1 1 1", "720": "720 1 1 1 1"}
    for card, script in legendary.items():
        worth = {"kick_flip": 5, "hippy_jump": 2}.get(card, 4)
        assert play(f"1 1|{script} stop", "", deck="fog", rewards=card).end[0]["legendaries"] == worth


def test_kick_flip_where_is_the_catch() -> None:
    """It forces you to replay "Do a Trick" twice in a row. If you fall, you lose Kick Flip along with everything."""
    with pytest.raises(PlayError, match=r"legal answers: 1 \(pile 1\), 2 \(pile 2\), \d+ \(play Fog\)$"):
        play("1 1|kick_flip 1 stop", "", deck="fog", rewards="kick_flip")
    game = play("1 1|1 kick_flip 1", "", deck="ollie", rewards="kick_flip")
    assert game.of(0, round=2)[-1] == "falls by colour: ollie kick_flip ollie"
    assert game.end[0]["legendaries"] == 0
    hippy = play("1 1|1 1 hippy_jump stop", "", deck="ollie", rewards="hippy_jump")
    assert hippy.of(0, round=2)[-3] == "stops: ollie ollie hippy_jump = 4"


def test_is_there_a_limit_to_the_hand() -> None:
    """No, none."""
    game = play("1 1 1 1 1 1 1 1|1", "", deck="fog_draw=80", rounds=2)
    assert len([e for e in game.events("draw") if e["seat"] == 0]) == 9


def test_what_changes_with_two_players() -> None:
    """When you are left alone standing, you may keep doing tricks. If you fall, the Reward card is discarded."""
    game = play("1 1 1 1 stop", "", deck="fog", rounds=1)
    assert len([e for e in game.events("trick") if e["seat"] == 0]) == 4
    fall = play("1 1 1", "", deck="ollie", rewards="720")
    assert fall.of(0, round=1)[-2:] == ["loses 720", "ends the round"]
    three = play("1 1 1 1 stop", "1 stop", "1 stop", deck="fog", rounds=1)
    assert len([e for e in three.events("trick") if e["seat"] == 0]) == 2
