"""The cards of a game, as its setup line declares them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from . import readings
from .script import Event

#: The four colours that can make a skater fall. Grey is colourless (rulebook, "Components").
COLOURS = ("blue", "yellow", "red", "green")
GREY = "grey"

CHOICES = {
    "kind": ("trick", "legendary", "last_reward"),
    "colour": (*COLOURS, GREY),
    "effect": ("none", "draw", "reveal", "replay"),
}


@dataclass(frozen=True, eq=False)
class Card:
    """What is printed on a card; ``needs_...`` are the least numbers that its condition asks of the combo."""

    id: str
    name: str
    kind: str
    colour: str
    points: int
    broken: bool
    effect: str
    times: int
    needs_cards: int
    needs_blue: int
    needs_yellow: int
    needs_red: int
    needs_green: int
    needs_colours: int
    needs_broken: int
    needs_same_colour: int
    copies: int


#: Columns of the table of cards, with the names of their types.
COLUMNS = {field.name: str(field.type) for field in fields(Card) if field.name != "id"}


def read_cards(setup: Event) -> dict[str, Card]:
    """The cards by id, once their cells are known to be sound."""
    rule = readings.CARDS
    cards = {}
    for id, cells in setup["cards"].items():
        if type(cells) is dict:
            setup.insist(cells.get("given_to", 0) == 0, rule, f"{id} is given to a seat, which no rule knows")
            cells = {name: cell for name, cell in cells.items() if name not in ("given_to", "given_in")}
        if type(cells) is not dict or cells.keys() != COLUMNS.keys():
            raise setup.foul(rule, f"columns of {id} are {sorted(COLUMNS)}")
        for name, cell in cells.items():
            if not _is_allowed(name, COLUMNS[name], cell):
                raise setup.foul(rule, f"{name} of {id} cannot be {cell!r}")
        cards[id] = Card(id, **cells)
    last_rewards = sum(card.copies for card in cards.values() if card.kind == "last_reward")
    setup.insist(last_rewards == 1, rule, f"{last_rewards} cards are the last reward")
    return cards


def _is_allowed(name: str, type_name: str, cell: object) -> bool:
    if type(cell).__name__ != type_name:
        return False
    if name in CHOICES:
        return cell in CHOICES[name]
    return not isinstance(cell, int) or name == "points" or cell >= (1 if name == "times" else 0)
