"""The contract a game fulfils, and how games are found.

A game is a folder here whose package holds one ``GAME``, a :class:`Game`. It declares, each thing once, what
everything outside needs: rules, tables of data, luck, decisions, outcomes, ledgers, events. Nothing outside a
game's folder knows its words; help, tables, figures and documents are made from these declarations. All names of the
contract are imported from here.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Any

from skate_sim.games.contract import Display, Game, PlayBatch, Redeal, Resolved, RowColumn, row_columns
from skate_sim.games.declarations import (
    COMMON_TRAITS,
    AnswerPart,
    Column,
    Decision,
    EventKind,
    Ledger,
    Luck,
    Outcome,
    Pieces,
    Switch,
    Table,
    Trait,
    pack_answer,
    unpack_answer,
)
from skate_sim.games.records import (
    BOT_FAILED,
    ENGINE_DTYPE,
    ENTRY_DTYPE,
    FINISHED,
    GUARD_MET,
    IDENTITY_FAILED,
    ILLEGAL_ANSWER,
    MAX_ANSWERS,
    MAX_DECISIONS,
    MAX_ENTRIES,
    MAX_MEMO,
    MAX_PARAMETERS,
    MAX_PARTS,
    MAX_SEATS,
    MEMO_DTYPE,
    PARAMS_DTYPE,
    PART_BITS,
)
from skate_sim.games.steps import StepLedger

__all__ = [
    "BOT_FAILED",
    "COMMON_TRAITS",
    "DEFAULT_GAME",
    "ENGINE_DTYPE",
    "ENTRY_DTYPE",
    "FINISHED",
    "GUARD_MET",
    "IDENTITY_FAILED",
    "ILLEGAL_ANSWER",
    "MAX_ANSWERS",
    "MAX_DECISIONS",
    "MAX_ENTRIES",
    "MAX_MEMO",
    "MAX_PARAMETERS",
    "MAX_PARTS",
    "MAX_SEATS",
    "MEMO_DTYPE",
    "PARAMS_DTYPE",
    "PART_BITS",
    "YOU",
    "AnswerPart",
    "Column",
    "ContentError",
    "Decision",
    "Display",
    "EventKind",
    "Game",
    "Ledger",
    "Luck",
    "Outcome",
    "Pieces",
    "PlayBatch",
    "Redeal",
    "Resolved",
    "RowColumn",
    "StepLedger",
    "Switch",
    "Table",
    "Trait",
    "choices_text",
    "load",
    "names",
    "pack_answer",
    "row_columns",
    "unpack_answer",
]

#: The game of an experiment that names none.
DEFAULT_GAME = "skate_legend"

#: How a person at the table is called to their face.
YOU = "You"


class ContentError(ValueError):
    """Something in an experiment is not possible in the game: rules, data or seats.

    Parameters
    ----------
    where : tuple of str
        Path of keys to the culprit, as an experiment file spells it, such as ``("edits", "cards.ollie.colour")``.
    message : str
        What was found, and what would be valid.
    """

    def __init__(self, where: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.where = where
        self.message = message


@cache
def names() -> tuple[str, ...]:
    """Names of all games, found by folder."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg))


@cache
def load(name: str) -> Game:
    """The game with this name.

    Raises
    ------
    ContentError
        No such game; the message names the nearest.
    """
    if name not in names():
        raise ContentError(("game",), f"no game {name!r}; {choices_text(name, names())}")
    game: Game = importlib.import_module(f"{__name__}.{name}").GAME
    return game


def choices_text(found: object, valid: Any) -> str:
    """Sentence for an error: the nearest valid name, or all of them."""
    options = [str(v) for v in valid]
    near = difflib.get_close_matches(str(found), options, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}? Valid: {', '.join(options)}"
    return f"valid: {', '.join(options)}"
