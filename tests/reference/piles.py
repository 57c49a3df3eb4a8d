"""The two draw piles and the discard pile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Pile:
    """A draw pile: so many face-down cards, and perhaps a face-up card on top of them."""

    face_down: int = 0
    top: int | None = None

    @property
    def size(self) -> int:
        """Cards in the pile."""
        return self.face_down + (self.top is not None)


class Piles:
    """The two draw piles and the discard pile.

    Nobody knows a face-down card, so all of them lie in one urn, and which one is taken shows as it is taken.

    Parameters
    ----------
    urn : set of int
        The face-down cards, already without those dealt.
    reshuffle : {"when_needed", "when_emptied"}
        The rule switch.
    tell : callable
        Called with the name and the fields of each event.
    """

    def __init__(self, urn: set[int], reshuffle: str, tell: Callable[..., None]) -> None:
        self.urn = urn
        self.discard: set[int] = set()
        self.when_emptied = reshuffle == "when_emptied"
        self.tell = tell
        self.piles = (Pile(), Pile())
        self._form()

    def _form(self) -> None:
        """Split the face-down cards into two piles; pile 1 has the extra card."""
        half = len(self.urn) // 2
        self.piles = (Pile(len(self.urn) - half), Pile(half))

    @property
    def sizes(self) -> list[int]:
        """Cards of pile 1 and of pile 2."""
        return [pile.size for pile in self.piles]

    @property
    def both_empty(self) -> bool:
        """Whether no card is left in the piles."""
        return not any(pile.size for pile in self.piles)

    def open(self) -> list[int]:
        """Piles (1, 2) that can be chosen: those with cards, or that the discard pile would give one."""
        if self.both_empty:
            return [1, 2][: len(self.discard)]
        return [number for number, pile in enumerate(self.piles, 1) if pile.size]

    def face_down_on_top(self) -> list[int]:
        """Piles (1, 2) that can be chosen and whose top card is face down."""
        return [number for number in self.open() if self.piles[number - 1].top is None]

    def take(self, number: int, luck: Callable[[set[int], int], int], slot_bits: int) -> tuple[int, bool]:
        """Take the top card of a pile; also say whether it was face up."""
        self.reshuffle_if_needed()
        pile = self.piles[number - 1]
        if pile.top is not None:
            card, pile.top = pile.top, None
            return card, True
        pile.face_down -= 1
        return luck(self.urn, slot_bits), False

    def reveal(self, number: int, luck: Callable[[set[int], int], int], slot_bits: int) -> int:
        """Turn face up the top card of a pile."""
        self.reshuffle_if_needed()
        pile = self.piles[number - 1]
        pile.face_down -= 1
        pile.top = luck(self.urn, slot_bits)
        return pile.top

    def reshuffle_if_needed(self) -> None:
        """If both draw piles are empty, reshuffle the discard pile and form two new draw piles from it."""
        if self.both_empty:
            self._reshuffle()

    def _reshuffle(self) -> None:
        self.urn |= self.discard
        self.discard.clear()
        self._form()
        self.tell("reshuffle", sizes=self.sizes)

    def after_taking(self, number: int) -> None:
        """Split the other pile if this one became empty; or, by the switch, reshuffle at once if both are empty."""
        pile, other = self.piles[number - 1], self.piles[2 - number]
        if pile.size:
            return
        if other.size >= 2:
            staying = other.size // 2
            pile.face_down = other.size - staying
            other.face_down -= pile.face_down
            self.tell("split", pile=number, sizes=self.sizes)
        elif self.both_empty and self.when_emptied and self.discard:
            self._reshuffle()

    def cards(self) -> list[int]:
        """Every card of the two draw piles and the discard pile."""
        return [*self.urn, *self.discard, *(p.top for p in self.piles if p.top is not None)]
