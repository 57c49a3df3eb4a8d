"""The rule switches and presets, and a variant of the game made ready for the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skate_sim.cache_lines import record_of_lines
from skate_sim.games import ContentError, Game, Resolved, Switch
from skate_sim.games.skate_legend.cards import (
    DECK_DTYPE,
    GREY,
    SLOTS_DTYPE,
    TABLE,
    card_order,
    check_deck,
    deck_record,
    resolve_effects,
    slots_record,
)
from skate_sim.games.tables import Rows, edit_tables, resolve_switches

PRESETS = {
    "rulebook": "the printed booklet (v1.0); the default",
    "online": "the published online adaptation",
}

MAX_ROUNDS = 10
UNLIMITED = "unlimited"


def _flag(name: str, help: str, rulebook: bool, online: bool) -> Switch:
    return Switch(name, help, "flag", {"rulebook": rulebook, "online": online})


def _choice(name: str, help: str, choices: tuple[str, ...], rulebook: str, online: str) -> Switch:
    return Switch(name, help, "choice", {"rulebook": rulebook, "online": online}, choices)


SWITCHES = (
    _flag(
        "allow_empty_stop",
        "whether a skater may stop with no card in the combo; the booklet's Stop gathers the cards of a combo",
        False,
        False,
    ),
    _flag(
        "perfect_landing_in_combo",
        "whether Perfect Landing joins the last combo before its conditions are checked (one more card, grey), "
        "instead of going straight to the validated cards",
        False,
        True,
    ),
    _choice(
        "placed_helmet_on_fall",
        "what becomes of a helmet placed in a combo that falls; the helmet gained for the fall comes on top",
        ("lost", "returned"),
        "lost",
        "lost",
    ),
    _choice(
        "discarded_legendaries",
        "where fallen, unmet and lost Legendaries go; from the discard pile they may come back in a reshuffle",
        ("box", "discard_pile"),
        "box",
        "discard_pile",
    ),
    _choice(
        "helmet_timing",
        "whether a helmet is placed before or after the effect of the card just played",
        ("before_effect", "after_effect"),
        "before_effect",
        "before_effect",
    ),
    Switch(
        "helmet_min_same_color",
        "least number of cards of its colour in the combo for a card to take a helmet, itself included",
        "whole",
        {"rulebook": 1, "online": 2},
        low=1,
        high=9,
    ),
    _flag("replay_from_hand", "whether a Replay may be obeyed with a card of the hand", True, True),
    _flag("airwalk_reveal", "whether Airwalk Grab has the Reveal effect that its printed face shows", False, True),
    _flag(
        "grey_counts_as_color",
        "whether grey counts as a colour for the conditions on colours (1080° and Casper Slide)",
        False,
        True,
    ),
    _flag(
        "grey_counts_in_card_total",
        "whether grey cards count for the conditions on the number of cards (180° and 720°)",
        True,
        True,
    ),
    _flag("grey_can_fall", "whether three grey cards are a fall, which a helmet on a grey card prevents", False, True),
    _choice(
        "reshuffle",
        "when the discard pile becomes the draw piles: when a card is needed and both piles are empty, or at once "
        "as the last card leaves them",
        ("when_needed", "when_emptied"),
        "when_needed",
        "when_emptied",
    ),
    _flag(
        "lone_empty_stop",
        "whether the lone skater of a two-player game may stop with no card in the combo",
        True,
        False,
    ),
    Switch(
        "helmet_supply",
        "helmet tokens in the supply; a fall brings no helmet when none is left",
        "whole",
        {"rulebook": UNLIMITED, "online": UNLIMITED},
        (UNLIMITED,),
        low=0,
        high=99,
    ),
    Switch(
        "helmet_points",
        "Prestige of each helmet kept to the end",
        "whole",
        {"rulebook": 2, "online": 2},
        low=-99,
        high=99,
    ),
    Switch(
        "rounds",
        "rounds of a game; the reward pile has one Legendary fewer, and Perfect Landing last",
        "whole",
        {"rulebook": 4, "online": 4},
        low=1,
        high=MAX_ROUNDS,
    ),
)

RULES_DTYPE = np.dtype([("seats", np.int32), *((s.name, np.int32) for s in SWITCHES)], align=True)

#: A Legendary that a seat is given, to measure its value; ``round_number`` 0: there is none.
GIFT_DTYPE = np.dtype([("round_number", np.int32), ("seat", np.int32), ("card", np.int32)], align=True)

#: Number of a choice in the kernel is its position in the switch's ``choices``.
LOST, RETURNED = 0, 1
BOX, DISCARD_PILE = 0, 1
BEFORE_EFFECT, AFTER_EFFECT = 0, 1
WHEN_NEEDED, WHEN_EMPTIED = 0, 1
NO_LIMIT = -1

SETUP_DTYPE = record_of_lines(
    [("rules", RULES_DTYPE), ("deck", DECK_DTYPE), ("slots", SLOTS_DTYPE), ("gift", GIFT_DTYPE)]
)

#: The same record without the physical cards: what a bot may know.
KNOWN_SETUP_DTYPE = SETUP_DTYPE[["rules", "deck"]]


def resolve(
    game: Game,
    seats: int,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    edits: Mapping[str, Any] | None = None,
) -> Resolved:
    """Make a variant of the game, checked and complete; see :class:`skate_sim.games.Resolved`.

    Raises
    ------
    ContentError
        Anything that the game does not know or cannot play.
    """
    if seats not in game.seats:
        valid = ", ".join(str(n) for n in sorted(game.seats))
        raise ContentError(("seats",), f"{seats} {'seat' if seats == 1 else 'seats'}; {game.title} is for {valid}")
    preset = preset or game.default_preset
    resolved, changes = resolve_switches(SWITCHES, PRESETS, preset, rules or {})
    tables, edited = edit_tables([TABLE], edits or {})
    check_deck(tables["cards"], seats, resolved["rounds"])
    tables["cards"] = resolve_effects(tables["cards"], resolved)
    setup = np.zeros(1, SETUP_DTYPE).view(np.recarray)
    setup[0].rules = _rules_record(seats, resolved)
    setup[0].deck = deck_record(tables["cards"])[0]
    if not resolved["grey_can_fall"]:
        setup[0].deck.cards["dangers"] &= np.uint8(0xFF ^ (1 << GREY))
        setup[0].deck.dangers &= ~(1 << GREY)
    setup[0].slots = slots_record(tables["cards"], resolved["rounds"])[0]
    setup[0].gift = _gift_record(tables["cards"])
    return Resolved(
        game, seats, preset, resolved, tables, setup[0], {"round": resolved["rounds"]}, {**changes, **edited}
    )


def _gift_record(rows: Rows) -> Any:
    record = np.zeros(1, GIFT_DTYPE)
    for number, row in enumerate(card_order(rows)):
        if rows[row]["given_to"]:
            record[0] = rows[row]["given_in"], rows[row]["given_to"] - 1, number
    return record[0]


def _rules_record(seats: int, rules: Mapping[str, Any]) -> Any:
    record = np.zeros(1, RULES_DTYPE)
    record["seats"] = seats
    for switch in SWITCHES:
        value = rules[switch.name]
        if switch.kind == "choice":
            value = switch.choices.index(value)
        elif value == UNLIMITED:
            value = NO_LIMIT
        record[switch.name] = value
    return record[0]
