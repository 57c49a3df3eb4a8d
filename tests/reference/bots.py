"""The reference versions of two bots.

A bot is called with the question ("act", "helmet", "draw" or "reveal"), the legal answers in ascending order,
the number of cards in its combo and its own luck, and returns one of the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .luck import SeatLuck

#: Answers to "act"; a card of the hand is HAND plus its number in the card order.
STOP, PILE_1, PILE_2, HAND = range(4)

#: Answers to "helmet".
NO, YES = 0, 1

Bot = Callable[[str, Sequence[int], int, SeatLuck], int]


def random_legal(question: str, answers: Sequence[int], combo_size: int, luck: SeatLuck) -> int:
    """Answer with one of the legal answers, each equally likely."""
    return answers[luck.below(len(answers))]


def stop_at_n(n: int) -> Bot:
    """Make a bot that stops with n cards, takes from the piles if it can, and never wears a helmet."""

    def bot(question: str, answers: Sequence[int], combo_size: int, luck: SeatLuck) -> int:
        if question != "act":
            return answers[0]
        if STOP in answers and combo_size >= n:
            return STOP
        tricks = [answer for answer in answers if answer != STOP]
        if tricks[0] < HAND or STOP not in answers:
            return tricks[0]
        return STOP

    return bot
