"""A combo: when it falls, where a helmet may go, and which Legendaries meet their condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

COLOURS = ("blue", "yellow", "green", "red")


class Combo:
    """The cards that a skater has placed in front of him during this round."""

    def __init__(self, cards: Mapping[str, Mapping[str, Any]], rules: Mapping[str, Any]) -> None:
        self.table = cards
        self.rules = rules
        self.cards: list[tuple[int, str]] = []  # physical card and card id, in the order of play
        self.colours: Counter[str] = Counter()  # cards of each colour, grey among them
        self.broken = 0  # Broken Skateboard symbols across all the cards
        self.helmet: str | None = None  # colour of the card that bears one

    def add(self, slot: int, card: str) -> None:
        """Place a card after the others."""
        self.cards.append((slot, card))
        self.colours[self.table[card]["colour"]] += 1
        self.broken += self.table[card]["broken"]

    @property
    def ids(self) -> list[str]:
        """Card ids in the order of play."""
        return [card for _, card in self.cards]

    def can_fall_by(self, colour: str) -> bool:
        """Whether cards of this colour can make anyone fall: grey only by the switch."""
        return colour in COLOURS or self.rules["grey_can_fall"]

    def fall_reason(self) -> str | None:
        """What makes the skater fall: 3 Broken Skateboard symbols, 3 cards of the same colour, or both."""
        by_broken = self.broken >= 3
        by_colour = any(n >= 3 and c != self.helmet and self.can_fall_by(c) for c, n in self.colours.items())
        if by_broken and by_colour:
            return "both"
        return "broken" if by_broken else "colour" if by_colour else None

    def takes_helmet(self) -> bool:
        """Whether a helmet may be placed on the card just played."""
        colour = self.table[self.cards[-1][1]]["colour"]
        enough = self.colours[colour] >= self.rules["helmet_min_same_color"]
        return self.helmet is None and self.can_fall_by(colour) and enough

    def gathered(self) -> dict[str, int]:
        """What the whole combo offers to each kind of condition, unmet Legendaries included."""
        grey = self.colours["grey"]
        for_colours = {c: n for c, n in self.colours.items() if c != "grey" or self.rules["grey_counts_as_color"]}
        return {
            "needs_cards": len(self.cards) - (0 if self.rules["grey_counts_in_card_total"] else grey),
            **{f"needs_{colour}": self.colours[colour] for colour in COLOURS},
            "needs_colours": sum(n > 0 for n in for_colours.values()),
            "needs_broken": self.broken,
            "needs_same_colour": max(for_colours.values(), default=0),
        }

    def sorted_by_condition(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """The cards to validate, and the cards whose condition is not met.

        In print only Legendaries have a condition. A Trick card that an edit gave one is checked in the same way.
        """
        gathered = self.gathered()
        met: list[tuple[int, str]] = []
        unmet: list[tuple[int, str]] = []
        for slot, card in self.cards:
            ok = all(count >= self.table[card][need] for need, count in gathered.items())
            (met if ok else unmet).append((slot, card))
        return met, unmet
