"""The rulebook sentence by sentence, "Objective" to "Do a Trick": each test quotes the one that it proves.

``test_rulebook_rounds.py`` and ``test_rulebook_cards.py`` go on from there.
"""

from __future__ import annotations

from collections import Counter

from tests.rules import answers_at, games, play

# --- Objective ---


def test_four_rounds() -> None:
    """Over 4 rounds, chain Tricks (cards) together without falling, in order to accumulate Prestige Points."""
    assert [e["round"] for e in play("", "", "").events("round_end")] == [1, 2, 3, 4]


def test_most_prestige() -> None:
    """The skater with the most Prestige Points becomes the new Skate Legend!"""
    skaters = "", "1 1 1 stop", "1 1 stop"
    end = play(*skaters, deck="fog", rounds=1).end  # seat 1 ends the round and has Perfect Landing
    assert [(seat["prestige"], seat["win_share"]) for seat in end] == [(1, "0"), (8, "1"), (2, "0")]
    end = play(*skaters, deck="fog", rounds=1, edits={"cards.perfect_landing.points": -2}).end
    assert [(seat["prestige"], seat["win_share"]) for seat in end] == [(1, "0"), (1, "0"), (2, "1")]


# --- Components ---


def test_trick_cards() -> None:
    """120 Trick cards."""
    cards = play("", "").setup["cards"].values()
    assert sum(c["copies"] for c in cards if c["kind"] == "trick") == 120
    assert sum(c["copies"] * c["points"] for c in cards if c["kind"] == "trick") == 132


def test_legendary_cards() -> None:
    """10 shiny Legendary Trick cards, including 1 Perfect Landing card."""
    cards = play("", "").setup["cards"]
    legendaries = {card: c for card, c in cards.items() if c["kind"] != "trick"}
    assert sum(c["copies"] for c in legendaries.values()) == 10
    assert [card for card, c in legendaries.items() if c["kind"] == "last_reward"] == ["perfect_landing"]


def test_colours() -> None:
    """A card can be blue, yellow, green, or red. A Legendary Trick can also be colorless (gray)."""
    cards = play("", "").setup["cards"]
    by_colour: Counter[str] = Counter()
    for cells in cards.values():
        by_colour[cells["colour"]] += cells["copies"] * (cells["kind"] == "trick")
    assert by_colour == {"blue": 32, "yellow": 24, "red": 36, "green": 28, "grey": 0}
    grey = {card for card, cells in cards.items() if cells["colour"] == "grey"}
    assert grey == {"180", "360", "720", "900", "1080", "perfect_landing"}


def test_grey_cannot_make_you_fall() -> None:
    """Colorless (gray), in which case it cannot make you fall by color."""
    game = play("1 1|1 1|1 1|180 360 720 1 1", "", deck="manual", rewards="180 360 720")
    assert game.of(0, round=4)[-3:] == [
        "stops: 180 360 720 manual manual = 14",
        "takes perfect_landing",
        "ends the round",
    ]


# --- Setup ---


def test_reward_pile() -> None:
    """Place 3 of them, chosen at random, face up on top of the Perfect Landing card to form the Reward pile."""
    piles = [game.setup["rewards"] for game in games(300, "stop_at_n:n=1", "stop_at_n:n=1", seed=5)]
    assert all(len(set(pile)) == 4 and pile[3] == "perfect_landing" for pile in piles)
    for place in range(3):
        drawn = Counter(pile[place] for pile in piles)
        assert len(drawn) == 9
        assert all(14 <= times <= 56 for times in drawn.values()), drawn  # 33 expected, four standard errors


def test_rest_of_the_legendaries() -> None:
    """Return the remaining Legendary Trick cards to the box."""
    for game in games(50, "random_legal", "random_legal", "random_legal", preset="online"):
        legendary = {card for card, c in game.setup["cards"].items() if c["kind"] != "trick"}
        seen = {e["card"] for e in game.events("trick", "draw", "reveal", "reward", "reward_lost")} & legendary
        assert seen <= set(game.setup["rewards"])


def test_deal() -> None:
    """Shuffle the 120 Trick cards, deal one to each skater, who adds it to their hand."""
    assert answers_at("never", "", "", dealt="ollie") == ["pile 1", "pile 2", "play Ollie"]
    dealt = Counter(card for game in games(100, *["stop_at_n"] * 5) for card in game.setup["dealt"])
    assert sum(dealt.values()) == 500
    for card, cells in game_cards().items():
        expected = 500 * cells["copies"] / 120
        assert abs(dealt[card] - expected) < 4 * expected**0.5 + 1, card


def game_cards() -> dict:
    """The printed Trick cards."""
    return {card: c for card, c in play("", "").setup["cards"].items() if c["kind"] == "trick"}


def test_two_draw_piles() -> None:
    """Then split the remaining cards into two piles to form 2 face-down draw piles."""
    for seats, piles in ((2, [59, 59]), (3, [59, 58]), (4, [58, 58]), (5, [58, 57])):
        assert play(*[""] * seats).setup["piles"] == piles
    game = play("1 1 1 2 stop", "1 stop", deck="fog=9", rounds=1)  # the sizes are those that the game is played with
    assert game.setup["piles"] == [4, 3]
    assert game.story()[:8] == [
        "0 plays fog from pile 1",
        "1 plays fog from pile 1",
        "0 plays fog from pile 1",
        "1 stops: fog = 1",
        "0 plays fog from pile 1",
        "pile 1 is split: 2 1",
        "0 plays fog from pile 2",
        "pile 2 is split: 1 1",
    ]


def test_helmets_lie_on_the_table() -> None:
    """Place the 6 Helmet tokens in the center of the table: nobody begins with one."""
    game = play("1^ 1^ 1^ stop", "1^ 1^ stop", deck="fog=9 ollie=9", cards="ollie ollie fog fog", rounds=1)
    assert game.events("helmet") == []
    assert [seat["helmets_kept"] for seat in game.end] == [0, 0]


def test_first_skater() -> None:
    """Randomly determine who plays first."""
    for seats in (2, 5):
        begins = Counter()
        for game in games(400, *["stop_at_n:n=1"] * seats, rules={"rounds": 1}):
            assert game.events("trick")[0]["seat"] == game.setup["first_seat"]
            begins[game.setup["first_seat"]] += 1
        assert all(abs(begins[seat] - 400 / seats) < 40 for seat in range(seats)), begins


# --- Taking Your Turn ---


def test_clockwise() -> None:
    """During each round, skaters take turns in clockwise order."""
    game = play("1 1 stop", "1 1 stop", "1 stop", "1 1 stop", first=2, deck="fog", rounds=1)
    turns = [e["seat"] for e in game.events("trick", "stop")]
    assert turns == [2, 3, 0, 1, 2, 3, 0, 1, 3, 0, 1]  # seat 2 stopped; 1 is the last one standing


def test_combo() -> None:
    """You play Trick cards in front of you, one after another, forming your combo."""
    game = play("1 2 1 stop", "", deck="fog=6 ollie=6 manual=6", cards="fog fog ollie manual", rounds=1)
    assert game.events("stop")[-1]["validated"] == ["fog", "ollie", "manual"]


def test_two_actions() -> None:
    """On your turn, you have a choice between 2 actions: Do a Trick or Stop."""
    situation = {"deck": "ollie manual", "dealt": "manual"}
    assert answers_at("1 never", "", **situation) == ["stop", "pile 1", "pile 2", "play Manual"]


def test_turn_passes() -> None:
    """Once you have taken your action, the turn passes to the next skater, who then chooses one of the two actions."""
    assert play("1 1 stop", "1 stop", "1 1 1 stop", deck="fog", rounds=1).story() == [
        "0 plays fog from pile 1",
        "1 plays fog from pile 1",
        "2 plays fog from pile 1",
        "0 plays fog from pile 1",
        "1 stops: fog = 1",
        "2 plays fog from pile 1",
        "0 stops: fog fog = 2",
        "2 stops: fog fog = 2",
        "2 takes perfect_landing",
        "2 ends the round",
    ]


def test_no_limit_to_the_hand() -> None:
    """There is no limit to the number of cards you may hold in hand."""
    tricks, from_hand = " ".join(["1"] * 10), " ".join(["fog_draw"] * 10)
    game = play(f"{tricks}|{from_hand}", "", deck="fog_draw=60", rounds=2)
    assert len([e for e in game.events("draw", round=1) if e["seat"] == 0]) == 10
    assert [e["source"] for e in game.events("trick", round=2) if e["seat"] == 0] == ["hand"] * 10


# --- Do a Trick ---


def test_combo_starts_with_the_round() -> None:
    """Either to start your combo (only at the beginning of a round) or to continue it."""
    game = play("1 1 stop|1 1 1 stop", "", deck="fog", rounds=2)
    stops = [(e["round"], len(e["validated"])) for e in game.events("stop") if e["seat"] == 0]
    assert stops == [(1, 2), (2, 3)]


def test_trick_from_a_draw_pile() -> None:
    """Choose one of the two draw piles, take the top card of the pile, and play it immediately."""
    assert play("2 1 stop", "", deck="fog", rounds=1).of(0)[:2] == ["plays fog from pile 2", "plays fog from pile 1"]
    # From the pile that was chosen: pile 2 of 4 and 3 cards is split after 3.
    game = play("2 2 2 stop", "", deck="fog=9", rounds=1)
    assert [s for s in game.story() if "split" in s] == ["pile 2 is split: 1 2"]


def test_trick_from_the_hand() -> None:
    """Choose a card from your hand and play it immediately."""
    game = play("1 manual 1 stop", "", deck="ollie=9 manual=9", dealt="manual", cards="ollie", rounds=1)
    assert game.of(0)[1] == "plays manual from hand"
    assert game.events("stop")[-1]["validated"][:2] == ["ollie", "manual"]
    assert answers_at("manual never", "", deck="ollie manual", dealt="manual") == ["stop", "pile 1", "pile 2"]


def test_three_broken_skateboards() -> None:
    """You accumulate 3 Broken Skateboard symbols across all the cards in your combo."""
    deck = "powerslide=6 handplant_broken=6 no_comply_broken=6"
    game = play("1 1 1 stop", "", deck=deck, cards="powerslide powerslide handplant_broken no_comply_broken", rounds=1)
    assert game.of(0)[-3] == "falls by broken: powerslide handplant_broken no_comply_broken"
    game = play("1 1 stop", "", deck=deck, cards="powerslide powerslide handplant_broken", rounds=1)
    assert game.of(0)[-3] == "stops: powerslide handplant_broken = 3"


def test_three_cards_of_a_colour() -> None:
    """You accumulate 3 cards of the same color."""
    deck = "ollie=6 pop_shove_it_broken=6 manual=6"
    game = play("1 1 1 1 stop", "", deck=deck, cards="ollie . ollie manual pop_shove_it_broken", rounds=1)
    assert game.of(0)[-3] == "falls by colour: ollie ollie manual pop_shove_it_broken"
    game = play("1 1 1 1 stop", "", deck=deck, cards="ollie . ollie manual manual", rounds=1)
    assert game.of(0)[-3] == "stops: ollie ollie manual manual = 4"


def test_still_standing() -> None:
    """If you do not fall: you remain standing. If the card has an effect, apply it immediately."""
    game = play("1 1 stop", "", deck="ollie=9 no_comply=9", cards="no_comply ollie ollie ollie", rounds=1)
    assert game.story()[:4] == [
        "0 plays no_comply from pile 1",
        "0 draws ollie from pile 1",
        "1 plays ollie from pile 1",
        "0 plays ollie from pile 1",
    ]


def test_fall_loses_the_combo() -> None:
    """Discard all the cards you played during this round: they will not earn you any points."""
    game = play("1 1 1|1 1 1 stop", "", deck="fog_broken=8", rounds=2, edits={"cards.fog_broken.points": 3})
    assert game.of(0, round=1)[-3] == "falls by broken: fog_broken fog_broken fog_broken"
    assert game.end[0]["tricks"] == 0
    # The three cards that fell are the discard pile; the card that was validated is not among them.
    assert [s for s in game.story(round=2) if "reshuffle" in s] == ["reshuffle: 2 1"]


def test_fall_keeps_earlier_rounds() -> None:
    """Cards validated during previous rounds are not discarded."""
    game = play("1 1 stop|1 1 1", "", deck="ollie", rounds=2)
    assert game.of(0, round=2)[-3] == "falls by colour: ollie ollie ollie"
    assert game.end[0]["tricks"] == 2


def test_fall_brings_a_helmet() -> None:
    """Then, take a Helmet token and place it near you."""
    assert play("1 1 1", "", deck="ollie", rounds=1).end[0]["helmets_kept"] == 1


def test_fallen_skaters_do_not_play() -> None:
    """You will not play again for the rest of this round."""
    game = play("1 1 1|1 stop", "1 1 stop", "1 1 stop", deck="ollie", rounds=2)
    assert game.of(0, round=1)[-1] == "falls by colour: ollie ollie ollie"
    cards = "ollie fog fog ollie fog fog ollie fog fog fog fog"
    game = play("1 1 1", "1 1 1 1 1 stop", "1 1 1 1 1 stop", deck="fog=30 ollie=9", cards=cards, rounds=1)
    assert [e["seat"] for e in game.events("trick", "fall")] == [0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 1, 2, 1, 2]


def test_fall_prevents_the_effect() -> None:
    """A fall is resolved immediately, and prevents any effect on the card just played from being applied."""
    game = play("1 1 1", "", deck="no_comply", rounds=1)
    assert game.of(0) == [
        "plays no_comply from pile 1",
        "draws no_comply from pile 1",
        "plays no_comply from pile 1",
        "draws no_comply from pile 1",
        "plays no_comply from pile 1",
        "falls by colour: no_comply no_comply no_comply",
        "loses perfect_landing",
        "ends the round",
    ]


def test_no_helmet_in_reaction_to_a_fall() -> None:
    """You cannot place a Helmet token in reaction to a fall."""
    game = play("1 1 1|1 1 1^", "", deck="ollie", rounds=2)
    assert game.of(0, round=2)[2:4] == ["plays ollie from pile 1", "falls by colour: ollie ollie ollie"]
