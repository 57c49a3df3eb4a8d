"""The printed cards and the two presets, written down a second time, and edits of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Cards = dict[str, dict[str, Any]]

_BLANK = {
    "kind": "trick",
    "broken": False,
    "effect": "none",
    "times": 1,
    "needs_cards": 0,
    "needs_blue": 0,
    "needs_yellow": 0,
    "needs_red": 0,
    "needs_green": 0,
    "needs_colours": 0,
    "needs_broken": 0,
    "needs_same_colour": 0,
    "copies": 1,
    "given_to": 0,
    "given_in": 1,
}


def _trick(
    name: str, colour: str, points: int, copies: int, broken: bool = False, effect: str = "none"
) -> dict[str, Any]:
    return _BLANK | {
        "name": name,
        "colour": colour,
        "points": points,
        "broken": broken,
        "effect": effect,
        "copies": copies,
    }


def _legendary(name: str, colour: str, points: int, **cells: Any) -> dict[str, Any]:
    return _BLANK | {"kind": "legendary", "name": name, "colour": colour, "points": points} | cells


PRINTED: Cards = {
    "handplant": _trick("Handplant", "blue", 1, 10, effect="reveal"),
    "melon_grab": _trick("Melon Grab", "blue", 1, 16),
    "handplant_broken": _trick("Handplant", "blue", 1, 6, broken=True),
    "boardslide": _trick("Boardslide", "yellow", 1, 12),
    "powerslide": _trick("Powerslide", "yellow", 2, 12, broken=True),
    "manual": _trick("Manual", "red", 1, 12),
    "no_comply": _trick("No Comply", "red", 1, 22, effect="draw"),
    "no_comply_broken": _trick("No Comply", "red", 1, 2, broken=True),
    "ollie": _trick("Ollie", "green", 1, 10),
    "pop_shove_it": _trick("Pop Shove-it", "green", 1, 12, effect="replay"),
    "pop_shove_it_broken": _trick("Pop Shove-it", "green", 1, 6, broken=True),
    "kick_flip": _legendary("Kick Flip", "green", 5, effect="replay", times=2),
    "180": _legendary("180°", "grey", 4, needs_cards=4),
    "360": _legendary("360°", "grey", 4, needs_red=2),
    "720": _legendary("720°", "grey", 4, needs_cards=5),
    "900": _legendary("900°", "grey", 4, needs_green=1, needs_yellow=1),
    "1080": _legendary("1080°", "grey", 4, needs_colours=3),
    "airwalk_grab": _legendary("Airwalk Grab", "blue", 4, needs_broken=2),
    "casper_slide": _legendary("Casper Slide", "yellow", 4, broken=True, needs_same_colour=2),
    "hippy_jump": _legendary("Hippy Jump", "red", 2, effect="draw", times=2),
    "perfect_landing": _legendary("Perfect Landing", "grey", 5, kind="last_reward"),
}

_RULEBOOK: dict[str, Any] = {
    "allow_empty_stop": False,
    "perfect_landing_in_combo": False,
    "placed_helmet_on_fall": "lost",
    "discarded_legendaries": "box",
    "helmet_timing": "before_effect",
    "helmet_min_same_color": 1,
    "replay_from_hand": True,
    "airwalk_reveal": False,
    "grey_counts_as_color": False,
    "grey_counts_in_card_total": True,
    "grey_can_fall": False,
    "reshuffle": "when_needed",
    "lone_empty_stop": True,
    "helmet_supply": "unlimited",
    "helmet_points": 2,
    "rounds": 4,
}

PRESETS: dict[str, dict[str, Any]] = {
    "rulebook": _RULEBOOK,
    "online": _RULEBOOK
    | {
        "perfect_landing_in_combo": True,
        "discarded_legendaries": "discard_pile",
        "helmet_min_same_color": 2,
        "airwalk_reveal": True,
        "grey_counts_as_color": True,
        "grey_can_fall": True,
        "reshuffle": "when_emptied",
        "lone_empty_stop": False,
    },
}


def edited_cards(edits: Mapping[str, Any], rules: Mapping[str, Any]) -> Cards:
    """The cards of an experiment.

    Parameters
    ----------
    edits : mapping
        ``"cards.<id>": {cell: value}`` for a changed or added card, ``"cards.<id>": "remove"`` for one taken away.
    rules : mapping
        The switches; Airwalk Grab's Reveal is one.
    """
    cards = {card: dict(cells) for card, cells in PRINTED.items()}
    for key, cells in edits.items():
        card = key.removeprefix("cards.")
        if cells == "remove":
            del cards[card]
        else:
            cards[card] = cards.get(card, _BLANK) | cells
    if rules["airwalk_reveal"] and cards.get("airwalk_grab", {}).get("effect") == "none":
        cards["airwalk_grab"]["effect"] = "reveal"
    return cards
