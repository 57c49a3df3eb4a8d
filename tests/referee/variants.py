"""Variants of the game to referee: decks that strain the rules, and every value of every switch."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.printed import PRESETS, PRINTED

Edits = dict[str, Any]

TRICKS = {card: cells for card, cells in PRINTED.items() if cells["kind"] == "trick"}


def every_trick(cells: Mapping[str, Any], only: Callable[[Mapping[str, Any]], bool] = lambda _: True) -> Edits:
    """The same cells in every Trick card, or in those of them that are meant."""
    return {f"cards.{card}": dict(cells) for card, printed in TRICKS.items() if only(printed)}


DECKS: dict[str, Edits] = {
    "printed": {},
    "one of each": every_trick({"copies": 1}),
    "two of each": every_trick({"copies": 2}),
    "one card a skater": every_trick({"copies": 0}) | {"cards.pop_shove_it": {"copies": 5}},
    "no red": {f"cards.{card}": "remove" for card, cells in TRICKS.items() if cells["colour"] == "red"},
    "all broken": every_trick({"copies": 2, "broken": True}),
    "no effects": every_trick({"copies": 2, "effect": "none"}),
    "nothing but Replays": every_trick({"copies": 2, "effect": "replay"}),
    "grey Replays": every_trick({"copies": 2, "effect": "replay", "colour": "grey", "broken": False}),
    "nothing but Draws": every_trick({"copies": 2, "effect": "draw"}),
    "triple Draws": every_trick({"copies": 2, "effect": "draw", "times": 3}),
    "double Reveals": every_trick({"copies": 1, "effect": "reveal", "times": 2}),
    "double and triple effects": every_trick({"times": 3}, lambda c: c["effect"] == "replay")
    | every_trick({"times": 2}, lambda c: c["effect"] in ("draw", "reveal")),
    "all grey": every_trick({"copies": 2, "colour": "grey", "broken": False}),
    "demanding Perfect Landing": {"cards.perfect_landing.needs_cards": 4},
    "demanding Tricks": every_trick({"needs_cards": 3, "needs_colours": 2}),
    "other Legendaries": {
        "cards.kick_flip.copies": 5,
        "cards.airwalk_grab.effect": "draw",
        "cards.casper_slide": {"copies": 4, "needs_same_colour": 3},
        "cards.hippy_jump": "remove",
        "cards.backflip": {"name": "Backflip", "kind": "legendary", "colour": "red", "points": 3, "needs_blue": 1},
    },
    "bad cards": every_trick({"points": -3}, lambda c: c["colour"] == "blue"),
}

#: Values of the switches that are not flags.
VALUES: dict[str, list[Any]] = {
    "placed_helmet_on_fall": ["lost", "returned"],
    "discarded_legendaries": ["box", "discard_pile"],
    "helmet_timing": ["before_effect", "after_effect"],
    "reshuffle": ["when_needed", "when_emptied"],
    "helmet_min_same_color": [1, 2, 3],
    "helmet_supply": ["unlimited", 0, 1, 2],
    "helmet_points": [2, 0, -1, 5],
    "rounds": [4, 1, 2, 10],
}

#: Every value of every switch that differs from a preset.
FLIPS = [
    (preset, name, value)
    for preset, rules in PRESETS.items()
    for name, usual in rules.items()
    for value in VALUES.get(name, [False, True])
    if value != usual
]

BOTS = ("random_legal", "random_legal", "stop_at_n:n=5", "stop_at_n:n=9", "helmet_saver")


def random_variant(seed: int) -> dict[str, Any]:
    """Bots, preset, some switches and a deck, as keyword arguments for a transcript."""
    draw = random.Random(seed)
    return {
        "bots": draw.choices(BOTS, k=draw.randint(2, 5)),
        "preset": draw.choice(sorted(PRESETS)),
        "rules": {
            name: draw.choice(VALUES.get(name, [False, True])) for name in PRESETS["rulebook"] if draw.random() < 0.4
        },
        "edits": draw.choice(list(DECKS.values())),
        "seed": seed,
    }
