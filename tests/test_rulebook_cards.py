"""The rulebook sentence by sentence, "Helmet Token", "Legendary Tricks" and "Card Effects"."""

from __future__ import annotations

import pytest

from tests.rules import answers_at, play

# --- Helmet Token. In round 1 seat 0 falls on a third card of its colour, so that it has a helmet. ---


def test_helmet_for_a_fall() -> None:
    """When you fall, take a Helmet token as compensation."""
    for deck in ("ollie", "fog_broken"):
        end = play("1 1 1", "", deck=deck, rounds=1).end
        assert [seat["helmets_kept"] for seat in end] == [1, 0]


def test_helmet_is_placed_in_a_later_round() -> None:
    """On a later round, on your turn, you may decide to place it on the card you just played."""
    game = play("1^ 1^ 1^|1 1^ 1 1 stop", "1^ 1^ stop|1^ 1^ stop", deck="ollie", rounds=2)
    assert [(e["round"], e["seat"]) for e in game.events("helmet")] == [(2, 0)]
    assert game.of(0, round=2)[:4] == [
        "plays ollie from pile 1",
        "plays ollie from pile 1",
        "wears green helmet on ollie",
        "plays ollie from pile 1",
    ]


def test_helmet_need_not_be_placed() -> None:
    """You may decide to place it."""
    game = play("1 1 1|1 1 1", "", deck="ollie", rounds=2)
    assert game.of(0, round=2)[-3] == "falls by colour: ollie ollie ollie"
    assert game.end[0]["helmets_kept"] == 2


@pytest.mark.parametrize("trick", [0, 1])
def test_helmet_neutralises_a_colour(trick: int) -> None:
    """That card's color can no longer make you fall, for all cards of that same color in your combo."""
    tricks = ["1", "1", "1", "1", "1", "stop"]
    tricks[trick] += "^"
    game = play("1 1 1|" + " ".join(tricks), "", deck="ollie", rounds=2)
    assert game.of(0, round=2)[-3] == "stops: ollie ollie ollie ollie ollie = 5"


def test_helmet_neutralises_no_other_colour() -> None:
    """In that case, that card's color can no longer make you fall."""
    game = play("1 1|1 1 1|hippy_jump^ 1 1 1", "", deck="ollie", rewards="hippy_jump 900")
    assert game.of(0, round=3)[1] == "wears red helmet on hippy_jump"
    assert game.of(0, round=3)[-3] == "falls by colour: hippy_jump ollie ollie ollie"


def test_one_helmet_a_combo() -> None:
    """You may only play one Helmet per combo."""
    game = play("1 1 1|1 1 1|1^ manual^ 1^ 1 stop", "", deck="ollie manual=1", dealt="manual", rounds=3)
    assert [(e["seat"], e["card"]) for e in game.events("helmet")] == [(0, "ollie")]
    assert game.end[0]["helmets_kept"] == 1


def test_unused_helmets_score() -> None:
    """Each Helmet token not used by the end of the game is worth 2 Prestige Points."""
    game = play("1 1 1|1 1 1|1^ 1 stop|", "", deck="ollie")
    assert len(game.events("helmet")) == 1
    assert (game.end[0]["helmets_kept"], game.end[0]["helmets"]) == (1, 2)


def test_helmet_and_broken_skateboards() -> None:
    """The Helmet does not cancel the danger of the "Broken Skateboard" symbol, even if the card bears one."""
    game = play("1 1 1|1^ 1 1", "", deck="powerslide", rounds=2)
    assert game.of(0, round=2) == [
        "plays powerslide from pile 1",
        "wears yellow helmet on powerslide",
        "plays powerslide from pile 1",
        "plays powerslide from pile 1",
        "falls by broken: powerslide powerslide powerslide",
        "loses perfect_landing",
        "ends the round",
    ]


def test_helmets_never_run_out() -> None:
    """If there is no Helmet token left in the supply when you need to take one, replace it with any small object."""
    game = play(*["1 1 1|1 1 1|1 1 1|1 1 1"] * 5, deck="fog_broken=90")
    assert len(game.events("fall")) == 16
    assert sum(seat["helmets_kept"] for seat in game.end) == 16


# --- Legendary Tricks. In round 1 seat 0 wins one, in round 2 it plays it. ---


def test_legendary_for_ending_a_round() -> None:
    """If you end a round, you receive a Legendary Trick card."""
    assert answers_at("1 1|never", "", deck="fog", rewards="900") == ["pile 1", "pile 2", "play 900°", "play Fog"]


def test_legendary_is_played_from_the_hand() -> None:
    """When you perform "Do a Trick" by playing a card from your hand, you may play a Legendary Trick card."""
    game = play("1 1|1 hippy_jump stop", "", deck="fog", rewards="hippy_jump")
    assert game.of(0, round=2)[1] == "plays hippy_jump from hand"


#: Legendary, deck, cards face down, what seat 0 does in round 2, whether the condition is met.
CONDITIONS = [
    ("kick_flip", "fog", "", "kick_flip 1 1", True),
    ("hippy_jump", "fog", "", "hippy_jump stop", True),
    ("180", "fog", "", "180 1 1", False),  # the two cards validated in round 1 do not count
    ("180", "fog", "", "180 1 1 1", True),
    ("180", "fog", "", "1 1 1 180", True),
    ("180", "fog", "", "1 180 1 1 1", True),
    ("360", "manual", "", "360 1", False),
    ("360", "manual", "", "1 1 360", True),
    ("360", "ollie", "", "1 1 360", False),
    ("720", "fog", "", "720 1 1 1", False),
    ("720", "fog", "", "1 1 1 1 720", True),
    ("900", "ollie boardslide", ". . . ollie . ollie", "1 1 900", False),
    ("900", "ollie boardslide", ". . . boardslide . boardslide", "1 1 900", False),
    ("900", "ollie boardslide", ". . . . ollie boardslide", "900 1 1", True),
    ("1080", "ollie manual boardslide", ". . . . ollie manual ollie", "1080 1 1 1", False),
    ("1080", "ollie manual boardslide", ". . . . ollie manual boardslide", "1080 1 1 1", True),
    ("airwalk_grab", "fog_broken", "", "airwalk_grab 1", False),
    ("airwalk_grab", "fog_broken", "", "1 1 airwalk_grab", True),
    ("casper_slide", "ollie", "", "casper_slide 1", False),
    ("casper_slide", "ollie", "", "casper_slide 1 1", True),
    ("casper_slide", "boardslide", "", "1 casper_slide", True),
]


@pytest.mark.parametrize(("legendary", "deck", "cards", "script", "met"), CONDITIONS)
def test_conditions(legendary: str, deck: str, cards: str, script: str, met: bool) -> None:
    """The conditions for scoring points are listed in the table below."""
    game = play(f"1 1|{script}", "", deck=deck, cards=cards, rewards=legendary)
    stop = next(e for e in game.events("stop", round=2) if e["seat"] == 0)
    assert (legendary in stop["validated"], legendary in stop["discarded"]) == (met, not met)
    points = {"kick_flip": 5, "hippy_jump": 2}.get(legendary, 4)
    assert game.end[0]["legendaries"] == (points if met else 0)


def test_condition_within_the_combo() -> None:
    """To meet a condition, gather cards within the combo in which the Legendary Trick was played."""
    game = play("1 1 1 1|720 1", "1 1 1 stop|1 1 1 1 stop", deck="fog", rewards="720")
    assert game.of(0, round=2)[-1] == "stops: fog / 720 = 1"


def test_legendary_meets_its_own_condition() -> None:
    """A Legendary Trick card can contribute to meeting its own condition."""
    game = play("1 1|casper_slide 1", "", deck="boardslide", rewards="casper_slide")
    assert game.of(0, round=2)[-3] == "stops: casper_slide boardslide = 5"


def test_legendary_meets_the_condition_of_another() -> None:
    """It can also contribute to meeting the conditions of other Legendary Trick cards present in the combo."""
    game = play("1 1|1 1|airwalk_grab casper_slide 1", "", deck="powerslide", rewards="airwalk_grab casper_slide")
    assert game.of(0, round=3)[-3] == "stops: airwalk_grab casper_slide powerslide = 10"
    # Neither is met without the other's skateboard and colour.
    game = play("1 1|1 1|airwalk_grab 1", "", deck="powerslide", rewards="airwalk_grab casper_slide")
    assert game.of(0, round=3)[-3] == "stops: powerslide / airwalk_grab = 2"


@pytest.mark.parametrize(
    ("legendary", "deck", "fall"),
    [
        ("kick_flip", "ollie", "falls by colour: ollie ollie kick_flip"),
        ("hippy_jump", "manual", "falls by colour: manual manual hippy_jump"),
        ("airwalk_grab", "melon_grab", "falls by colour: melon_grab melon_grab airwalk_grab"),
        ("casper_slide", "boardslide", "falls by colour: boardslide boardslide casper_slide"),
        ("casper_slide", "fog_broken", "falls by broken: fog_broken fog_broken casper_slide"),
        ("casper_slide", "powerslide", "falls by both: powerslide powerslide casper_slide"),
    ],
)
def test_legendary_can_make_you_fall(legendary: str, deck: str, fall: str) -> None:
    """A Legendary Trick can be blue, yellow, green, or red (and can therefore make you fall)."""
    game = play(f"1 1|1 1 {legendary}", "", deck=deck, rewards=legendary)
    assert game.of(0, round=2)[2:4] == [f"plays {legendary} from hand", fall]


def test_legendary_takes_a_helmet() -> None:
    """They work exactly like a Trick card."""
    game = play("1 1|1 1 1|hippy_jump^ 1 1 1 stop", "", deck="manual", rewards="hippy_jump 360")
    assert game.of(0, round=3)[:2] == ["plays hippy_jump from hand", "wears red helmet on hippy_jump"]
    assert game.of(0, round=3)[-3] == "stops: hippy_jump manual manual manual = 5"


def test_effects_of_legendaries() -> None:
    """Seven of the ten carry only a condition, with no effect at all. The other two do the opposite."""
    cards = play("", "").setup["cards"]
    legendary = {card: c for card, c in cards.items() if c["kind"] == "legendary"}
    effects = {card: (c["effect"], c["times"]) for card, c in legendary.items() if c["effect"] != "none"}
    assert effects == {"kick_flip": ("replay", 2), "hippy_jump": ("draw", 2)}
    needs = [column for column in cards["ollie"] if column.startswith("needs_")]
    assert {card for card, c in legendary.items() if not any(c[n] for n in needs)} == set(effects)
    for card in sorted(set(legendary) - set(effects)):
        game = play(f"1 1|{card} stop", "", deck="fog", rewards=card)
        assert game.of(0, round=2)[:2] == [f"plays {card} from hand", f"stops: / {card} = 0"]


def test_kick_flip() -> None:
    """You must replay the "Do a Trick" action twice in a row."""
    game = play("1 1|kick_flip 1 2 stop", "1 stop|1 stop", deck="fog", rewards="kick_flip")
    assert game.story(round=2)[:6] == [
        "0 plays kick_flip from hand",
        "0 replays fog from pile 1",
        "0 replays fog from pile 2",
        "1 plays fog from pile 1",
        "0 stops: kick_flip fog fog = 7",
        "1 stops: fog = 1",
    ]
    assert answers_at("1 1|kick_flip 1 never", "", deck="fog", rewards="kick_flip") == ["pile 1", "pile 2", "play Fog"]


def test_kick_flip_is_lost_by_a_fall() -> None:
    """It forces you to take two additional risks of falling, and if you fall, you lose it along with the rest."""
    game = play("1 1|1 kick_flip 1", "", deck="ollie", rewards="kick_flip")
    assert game.of(0, round=2)[:4] == [
        "plays ollie from pile 1",
        "plays kick_flip from hand",
        "replays ollie from pile 1",
        "falls by colour: ollie kick_flip ollie",
    ]
    assert game.end[0]["legendaries"] == 0


def test_hippy_jump() -> None:
    """You draw 2 cards and add them to your hand."""
    game = play("1 1|hippy_jump>12 fog fog fog stop", "", deck="fog", rewards="hippy_jump")
    assert game.of(0, round=2)[:6] == [
        "plays hippy_jump from hand",
        "draws fog from pile 1",
        "draws fog from pile 2",
        "plays fog from hand",
        "plays fog from hand",
        "plays fog from hand",
    ]


def test_fall_loses_a_legendary_that_was_met() -> None:
    """If you fall while your combo contains a Legendary Trick, you discard it just like the other cards."""
    game = play("1 1|360 1 1 1", "", deck="manual", rewards="360")
    assert game.of(0, round=2)[-3] == "falls by colour: 360 manual manual manual"
    assert game.end[0]["legendaries"] == 0


# --- Card Effects ---


def test_effects_are_mandatory() -> None:
    """When you play a card that has an effect, you must resolve it immediately when you place it."""
    for card, event in (("fog_draw", "draw"), ("fog_reveal", "reveal")):
        lines = play("1 stop", "", deck=card, rounds=1).events()
        assert [(e["event"], e["seat"]) for e in lines[:4]] == [("trick", 0), (event, 0), ("trick", 1), (event, 1)]
    assert answers_at("1 never", "", deck="fog_replay") == ["pile 1", "pile 2", "play Replaying fog"]


def test_draw() -> None:
    """Add a card to your hand from the draw pile of your choice."""
    deck = "no_comply=9 ollie=9 manual=9"
    game = play("1>2 manual stop", "", deck=deck, cards="no_comply manual", dealt="ollie", rounds=1)
    assert game.of(0)[:3] == ["plays no_comply from pile 1", "draws manual from pile 2", "plays manual from hand"]
    split = play("1>2 1>2 1>2 1>2 stop", "2>2 stop", deck="fog_draw=14", rounds=1)  # piles of 6 and 6
    assert [s for s in split.story() if "split" in s] == ["pile 2 is split: 1 1"]


def test_reveal() -> None:
    """Turn face up the top card of one of the draw piles."""
    game = play("1?2 2 stop", "2 stop", deck="fog_reveal=9 fog=9", cards="fog_reveal fog", rounds=1)
    assert game.story()[:3] == [
        "0 plays fog_reveal from pile 1",
        "0 reveals fog on pile 2",
        "1 plays the face-up fog from pile 2",
    ]


def test_reveal_with_both_tops_face_up() -> None:
    """If both piles already have their top card face up, nothing happens."""
    game = play("1?1 fog_reveal 1?1 stop", "2?2 stop", deck="fog_reveal", rounds=1)
    assert game.story()[:7] == [
        "0 plays fog_reveal from pile 1",
        "0 reveals fog_reveal on pile 1",
        "1 plays fog_reveal from pile 2",
        "1 reveals fog_reveal on pile 2",
        "0 plays fog_reveal from hand",
        "1 stops: fog_reveal = 1",
        "0 plays the face-up fog_reveal from pile 1",
    ]


def test_replay() -> None:
    """Immediately replay the "Do a Trick" action. If the newly played card has an effect, apply it immediately."""
    cards = "fog_replay fog_draw fog fog"
    game = play("1 1>1 stop", "", deck="fog_replay fog_draw fog", cards=cards, rounds=1)
    assert game.story()[:4] == [
        "0 plays fog_replay from pile 1",
        "0 replays fog_draw from pile 1",
        "0 draws fog from pile 1",
        "1 plays fog from pile 1",
    ]


@pytest.mark.parametrize("card", ["handplant", "no_comply", "pop_shove_it"])
def test_no_effect_after_a_fall(card: str) -> None:
    """An effect does not activate if the card played causes you to fall."""
    game = play("1 1 1", "", deck=card, rounds=1)
    lines = game.events()
    fall = next(i for i, e in enumerate(lines) if e["event"] == "fall" and e["seat"] == 0)
    assert lines[fall - 1]["event"] == "trick"
    assert lines[fall + 1]["seat"] == 1 or lines[fall + 1]["event"] == "reward_lost"


def test_empty_pile_is_split() -> None:
    """If a draw pile becomes completely empty during the game, split the remaining draw pile in two."""
    by_tricks = play("1 1 1 1 stop", "2 stop", deck="fog=8", rounds=1)  # piles of 3 and 3
    assert by_tricks.story() == [
        "0 plays fog from pile 1",
        "1 plays fog from pile 2",
        "0 plays fog from pile 1",
        "1 stops: fog = 1",
        "0 plays fog from pile 1",
        "pile 1 is split: 1 1",
        "0 plays fog from pile 1",
        "0 stops: fog fog fog fog = 4",
        "0 takes perfect_landing",
        "0 ends the round",
    ]
    by_draws = play("1>1 1>1 1>1 stop", "2>2 stop", deck="fog_draw=14", rounds=1)
    assert [s for s in by_draws.story() if "split" in s] == ["pile 1 is split: 2 2"]


def test_both_piles_empty() -> None:
    """If both draw piles are empty, reshuffle the discard pile and form two new draw piles from it."""
    game = play("1 1 2|1 stop", "", deck="fog_broken=6", rewards="180")
    assert game.story()[:11] == [
        "0 plays fog_broken from pile 1",
        "1 plays fog_broken from pile 1",
        "pile 1 is split: 1 1",
        "0 plays fog_broken from pile 1",
        "1 stops: fog_broken = 1",
        "0 plays fog_broken from pile 2",
        "0 falls by broken: fog_broken fog_broken fog_broken",
        "0 loses 180",
        "0 ends the round",
        "reshuffle: 2 1",
        "0 plays fog_broken from pile 1",
    ]
