"""The fixed readings of the rules, by their numbers: where the booklet is silent or can be read twice.

The switches, which are not fixed, are in ``test_switches.py``.
"""

from __future__ import annotations

import pytest

from tests.rules import answers_at, games, play

# --- Setup ---


def test_reading_1_one_card_once_a_game() -> None:
    """Reading 1: one Trick to each skater, once per game; hands persist across rounds and score nothing."""
    game = play("1 stop|1 stop|1 ollie stop", "", deck="fog ollie=1", dealt="ollie")
    assert game.of(0, round=3)[1] == "plays ollie from hand"
    once = play("fog", "fog", "fog", deck="fog=3", rewards="720")
    assert [s for s in once.story(round=2) if "plays" in s] == ["2 plays 720 from hand"]
    held = play("", "", "", deck="fog ollie=1", dealt="ollie", edits={"cards.ollie.points": 50})
    assert [seat["tricks"] for seat in held.end] == [4, 4, 4]


def test_reading_2_odd_card_in_pile_1() -> None:
    """Reading 2: two face-down piles; with an odd count pile 1 has the extra card."""
    for copies, piles in ((9, [4, 3]), (8, [3, 3]), (3, [1, 0]), (2, [0, 0])):
        assert play("", "", deck=f"fog={copies}").setup["piles"] == piles
    assert answers_at("never", "", deck="fog=3") == ["pile 1", "play Fog"]


def test_reading_3_reward_pile() -> None:
    """Reading 3: 3 of the 9 other Legendaries at random, Perfect Landing last."""
    for rounds in (1, 2, 4, 10):
        game = next(games(1, "stop_at_n", "stop_at_n", rules={"rounds": rounds}))
        assert len(set(game.setup["rewards"])) == rounds
        assert game.setup["rewards"].index("perfect_landing") == rounds - 1


def test_reading_4_clockwise() -> None:
    """Reading 4: first skater at random, seats are clockwise."""
    for first in (0, 1, 2):
        game = play("", "", "", deck="fog", first=first, rounds=1)
        assert [e["seat"] for e in game.events("trick")] == [first, (first + 1) % 3, (first + 2) % 3]


# --- Turn ---


def test_reading_5_sources() -> None:
    """Reading 5: a trick is played from either pile (its top card, face up or down) or from the hand."""
    game = play("1?1 1?2 fog_reveal?1 2 stop", "2?2 stop", deck="fog_reveal", rounds=1)
    assert [s for s in game.of(0) if "plays" in s] == [
        "plays fog_reveal from pile 1",
        "plays the face-up fog_reveal from pile 1",
        "plays fog_reveal from hand",
        "plays the face-up fog_reveal from pile 2",
    ]


def test_reading_6_fall_cancels_replays() -> None:
    """Reading 6: a fall cancels the card's effect and every pending Replay."""
    game = play("1 1|1 kick_flip 1 1 1", "1 stop|1 1 stop", deck="ollie", rewards="kick_flip")
    assert game.of(0, round=2) == [
        "plays ollie from pile 1",
        "plays kick_flip from hand",
        "replays ollie from pile 1",
        "falls by colour: ollie kick_flip ollie",
    ]


def test_reading_6_at_least_three() -> None:
    """Reading 6: at least 3 broken skateboards, or at least 3 cards of a colour."""
    game = play("1 1 1|1^ 1 1", "", deck="powerslide", rounds=2)
    assert [e["reason"] for e in game.events("fall")] == ["both", "broken"]  # yellow is helmeted in round 2


def test_reading_7_helmet_of_the_last_round() -> None:
    """Reading 7: the combo leaves, the skater takes one helmet; gained in the last round it still scores 2."""
    end = play("1 1|1 1|1 1|1 1 1", "", deck="ollie").end
    assert (end[0]["helmets_kept"], end[0]["helmets"], end[0]["prestige"]) == (1, 2, 8)


def test_reading_8_helmet_on_a_replayed_card() -> None:
    """Reading 8: on your own turn, on the card just played, also one played by a forced Replay."""
    deck = "ollie pop_shove_it=1"
    game = play("1 1 1|pop_shove_it 1^ 1 1 stop", "", deck=deck, dealt="pop_shove_it", rounds=2)
    assert game.of(0, round=2)[:3] == [
        "plays pop_shove_it from hand",
        "replays ollie from pile 1",
        "wears green helmet on ollie",
    ]
    assert game.of(0, round=2)[-3] == "stops: pop_shove_it ollie ollie ollie = 4"


def test_reading_8_no_helmet_on_grey() -> None:
    """Reading 8: not on a grey card."""
    game = play("1 1 1|1^ 1^ stop", "", deck="fog_broken", rounds=2)
    assert game.events("helmet") == []
    assert game.end[0]["helmets_kept"] == 1


def test_reading_8_the_card_still_counts() -> None:
    """Reading 8: the card still counts for points, conditions and broken skateboards."""
    game = play("1 1|1 1 1|1^ 1 airwalk_grab stop", "", deck="powerslide", rewards="airwalk_grab 360")
    assert game.of(0, round=3)[-3] == "stops: powerslide powerslide airwalk_grab = 8"
    assert game.end[0]["helmets_kept"] == 0


def test_reading_9_effect_after_the_helmet() -> None:
    """Reading 9: effects are mandatory and come after the helmet decision."""
    game = play("1 1 1|1^ stop", "", deck="no_comply", rounds=2)
    assert game.of(0, round=2)[:3] == [
        "plays no_comply from pile 1",
        "wears red helmet on no_comply",
        "draws no_comply from pile 1",
    ]


def test_reading_9_draw_takes_face_up_tops() -> None:
    """Reading 9: Draw, one card from the pile of choice into the hand, face-up tops included."""
    game = play("1?2 stop", "1>2 stop", deck="fog_reveal fog_draw fog", cards="fog_reveal fog fog_draw", rounds=1)
    assert game.story()[:4] == [
        "0 plays fog_reveal from pile 1",
        "0 reveals fog on pile 2",
        "1 plays fog_draw from pile 1",
        "1 draws the face-up fog from pile 2",
    ]


def test_reading_9_reveal_turns_what_is_face_down() -> None:
    """Reading 9: Reveal turns the top card of a pile that is not yet face up."""
    game = play("1?1 stop", "2?1 stop", deck="fog_reveal", rounds=1)  # seat 1 has no choice: pile 1 is face up
    assert game.story()[1:4:2] == ["0 reveals fog_reveal on pile 1", "1 reveals fog_reveal on pile 2"]


def test_reading_9_revealed_cards_stay() -> None:
    """Reading 9: a revealed card stays face up, across rounds, until taken; the card below it is face down."""
    game = play("1?2 1 stop|2 stop", "1 stop|2 stop", deck="fog_reveal=1 fog", cards="fog_reveal", rounds=2)
    assert [s for s in game.story() if "pile 2" in s] == [
        "0 reveals fog on pile 2",
        "0 plays the face-up fog from pile 2",
        "1 plays fog from pile 2",
    ]


def test_reading_9_replays_are_counted() -> None:
    """Reading 9: effects of replayed cards resolve before the next pending replay (a counter)."""
    situation = {"deck": "fog_draw fog_replay=1", "dealt": "fog_replay", "rewards": "kick_flip"}
    game = play("1 1|kick_flip fog_replay 1 2 stop", "", **situation)
    assert game.story(round=2)[:7] == [
        "0 plays kick_flip from hand",
        "0 replays fog_replay from hand",
        "0 replays fog_draw from pile 1",
        "0 draws fog_draw from pile 1",
        "0 replays fog_draw from pile 2",
        "0 draws fog_draw from pile 1",
        "1 plays fog_draw from pile 1",
    ]


def test_reading_9_replays_lapse() -> None:
    """Reading 9: if no card can be played, pending replays lapse."""
    game = play("", "", deck="fog_kick=2", rounds=1)
    assert game.story()[:3] == ["0 plays fog_kick from hand", "0 cannot obey 3 Replays", "1 plays fog_kick from hand"]
    game = play("1", "", deck="fog_kick=3", rounds=1)
    assert game.story()[:4] == [
        "0 plays fog_kick from pile 1",
        "0 replays fog_kick from hand",
        "0 cannot obey 5 Replays",
        "1 plays fog_kick from hand",
    ]


def test_reading_10_next_skater_standing() -> None:
    """Reading 10: after the turn, play passes clockwise to the next skater still standing."""
    game = play("1 1 1", "1 stop", "1 1 1", "1 1 stop", "1 1", deck="fog_broken", rounds=1)
    falls = [e["seat"] for e in game.events("fall")]
    turns = [e["seat"] for e in game.events("trick", "stop")]
    assert (falls, turns) == ([0, 2], [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 2, 3, 4])


# --- Stop and end of round ---


def test_reading_11_stop_needs_a_card() -> None:
    """Reading 11: Stop needs at least one card in the combo."""
    for seats in (2, 3):
        assert answers_at("never", *[""] * (seats - 1), deck="fog") == ["pile 1", "pile 2", "play Fog"]
    # The lone skater of two, and one with nothing to play, may stop without.
    assert answers_at("1 1 1", "never", deck="fog_crash") == ["stop", "pile 1", "pile 2", "play Crashing fog"]
    game = play("fog", "fog", "fog", deck="fog=3", rewards="720")
    assert game.story(round=2)[:3] == ["2 plays 720 from hand", "0 stops: = 0", "1 stops: = 0"]


def test_reading_12_conditions_on_the_whole_combo() -> None:
    """Reading 12: conditions are checked together on the whole combo, before any unmet Legendary is removed."""
    game = play("1 1|1 1|180 360 1 1 stop", "", deck="ollie", rewards="180 360")
    assert game.of(0, round=3)[-3] == "stops: 180 ollie ollie / 360 = 6"
    game = play("1 1|1 1|360 180 1 1 stop", "", deck="ollie", rewards="180 360")
    assert game.of(0, round=3)[-3] == "stops: 180 ollie ollie / 360 = 6"


def test_reading_13_last_standing_gets_no_turn() -> None:
    """Reading 13: the moment one skater is left standing he ends the round; his combo may be empty."""
    game = play("1 1 1", "1 1 1", "never", deck="fog_crash", rewards="900")
    assert game.of(0, round=1)[-1] == game.of(1, round=1)[-1] == "falls by broken: fog_crash fog_crash fog_crash"
    assert game.of(2, round=1) == ["stops: = 0", "takes 900", "ends the round"]


def test_reading_14_lone_skater_falls_in_the_last_round() -> None:
    """Reading 14: if he falls, the visible reward is discarded: in round 4 nobody gets Perfect Landing."""
    game = play("1 1|1 1|1 1|1 1 1", "", deck="ollie")
    assert game.of(0, round=4)[-3:] == ["falls by colour: ollie ollie ollie", "loses perfect_landing", "ends the round"]
    assert [seat["perfect_landing"] for seat in game.end] == [0, 0]


def test_reading_15_starter() -> None:
    """Reading 15: the next round is started by the skater who ended it, whether he stopped or fell."""
    fell = play("", "1 1 1|", deck="ollie", rounds=2)
    assert fell.story(round=1)[-2:] == ["1 loses " + fell.setup["rewards"][0], "1 ends the round"]
    assert fell.story(round=2)[0].startswith("1 plays")
    stopped = play("", "", "1 1 stop|", "", deck="ollie", rounds=2)
    assert stopped.story(round=1)[-1] == "2 ends the round"
    assert stopped.story(round=2)[0].startswith("2 plays")


def test_reading_16_perfect_landing_is_validated() -> None:
    """Reading 16: Perfect Landing goes to the validated cards of the skater who ended round 4."""
    game = play("1 1|1 1|1 1|720 1 1 1 stop", "", deck="fog", rewards="720 360 900")
    assert game.of(0, round=4)[-3:] == ["stops: fog fog fog / 720 = 3", "takes perfect_landing", "ends the round"]
    assert game.end[0]["perfect_landing"] == 5


# --- Piles ---


@pytest.mark.parametrize(("copies", "left", "sizes"), [(8, 3, "2 1"), (10, 4, "2 2"), (12, 5, "3 2")])
def test_reading_17_split(copies: int, left: int, sizes: str) -> None:
    """Reading 17: the top part (rounded down) stays, the bottom part (rounded up) forms the empty pile."""
    tricks = " ".join(["1"] * (left - 1)) + " stop"
    game = play(tricks, "1 stop", deck=f"fog={copies}", rounds=1)
    assert [s for s in game.story() if "split" in s] == [f"pile 1 is split: {sizes}"]


def test_reading_17_face_up_card_stays_on_top() -> None:
    """Reading 17: the top part stays with its face-up card; the other is face down."""
    game = play("1?2 1 2 1 stop", "1 stop", deck="fog_reveal=1 fog=7", cards="fog_reveal", rounds=1)
    assert game.story() == [
        "0 plays fog_reveal from pile 1",
        "0 reveals fog on pile 2",
        "1 plays fog from pile 1",
        "0 plays fog from pile 1",
        "pile 1 is split: 2 1",
        "1 stops: fog = 1",
        "0 plays the face-up fog from pile 2",
        "pile 2 is split: 1 1",
        "0 plays fog from pile 1",
        "0 stops: fog_reveal fog fog fog = 4",
        "0 takes perfect_landing",
        "0 ends the round",
    ]


def test_reading_17_not_of_one_card() -> None:
    """Reading 17: when the other has at least 2 cards."""
    assert answers_at("1 stop", "never", deck="fog=4") == ["pile 2", "play Fog"]


def test_reading_18_reshuffle_for_a_trick() -> None:
    """Reading 18: when both are empty and a card is needed, the discard pile is shuffled into two piles."""
    game = play("1 1 2|2 stop", "", deck="fog_crash_draw=9", rounds=2)
    assert game.story(round=1)[-3].startswith("0 falls by broken")  # with the last card of the piles
    assert game.story(round=2)[:2] == ["reshuffle: 2 1", "0 plays fog_crash_draw from pile 2"]


def test_reading_18_reshuffle_for_a_draw() -> None:
    """Reading 18: a Draw needs a card. Combos in play, hands and validated cards stay out."""
    game = play("1 1 2|fog_crash_draw>2 stop", "", deck="fog_crash_draw=9", rounds=2)
    assert game.story(round=2)[:3] == [
        "0 plays fog_crash_draw from hand",
        "reshuffle: 2 1",  # the three cards that fell, of nine: five are in hands, one is validated
        "0 draws fog_crash_draw from pile 2",
    ]


def test_reading_18_reshuffle_for_a_reveal() -> None:
    """Reading 18: a Reveal needs a card."""
    game = play("1?1 1?1 2|fog_crash_reveal?2 stop", "1?1 stop", deck="fog_crash_reveal=6", rounds=2)
    assert game.story(round=2)[:4] == [
        "0 plays fog_crash_reveal from hand",
        "reshuffle: 2 1",
        "0 reveals fog_crash_reveal on pile 2",
        "1 plays fog_crash_reveal from pile 1",  # face down, as all of the two new piles were
    ]


def test_reading_19_nothing_left() -> None:
    """Reading 19: piles cannot be chosen, and with no hand the only action is Stop."""
    assert answers_at("1>2 never", "", deck="fog_draw=4") == ["stop", "play Drawing fog"]
    game = play("fog never", "fog never", deck="fog=2", rounds=1)
    assert game.story()[2:4] == ["0 stops: fog = 1", "1 stops: fog = 1"]


@pytest.mark.parametrize("card", ["fog_draw", "fog_reveal"])
def test_reading_19_effects_do_nothing(card: str) -> None:
    """Reading 19: Draw and Reveal do nothing."""
    story = play(card, card, deck=f"{card}=2", rounds=1).story()
    assert story[:3] == [f"0 plays {card} from hand", f"1 plays {card} from hand", f"0 stops: {card} = 1"]


def test_reading_20_prestige() -> None:
    """Reading 20: points of validated cards (Tricks, Legendaries, Perfect Landing) + 2 per helmet."""
    game = play("1 1|hippy_jump 1 stop|1 1 1|1 1 stop", "", deck="powerslide", rewards="hippy_jump 360 720")
    assert game.end[0] == {
        "seat": 0,
        "prestige": 10 + 2 + 5 + 2,
        "tricks": 10,
        "legendaries": 2,
        "perfect_landing": 5,
        "helmets": 2,
        "helmets_kept": 1,
        "win_share": "1",
    }
