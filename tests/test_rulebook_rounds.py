"""The rulebook sentence by sentence, "Stop" to "End of the Game", and "Two-Player Game"."""

from __future__ import annotations

from tests.rules import answers_at, games, play

# --- Stop ---


def test_stop_validates() -> None:
    """By stopping there, you avoid falling and validate this combo: its cards will earn you Prestige Points."""
    game = play("1 1 stop", "", deck="powerslide", rounds=1)
    assert game.of(0)[-3] == "stops: powerslide powerslide = 4"
    assert game.end[0]["tricks"] == 4


def test_unmet_legendary_is_discarded() -> None:
    """Check whether their condition is met. If not, discard them."""
    game = play("1 1|720 1 stop", "", deck="fog", rewards="720")
    assert game.of(0, round=2)[-3] == "stops: fog / 720 = 1"
    assert game.end[0]["legendaries"] == 0


def test_played_helmet_is_discarded() -> None:
    """If you played a Helmet token, discard it."""
    game = play("1 1 1|1^ 1 stop", "", deck="ollie", rounds=2)
    assert [e["seat"] for e in game.events("helmet")] == [0]
    assert game.end[0]["helmets_kept"] == 0


def test_stopped_skaters_do_not_play() -> None:
    """You will not play again for the rest of this round."""
    game = play("1 stop", "1 1 1 1 stop", "1 1 1 1 stop", deck="fog", rounds=1)
    assert [e["seat"] for e in game.events("trick", "stop")] == [0, 1, 2, 0, 1, 2, 1, 2, 1, 2, 1, 2]


def test_example_of_anthony_marie_and_corentin() -> None:
    """Anthony falls on a third green card, Marie stops, Corentin ends the round and will start the next one."""
    cards = "ollie . . ollie . . ollie"
    game = play("1 1 1", "1 1 stop", "1 1 1", deck="ollie manual", cards=cards, rewards="kick_flip")
    acts = [(e["event"], e["seat"]) for e in game.events(round=1)[6:]]
    assert acts == [("trick", 0), ("fall", 0), ("stop", 1), ("stop", 2), ("reward", 2), ("round_end", 2)]
    assert game.events("trick", round=2)[0]["seat"] == 2


# --- End of Round ---


def test_last_one_standing_ends_the_round() -> None:
    """If you are the last skater still standing, you immediately end the round."""
    all_stop = play("1 stop", "1 stop", "1 never", deck="fog", rounds=1)
    assert all_stop.story()[-3:] == ["2 stops: fog = 1", "2 takes perfect_landing", "2 ends the round"]
    one_falls = play("1 1 1", "1 stop", "1 1 never", deck="ollie", rounds=1)
    assert one_falls.story()[-4:] == [
        "0 falls by colour: ollie ollie ollie",
        "2 stops: ollie ollie = 2",
        "2 takes perfect_landing",
        "2 ends the round",
    ]


def test_reward() -> None:
    """Resolve the "Stop" action, then add to your hand the top Legendary Trick card of the Reward pile."""
    game = play("", "", "1 1|kick_flip 1 1 stop", deck="fog", rewards="kick_flip")
    assert game.story(round=1)[-3:] == ["2 stops: fog = 1", "2 takes kick_flip", "2 ends the round"]
    assert game.of(2, round=2)[0] == "plays kick_flip from hand"


def test_next_reward() -> None:
    """Revealing the one for the next round."""
    for game in games(20, *["stop_at_n:n=2"] * 4):
        assert [e["card"] for e in game.events("reward")] == game.setup["rewards"]


def test_next_round_starts_with_the_ender() -> None:
    """The next round begins, starting with the skater who ended the previous round."""
    for game in games(20, *["stop_at_n:n=4"] * 4):
        for ended in game.events("round_end")[:-1]:
            assert game.events("trick", round=ended["round"] + 1)[0]["seat"] == ended["seat"]


# --- End of the Game ---


def test_perfect_landing() -> None:
    """The skater who ends the final round immediately adds the last Reward card to their pile of validated cards."""
    game = play("", "", "", deck="fog")
    assert [e["card"] for e in game.events("reward")][3] == "perfect_landing"
    assert game.story(round=4)[-2:] == ["2 takes perfect_landing", "2 ends the round"]
    assert [seat["perfect_landing"] for seat in game.end] == [0, 0, 5]


def test_points() -> None:
    """A Trick card is worth 1 point in the vast majority of cases, 2 points for a few. Legendary Tricks 2 to 5."""
    cards = play("", "").setup["cards"]
    tricks = {card: c["points"] for card, c in cards.items() if c["kind"] == "trick"}
    assert {card for card, points in tricks.items() if points == 2} == {"powerslide"}
    assert set(tricks.values()) == {1, 2}
    assert {c["points"] for c in cards.values() if c["kind"] != "trick"} == {2, 4, 5}
    end = play("1 1", "", deck="powerslide", rounds=1).end
    assert [seat["prestige"] for seat in end] == [4 + 5, 2]


def test_helmets_score() -> None:
    """Each Helmet token still in your possession earns you 2 additional points."""
    end = play("1 1 1|1 1 1", "", deck="ollie", rounds=2).end
    assert (end[0]["helmets_kept"], end[0]["helmets"], end[0]["prestige"]) == (2, 4, 4)


def test_tie() -> None:
    """In case of a tie, the skaters concerned share the victory."""
    skaters, no_prize = ("1 stop", "1 1 1", "1 1 stop", ""), {"cards.perfect_landing.points": 0}
    end = play(*skaters, deck="ollie", rounds=1, edits=no_prize).end
    assert [(seat["prestige"], seat["win_share"]) for seat in end] == [(1, "0"), (2, "1/2"), (2, "1/2"), (1, "0")]
    end = play(*skaters, deck="ollie", rounds=1, edits=no_prize, helmet_points=1).end
    assert [(seat["prestige"], seat["win_share"]) for seat in end] == [(1, "0"), (1, "0"), (2, "1"), (1, "0")]


# --- Two-Player Game ---


def test_lone_skater_has_two_choices() -> None:
    """As soon as you are the only one still standing (your opponent has fallen or stopped), you have two choices."""
    assert answers_at("1 1 never", "1 stop", deck="fog") == ["stop", "pile 1", "pile 2", "play Fog"]
    fallen = {"deck": "ollie manual", "dealt": "manual", "cards": "manual ollie ollie ollie manual ollie"}
    assert answers_at("1 1 1 never", "1 1 1", **fallen) == ["stop", "pile 1", "pile 2", "play Manual"]


def test_lone_skater_stops() -> None:
    """Validate your combo and end the round, drawing the top card of the Reward pile."""
    game = play("1 1 stop", "", deck="fog", rewards="900")
    assert game.of(0, round=1)[-3:] == ["stops: fog fog = 2", "takes 900", "ends the round"]


def test_lone_skater_continues() -> None:
    """Perform the "Do a Trick" action as many times as you wish. You may then do the "Stop" action at any time."""
    game = play("1 1 1 1 1 1 1 1 1 stop", "", deck="fog", rewards="900")
    assert [e["seat"] for e in game.events("trick", "stop", round=1)] == [0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert game.of(0, round=1)[-3:] == ["stops: fog fog fog fog fog fog fog fog fog = 9", "takes 900", "ends the round"]


def test_lone_skater_falls() -> None:
    """If they fell, they discard the cards of their combo and discard the visible Legendary Trick card."""
    game = play("1 1 1|", "", deck="ollie", rewards="900")
    assert game.of(0, round=1)[-3:] == ["falls by colour: ollie ollie ollie", "loses 900", "ends the round"]
    assert answers_at("1 1 1|never", "", deck="ollie", rewards="900") == ["pile 1", "pile 2", "play Ollie"]


def test_next_round_starts_with_the_last_to_have_played() -> None:
    """A new round then begins, starting with the last skater to have played during the previous round."""
    for scripts, ender in ((("1 1 1", ""), 0), (("1 1 stop", ""), 0), (("", "1 1 1"), 1), (("", "1 1 stop"), 1)):
        game = play(*scripts, deck="ollie", rounds=2)
        assert game.events("round_end")[0]["seat"] == ender
        assert game.events("trick", round=2)[0]["seat"] == ender


def test_only_two_players_may_continue() -> None:
    """With two players, the game plays out the same way, with one exception."""
    game = play("1 1 never", "1 stop", "1 stop", deck="fog", rounds=1)
    assert game.of(0)[-3:] == ["stops: fog fog = 2", "takes perfect_landing", "ends the round"]
