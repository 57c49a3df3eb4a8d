"""A skater: what lies near one player."""

from __future__ import annotations

from .combo import Combo
from .luck import SeatLuck


class Skater:
    """A player's hand, combo, validated cards and helmets."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.hand: list[tuple[int, str]] = []  # physical card and card id, oldest first
        self.validated: list[tuple[int, str]] = []
        self.helmets = 0
        self.combo: Combo
        self.luck: SeatLuck
        self.standing = False  # still playing this round: neither fallen nor stopped
        self.fallen = False
        self.pending_replays = 0

    def start_round(self, combo: Combo, luck: SeatLuck) -> None:
        """Stand again, with an empty combo."""
        self.combo = combo
        self.luck = luck
        self.standing = True
        self.fallen = False
        self.pending_replays = 0

    def take_from_hand(self, card: str) -> int:
        """Take a card of this kind out of the hand: the one held for longest."""
        held = next(pair for pair in self.hand if pair[1] == card)
        self.hand.remove(held)
        return held[0]
