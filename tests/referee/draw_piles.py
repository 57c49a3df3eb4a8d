"""The draw piles: their top cards, what may lie face down in them, splits and reshuffles."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from . import readings
from .cards import Card
from .script import Event, Script


@dataclass
class Pile:
    """A draw pile: how many cards, and the top card if it lies face up."""

    size: int
    face_up: Card | None = None


class DrawPiles:
    """Both draw piles and the discard pile, which becomes new draw piles.

    Nobody sees the order of the face-down cards, so a transcript can only be held against what they are: all cards
    of the piles but those that have been seen. `face_down` is that multiset, for both piles together.

    Parameters
    ----------
    script
        The transcript, which must announce every split and every reshuffle.
    cards
        The cards of the game by id.
    deck
        The cards to split into two face-down piles.
    at_once
        Whether to reshuffle as the last card leaves the piles, instead of when the next one is needed.
    """

    def __init__(self, script: Script, cards: dict[str, Card], deck: Counter[Card], at_once: bool) -> None:
        self.script = script
        self.cards = cards
        self.at_once = at_once
        self.face_down = deck
        self.piles = {number: Pile(size) for number, size in enumerate(halves(deck.total()), start=1)}
        self.discard_pile: Counter[Card] = Counter()

    @property
    def sizes(self) -> list[int]:
        """Cards in pile 1 and in pile 2."""
        return [self.piles[1].size, self.piles[2].size]

    @property
    def are_empty(self) -> bool:
        """Whether no card is left in either pile."""
        return self.sizes == [0, 0]

    @property
    def can_give(self) -> bool:
        """Whether a card can be had, perhaps after a reshuffle."""
        return not self.are_empty or bool(self.discard_pile)

    @property
    def can_reveal(self) -> bool:
        """Whether some pile has its top card face down."""
        return any(pile.size > 0 and pile.face_up is None for pile in self.piles.values())

    def take_top(self, event: Event, number: int) -> Card:
        """The top card of a pile: the one that lies there face up, or one that nobody has seen yet."""
        pile = self._pile(event, number)
        is_face_up = pile.face_up is not None
        about_flag = f"face_up is {event['face_up']} for the top of pile {number}"
        event.insist(event["face_up"] == is_face_up, readings.FACE_UP, about_flag)
        if pile.face_up is None:
            card = self._turn_over(event)
        else:
            card = pile.face_up
            event.insist(event["card"] == card.id, readings.FACE_UP, f"the face-up top of pile {number} is {card.id}")
        pile.size -= 1
        pile.face_up = None
        return card

    def turn_top(self, event: Event, number: int) -> None:
        """Reveal: the top card of a pile is turned face up, and stays so until it is taken."""
        pile = self._pile(event, number)
        event.insist(pile.face_up is None, readings.REVEAL, f"the top card of pile {number} is face up already")
        pile.face_up = self._turn_over(event)

    def after_taking(self, number: int) -> None:
        """A card has left a pile: split the other pile if it was the last one (reading 17), or reshuffle at once."""
        pile, other = self.piles[number], self.piles[3 - number]
        if pile.size == 0 and other.size >= 2:
            event = self.script.due("split", None, readings.SPLIT)
            pile.size, other.size = halves(other.size)  # the top part, rounded down, stays with its face-up card
            event.insist(event["pile"] == number, readings.SPLIT, f"it is pile {number} that had become empty")
            self._check_sizes(event, readings.SPLIT)
        elif self.at_once:
            self.reshuffle_if_needed()

    def reshuffle_if_needed(self) -> None:
        """A card is wanted: if both piles are empty, the discard pile must become the new ones (reading 18)."""
        if self.are_empty and self.discard_pile:
            self.reshuffle()

    def reshuffle(self) -> None:
        """The discard pile becomes two face-down piles."""
        event = self.script.due("reshuffle", None, readings.RESHUFFLE)
        event.insist(self.are_empty, readings.RESHUFFLE, "reshuffled while a pile has cards")
        event.insist(bool(self.discard_pile), readings.RESHUFFLE, "reshuffled without a discard pile")
        self.face_down, self.discard_pile = self.discard_pile, Counter()
        self.piles[1].size, self.piles[2].size = halves(self.face_down.total())
        self._check_sizes(event, readings.RESHUFFLE)

    def census(self) -> Counter[Card]:
        """All cards in the piles and in the discard pile."""
        face_up = [pile.face_up for pile in self.piles.values() if pile.face_up is not None]
        return self.face_down + self.discard_pile + Counter(face_up)

    def _pile(self, event: Event, number: int) -> Pile:
        """A pile that has a card."""
        event.insist(number in self.piles, readings.SOURCE, f"there is no pile {number}")
        rule = readings.RESHUFFLE if self.are_empty and self.discard_pile else readings.NOTHING_LEFT
        event.insist(self.piles[number].size > 0, rule, f"pile {number} is empty")
        return self.piles[number]

    def _turn_over(self, event: Event) -> Card:
        """A face-down card becomes known: it must be one of those that are still unseen."""
        card = self.cards.get(event["card"])
        if card is None or self.face_down[card] == 0:
            raise event.foul(readings.UNSEEN, f"no {event['card']} can be face down in the piles")
        self.face_down[card] -= 1
        return card

    def _check_sizes(self, event: Event, rule: str) -> None:
        event.insist(event["sizes"] == self.sizes, rule, f"the piles now have {self.sizes}, not {event['sizes']}")


def halves(count: int) -> list[int]:
    """Sizes of the two parts of a pile, the bigger one first (readings 2 and 17)."""
    return [count - count // 2, count // 2]
