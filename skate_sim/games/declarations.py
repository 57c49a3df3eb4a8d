"""What a game declares of itself, each thing once: data, luck, decisions, outcomes, ledgers, events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from skate_sim.games.records import MAX_PARTS, PART_BITS

if TYPE_CHECKING:
    from skate_sim.games.contract import Resolved


@dataclass(frozen=True)
class Column:
    """One column of a data table: what a cell means and what it may hold."""

    name: str
    kind: Literal["text", "whole", "flag", "choice"]
    help: str
    unit: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    default: Any = None


@dataclass(frozen=True)
class Table:
    """A named table of a game's data. Edits address it as ``table.row.column``.

    ``rows`` maps each row's id to its cells (column name to value); the order of rows is kept.
    """

    name: str
    help: str
    columns: tuple[Column, ...]
    rows: Mapping[str, Mapping[str, Any]]
    capacity: int
    provenance: str  # "rulebook", "deduced" or "assumed"


@dataclass(frozen=True)
class Switch:
    """One rule that may be played in more than one way."""

    name: str
    help: str
    kind: Literal["flag", "choice", "whole"]
    presets: Mapping[str, Any]  # value by preset
    choices: tuple[str, ...] = ()  # for "choice"; for "whole" the words that stand for a number, as "unlimited"
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Luck:
    """A source of luck, and what its key is made of besides the game."""

    name: str
    help: str
    key: tuple[str, ...] = ()
    private: bool = False  # belongs to one seat


@dataclass(frozen=True)
class AnswerPart:
    """One of the up to four numbers, 0 to 255 each, that an answer is packed of; see :func:`pack_answer`."""

    name: str
    help: str
    high: int  # from 0


@dataclass(frozen=True)
class Decision:
    """A kind of question that a bot may be asked.

    ``default`` says in words what happens when a bot does not answer it; ``parts`` what an answer is made of. An
    answer is a whole number below 2**32, 8 bits a part, the first part lowest.
    """

    name: str
    help: str
    default: str
    parts: tuple[AnswerPart, ...]


def pack_answer(*parts: int) -> int:
    """The answer that is made of these parts, up to four of 0 to 255."""
    if len(parts) > MAX_PARTS or any(not 0 <= part < 1 << PART_BITS for part in parts):
        raise ValueError(f"an answer has up to {MAX_PARTS} parts from 0 to {(1 << PART_BITS) - 1}, found {parts}")
    return sum(part << (PART_BITS * place) for place, part in enumerate(parts))


def unpack_answer(answer: int, count: int) -> tuple[int, ...]:
    """The parts of an answer."""
    return tuple(answer >> (PART_BITS * place) & ((1 << PART_BITS) - 1) for place in range(count))


@dataclass(frozen=True)
class Trait:
    """Something that a bot does, be it once in a hundred games, or never does.

    Attributes
    ----------
    help : str
        What a bot with this trait does, as in "stops although nothing could happen".
    shows : function
        Whether an answer shows the trait: a function of (view, decision number, answer), written as bots are.
    """

    name: str
    help: str
    shows: Callable[..., Any]


#: Traits that bots of any game have or not, with what a bot with the trait does.
COMMON_TRAITS: Mapping[str, str] = {
    "deterministic": "Never draws a random number",
    "remembers": "Changes its memory",
}


@dataclass(frozen=True)
class Outcome:
    """A number that every finished game leaves behind.

    Attributes
    ----------
    level : {"seat", "game"}
        Whether each seat has one or the game.
    kind : {"share", "count", "points", "flag", "label"}
        A share is stored in units of ``1 / Game.share_units``; a label as the index into ``labels``.
    low, high : int
        Range of the stored number that its histogram covers; what lies outside goes to an overflow bin.
    axis : str, optional
        The number is repeated along this axis (see ``Game.axes``), such as once a round.
    part_of : str, optional
        Outcome that the parts with the same ``part_of`` add up to.
    histogram : bool
        Whether its distribution is kept, besides sum and sum of squares.
    shown : bool
        Whether the tables on the terminal and in reports have it; files have all outcomes.
    """

    name: str
    level: Literal["seat", "game"]
    kind: Literal["share", "count", "points", "flag", "label"]
    label: str
    help: str
    unit: str = ""
    low: int = 0
    high: int = 0
    axis: str | None = None
    part_of: str | None = None
    histogram: bool = False
    labels: tuple[str, ...] = ()
    shown: bool = False


@dataclass(frozen=True)
class Ledger:
    """Counts of what happened to each row of a table: row x event x seat.

    ``rows`` gives the rows to show, as row id to row number of the array. ``events`` maps an event's name to
    its help text. The last axis of the array has the events in this order, then, for each event, the win share
    (in share units) of the seats that met it, summed.
    """

    name: str
    title: str
    table: str
    capacity: int
    rows: Callable[[Resolved], Mapping[str, int]]
    events: Mapping[str, str]
    value: tuple[str, str]  # event and column of the table: each such event brings that cell's number
    first_event: str  # the event that begins a row's story in a game; rates are per this event

    @property
    def cells(self) -> int:
        """Numbers that the ledger keeps for each entry."""
        return self.capacity * 2 * len(self.events)


@dataclass(frozen=True)
class Pieces:
    """How the rows of a table are given to a seat, made blank and taken away, to measure what each is worth.

    Attributes
    ----------
    word : str
        What a row that can be given is called.
    given_to, given_in : str
        Columns: the seat (from 1, 0 for none) that is given it, and the place along ``axis`` at which.
    can_be_given : function
        Of a row's cells.
    blank, removed : dict of column to value
        Cells of a row that does nothing but be there, and of one that is not there (its luck stays where it was).
    """

    table: str
    word: str
    given_to: str
    given_in: str
    axis: str
    can_be_given: Callable[[Mapping[str, Any]], bool]
    blank: Mapping[str, Any]
    removed: Mapping[str, Any]


@dataclass(frozen=True)
class EventKind:
    """A kind of event in a transcript: its fields, and a sentence to tell it with (``str.format`` style)."""

    name: str
    help: str
    fields: Mapping[str, str]  # field name: what it holds
    sentence: str
