"""The golden games, each chosen for something rare that happens in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from skate_sim.simulation import Plan
from skate_sim.testing import plan_of
from tests.rules import Told
from tests.rules.decks import deck_edits, of_kind, reward_edits

SEED = 2024
RANDOM = "random_legal"
LONG = "stop_at_n:n=6"


@dataclass(frozen=True)
class Golden:
    """A game, and why it was chosen: ``has`` says whether what it was chosen for happens in it."""

    name: str
    why: str
    has: Callable[[Told], bool]
    game: int
    bots: tuple[str, ...] = (RANDOM, RANDOM)
    preset: str = "rulebook"
    rules: Mapping[str, Any] = field(default_factory=dict)
    edits: Mapping[str, Any] = field(default_factory=dict)

    def plan(self) -> Plan:
        """What it is a game of."""
        return plan_of(self.bots, preset=self.preset, rules=self.rules, edits=self.edits, seed=SEED)


def stops(game: Told, *cards: str) -> list[dict[str, Any]]:
    """Combos that were validated with these cards in them."""
    return [e for e in game.events("stop") if set(cards) <= set(e["validated"])]


def has_kick_flip_into_replay(game: Told) -> bool:
    """A Pop Shove-it is among the tricks that Kick Flip forces, and all of them are survived."""
    tricks = game.events("trick", "fall")
    for at, event in enumerate(tricks):
        if event["event"] == "trick" and event["card"] == "kick_flip" and len(tricks) > at + 4:
            chain = tricks[at + 1 : at + 4]
            obeyed = all(e["event"] == "trick" and e["forced"] for e in chain) and tricks[at + 4]["event"] == "trick"
            return obeyed and "pop_shove_it" in (chain[0]["card"], chain[1]["card"])
    return False


def has_saving_helmet(game: Told) -> bool:
    """A helmet was placed and three cards of its colour were validated."""
    cards = game.setup["cards"]
    for helmet in game.events("helmet"):
        combo = next(e for e in game.events("stop", "fall", round=helmet["round"]) if e["seat"] == helmet["seat"])
        if combo["event"] == "stop":
            return sum(cards[card]["colour"] == helmet["colour"] for card in combo["validated"]) >= 3
    return False


def has_helmet_lost(game: Told) -> bool:
    """A combo with a helmet falls by broken skateboards."""
    placed = {(e["round"], e["seat"]) for e in game.events("helmet")}
    return any((e["round"], e["seat"]) in placed and e["reason"] == "broken" for e in game.events("fall"))


def has_split_under_face_up_card(game: Told) -> bool:
    """The pile that is split has its top card face up, and that card is taken later."""
    up: dict[int, str] = {}
    lines = game.events()
    for at, event in enumerate(lines):
        if event["event"] == "reveal":
            up[event["pile"]] = event["card"]
        elif event["event"] == "split" and 3 - event["pile"] in up:
            taken = next((e for e in lines[at:] if e.get("face_up")), None)
            return taken is not None and taken["card"] == up[3 - event["pile"]]
        elif event.get("face_up"):
            del up[event.get("pile") or int(event["source"][-1])]
    return False


def has_reshuffle_for_draw(game: Told) -> bool:
    """The discard pile is shuffled because a Draw needs a card."""
    return any(a["event"] == "reshuffle" and b["event"] == "draw" for a, b in pairwise(game.events()))


def has_grey_fall(game: Told) -> bool:
    """Three grey cards make a combo fall."""
    cards = game.setup["cards"]
    return any(
        e["reason"] == "colour" and sum(cards[card]["colour"] == "grey" for card in e["cards"]) == 3
        for e in game.events("fall")
    )


def has_tie_of_all(game: Told) -> bool:
    """Everybody shares the victory."""
    return all(seat["win_share"] == f"1/{len(game.end)}" for seat in game.end)


def has_empty_last_combo(game: Told) -> bool:
    """The last one standing has not played a card."""
    return any(not e["validated"] + e["discarded"] for e in game.events("stop"))


def has_legendary_from_pile(game: Told) -> bool:
    """A Legendary comes back from the discard pile."""
    cards = game.setup["cards"]
    return any(cards[e["card"]]["kind"] == "legendary" and e["source"] != "hand" for e in game.events("trick"))


def has_perfect_landing_that_counts(game: Told) -> bool:
    """Perfect Landing is the card that meets a condition."""
    return any(
        (card == "720" and len(e["validated"]) == 5) or (card == "180" and len(e["validated"]) == 4)
        for e in stops(game, "perfect_landing")
        for card in e["validated"]
    )


#: A few of each kind: reshuffled and split all the time.
SMALL = {f"cards.{card}.copies": 1 for card in of_kind("trick")} | {
    f"cards.{card}.copies": 2 for card in ("boardslide", "powerslide", "manual", "ollie", "melon_grab")
}

GAMES = (
    Golden(
        "lone_fall_in_the_last_round",
        "Two players: the lone skater falls in round 4, and nobody gets Perfect Landing.",
        lambda game: any(e["card"] == "perfect_landing" for e in game.events("reward_lost")),
        game=1,
        bots=("stop_at_n:n=3", "stop_at_n:n=5"),
    ),
    Golden(
        "reshuffle_for_a_draw",
        "Both piles are empty when a Draw needs a card: the discard pile is shuffled into two piles.",
        has_reshuffle_for_draw,
        game=197,
        rules={"rounds": 2},
        edits=SMALL,
    ),
    Golden(
        "kick_flip_into_replay",
        "Kick Flip forces two tricks; one of them is a Replay and forces a third.",
        has_kick_flip_into_replay,
        game=46,
        rules={"rounds": 2},
        edits=reward_edits("kick_flip") | deck_edits("pop_shove_it=12 ollie=10 manual=12 boardslide=12 melon_grab=16"),
    ),
    Golden(
        "unmet_legendary",
        "A Legendary Trick whose condition is not met leaves at Stop, but helps another one to meet its own.",
        lambda game: any(
            e["discarded"] and "180" in e["validated"] and len(e["validated"]) == 3 for e in game.events("stop")
        ),
        game=91,
        bots=(RANDOM, RANDOM),
        rules={"rounds": 3},
        edits=reward_edits("180 1080"),
    ),
    Golden(
        "tie_of_five",
        "Five skaters have the same Prestige and share the victory.",
        has_tie_of_all,
        game=1317,
        bots=("stop_at_n:n=4",) * 5,
    ),
    Golden(
        "helmet_saves_a_combo",
        "A helmet won by a fall is placed in a later round, and a third card of its colour is survived.",
        has_saving_helmet,
        game=18,
        bots=(RANDOM, "stop_at_n:n=5"),
        rules={"rounds": 3},
    ),
    Golden(
        "helmet_lost_by_broken_skateboards",
        "A placed helmet does not help against the third broken skateboard; it is lost, and a new one gained.",
        has_helmet_lost,
        game=63,
        bots=(RANDOM, RANDOM, "stop_at_n:n=4"),
        rules={"rounds": 3},
    ),
    Golden(
        "perfect_landing_in_the_combo",
        "Online rules: Perfect Landing joins the last combo and meets the condition of a Legendary in it.",
        has_perfect_landing_that_counts,
        game=3,
        bots=(RANDOM, RANDOM),
        preset="online",
        rules={"rounds": 2},
        edits=reward_edits("180 720"),
    ),
    Golden(
        "lapsed_replay",
        "Nothing is left to obey a Replay with: it lapses, and the round goes on.",
        lambda game: bool(game.events("lapse")),
        game=1,
        rules={"rounds": 1},
        edits=deck_edits("pop_shove_it=2 ollie=1 manual=1 boardslide=1"),
    ),
    Golden(
        "fall_for_both_reasons",
        "One card is the third of its colour and the third broken skateboard.",
        lambda game: any(e["reason"] == "both" for e in game.events("fall")),
        game=39,
        bots=(LONG,) * 3,
        rules={"rounds": 1},
    ),
    Golden(
        "split_under_a_face_up_card",
        "The pile that is split has its top card face up; the card stays on the top part.",
        has_split_under_face_up_card,
        game=1046,
        bots=(RANDOM, RANDOM),
        rules={"rounds": 1},
        edits=SMALL | {"cards.handplant.copies": 3},
    ),
    Golden(
        "legendary_comes_back",
        "Online rules: a Legendary that was discarded is reshuffled, and played from a pile.",
        has_legendary_from_pile,
        game=1,
        preset="online",
        rules={"rounds": 3},
        edits=SMALL,
    ),
    Golden(
        "three_greys",
        "Online rules: grey is a colour, so three grey Legendaries in a combo are a fall.",
        has_grey_fall,
        game=1475,
        preset="online",
        edits=reward_edits("180 360 720"),
    ),
    Golden(
        "last_one_standing_without_a_card",
        "Two skaters fall on their first turn, by Replays; the third ends the round before his first.",
        has_empty_last_combo,
        game=8,
        bots=("stop_at_n:n=1",) * 3,
        rules={"rounds": 1},
        edits=deck_edits("pop_shove_it=12 pop_shove_it_broken=6 ollie=3"),
    ),
)
