"""The contract a game fulfils, and how games are found.

A game is a folder here whose package holds one ``GAME``, a :class:`Game`. It declares, each thing once, what
everything outside needs: rules, tables of data, luck, decisions, outcomes, ledgers, events. Nothing outside a
game's folder knows its words; help, tables, figures and documents are made from these declarations.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Protocol

import numpy as np

from skate_sim.cache_lines import zero_record
from skate_sim.games.steps import StepLedger as StepLedger
from skate_sim.games.telling import Telling

#: The game of an experiment that names none.
DEFAULT_GAME = "skate_legend"

#: How a person at the table is called to their face.
YOU = "You"

#: Most seats any game may have; sizes the part of the state that all games share.
MAX_SEATS = 8
#: Most different bots (file and parameters) in one experiment.
MAX_ENTRIES = 64
#: Most numeric parameters of a bot, and most whole numbers it may remember; both records have 8 bytes each.
MAX_PARAMETERS = 16
MAX_MEMO = 16
#: Most kinds of decision of a game.
MAX_DECISIONS = 16

#: An answer is packed of up to so many parts of so many bits.
MAX_PARTS, PART_BITS = 4, 8

#: Answers that a fault lists as legal or not are below this.
MAX_ANSWERS = 128

#: What a batch of games may end with. Anything but FINISHED stops the run with a message.
FINISHED, GUARD_MET, ILLEGAL_ANSWER, BOT_FAILED, IDENTITY_FAILED = range(5)

#: A bot's parameters as the kernel passes them on; the bot reads them under its own names, 8 bytes each.
PARAMS_DTYPE = np.dtype([("words", np.int64, (MAX_PARAMETERS,))], align=True)

ENTRY_DTYPE = np.dtype(
    [
        ("hooks", np.int64, (MAX_DECISIONS,)),  # address of the compiled hook; 0: ``fixed``, or the game's default
        ("fixed", np.int64, (MAX_DECISIONS,)),  # the only answer it has, if ``is_fixed``
        ("is_fixed", np.uint8, (MAX_DECISIONS,)),
        ("params", PARAMS_DTYPE),
        ("no_luck", np.int64),  # 1: none of its hooks takes the bot's luck, which then need not be made
    ],
    align=True,
)

#: The part of a game's state record that every game has, under the name ``engine``.
ENGINE_DTYPE = np.dtype(
    [
        ("seats", np.int64),
        ("game_key", np.uint64),
        ("seat_entry", np.uint8, (MAX_SEATS,)),
        ("status", np.int64),
        ("fault_seat", np.int64),
        ("fault_decision", np.int64),
        ("fault_answer", np.int64),
        ("fault_question", np.int64),  # number of the question in the game, from 1
        ("fault_legal", np.uint8, (MAX_ANSWERS,)),  # which answers would have been legal
        ("questions", np.int64),
        ("log_on", np.int64),
        ("log_size", np.int64),
        ("entries", ENTRY_DTYPE, (MAX_ENTRIES,)),
    ],
    align=True,
)

#: What one seat remembers during a game: whole numbers, zeroed when a game starts.
MEMO_DTYPE = np.dtype([("words", np.int64, (MAX_MEMO,))], align=True)


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


@dataclass(frozen=True, eq=False)
class Resolved:
    """Rules and data of one variant of a game, checked and complete, for a number of seats.

    Attributes
    ----------
    rules : dict
        Every switch with its resolved value.
    tables : dict of dict of dict
        ``tables[table][row][column]``, edits applied.
    setup : numpy.record
        The same as the kernel reads it.
    axes : dict
        Length of each axis of outcomes, such as ``{"round": 4}``.
    changes : dict
        What differs from the preset, as ``{"rules.rounds": (4, 3), "cards.ollie.points": (1, 2)}``.
    """

    game: Game
    seats: int
    preset: str
    rules: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, Mapping[str, Any]]]
    setup: Any
    axes: Mapping[str, int]
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)


class PlayBatch(Protocol):
    """Plays games ``first`` to ``first + count - 1`` and writes a row for each; returns how many finished.

    Parameters
    ----------
    states : array of one record of ``Game.state_dtype``
        Scratch with ``setup`` and ``engine.entries`` filled in; one a thread. An array, as numba takes ten times as
        long to take in a record.
    seed : uint64
    first, count : int
        Game numbers. Game ``g`` seats the bots as ``lineups[g % len(lineups)]``.
    lineups : uint8 array, (lineups, MAX_SEATS)
        Entry number by seat.
    seat_rows : int32 array, (count or more, seats, seat columns)
    game_rows : int32 array, (count or more, game columns)
    ledger : int64 array, (entries, ledger cells)
        All ledgers side by side, each flattened as (row, events then win shares), then the step ledgers, each
        flattened as (steps, endings); added to.
    """

    def __call__(  # noqa: D102
        self,
        states: np.ndarray,
        seed: np.uint64,
        first: int,
        count: int,
        lineups: np.ndarray,
        seat_rows: np.ndarray,
        game_rows: np.ndarray,
        ledger: np.ndarray,
    ) -> int: ...


class Redeal(Protocol):
    """Draws anew, in place, all that is hidden from a seat, so that the state looks the same to it as before.

    To be called while the seat is being asked. Afterwards every record of its view, and its memory and luck, have
    the same bytes; what it cannot know is one of the possibilities, each as likely as the rules make it: what the
    others hold, what lies face down, and all luck to come. What the others remember is forgotten, since it may
    tell what they hold. What has been written down about the game so far (outcomes, ledgers, events) stays.

    It serves to test that a bot cannot peek, and bots that try out what might be.

    Parameters
    ----------
    state : record of ``Game.state_dtype``
    seat : int
    key : uint64
        Key of the stream that decides: same state, seat and key, same result.
    """

    def __call__(self, state: Any, seat: int, key: np.uint64) -> None: ...  # noqa: D102


@dataclass(frozen=True)
class Display:
    """What a person is shown of a game that is being played: functions of a view, not compiled.

    Attributes
    ----------
    risk : function
        ``(view, decision number, answer)`` to the exact chance that a legal answer costs the seat its turn at once;
        not a number for decisions that risk nothing.
    risk_word : str
        What that chance is called.
    score : function
        ``(view, seat)`` to the points of a seat if the game ended now.
    position : function
        ``(view, names by seat, resolved)`` to what the seat sees, as pairs of a heading and a line.
    question, answer : function
        ``(view, decision number, resolved)`` and ``(view, decision number, answer, resolved)`` to plain words.
    heard : function
        ``(event, who, seat, resolved)`` to an event in plain words, without what is hidden from a seat; in the second
        person where ``who`` is ``YOU``. It is given the setup, too.
    keys : function
        ``(view, decision number, answer)`` to what a person types for a legal answer, as strings; the first is shown.
        The same answer has the same keys whatever else is legal.
    styles : function
        ``resolved`` to words and the rich styles that they are written in, such as cards' names in their colours.
    default : function
        ``(view, decision number)`` to the answer of a bot that leaves the decision to the game.
    """

    risk: Callable[..., float]
    risk_word: str
    score: Callable[..., int]
    position: Callable[..., list[tuple[str, str]]]
    question: Callable[..., str]
    answer: Callable[..., str]
    heard: Callable[..., str]
    keys: Callable[..., tuple[str, ...]]
    styles: Callable[..., Mapping[str, str]]
    default: Callable[..., int]


@dataclass(frozen=True, eq=False)
class Game:
    """Everything a game tells the rest of the package."""

    name: str
    title: str
    description: str
    behaviour_version: int
    notice: str  # printed with every result when not empty
    seats: frozenset[int]
    default_seats: int
    symmetric_seats: bool
    share_units: int  # least common multiple of the possible ties
    headlines: Mapping[int, str]  # the outcome to rank by, for each number of seats
    score: str  # the outcome whose distribution is shown
    seat_word: str
    score_word: str
    presets: Mapping[str, str]  # name: what it follows
    default_preset: str
    switches: tuple[Switch, ...]
    tables: tuple[Table, ...]
    luck: tuple[Luck, ...]
    decisions: tuple[Decision, ...]
    traits: tuple[Trait, ...]
    outcomes: tuple[Outcome, ...]
    ledgers: tuple[Ledger, ...]
    events: tuple[EventKind, ...]
    axes: Mapping[str, str]  # axis: its plain name

    resolve: Callable[..., Resolved]  # (game, seats, preset, rules, edits) -> Resolved
    state_dtype: np.dtype
    view_parts: Mapping[str, np.dtype]  # the records a bot's view is made of, in the order of the call
    make_view: Callable[..., Any]  # compiled: (parts in that order) -> view
    view_fields: tuple[str, ...]  # what a view is made of, as a bot names it
    is_legal: Callable[..., Any]  # compiled: (view, decision number, answer) -> whether the answer is allowed
    play_batch: PlayBatch
    redeal: Redeal
    tell: Callable[..., Any]  # (state, resolved) -> events (dicts) of the game just played with the log on
    sentence: Callable[..., str]  # (event, who, resolved) -> the event in plain words
    answer_text: Callable[..., str]  # (decision, answer, resolved) -> the answer in plain words
    step_ledgers: tuple[StepLedger, ...] = ()
    pieces: Pieces | None = None  # a table whose rows can be given, made blank and taken away, if there is one
    telling: Telling | None = None  # how games are illustrated; without it they are told in words alone
    display: Display | None = None  # without one, a game is told but not shown move by move

    def usual_seats(self, bots: int) -> int:
        """Seats of a table that is filled from a pool of so many bots, when nobody says how many."""
        return min(bots, self.default_seats)

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """A game travels to another process by name and is loaded there."""
        return load, (self.name,)

    def ranks(self, seats: int) -> bool:
        """Whether bots can be ranked and mirror matches checked at a table: not when somebody plays alone."""
        return seats > 1

    @property
    def every_ledger(self) -> list[Ledger | StepLedger]:
        """Ledgers and step ledgers, in the order in which their cells lie side by side."""
        return [*self.ledgers, *self.step_ledgers]

    def ledger_place(self, ledger: Ledger | StepLedger) -> slice:
        """Where the cells of a ledger are among those of all."""
        every = self.every_ledger
        first = sum(other.cells for other in every[: every.index(ledger)])
        return slice(first, first + ledger.cells)

    def outcome(self, name: str) -> Outcome:
        """The outcome with this name."""
        return next(o for o in self.outcomes if o.name == name)

    def decision_names(self) -> tuple[str, ...]:
        """Names of the decisions; the position is the decision's number."""
        return tuple(d.name for d in self.decisions)

    def new_state(self, resolved: Resolved) -> np.ndarray:
        """A fresh state record (an array of one) for a thread, set up for a variant."""
        state = zero_record(self.state_dtype).view(np.recarray)
        state[0].setup = resolved.setup
        state[0].engine.seats = resolved.seats
        return state


@dataclass(frozen=True)
class RowColumn:
    """One column of the per-game rows: an outcome, and its place along the outcome's axis (from 1), if any."""

    outcome: Outcome
    index: int | None = None

    @property
    def name(self) -> str:
        """Name that is unique among the columns of a level."""
        return self.outcome.name if self.index is None else f"{self.outcome.name}_{self.index}"


def row_columns(resolved: Resolved, level: str) -> tuple[RowColumn, ...]:
    """Columns of the rows of a level, in the order in which the kernel writes them.

    First the plain outcomes, then those with an axis, each in the order of declaration.
    """
    chosen = [o for o in resolved.game.outcomes if o.level == level]
    plain = [RowColumn(o) for o in chosen if o.axis is None]
    along = [RowColumn(o, i + 1) for o in chosen if o.axis is not None for i in range(resolved.axes[o.axis])]
    return tuple(plain + along)


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
