"""A game decision by decision: what each seat was asked, what it risked, what it answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skate_sim.bot_code import compile_bot, parameter_words
from skate_sim.bot_watch import Question, call_compiled, read, record_at, seating_plan, watch_game
from skate_sim.games import MAX_ANSWERS, MEMO_DTYPE, PARAMS_DTYPE, Display, Resolved
from skate_sim.plain_code import plain
from skate_sim.pointers import NO_HOOK
from skate_sim.policy import Bot
from skate_sim.rng import LUCK_DTYPE
from skate_sim.simulation import Plan, new_state, tell_game


@dataclass(frozen=True)
class Choice:
    """A legal answer in words, its exact risk (not a number where nothing is risked), and what is typed for it."""

    answer: int
    text: str
    risk: float
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A decision of a game.

    Attributes
    ----------
    seat : int
        The seat that was asked.
    events : int
        How many events of the transcript, its setup included, came before.
    choices : tuple of Choice
        What it could have answered.
    chosen : Choice or None
        What it answered; None when that was not legal.
    scores : tuple of int
        Points by seat if the game had ended then.
    """

    seat: int
    decision: int
    events: int
    choices: tuple[Choice, ...]
    chosen: Choice | None
    scores: tuple[int, ...]


#: Answers a question, with the state as it is and the legal answers.
Answering = Callable[[Question, np.ndarray, tuple[Choice, ...]], int]


class Reader:
    """Reads questions of the kernel with what its game declares to show."""

    def __init__(self, resolved: Resolved, display: Display) -> None:
        self.resolved = resolved
        game = resolved.game
        self.parts = list(game.view_parts.values())
        self.dtypes = [*self.parts, MEMO_DTYPE, PARAMS_DTYPE, LUCK_DTYPE]
        self._make_view, self._is_legal = plain(game.make_view), plain(game.is_legal)
        self._risk, self._score, self._default = (plain(f) for f in (display.risk, display.score, display.default))
        self._answer, self._question, self._position, self._keys = (
            plain(f) for f in (display.answer, display.question, display.position, display.keys)
        )

    def view(self, question: Question) -> Any:
        """What the seat asked sees, as long as the question stands."""
        return self._make_view(*(record_at(p, d) for p, d in zip(question.places[:-3], self.parts, strict=True)))

    def choices(self, view: Any, decision: int) -> tuple[Choice, ...]:
        """The legal answers."""
        with np.errstate(all="ignore"):  # whole numbers of fixed size may wrap around, as they do when compiled
            legal = [a for a in range(MAX_ANSWERS) if self._is_legal(view, decision, a)]
            return tuple(
                Choice(
                    a,
                    self._answer(view, decision, a, self.resolved),
                    self._risk(view, decision, a),
                    tuple(self._keys(view, decision, a)),
                )
                for a in legal
            )

    def question(self, view: Any, decision: int) -> str:
        """What the seat is asked, in words."""
        return str(self._question(view, decision, self.resolved))

    def position(self, view: Any, names: list[str]) -> list[tuple[str, str]]:
        """What the seat sees, as headings with a line each."""
        with np.errstate(all="ignore"):
            return list(self._position(view, names, self.resolved))

    def scores(self, view: Any) -> tuple[int, ...]:
        """Points of each seat if the game ended now."""
        return tuple(int(self._score(view, seat)) for seat in range(self.resolved.seats))

    def default(self, view: Any, decision: int) -> int:
        """What the game answers for a bot that leaves the decision to it."""
        with np.errstate(all="ignore"):
            return int(self._default(view, decision))

    def ask(self, bot: Bot, question: Question) -> int:
        """What a bot answers in a position; ``NO_HOOK`` when it leaves it to the game.

        It is asked with its own parameters, an empty memory and a copy of the seat's luck; nothing of it stays.
        """
        address = compile_bot(bot.code).addresses.get(question.decision)
        if address is None:
            return NO_HOOK
        memo = np.frombuffer(bytearray(MEMO_DTYPE.itemsize), np.uint8)
        luck = np.frombuffer(bytearray(read(question.places[-1], LUCK_DTYPE.itemsize)), np.uint8)
        params = parameter_words(bot)
        own = tuple(int(array.ctypes.data) for array in (memo, params, luck))
        return call_compiled(address, (*question.places[:-3], *own), self.dtypes)


def seated(plan: Plan, number: int) -> Plan:
    """A game of a plan as a plan of its own, with an entry for each seat; the same game has the same number."""
    bots = [plan.bots[plan.entry_of(number, seat)] for seat in range(plan.resolved.seats)]
    return seating_plan(plan.resolved, bots, plan.seed)


def events_so_far(plan: Plan, state: np.ndarray) -> list[dict[str, Any]]:
    """Events of the game that lies in a state, setup first, without the end."""
    return list(plan.game.tell(state[0], plan.resolved))[:-1]


def watch_moments(
    plan: Plan, number: int, moments: list[Moment], seats: Iterable[int] = (), answering: Answering | None = None
) -> list[dict[str, Any]]:
    """Play a game of a :func:`seated` plan, and write its decisions down in ``moments`` as they are made.

    ``answering`` answers for some seats, the bots for the others. Returns the game's events.

    Raises
    ------
    PlayError
        The game could not be finished.
    Exception
        Whatever ``answering`` raised.
    """
    assert plan.game.display is not None
    reader, state, own = Reader(plan.resolved, plan.game.display), new_state(plan), set(seats)
    state[0].engine.log_on = 1
    for seat in own:
        state[0].engine.entries[seat].no_luck = 0  # a bot that is asked in its place may want some
    addresses = [compile_bot(bot.code).addresses for bot in plan.bots]

    def answer(question: Question) -> int:
        seat, decision = question.seat, question.decision
        view = reader.view(question)
        events, choices, scores = len(events_so_far(plan, state)), reader.choices(view, decision), reader.scores(view)
        default = reader.default(view, decision)  # before a bot is asked, which may change what it remembers
        if seat in own and answering:
            given = answering(question, state, choices)
        elif decision in addresses[seat]:
            given = call_compiled(addresses[seat][decision], question.places, reader.dtypes)
        else:
            given = NO_HOOK
        meant = default if given == NO_HOOK else given
        chosen = next((choice for choice in choices if choice.answer == meant), None)
        moments.append(Moment(seat, decision, events, choices, chosen, scores))
        return given

    watch_game(plan, state, number, range(plan.resolved.seats), answer)
    return list(plan.game.tell(state[0], plan.resolved))


def told_with_moments(plan: Plan, number: int) -> tuple[list[dict[str, Any]], list[Moment]]:
    """A game's events, and its decisions where the game shows them.

    Raises
    ------
    PlayError
        The game could not be finished; ``events`` of the error has what happened until then.
    """
    events = tell_game(plan, number)
    if plan.game.display is None:
        return events, []
    moments: list[Moment] = []
    watch_moments(seated(plan, number), number, moments)
    return events, moments
