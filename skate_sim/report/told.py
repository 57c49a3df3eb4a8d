"""One game told with what each bot looked at when it chose: the kernel's questions, seen as they are asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from skate_sim.bot_code import compile_bot
from skate_sim.bot_watch import Question, call_compiled, record_at, seating_plan, watch_game
from skate_sim.games import MEMO_DTYPE, PARAMS_DTYPE, Game
from skate_sim.games import load as load_game
from skate_sim.games.telling import Position
from skate_sim.plain_code import plain
from skate_sim.pointers import NO_HOOK
from skate_sim.rng import LUCK_DTYPE
from skate_sim.simulation import Plan, new_state, tell_game
from skate_sim.story import seat_names


@dataclass(frozen=True)
class Choice:
    """A question that a seat was asked, and its answer; None when the game's default answered."""

    before: int  # number of the event that came next
    seat: int
    position: Position
    answer: int | None


@dataclass(frozen=True)
class Told:
    """A game: events, the first one its setup and the last one its end, and the choices between them."""

    plan: Plan
    number: int
    names: tuple[str, ...]
    events: tuple[dict[str, Any], ...]
    choices: tuple[Choice, ...]


def tell(plan: Plan, number: int) -> Told:
    """Tell one game of a plan.

    Raises
    ------
    PlayError
        The game could not be finished.
    """
    events = tell_game(plan, number)
    choices = tuple(_watched(plan, number)) if plan.game.telling else ()
    return Told(plan, number, tuple(seat_names(plan, number)), tuple(events), choices)


def _watched(plan: Plan, number: int) -> list[Choice]:
    """Choices of a game, which is played once more with somebody between the kernel and the bots."""
    bots = [plan.bots[plan.entry_of(number, seat)] for seat in range(plan.resolved.seats)]
    seated = seating_plan(plan.resolved, bots, plan.seed)
    hooks = [compile_bot(bot.code).addresses for bot in bots]
    dtypes = [*plan.game.view_parts.values(), MEMO_DTYPE, PARAMS_DTYPE, LUCK_DTYPE]
    make_view, position_of = _shown(plan.game.name)
    telling = plan.game.telling
    assert telling
    state: Any = new_state(seated)
    found: list[Choice] = []
    state[0].engine.log_on = 1

    def answering(question: Question) -> int:
        parts = [record_at(place, dtype) for place, dtype in zip(question.places, dtypes[:-3], strict=False)]
        with np.errstate(over="ignore"):  # whole numbers wrap around, as in compiled code
            position = position_of(make_view(*parts), question.decision, plan.resolved)
        before = telling.told_so_far(state[0])
        hook = hooks[question.seat].get(question.decision)
        answer = NO_HOOK if hook is None else call_compiled(hook, question.places, dtypes)
        if position is not None:
            found.append(Choice(before, question.seat, position, None if answer == NO_HOOK else answer))
        return answer

    watch_game(seated, state, number, range(plan.resolved.seats), answering)
    return found


@cache
def _shown(name: str) -> tuple[Callable[..., Any], Callable[..., Position | None]]:
    """How a game's view is made and looked at, as plain Python."""
    game: Game = load_game(name)
    assert game.telling
    return plain(game.make_view), plain(game.telling.position)


def risks(told: Told) -> pd.DataFrame:
    """Risk that each choice took, one row a choice that bore one: choice, group, seat, bot, risk, least, mishap.

    ``mishap`` says whether what the risk was of came about; ``least`` is the smallest risk that was on offer.
    """
    telling = told.plan.game.telling
    rows: list[dict[str, Any]] = []
    axis = group_axis(told.plan.game)
    for number, choice in enumerate(told.choices):
        taken = next((o for o in choice.position.options if o.answer == choice.answer), None)
        if telling is None or taken is None or taken.risk is None:
            continue
        stop = told.choices[number + 1].before if number + 1 < len(told.choices) else len(told.events)
        after = told.events[choice.before : stop]
        mishap = any(e["event"] == telling.mishap and e.get("seat") == choice.seat for e in after)
        least = min(o.risk for o in choice.position.options if o.risk is not None)
        group = after[0].get(axis) if after else None
        cells = {"choice": len(rows) + 1, "group": group, "seat": choice.seat + 1, "bot": told.names[choice.seat]}
        rows.append({**cells, "risk": taken.risk, "least": least, "mishap": mishap})
    return pd.DataFrame(rows, columns=["choice", "group", "seat", "bot", "risk", "least", "mishap"])


def group_axis(game: Game) -> str:
    """The axis that a game's story is divided by: the first one."""
    return next(iter(game.axes), "")
