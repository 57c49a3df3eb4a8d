"""The cards: their table, what an edit may change, and the form in which the kernel reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from skate_sim.bits import LANES
from skate_sim.cache_lines import record_of_lines
from skate_sim.games import Column, ContentError, Pieces
from skate_sim.games.tables import Rows, load_table

#: Most card types (rows) and most physical cards (slots) of an edited deck.
MAX_CARDS = 64
MAX_SLOTS = 512
SLOT_WORDS = MAX_SLOTS // 64
MAX_LEGENDS = 64  # bits of one word

COLOUR_NAMES = ("blue", "yellow", "red", "green", "grey")
BLUE, YELLOW, RED, GREEN, GREY = range(5)
COLOURS = len(COLOUR_NAMES)
#: In a set of dangers: bit ``c`` for colour ``c``, and this one for broken skateboards.
BROKEN_BIT = 1 << COLOURS

#: What a card adds to its combo, and a combo's numbers, in the same order, so that one vector instruction adds them:
#: a number for each colour, broken skateboards, Prestige, and cards that are Legendaries or have a condition. Bit
#: ``i`` of a set of dangers is the number at place ``i``.
LANE_BROKEN, LANE_POINTS, LANE_SPECIAL = COLOURS, COLOURS + 1, COLOURS + 2

#: Counts of cards by colour are packed into one word, so many bits a colour (room for MAX_SLOTS, and for their sum).
PACKED_BITS = 12

EFFECT_NAMES = ("none", "reveal", "draw", "replay")
NO_EFFECT, REVEAL, DRAW, REPLAY = range(4)

KIND_NAMES = ("trick", "legendary", "last_reward")
TRICK, LEGENDARY, LAST_REWARD = range(3)

#: Three of a colour, or three broken skateboards, are a fall (rulebook, "Do a Trick").
FALL_AT = 3

#: What a condition may ask of the whole combo, each as the least number of cards (rulebook, "Legendary Tricks").
NEEDS = {
    "cards": "cards of any colour",
    "blue": "blue cards",
    "yellow": "yellow cards",
    "red": "red cards",
    "green": "green cards",
    "colours": "different colours",
    "broken": "cards with a broken skateboard",
    "same_colour": "cards of one colour",
}


def conditions(cells: Mapping[str, Any]) -> list[str]:
    """What a card asks of the combo, each as ``2 yellow cards``."""
    asked = {text: cells[f"needs_{need}"] for need, text in NEEDS.items() if cells[f"needs_{need}"]}
    one = {text: text.replace("cards", "card").replace("different colours", "colour") for text in asked}
    return [f"{least} {text if least > 1 else one[text]}" for text, least in asked.items()]


COLUMNS = (
    Column("name", "text", "name printed on the card"),
    Column("kind", "choice", "deck it belongs to", choices=KIND_NAMES, default="trick"),
    Column("colour", "choice", "colour of the card; grey is colourless", choices=COLOUR_NAMES),
    Column("points", "whole", "Prestige when validated", unit="Prestige", low=-99, high=99),
    Column("broken", "flag", "whether it bears a broken skateboard", default=False),
    Column("effect", "choice", "effect when played", choices=EFFECT_NAMES, default="none"),
    Column("times", "whole", "how many times the effect applies", low=1, high=20, default=1),
    *(
        Column(f"needs_{need}", "whole", f"condition: at least so many {text} in the combo", low=0, high=99, default=0)
        for need, text in NEEDS.items()
    ),
    Column("copies", "whole", "physical cards of this kind", unit="cards", low=0, high=MAX_SLOTS, default=1),
    Column(
        "given_to",
        "whole",
        "seat that is given this Legendary, to measure its value; 0 for none",
        low=0,
        high=5,
        default=0,
    ),
    Column("given_in", "whole", "round at whose beginning it is given", low=1, high=10, default=1),
)

TABLE = load_table(
    Path(__file__).with_name("cards.yaml"),
    "cards",
    "Trick cards and Legendary Tricks",
    COLUMNS,
    capacity=MAX_CARDS,
    provenance="rulebook",
)

#: A blank keeps its colour and skateboard, and so its dangers; it brings nothing and does nothing.
PIECES = Pieces(
    table="cards",
    word="Legendary",
    given_to="given_to",
    given_in="given_in",
    axis="round",
    can_be_given=lambda cells: cells["kind"] == "legendary" and cells["copies"] > 0,
    blank={"points": 0, "effect": "none", "times": 1, **{f"needs_{need}": 0 for need in NEEDS}},
    removed={"copies": 0},
)

CARD_DTYPE = np.dtype(
    [
        ("points", np.int32),  # Prestige when validated
        ("colour", np.uint8),  # BLUE, YELLOW, RED, GREEN or GREY
        ("broken", np.uint8),  # whether it bears a broken skateboard
        ("effect", np.uint8),  # 0 none, REVEAL, DRAW or REPLAY
        ("times", np.uint8),  # how many times the effect applies
        ("legendary", np.uint8),  # any card that is not a Trick card
        ("conditional", np.uint8),  # has a condition
        ("dangers", np.uint8),  # bit of its colour if that can make fall; BROKEN_BIT if its skateboard is
        ("needs_cards", np.uint8),  # condition: at least so many cards in the combo
        ("needs_colour", np.uint8, (4,)),  # blue, yellow, red, green
        ("needs_colours", np.uint8),  # different colours
        ("needs_broken", np.uint8),  # cards with a broken skateboard
        ("needs_same_colour", np.uint8),  # cards of one colour
        ("one", np.uint64),  # one card of its colour, in packed counts by colour
        ("adds", np.int32, (LANES,)),  # what it adds to a combo: colours, broken, points, special
    ],
    align=True,
)

#: What everybody knows of the deck.
DECK_DTYPE = record_of_lines(
    [
        ("card_types", np.int32),  # how many card types there are
        ("last_reward", np.uint8),  # card type
        ("dangers", np.int32),  # what can make a skater fall under these rules, bits as in ``me.dangers``
        ("cards", CARD_DTYPE, (MAX_CARDS,)),  # a record for each card type, below
        ("copies", np.uint16, (MAX_CARDS,)),  # Trick cards of each type in the deck
        ("classes", np.uint64, (2,)),  # the same by colour, packed: [0] whole, [1] broken skateboards
    ],
)

#: The physical cards, for the kernel alone: while a game is played, they tell which rewards are to come.
SLOTS_DTYPE = np.dtype(
    [
        ("card", np.uint8, (MAX_SLOTS,)),  # card type of each physical card; rewards are filled in by game
        ("urn", np.uint64, (SLOT_WORDS,)),  # the Trick cards in the deck, a bit a slot
        ("urn_size", np.uint64),
        ("slot_bits", np.uint64),
        ("first_reward", np.uint64),
        ("legend_card", np.uint8, (MAX_LEGENDS,)),  # the Legendaries that may enter the reward pile, by slot
        ("legend_urn", np.uint64, (1,)),
        ("legend_urn_size", np.uint64),
        ("legend_bits", np.uint64),
    ],
    align=True,
)


def card_order(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Ids of the cards in the order of their numbers: the printed ones keep theirs, added ones come after."""
    return [r for r in TABLE.rows if r in rows] + [r for r in rows if r not in TABLE.rows]


def check_deck(rows: Rows, seats: int, rounds: int) -> None:
    """Refuse a deck that cannot be played.

    Raises
    ------
    ContentError
        Fewer Trick cards than seats, not enough Legendaries, not exactly one last reward, too many cards.
    """
    count = {kind: sum(c["copies"] for c in rows.values() if c["kind"] == kind) for kind in KIND_NAMES}
    if count["trick"] < seats:
        raise ContentError(("edits",), f"{count['trick']} Trick cards for {seats} seats; each is dealt one")
    given = _number_given(rows)
    slots = len(_slots(rows, "trick"))  # a printed card that is taken away leaves its slot empty
    if slots + rounds + given > MAX_SLOTS:
        raise ContentError(
            ("edits",), f"{slots} Trick cards, printed ones taken away included; at most {MAX_SLOTS - rounds - given}"
        )
    legends = len(_slots(rows, "legendary"))
    if legends > MAX_LEGENDS:
        raise ContentError(
            ("edits",), f"{legends} Legendaries, printed ones taken away included; at most {MAX_LEGENDS}"
        )
    gifts = [row for row, cells in rows.items() if cells["given_to"]]
    if len(gifts) > 1:
        raise ContentError(("edits",), f"{' and '.join(gifts)} are given to a seat; one card may be")
    for row in gifts:
        cells = rows[row]
        if cells["kind"] != "legendary" or not cells["copies"]:
            raise ContentError(("edits", f"cards.{row}"), f"{row} cannot be given to a seat; only a Legendary can")
        if cells["given_to"] > seats or cells["given_in"] > rounds:
            where = f"seat {cells['given_to']} in round {cells['given_in']}"
            raise ContentError(("edits", f"cards.{row}"), f"given to {where}; there are {seats} seats, {rounds} rounds")
        count["legendary"] -= 1
    if count["legendary"] < rounds - 1:
        raise ContentError(
            ("edits",), f"{count['legendary']} Legendaries for {rounds} rounds; the reward pile takes {rounds - 1}"
        )
    if count["last_reward"] != 1:
        raise ContentError(("edits",), f"{count['last_reward']} cards of kind last_reward; there is exactly one")


def _number_given(rows: Rows) -> int:
    """Cards given to a seat, which need slots beside the reward pile's."""
    return sum(cells["given_to"] > 0 for cells in rows.values())


def card_records(rows: Rows) -> np.ndarray:
    """The card types as the kernel reads them."""
    records = np.zeros(MAX_CARDS, CARD_DTYPE)
    for number, row in enumerate(card_order(rows)):
        cells, record = rows[row], records[number]
        record["points"] = cells["points"]
        record["colour"] = COLOUR_NAMES.index(cells["colour"])
        record["broken"] = cells["broken"]
        record["effect"] = EFFECT_NAMES.index(cells["effect"])
        record["times"] = cells["times"]
        record["legendary"] = cells["kind"] != "trick"
        record["dangers"] = 1 << record["colour"] | (BROKEN_BIT if cells["broken"] else 0)
        record["one"] = 1 << PACKED_BITS * int(record["colour"])
        record["conditional"] = any(cells[f"needs_{need}"] for need in NEEDS)
        record["needs_colour"] = [cells[f"needs_{colour}"] for colour in COLOUR_NAMES[:GREY]]
        for need in ("cards", "colours", "broken", "same_colour"):
            record[f"needs_{need}"] = cells[f"needs_{need}"]
        record["adds"][record["colour"]] = 1
        record["adds"][LANE_BROKEN] = record["broken"]
        record["adds"][LANE_POINTS] = record["points"]
        record["adds"][LANE_SPECIAL] = record["legendary"] or record["conditional"]
    return records


def resolve_effects(rows: Rows, rules: Mapping[str, Any]) -> Rows:
    """Give Airwalk Grab the Reveal that its printed face shows, if that rule is on and no edit says otherwise."""
    printed = TABLE.rows["airwalk_grab"]["effect"]
    if rules["airwalk_reveal"] and "airwalk_grab" in rows and rows["airwalk_grab"]["effect"] == printed:
        rows["airwalk_grab"] = {**rows["airwalk_grab"], "effect": "reveal"}
    return rows


def deck_record(rows: Rows) -> np.ndarray:
    """What everybody knows of the deck, as the kernel reads it; an array of one record."""
    deck = np.zeros(1, DECK_DTYPE)
    record, order = deck[0], card_order(rows)
    record["card_types"] = len(order)
    record["dangers"] = (1 << COLOURS) - 1 | BROKEN_BIT
    record["cards"] = card_records(rows)
    record["last_reward"] = next(
        i for i, row in enumerate(order) if rows[row]["kind"] == "last_reward" and rows[row]["copies"]
    )
    for number, row in enumerate(order):
        cells = rows[row]
        if cells["kind"] == "trick":
            record["copies"][number] = cells["copies"]
            record["classes"][int(cells["broken"])] += record["cards"]["one"][number] * np.uint64(cells["copies"])
    return deck


def slots_record(rows: Rows, rounds: int) -> np.ndarray:
    """The physical cards as the kernel reads them, an array of one record.

    A printed card keeps its slots whatever is edited, so that an edit moves no other card's luck: copies taken
    away leave holes, copies added come after all printed ones.
    """
    result = np.zeros(1, SLOTS_DTYPE)
    record, order = result[0], card_order(rows)
    slots = _slots(rows, "trick")
    for slot, row in enumerate(slots):
        if row is not None:
            record["card"][slot] = order.index(row)
            record["urn"][slot // 64] |= np.uint64(1 << (slot % 64))
            record["urn_size"] += 1
    record["first_reward"] = len(slots)
    record["slot_bits"] = max(7, (len(slots) + rounds - 1 + _number_given(rows)).bit_length())
    legends = _slots(rows, "legendary")
    for row, cells in rows.items():
        if cells["given_to"]:  # its last copy is not among those that the reward pile is made of
            legends[len(legends) - 1 - legends[::-1].index(row)] = None
    for slot, row in enumerate(legends):
        if row is not None:
            record["legend_card"][slot] = order.index(row)
            record["legend_urn"][0] |= np.uint64(1 << slot)
            record["legend_urn_size"] += 1
    record["legend_bits"] = max(4, (len(legends) - 1).bit_length())
    return result


def _slots(rows: Rows, kind: str) -> list[str | None]:
    """Card of each physical slot of a deck, None for a hole."""
    slots: list[str | None] = []
    extra: list[str | None] = []
    for row, printed in TABLE.rows.items():
        if printed["kind"] != kind:
            continue
        copies = rows[row]["copies"] if row in rows and rows[row]["kind"] == kind else 0
        slots += [row if i < copies else None for i in range(printed["copies"])]
        extra += [row] * max(0, copies - printed["copies"])
    for row, cells in rows.items():
        if cells["kind"] == kind and (row not in TABLE.rows or TABLE.rows[row]["kind"] != kind):
            extra += [row] * cells["copies"]
    return slots + extra
