"""The rule switches: for every value a situation in which it matters, and the values of the presets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules import answers_at, play

#: Switch, value in the rulebook preset, value in the online preset.
PRESET_TABLE = [
    ("allow_empty_stop", False, False),
    ("perfect_landing_in_combo", False, True),
    ("placed_helmet_on_fall", "lost", "lost"),
    ("discarded_legendaries", "box", "discard_pile"),
    ("helmet_timing", "before_effect", "before_effect"),
    ("helmet_min_same_color", 1, 2),
    ("replay_from_hand", True, True),
    ("airwalk_reveal", False, True),
    ("grey_counts_as_color", False, True),
    ("grey_counts_in_card_total", True, True),
    ("grey_can_fall", False, True),
    ("reshuffle", "when_needed", "when_emptied"),
    ("lone_empty_stop", True, False),
    ("helmet_supply", "unlimited", "unlimited"),
    ("helmet_points", 2, 2),
    ("rounds", 4, 4),
]


def test_presets() -> None:
    """Two presets; rulebook is the default."""
    rulebook, online = ({row[0]: row[column] for row in PRESET_TABLE} for column in (1, 2))
    assert play("", "").setup["rules"] == play("", "", preset="rulebook").setup["rules"] == rulebook
    assert play("", "", preset="online").setup["rules"] == online


@pytest.mark.parametrize("value", [False, True])
def test_allow_empty_stop(value: bool) -> None:
    """allow_empty_stop: true gives a free pass."""
    answers = answers_at("never", "", "", deck="fog", allow_empty_stop=value)
    assert answers == ["stop"] * value + ["pile 1", "pile 2", "play Fog"]
    if value:
        game = play("stop", "1 1 stop", "stop", deck="fog", rounds=1, allow_empty_stop=True)
        assert game.story()[:3] == ["0 stops: = 0", "1 plays fog from pile 1", "2 stops: = 0"]


@pytest.mark.parametrize(
    ("value", "stop"),
    [
        (False, "stops: fog fog fog / 720 = 3"),
        (True, "stops: 720 fog fog fog perfect_landing = 12"),
    ],
)
@pytest.mark.parametrize("others", [1, 2])
def test_perfect_landing_in_combo(others: int, value: bool, stop: str) -> None:
    """perfect_landing_in_combo: placed in the combo before conditions are checked, or straight to the validated."""
    scripts = "1 1|720 1 1 1", *["1 stop|1 1 1 stop"] * others
    game = play(*scripts, deck="fog", rewards="720", perfect_landing_in_combo=value)
    assert game.of(0, round=2)[-3:] == [stop, "takes perfect_landing", "ends the round"]
    assert game.end[0]["perfect_landing"] == 5
    # Only in the last round, and only for the skater who ends it.
    assert not any("perfect_landing" in e["validated"] for e in game.events("stop", round=1))
    assert not any("perfect_landing" in e["validated"] for e in game.events("stop", round=2) if e["seat"] > 0)


@pytest.mark.parametrize(("value", "kept"), [("lost", 1), ("returned", 2)])
def test_placed_helmet_on_fall(value: str, kept: int) -> None:
    """placed_helmet_on_fall: the skater gains one helmet for the fall either way."""
    game = play("1 1 1|1^ 1 1", "", deck="powerslide", rounds=2, placed_helmet_on_fall=value)
    assert (len(game.events("helmet")), len(game.events("fall"))) == (1, 2)
    assert game.end[0]["helmets_kept"] == kept


#: How a Legendary leaves in a game that uses up the piles: script, deck, rewards; and how the next round begins.
LEAVES = {
    "unmet": ("1 1|720 2", "fog=7", "720 360", "0 plays fog from hand", "reshuffle: 1 0"),
    "fallen": ("1 1|720 1 1 2", "fog_broken=9", "720 360", "reshuffle: 2 1", "reshuffle: 3 2"),
    "lost": ("1 1 2", "fog_broken=6", "720", "reshuffle: 2 1", "reshuffle: 2 2"),
}


@pytest.mark.parametrize("way", LEAVES)
def test_discarded_legendaries(way: str) -> None:
    """discarded_legendaries: fallen, unmet and lost-reward Legendaries leave the game or may come back."""
    script, deck, rewards, box, discard_pile = LEAVES[way]
    for value, begins in (("box", box), ("discard_pile", discard_pile)):
        game = play(script, "", deck=deck, rewards=rewards, discarded_legendaries=value)
        assert game.story(round=game.setup["rules"]["rounds"])[0] == begins


def test_discarded_legendaries_come_back() -> None:
    """discarded_legendaries: through a reshuffle they are drawn or played like any card."""
    game = play("1 1|720 2|1", "", deck="fog=7", rewards="720 360", discarded_legendaries="discard_pile")
    assert game.story(round=3)[:2] == ["reshuffle: 1 0", "0 plays 720 from pile 1"]


@pytest.mark.parametrize("value", ["before_effect", "after_effect"])
def test_helmet_timing(value: str) -> None:
    """helmet_timing: the helmet is placed before or after the effect."""
    game = play("1 1 1|1^ 1^ stop", "", deck="no_comply", rounds=2, helmet_timing=value)
    helmet, draw = "wears red helmet on no_comply", "draws no_comply from pile 1"
    effects = [helmet, draw] if value == "before_effect" else [draw, helmet]
    trick = "plays no_comply from pile 1"
    assert game.of(0, round=2)[:5] == [trick, *effects, trick, draw]


@pytest.mark.parametrize(("value", "place"), [(1, 1), (2, 2), (3, None)])
def test_helmet_min_same_color(value: int, place: int | None) -> None:
    """helmet_min_same_color: a helmet is offered only from that card of a colour on."""
    game = play("1 1 1|1^ 1^ 1^ stop", "", deck="ollie", rounds=2, helmet_min_same_color=value)
    wears = "wears green helmet on ollie"
    acts = game.of(0, round=2)
    assert (acts.index(wears) if wears in acts else None) == place
    assert acts[-3] == ("stops: ollie ollie ollie = 3" if place else "falls by colour: ollie ollie ollie")


@pytest.mark.parametrize(
    ("value", "answers"), [(True, ["pile 1", "pile 2", "play Kicking fog"]), (False, ["pile 1", "pile 2"])]
)
def test_replay_from_hand(value: bool, answers: list[str]) -> None:
    """replay_from_hand: Replay is a full "Do a Trick", from pile or hand."""
    assert answers_at("1 never", "", deck="fog_kick", replay_from_hand=value) == answers
    last = play("1", "", deck="fog_kick=3", rounds=1, replay_from_hand=value).story()[1]
    assert last == ("0 replays fog_kick from hand" if value else "0 cannot obey 3 Replays")


@pytest.mark.parametrize("value", [False, True])
def test_airwalk_reveal(value: bool) -> None:
    """airwalk_reveal: the printed face shows Reveal."""
    game = play("1 1|airwalk_grab?2 stop", "", deck="fog", rewards="airwalk_grab", airwalk_reveal=value)
    assert game.of(0, round=2)[1] == ("reveals fog on pile 2" if value else "stops: / airwalk_grab = 0")


@pytest.mark.parametrize("value", [False, True])
def test_grey_counts_as_color(value: bool) -> None:
    """grey_counts_as_color: 1080° and Casper Slide: is "colourless" a colour?"""
    cards = ". . . . ollie manual"
    game = play("1 1|1080 1 1", "", deck="ollie manual", cards=cards, rewards="1080", grey_counts_as_color=value)
    assert game.end[0]["legendaries"] == 4 * value
    game = play("1 1|casper_slide 1 1", "", deck="fog", rewards="casper_slide", grey_counts_as_color=value)
    assert game.end[0]["legendaries"] == 4 * value


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize(("legendary", "others"), [("180", 4), ("720", 5)])
def test_grey_counts_in_card_total(legendary: str, others: int, value: bool) -> None:
    """grey_counts_in_card_total: 180° and 720°: "cards of any color"."""
    for count, met in ((others - 1, value), (others, True)):
        script = f"1 1|1 1 1|{legendary} 1^{' 1' * (count - 1)}"  # green is helmeted in round 3
        game = play(script, "", deck="ollie", rewards=f"{legendary} 900", grey_counts_in_card_total=value)
        assert game.end[0]["legendaries"] == 4 * met


@pytest.mark.parametrize("value", [False, True])
def test_grey_can_fall(value: bool) -> None:
    """grey_can_fall: three greys are a fall; a helmet on a grey card neutralises grey."""
    game = play("1 1 1 stop|1^ 1 1 stop", "", deck="fog", rounds=2, grey_can_fall=value)
    assert game.of(0, round=1)[-3] == ("falls by colour: fog fog fog" if value else "stops: fog fog fog = 3")
    assert ("wears grey helmet on fog" in game.of(0, round=2)) == value
    assert game.of(0, round=2)[-3] == "stops: fog fog fog = 3"


def test_reshuffle_when_needed() -> None:
    """reshuffle when_needed: when a card is needed and both piles are empty."""
    game = play("1 1 1|1 1 stop", "", deck="fog_broken=8", rounds=2, reshuffle="when_needed")
    assert game.story(round=2)[:4] == [
        "0 plays fog_broken from pile 1",
        "1 plays fog_broken from pile 2",
        "reshuffle: 2 1",
        "0 plays fog_broken from pile 1",
    ]


def test_reshuffle_when_emptied() -> None:
    """reshuffle when_emptied: at once as the last card leaves the piles, by a trick or a Draw."""
    game = play("1 1 1|1 1 stop", "", deck="fog_broken=8", rounds=2, reshuffle="when_emptied")
    assert game.story(round=2)[:4] == [
        "0 plays fog_broken from pile 1",
        "1 plays fog_broken from pile 2",
        "reshuffle: 2 1",
        "0 plays fog_broken from pile 1",
    ]
    stopped = play("1 1 1|1 stop", "1 stop|2 stop", deck="fog_broken=8", rounds=2, reshuffle="when_emptied")
    assert stopped.story(round=2)[1:4] == [
        "1 plays fog_broken from pile 2",
        "reshuffle: 2 1",
        "0 stops: fog_broken = 1",
    ]
    by_draw = play("1 1 1|1 stop", "", deck="fog_crash_draw=11", rounds=2, reshuffle="when_emptied")
    assert by_draw.story(round=2)[:3] == [
        "0 plays fog_crash_draw from pile 1",
        "0 draws fog_crash_draw from pile 2",
        "reshuffle: 2 1",
    ]


def test_reshuffle_when_emptied_before_the_fall() -> None:
    """reshuffle when_emptied: before that card's fall is resolved, so the combo that falls on it is not in it."""
    game = play("1 1 1|1 1 2|", "", deck="fog_broken=10", rounds=2, reshuffle="when_emptied")
    assert game.story(round=2)[-5:-2] == [
        "0 plays fog_broken from pile 2",
        "reshuffle: 2 1",
        "0 falls by broken: fog_broken fog_broken fog_broken",
    ]


@pytest.mark.parametrize("value", [False, True])
def test_lone_empty_stop(value: bool) -> None:
    """lone_empty_stop: may the lone skater of a two-player game stop with an empty combo?"""
    answers = answers_at("1 1 1", "never", deck="fog_crash", lone_empty_stop=value)
    assert answers == ["stop"] * value + ["pile 1", "pile 2", "play Crashing fog"]


@pytest.mark.parametrize(("value", "kept"), [(0, 0), (1, 1), (2, 2), ("unlimited", 3)])
def test_helmet_supply(value: Any, kept: int) -> None:
    """helmet_supply: a fall brings no helmet when none is left."""
    game = play("1 1 1|1 1 1|1 1 1", "", deck="fog_broken", rounds=3, helmet_supply=value)
    assert len(game.events("fall")) == 3
    assert game.end[0]["helmets_kept"] == kept


def test_helmet_supply_takes_helmets_back() -> None:
    """helmet_supply: a placed helmet returns to it when its combo is validated or falls."""
    validated = play("1 1 1|1^ stop|1 1 1", "1 stop|1 1 stop|", deck="ollie", rounds=3, helmet_supply=1)
    assert len(validated.events("helmet")) == 1
    assert validated.end[0]["helmets_kept"] == 1
    fallen = play("1 1 1|1^ 1 1", "", deck="powerslide", rounds=2, helmet_supply=1)
    assert len(fallen.events("helmet")) == 1
    assert fallen.end[0]["helmets_kept"] == 1


@pytest.mark.parametrize("value", [2, 0, -1, 5])
def test_helmet_points(value: int) -> None:
    """helmet_points: 2 points each at the end."""
    end = play("1 1 1|1 1 1", "", deck="ollie", rounds=2, helmet_points=value).end
    assert (end[0]["helmets"], end[0]["prestige"]) == (2 * value, 2 * value)


@pytest.mark.parametrize("value", [1, 2, 4, 10])
def test_rounds(value: int) -> None:
    """rounds: the reward pile has rounds - 1 Legendaries and Perfect Landing last."""
    game = play("", "", "", deck="fog=99", rounds=value)
    assert [e["card"] for e in game.events("reward")] == game.setup["rewards"]
    assert len(game.setup["rewards"]) == len(game.events("round_end")) == value
    assert game.setup["rewards"][-1] == "perfect_landing"
