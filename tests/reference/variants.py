"""Variants of the game for the comparison: switches one by one and at random, and decks bent in every way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .bots import Bot, random_legal, stop_at_n
from .printed import PRESETS, PRINTED, Cards, edited_cards

TRICKS = [card for card, cells in PRINTED.items() if cells["kind"] == "trick"]
COLOURS = ("blue", "yellow", "red", "green", "grey")

#: Values of each switch that are tried alone.
FLIPS: dict[str, tuple[Any, ...]] = {
    "placed_helmet_on_fall": ("lost", "returned"),
    "discarded_legendaries": ("box", "discard_pile"),
    "helmet_timing": ("before_effect", "after_effect"),
    "helmet_min_same_color": (1, 2, 3),
    "reshuffle": ("when_needed", "when_emptied"),
    "helmet_supply": (0, 1, 2),
    "helmet_points": (-3, 0, 7),
    "rounds": (1, 2, 7, 10),
    **{name: (False, True) for name, value in PRESETS["rulebook"].items() if isinstance(value, bool)},
}


@dataclass(frozen=True)
class Variant:
    """One variant, with how many games of it to compare."""

    name: str
    seats: int
    games: int
    preset: str = "rulebook"
    rules: Mapping[str, Any] = field(default_factory=dict)
    edits: Mapping[str, Any] = field(default_factory=dict)
    bots: tuple[str, ...] = ()

    def resolved_rules(self) -> dict[str, Any]:
        """Value of every switch."""
        return PRESETS[self.preset] | dict(self.rules)

    def cards(self) -> Cards:
        """The cards after the edits."""
        return edited_cards(self.edits, self.resolved_rules())

    def bot_names(self) -> tuple[str, ...]:
        """Bots by seat, as the package names them."""
        return self.bots or ("random_legal",) * self.seats

    def reference_bots(self) -> list[Bot]:
        """The same bots of the reference engine."""
        return [stop_at_n(int(name[-1])) if name != "random_legal" else random_legal for name in self.bot_names()]

    def __str__(self) -> str:
        return f"{self.name}, {self.preset}, {self.seats} seats"


def all_variants() -> list[Variant]:
    """Every variant, the same list each time."""
    return [*presets(), *single_flips(), *bent_decks(), *random_variants(Random(20))]


def presets() -> Iterator[Variant]:
    """Both presets with every number of seats, and with bots that stop at n."""
    for preset in PRESETS:
        for seats in (2, 3, 4, 5):
            yield Variant("as printed", seats, 60, preset)
            bots = ("stop_at_n:n=3", "random_legal", "stop_at_n:n=5", "stop_at_n:n=1", "stop_at_n:n=9")[:seats]
            yield Variant("stop at n", seats, 25, preset, bots=bots)


def deck_of(**copies: int) -> dict[str, Any]:
    """Edits that leave only these Trick cards."""
    return {f"cards.{card}": {"copies": copies.get(card, 0)} for card in TRICKS}


def every_trick(**cells: Any) -> dict[str, Any]:
    """Edits that change the same cells of every Trick card."""
    return {f"cards.{card}": cells for card in TRICKS}


#: A small deck with grey cards: it is reshuffled all the time, so that the switches about piles and grey matter.
BUSY_DECK = deck_of(handplant=3, powerslide=4, manual=3, no_comply=5, ollie=3, pop_shove_it=4) | {
    "cards.fog": {"name": "Fog", "colour": "grey", "points": 1, "copies": 9}
}


def single_flips() -> Iterator[Variant]:
    """Each switch alone away from each preset, with the printed and the busy deck: two seats, and three to five."""
    number = 0
    for preset, rules in PRESETS.items():
        for switch, values in FLIPS.items():
            for value in values:
                if value == rules[switch]:
                    continue
                number += 1
                games = 4 if switch == "rounds" and value > 4 else 16
                for seats in (2, 3 + number % 3):
                    name = f"{switch}={value}"
                    yield Variant(name, seats, games, preset, {switch: value})
                    yield Variant(f"{name}, busy deck", seats, games, preset, {switch: value}, BUSY_DECK)


ADDED = {
    "cards.rainbow": {"name": "Rainbow", "colour": "grey", "points": 3, "needs_colours": 3, "copies": 7},
    "cards.grind": {"name": "Grind", "colour": "red", "points": 2, "broken": True, "effect": "draw", "times": 2},
    "cards.spin": {"name": "Spin", "colour": "grey", "points": 0, "effect": "replay", "times": 3, "copies": 4},
    "cards.big_air": {
        "name": "Big Air",
        "kind": "legendary",
        "colour": "red",
        "points": 7,
        "needs_red": 2,
        "needs_cards": 3,
        "copies": 6,
    },
}

DECKS: dict[str, dict[str, Any]] = {
    "no card for the piles": deck_of(ollie=1, no_comply=1, pop_shove_it=1, handplant=1, powerslide=1),
    "one card for the piles": deck_of(ollie=1, no_comply=2, pop_shove_it=1, handplant=1, powerslide=1),
    "nine cards": deck_of(ollie=2, no_comply=2, pop_shove_it=2, handplant=1, powerslide=1, manual=1),
    "sixteen cards": deck_of(ollie=2, no_comply=4, pop_shove_it=3, handplant=3, powerslide=2, boardslide=2),
    "nothing but replays": deck_of(pop_shove_it=12),
    "grey replays": deck_of(pop_shove_it=14) | {"cards.pop_shove_it": {"colour": "grey", "copies": 14, "times": 2}},
    "nothing but draws": deck_of(no_comply=22),
    "grey draws": {"cards.no_comply": {"colour": "grey", "times": 3, "copies": 15}}
    | {f"cards.{card}": "remove" for card in TRICKS if card != "no_comply"},
    "grey reveals and replays": deck_of(ollie=2)
    | {"cards.handplant": {"colour": "grey", "times": 2, "copies": 6}}
    | {"cards.pop_shove_it": {"colour": "grey", "copies": 6}},
    "without red": {f"cards.{card}": "remove" for card in ("manual", "no_comply", "no_comply_broken")},
    "all broken": every_trick(broken=True),
    "no effects": every_trick(effect="none"),
    "all draw twice": every_trick(effect="draw", times=2),
    "all grey": every_trick(colour="grey"),
    "three times the cards": {f"cards.{card}": {"copies": 3 * PRINTED[card]["copies"]} for card in TRICKS},
    "added cards": ADDED,
    "added and removed": ADDED | deck_of(ollie=3, manual=4, boardslide=0) | {"cards.melon_grab": "remove"},
    "as many cards as slots": deck_of()
    | {"cards.x": {"name": "X", "colour": "blue", "points": 1, "effect": "draw", "times": 9, "copies": 388}},
    "as many rows as rows": {
        f"cards.x{i}": {"name": f"X{i}", "colour": COLOURS[i % 5], "points": i, "copies": i % 3} for i in range(43)
    },
    "fifty-five Legendaries": {
        "cards.x": {"name": "X", "kind": "legendary", "colour": "green", "points": 6, "needs_green": 2, "copies": 46}
    },
    "conditions on Trick cards": deck_of(ollie=6, manual=9, powerslide=6, handplant=5)
    | {"cards.ollie": {"needs_cards": 3, "copies": 6}, "cards.manual": {"needs_same_colour": 2, "copies": 9}},
    "bent Perfect Landing": {
        "cards.perfect_landing": {"colour": "red", "broken": True, "effect": "replay", "needs_red": 2, "points": -4}
    },
    "bent Legendaries": {
        "cards.kick_flip": {"colour": "grey", "effect": "reveal", "needs_broken": 1},
        "cards.180": {"colour": "blue", "effect": "draw", "times": 4, "copies": 3},
        "cards.1080": {"needs_colours": 5, "points": 9, "copies": 5},
        "cards.720": "remove",
        "cards.casper_slide": {"needs_same_colour": 3, "needs_broken": 1},
        "cards.hippy_jump": {"effect": "replay", "times": 5},
    },
    "kinds changed": {
        "cards.ollie": {"kind": "legendary"},
        "cards.180": {"kind": "trick", "copies": 8},
        "cards.perfect_landing": {"kind": "trick", "copies": 2},
        "cards.finale": {"name": "Finale", "kind": "last_reward", "colour": "green", "points": 6},
    },
}


def bent_decks() -> Iterator[Variant]:
    """Every deck with both presets; the switches about piles and Legendaries matter most in small ones."""
    for number, (name, edits) in enumerate(DECKS.items()):
        yield Variant(name, 2, 40, "rulebook", {}, edits)
        yield Variant(name, 3 + number % 3, 40, "rulebook", {"replay_from_hand": False}, edits)
        yield Variant(name, 2, 30, "online", {}, edits)
        yield Variant(name, 3 + (number + 1) % 3, 30, "online", {"helmet_timing": "after_effect"}, edits)


def random_variants(random: Random, count: int = 80, games: int = 16) -> Iterator[Variant]:
    """Random switches, two thirds of them with random decks, most of these small."""
    for number in range(count):
        seats = random.choice((2, 2, 3, 4, 5))
        rules = {s: random.choice(values) for s, values in FLIPS.items() if random.random() < 0.5}
        rules["rounds"] = random.choice((1, 2, 2, 3, 4))
        edits = random_edits(random, seats, rules["rounds"]) if number % 3 else {}
        yield Variant(f"random {number}", seats, games, random.choice(list(PRESETS)), rules, edits)


def random_edits(random: Random, seats: int, rounds: int) -> dict[str, Any]:
    """Change, remove and add cards at random, in a deck that can still be played."""
    most = random.choice((1, 2, 3, 12))
    edits: dict[str, Any] = {}
    for card in TRICKS:
        fate = random.random()
        edits[f"cards.{card}"] = {"copies": random.randint(0, most)} | (random_cells(random) if fate < 0.4 else {})
        if fate > 0.9:
            edits[f"cards.{card}"] = "remove"
    for card, cells in PRINTED.items():
        if cells["kind"] != "trick" and random.random() < 0.3:
            edits[f"cards.{card}"] = random_cells(random)
    edits["cards.new_trick"] = random_cells(random) | {"name": "New", "copies": seats + random.randint(0, 2 * most)}
    if random.random() < 0.5:
        few = {"name": "Newer", "kind": "legendary", "copies": random.randint(1, 9)}
        edits["cards.new_legendary"] = random_cells(random) | few
    return edits


def random_cells(random: Random) -> dict[str, Any]:
    """Random values for the cells of a card that matter in play."""
    cells = {
        "colour": random.choice(COLOURS),
        "points": random.randint(-2, 9),
        "broken": random.random() < 0.3,
        "effect": random.choice(("none", "draw", "reveal", "replay")),
        "times": random.choice((1, 1, 2, 4)),
    }
    needs = [need for need in PRINTED["ollie"] if need.startswith("needs_")]
    for need in random.sample(needs, random.choice((0, 0, 1, 2))):
        cells[need] = random.randint(1, 5 if need in ("needs_cards", "needs_colours") else 2)
    return cells
