"""A second, independent engine: the rulebook in plain Python, sentence by sentence.

It shares no code with the package. Fed with the same seed it must tell the same games, event by event; where
the two differ, one of them misreads the rules. Read it beside the rulebook: names and order are the booklet's.
"""

from .bots import random_legal, stop_at_n
from .compare import first_difference
from .game import Game
from .printed import PRESETS, PRINTED, edited_cards

__all__ = [
    "PRESETS",
    "PRINTED",
    "Game",
    "edited_cards",
    "first_difference",
    "random_legal",
    "stop_at_n",
]
