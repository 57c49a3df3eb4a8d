"""A combo: when it falls, what a helmet does for it, and which conditions it meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .cards import COLOURS, GREY, Card
from .switches import Switches


@dataclass
class Combo:
    """The cards in front of a skater, in the order in which they were played."""

    cards: list[Card] = field(default_factory=list)
    helmet: str | None = None
    """The colour that a helmet has neutralised."""

    def fall_reason(self, rules: Switches) -> str | None:
        """Rulebook, "Do a Trick": 3 broken skateboards, or 3 cards of a colour without a helmet on it."""
        dangerous = (*COLOURS, GREY) if rules.grey_can_fall else COLOURS
        counts = Counter([card.colour for card in self.cards])
        by_colour = any(counts[colour] >= 3 for colour in dangerous if colour != self.helmet)
        by_broken = count_broken(self.cards) >= 3
        if by_colour and by_broken:
            return "both"
        return "colour" if by_colour else "broken" if by_broken else None

    def helmet_refusal(self, rules: Switches) -> str | None:
        """Why the card just played cannot take a helmet (reading 8), or None if it can."""
        colour = self.cards[-1].colour
        if self.helmet is not None:
            return "one helmet per combo"
        if colour == GREY and not rules.grey_can_fall:
            return "a grey card takes no helmet"
        if count_colour(self.cards, colour) < rules.helmet_min_same_color:
            return f"fewer than {rules.helmet_min_same_color} {colour} cards in the combo"
        return None


def count_colour(cards: Sequence[Card], colour: str) -> int:
    """Cards of a colour."""
    return [card.colour for card in cards].count(colour)


def count_broken(cards: Sequence[Card]) -> int:
    """Cards with a broken skateboard."""
    return [card.broken for card in cards].count(True)


def meets_condition(card: Card, combo: Sequence[Card], rules: Switches) -> bool:
    """Whether a combo has what a card asks for; the card itself counts (rulebook, "Legendary Tricks")."""
    colours = (*COLOURS, GREY) if rules.grey_counts_as_color else COLOURS
    counts = [count_colour(combo, colour) for colour in colours]
    total = len(combo) if rules.grey_counts_in_card_total else len(combo) - count_colour(combo, GREY)
    return (
        total >= card.needs_cards
        and count_colour(combo, "blue") >= card.needs_blue
        and count_colour(combo, "yellow") >= card.needs_yellow
        and count_colour(combo, "red") >= card.needs_red
        and count_colour(combo, "green") >= card.needs_green
        and sum(count > 0 for count in counts) >= card.needs_colours
        and count_broken(combo) >= card.needs_broken
        and max(counts) >= card.needs_same_colour
    )
