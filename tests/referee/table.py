"""Everything that lies on the table, and how the setup lays it out."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from . import readings
from .cards import Card, read_cards
from .combo import Combo
from .draw_piles import DrawPiles, halves
from .script import Event, Script
from .switches import Switches, read_switches


@dataclass
class Skater:
    """What lies in front of a skater and in his hand."""

    hand: Counter[Card]
    combo: Combo = field(default_factory=Combo)
    helmets: int = 0
    validated: list[Card] = field(default_factory=list)
    status: str = "standing"
    """In this round: ``standing``, ``stopped`` or ``fallen``."""


@dataclass
class Table:
    """The whole table."""

    rules: Switches
    skaters: list[Skater]
    draw_piles: DrawPiles
    rewards: list[Card]
    supply: float
    """Helmet tokens left; infinite if unlimited."""
    box: Counter[Card] = field(default_factory=Counter)
    """Legendaries out of the game."""

    @property
    def standing(self) -> list[int]:
        """Seats still standing."""
        return [seat for seat, skater in enumerate(self.skaters) if skater.status == "standing"]

    def discard(self, card: Card) -> None:
        """A fallen, unmet or lost card: Tricks to the discard pile, Legendaries per switch (readings 7, 12, 14)."""
        to_box = card.kind != "trick" and self.rules.discarded_legendaries == "box"
        (self.box if to_box else self.draw_piles.discard_pile)[card] += 1

    def census(self) -> Counter[Card]:
        """Every card in the game between two rounds; it stays the same from the first line to the last."""
        everywhere = self.draw_piles.census() + self.box + Counter(self.rewards)
        for skater in self.skaters:
            everywhere += skater.hand + Counter(skater.validated)
        return everywhere


def lay_table(setup: Event, script: Script) -> Table:
    """Rulebook, "Setup", and readings 1 to 4."""
    setup.insist(setup.kind == "setup", readings.FORMAT, "the first line is the setup")
    rules, cards = read_switches(setup), read_cards(setup)
    _check_frame(setup, rules, cards)
    deck = Counter({card: card.copies for card in cards.values() if card.kind == "trick"})
    dealt = _cards_by_id(setup, setup["dealt"], cards)
    fits = len(dealt) == len(setup["seats"]) and Counter(dealt) <= deck
    setup.insist(fits, readings.DEAL, f"the deal was {setup['dealt']}")
    rest = deck - Counter(dealt)
    sizes = halves(rest.total())
    setup.insist(setup["piles"] == sizes, readings.TWO_PILES, f"piles of {setup['piles']}, must be {sizes}")
    return Table(
        rules,
        skaters=[Skater(hand=Counter([card])) for card in dealt],
        draw_piles=DrawPiles(script, cards, rest, at_once=rules.reshuffle == "when_emptied"),
        rewards=_reward_pile(setup, rules, cards),
        supply=math.inf if rules.helmet_supply == "unlimited" else int(rules.helmet_supply),
    )


def _check_frame(setup: Event, rules: Switches, cards: dict[str, Card]) -> None:
    setup.insist(setup["game"] == "skate_legend", readings.FORMAT, f"a game of {setup['game']}")
    seats = setup["seats"]
    setup.insist(2 <= len(seats) <= 5, readings.PLAYERS, f"{len(seats)} seats")
    numbers = [seat.get("seat") for seat in seats]
    setup.insist(numbers == list(range(len(seats))), readings.FORMAT, f"seats are numbered {numbers}")
    first = setup["first_seat"]
    setup.insist(0 <= first < len(seats), readings.FIRST_SKATER, f"seat {first} is not in the game")
    if rules.airwalk_reveal and "airwalk_grab" in cards:
        has_effect = cards["airwalk_grab"].effect != "none"
        setup.insist(has_effect, readings.AIRWALK_REVEAL, "Airwalk Grab has no effect")


def _reward_pile(setup: Event, rules: Switches, cards: dict[str, Card]) -> list[Card]:
    """As many rewards as rounds: Legendaries, then Perfect Landing (reading 3)."""
    rewards = _cards_by_id(setup, setup["rewards"], cards)
    kinds = [card.kind for card in rewards]
    due = ["legendary"] * (rules.rounds - 1) + ["last_reward"]
    setup.insist(kinds == due, readings.REWARD_PILE, f"the reward pile is {setup['rewards']}")
    for card, count in Counter(rewards).items():
        setup.insist(count <= card.copies, readings.REWARD_PILE, f"{card.id} is {count} times in the reward pile")
    return rewards


def _cards_by_id(setup: Event, ids: list[str], cards: dict[str, Card]) -> list[Card]:
    for id in ids:
        setup.insist(id in cards, readings.CARDS, f"there is no card {id}")
    return [cards[id] for id in ids]
