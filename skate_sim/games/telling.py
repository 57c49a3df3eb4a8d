"""How a game is shown to people: faces of its cards, positions with their risks, and games worth telling.

A game that declares a :class:`Telling` gets illustrated transcripts; all words and colours in them are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from skate_sim.games import Resolved


@dataclass(frozen=True)
class Symbol:
    """A small sign on a face: what it says aloud, and its outline as an SVG path in a box of 24 by 24."""

    name: str
    path: str


@dataclass(frozen=True)
class Face:
    """How a row of a table looks as a card.

    Attributes
    ----------
    name : str
        What it is called.
    words : str
        All that the picture says, for those who cannot see it.
    value, corner : str
        The large number, and the letter in a corner that tells colours apart without colour.
    fill, ink : str
        Colours as ``#rrggbb``; their contrast is 4.5 or more.
    symbols : tuple of Symbol
        Up to four.
    """

    name: str
    words: str
    value: str
    corner: str
    fill: str
    ink: str
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True)
class Option:
    """An answer that a seat could give: in words, the rows it is about, and the chance that it ends badly.

    ``row`` is None for no card and "" for a card that lies face down; ``risk`` None where the answer bears none.
    """

    answer: int
    text: str
    row: str | None = None
    risk: float | None = None


@dataclass(frozen=True)
class Position:
    """What a seat looks at when it is asked.

    Attributes
    ----------
    table : str
        Table that the rows are of.
    groups : mapping of str to tuple of str
        Cards that lie together, by the name of the place.
    note : str
        What else matters, such as the points at stake.
    options : tuple of Option
    """

    table: str
    groups: Mapping[str, tuple[str, ...]]
    note: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Searched:
    """Rows of the games that were searched for those worth telling.

    Attributes
    ----------
    entries : int array, (games, seats)
        Bot in each seat.
    seat_columns : mapping of str to int array, (games, seats)
        Outcomes of seats by name; along an axis, the name ends in the place, as ``points_1``.
    game_columns : mapping of str to int array, (games,)
    counts : mapping of str to uint8 array, (games, entries, rows, events)
        Ledgers by name; the last axis has the ledger's events.
    win_shares : float array, (entries,)
        Of each bot over the whole run.
    """

    resolved: Resolved
    entries: np.ndarray
    seat_columns: Mapping[str, np.ndarray]
    game_columns: Mapping[str, np.ndarray]
    counts: Mapping[str, np.ndarray]
    win_shares: np.ndarray

    def along(self, outcome: str, axis: str) -> np.ndarray:
        """An outcome along an axis: int array, (games, seats, places)."""
        places = range(1, self.resolved.axes[axis] + 1)
        return np.stack([self.seat_columns[f"{outcome}_{place}"] for place in places], axis=2)

    def seen(self, ledger: str, row: str, event: str) -> np.ndarray:
        """How often each bot met an event of a ledger's row: int array, (games, entries); zeros without the row."""
        declared = next(x for x in self.resolved.game.ledgers if x.name == ledger)
        rows = declared.rows(self.resolved)
        if row not in rows:
            return np.zeros(self.counts[ledger].shape[:2], int)
        return np.asarray(self.counts[ledger][:, :, rows[row], list(declared.events).index(event)], int)


@dataclass(frozen=True)
class Notable:
    """A game worth telling.

    Attributes
    ----------
    rank : function
        How much each searched game is it: float array, (games,); -inf for a game that is not. The first of the
        highest is told.
    """

    name: str
    title: str
    help: str
    rank: Callable[[Searched], np.ndarray]


@dataclass(frozen=True)
class Telling:
    """All that a page needs to tell games.

    Attributes
    ----------
    face : function
        (table, row, resolved) -> Face.
    position : function
        (view, decision number, resolved) -> Position, or None where a question is not worth showing.
    told_so_far : function
        (state) -> number of events that ``Game.tell`` has so far, the end aside; to be called while a seat is asked.
    risk_label : str
        What the risk of an option is called.
    mishap : str
        Kind of event that the risk is of.
    """

    face: Callable[[str, str, Resolved], Face]
    position: Callable[[Any, int, Resolved], Position | None]
    told_so_far: Callable[[Any], int]
    risk_label: str
    mishap: str
    notables: tuple[Notable, ...]


def nearest_to_median(numbers: np.ndarray) -> np.ndarray:
    """Rank of games by how near a number is to its median."""
    return np.asarray(-np.abs(numbers - np.median(numbers)), float)


def upset(seen: Searched) -> np.ndarray:
    """Rank of games by how seldom their only winner wins, then by how far it was ahead of the second.

    -inf where several share the victory, or where the bot that wins most won.
    """
    game = seen.resolved.game
    won = seen.seat_columns["win_share"] == game.share_units
    shares = seen.win_shares[seen.entries]
    winner = np.where(won, shares, 0.0).sum(axis=1)
    scores = np.sort(seen.seat_columns[game.score], axis=1)
    ahead = scores[:, -1] - scores[:, -2] if scores.shape[1] > 1 else scores[:, -1]
    surprise = won.any(axis=1) & (winner < shares.max(axis=1))
    return np.asarray(np.where(surprise, -winner + 1e-6 * ahead, -np.inf))
