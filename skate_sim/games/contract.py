"""What a game fulfils: :class:`Game`, its rules and data made ready, and the functions that the kernel calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from skate_sim.cache_lines import zero_record
from skate_sim.games.declarations import Decision, EventKind, Ledger, Luck, Outcome, Pieces, Switch, Table, Trait
from skate_sim.games.steps import StepLedger
from skate_sim.games.telling import Telling


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
        from skate_sim.games import load

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
