"""Answers every question with one of the legal answers, each equally likely."""

from skate_sim import random_below
from skate_sim.games.skate_legend import (
    ACT,
    DRAW_FROM,
    HAND,
    PILE_1,
    PILE_2,
    REVEAL_TOP,
    STOP,
    is_legal,
)

traits = {"deterministic": False}


def act(view, luck):
    last = HAND + view.deck.card_types
    return pick(view, luck, ACT, STOP, last)


def helmet(view, luck):
    return random_below(luck, 2) == 1


def draw(view, luck):
    return pick(view, luck, DRAW_FROM, PILE_1, PILE_2)


def reveal(view, luck):
    return pick(view, luck, REVEAL_TOP, PILE_1, PILE_2)


def pick(view, luck, decision, first, last):
    """One of the legal answers from first to last."""
    count = 0
    for answer in range(first, last + 1):
        count += is_legal(view, decision, answer)
    n = random_below(luck, count)
    for answer in range(first, last + 1):
        if is_legal(view, decision, answer):
            if n == 0:
                return answer
            n -= 1
    return first
