"""A person's seat in a game: answers that are kept in a list, and the game played again from its start with them.

A game is a function of its seed, its number and the answers; so it can be stopped at any question, and taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skate_sim.bot_watch import Question
from skate_sim.games import Display
from skate_sim.moments import Choice, Moment, Reader, events_so_far, watch_moments
from skate_sim.pointers import CRASHED, NO_HOOK
from skate_sim.policy import Bot, BotError
from skate_sim.simulation import Plan


@dataclass(frozen=True)
class Pause:
    """A game that waits for a person's answer.

    Attributes
    ----------
    position : list of (str, str)
        What the seat sees, as headings with a line each.
    hint : Choice or None
        What the bot answers that was asked for advice.
    """

    seat: int
    question: str
    position: list[tuple[str, str]]
    choices: tuple[Choice, ...]
    events: list[dict[str, Any]]
    moments: list[Moment]
    hint: Choice | None = None


@dataclass(frozen=True)
class End:
    """A game that is over."""

    events: list[dict[str, Any]]
    moments: list[Moment]


class _Paused(Exception):  # noqa: N818 (no error)
    """Carries a pause out of the game."""

    def __init__(self, pause: Pause) -> None:
        self.pause = pause


@dataclass
class SeatedGame:
    """A game with one or more seats whose answers come from outside.

    Parameters
    ----------
    plan : Plan
        Of :func:`skate_sim.moments.seated`; the bots in the seats of persons are not asked.
    number : int
    seats : sequence of int
        Seats of persons, from 0.
    names : list of str
        By seat.

    Attributes
    ----------
    answers : list of int
        What was answered so far, in order.
    """

    plan: Plan
    number: int
    seats: Sequence[int]
    names: list[str]
    answers: list[int] = field(default_factory=list)

    @property
    def display(self) -> Display:
        """What the game declares to show."""
        assert self.plan.game.display is not None
        return self.plan.game.display

    def advance(self, adviser: Bot | None = None) -> Pause | End:
        """Play up to the first question that has no answer yet, or to the end.

        ``adviser`` is asked what it would answer there, seeing what that seat sees.

        Raises
        ------
        PlayError
            A bot failed.
        BotError
            The adviser failed.
        """
        reader, moments, given = Reader(self.plan.resolved, self.display), list[Moment](), iter(self.answers)

        def answering(question: Question, state: np.ndarray, choices: tuple[Choice, ...]) -> int:
            answer = next(given, None)
            if answer is not None:
                return answer
            view = reader.view(question)
            raise _Paused(
                Pause(
                    question.seat,
                    reader.question(view, question.decision),
                    reader.position(view, self.names),
                    choices,
                    events_so_far(self.plan, state),
                    list(moments),
                    _advice(reader, adviser, question, choices) if adviser else None,
                )
            )

        try:
            events = watch_moments(self.plan, self.number, moments, self.seats, answering)
        except _Paused as paused:
            return paused.pause
        return End(events, moments)


def _advice(reader: Reader, adviser: Bot, question: Question, choices: tuple[Choice, ...]) -> Choice:
    view = reader.view(question)
    default = reader.default(view, question.decision)
    answer = reader.ask(adviser, question)
    if answer == CRASHED:
        raise BotError(f"bot {adviser.full_name} raised an exception when it was asked for a hint")
    meant = default if answer == NO_HOOK else answer
    found = next((choice for choice in choices if choice.answer == meant), None)
    if found is None:
        raise BotError(f"bot {adviser.full_name} gave {meant} as a hint, which is not legal here")
    return found
