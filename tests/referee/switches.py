"""The rule switches (rules page, section 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from . import readings
from .script import Event

#: Values of the switches that are neither a flag nor a whole number.
CHOICES = {
    "placed_helmet_on_fall": ("lost", "returned"),
    "discarded_legendaries": ("box", "discard_pile"),
    "helmet_timing": ("before_effect", "after_effect"),
    "reshuffle": ("when_needed", "when_emptied"),
}

#: Least and most of the whole numbers.
RANGES = {
    "helmet_min_same_color": (1, math.inf),
    "helmet_supply": (0, math.inf),
    "helmet_points": (-math.inf, math.inf),
    "rounds": (1, 10),
}


@dataclass(frozen=True)
class Switches:
    """One value for each switch; the flags are on or off."""

    allow_empty_stop: bool
    perfect_landing_in_combo: bool
    placed_helmet_on_fall: str
    discarded_legendaries: str
    helmet_timing: str
    helmet_min_same_color: int
    replay_from_hand: bool
    airwalk_reveal: bool
    grey_counts_as_color: bool
    grey_counts_in_card_total: bool
    grey_can_fall: bool
    reshuffle: str
    lone_empty_stop: bool
    helmet_supply: int | str
    helmet_points: int
    rounds: int


def read_switches(setup: Event) -> Switches:
    """The switches of a game, all of them, each with a value that it may have."""
    values = setup["rules"]
    names = {field.name for field in fields(Switches)}
    rule = readings.SWITCHES
    setup.insist(set(values) == names, rule, f"missing or unknown switches: {sorted(names ^ set(values))}")
    for name, value in values.items():
        setup.insist(_is_allowed(name, value), rule, f"{name} cannot be {value!r}")
    return Switches(**values)


def _is_allowed(name: str, value: object) -> bool:
    if name in CHOICES:
        return value in CHOICES[name]
    if name in RANGES:
        low, high = RANGES[name]
        return (name == "helmet_supply" and value == "unlimited") or (type(value) is int and low <= value <= high)
    return type(value) is bool
