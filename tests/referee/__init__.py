"""A stranger's referee: it holds transcripts of Skate Legend against the rulebook, and shares no code with the game.

It plays every game again on a table of its own. Where a skater has a choice it reads the choice from the
transcript and asks whether it was allowed; everything else it works out itself and demands to find it there.

Read in this order: ``game.py`` (rounds, turns, tricks, in the order of the rulebook), ``combo.py`` (falls, helmets,
conditions), ``table.py`` (what lies where, and the setup), ``scoring.py`` (the last line). Names of rules quote a
section of the rulebook, a switch, or a numbered reading of the rules as played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .foul import Foul
from .game import Game

__all__ = ["Foul", "referee"]


def referee(lines: Iterable[str | Mapping[str, Any]]) -> None:
    """Check a transcript from its setup line to its end.

    Parameters
    ----------
    lines
        The lines of the transcript, as JSON or already read.

    Raises
    ------
    Foul
        The first thing that the rules do not allow.
    """
    Game(lines).play()
