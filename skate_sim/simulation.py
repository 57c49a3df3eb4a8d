"""From a plan to tallies: one chunk of games on one thread, or all of them by way of :mod:`skate_sim.dispatch`."""

from __future__ import annotations

import hashlib
import threading
import time
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from skate_sim import dispatch
from skate_sim.bot_code import compile_bot, parameter_words
from skate_sim.dispatch import Progress
from skate_sim.executors import Crew
from skate_sim.games import (
    BOT_FAILED,
    GUARD_MET,
    ILLEGAL_ANSWER,
    MAX_ENTRIES,
    Game,
    Resolved,
)
from skate_sim.jit import make_ready, source_digest
from skate_sim.policy import Bot
from skate_sim.tallies import Layout, Tallies, compile_tally, empty_tallies, make_layout, tally_rows
from skate_sim.work import PlayError

__all__ = ["Plan", "PlayError", "Progress", "make_plan", "play_chunk", "play_games", "prepare", "tell_game"]

#: Games whose rows are kept at once; they fit into a processor's cache.
BLOCK = 1024

#: States by plan, of each thread its own.
_playing = threading.local()


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that decides the games of a run.

    Attributes
    ----------
    bots : tuple of Bot
        Different bots (entries).
    layout : Layout
        Rules, lineups, and what is kept of the games.
    games : int
        Games 0 to ``games - 1`` are played; a multiple of the number of lineups.
    """

    resolved: Resolved
    bots: tuple[Bot, ...]
    layout: Layout
    games: int
    seed: int
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The game played."""
        return self.resolved.game

    def entry_of(self, game_number: int, seat: int) -> int:
        """Which bot sits in a seat in a game."""
        return int(self.layout.lineups[game_number % len(self.layout.lineups), seat])

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the games; see :class:`skate_sim.work.Work`."""
        return {
            "game": self.game.name,
            "behaviour_version": self.game.behaviour_version,
            "source": source_digest(),
            "seed": self.seed,
            "seats": self.resolved.seats,
            "rules": dict(self.resolved.rules),
            **{name: {row: dict(cells) for row, cells in rows.items()} for name, rows in self.resolved.tables.items()},
            "bots": [{"bot": b.code.name, "fingerprint": b.code.digest, **b.values} for b in self.bots],
            "lineups": hashlib.sha256(self.layout.lineups.tobytes()).hexdigest()[:16],
        }

    def compile_bots(self) -> None:
        """Compile the bots alone."""
        for bot in self.bots:
            compile_bot(bot.code)

    def prepare(self) -> None:
        """Compile what the games need."""
        prepare(self)

    def play(self, first: int, count: int) -> tuple[Tallies, float]:
        """Play games on this thread; see :func:`play_chunk`."""
        return play_chunk(self, first, count)

    def empty(self) -> Tallies:
        """Tallies of no game."""
        return empty_tallies(self.layout)

    def from_arrays(self, arrays: dict[str, np.ndarray]) -> Tallies:
        """Tallies from their arrays."""
        return Tallies(**arrays)


def make_plan(resolved: Resolved, bots: list[Bot], lineups: np.ndarray, games: int, seed: int) -> Plan:
    """A plan, with the games rounded up to play every lineup equally often."""
    if len(bots) > MAX_ENTRIES:
        raise ValueError(f"{len(bots)} different bots; at most {MAX_ENTRIES}")
    rounded = -(-games // len(lineups)) * len(lineups)
    return Plan(resolved, tuple(bots), make_layout(resolved, len(bots), lineups), rounded, seed)


def play_games(
    plan: Plan,
    *,
    threads: int | None = None,
    executor: Executor | Crew | str | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> tuple[Tallies, int]:
    """Play a plan's games and tally them; see :func:`skate_sim.dispatch.play`.

    Returns
    -------
    tallies : Tallies
    finished : int
        Games that the tallies hold; fewer than planned after Ctrl-C, which lets the chunks in hand finish.
    """
    played = dispatch.play(plan, executor=executor, workers=threads, chunk=chunk, progress=progress)
    return played.total, played.games


def prepare(plan: Plan) -> None:
    """Compile what a plan needs, on this thread, so that bots' errors come early and no clock counts it."""
    plan.compile_bots()
    prepare_game(plan)
    prepare_tally(plan)


def prepare_game(plan: Plan) -> None:
    """Compile the game alone."""
    layout, (seat_rows, game_rows) = plan.layout, _rows(plan, 1)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    state, seed = new_state(plan), np.uint64(plan.seed)
    make_ready(plan.game.play_batch, state, seed, 0, 0, layout.lineups, seat_rows, game_rows, ledger)


def prepare_tally(plan: Plan) -> None:
    """Compile alone what adds games up."""
    compile_tally(plan.layout, *_rows(plan, 0))


def _rows(plan: Plan, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Room for what so many games leave behind: by seat, and of the game as a whole."""
    seat_rows = np.zeros((games, plan.resolved.seats, len(plan.layout.seat_columns)), np.int32)
    return seat_rows, np.zeros((games, len(plan.layout.game_columns)), np.int32)


def new_state(plan: Plan) -> np.ndarray:
    """A state record (an array of one) with a plan's rules and bots."""
    state = plan.game.new_state(plan.resolved)
    for number, bot in enumerate(plan.bots):
        entry = state[0].engine.entries[number]
        compiled = compile_bot(bot.code)
        for decision, address in compiled.addresses.items():
            entry.hooks[decision] = address
        entry.no_luck = not compiled.uses_luck
        entry.params.words[:] = parameter_words(bot)
    return state


def playing_state(plan: Plan) -> np.ndarray:
    """The state in which this thread plays a plan: made once, as to fill it takes as long as a hundred games."""
    states: WeakKeyDictionary[Plan, np.ndarray] = vars(_playing).setdefault("states", WeakKeyDictionary())
    if plan not in states:
        state = new_state(plan)
        _spare_calls(plan, state)
        states[plan] = state
    return states[plan]


def _spare_calls(plan: Plan, state: np.ndarray) -> None:
    """Let the kernel answer for bots where they have only one answer."""
    for number, bot in enumerate(plan.bots):
        entry = state[0].engine.entries[number]
        for decision, answer in compile_bot(bot.code).fixed.items():
            entry.hooks[decision] = 0
            entry.fixed[decision] = answer
            entry.is_fixed[decision] = 1


def play_chunk(plan: Plan, first: int, count: int) -> tuple[Tallies, float]:
    """Play games ``first`` to ``first + count - 1`` on this thread; returns their tallies and the seconds taken."""
    start = time.perf_counter()
    layout = plan.layout
    state, tallies = playing_state(plan), empty_tallies(layout)
    block = min(BLOCK, count)
    seat_rows, game_rows = _rows(plan, block)
    for offset in range(0, count, block):
        size = min(block, count - offset)
        played = plan.game.play_batch(
            state,
            np.uint64(plan.seed),
            first + offset,
            size,
            layout.lineups,
            seat_rows,
            game_rows,
            tallies.ledger,
        )
        if played < size:
            raise fault(plan, state[0], first + offset + played)
        if offset == 0:
            check_identities(layout, seat_rows[:size], first)
        tally_rows(tallies, layout, first + offset, seat_rows[:size], game_rows[:size])
    return tallies, time.perf_counter() - start


def check_identities(layout: Layout, seat_rows: np.ndarray, first: int) -> None:
    """Check on a block of games that parts add up to their whole, and win shares to one.

    Raises
    ------
    PlayError
        They do not: the game is wrong.
    """
    names = [c.name for c in layout.seat_columns]
    game = layout.resolved.game
    wholes = {o.part_of for o in game.outcomes if o.part_of}
    for whole in sorted(wholes):
        parts = [names.index(o.name) for o in game.outcomes if o.part_of == whole]
        wrong = seat_rows[:, :, parts].sum(axis=2) != seat_rows[:, :, names.index(whole)]
        if wrong.any():
            number = first + int(np.argwhere(wrong.any(axis=1))[0, 0])
            raise PlayError(f"game {number}: the parts of {whole} do not add up to it", number)
    shares = seat_rows[:, :, names.index("win_share")].sum(axis=1) != game.share_units
    if shares.any():
        number = first + int(np.argwhere(shares)[0, 0])
        raise PlayError(f"game {number}: the win shares do not add up to 1", number)


def fault(plan: Plan, state: Any, number: int) -> PlayError:
    """The error of a game that stopped; nothing else is played in its state."""
    vars(_playing).get("states", {}).pop(plan, None)
    engine, game = state.engine, plan.game
    if engine.status == GUARD_MET:
        return PlayError(f"game {number} of seed {plan.seed} met a guard: it has more events than can be kept", number)
    seat = int(engine.fault_seat)
    bot = plan.bots[plan.entry_of(number, seat)]
    decision = game.decisions[int(engine.fault_decision)].name
    where = f"game {number} of seed {plan.seed}, seat {seat + 1}, question {engine.fault_question}: {decision}"
    legal = [a for a in range(len(engine.fault_legal)) if engine.fault_legal[a]]
    valid = ", ".join(game.answer_text(decision, a, plan.resolved) for a in legal)
    if engine.status == BOT_FAILED:
        return PlayError(f"bot {bot.full_name} raised an exception ({where}); legal answers: {valid}", number)
    assert engine.status == ILLEGAL_ANSWER
    given = game.answer_text(decision, int(engine.fault_answer), plan.resolved)
    return PlayError(f"bot {bot.full_name} answered {given} ({where}); legal answers: {valid}", number)


def tell_game(plan: Plan, number: int) -> list[dict[str, Any]]:
    """Events of one game, the very one that a run of the plan counts.

    Raises
    ------
    PlayError
        The game could not be finished; ``events`` of the error has what happened until then.
    """
    prepare(plan)
    layout, state = plan.layout, new_state(plan)
    state[0].engine.log_on = 1
    seat_rows, game_rows = _rows(plan, 1)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    played = plan.game.play_batch(state, np.uint64(plan.seed), number, 1, layout.lineups, seat_rows, game_rows, ledger)
    events = list(plan.game.tell(state[0], plan.resolved))
    events[0] = _setup_line(plan, number) | events[0]
    if not played:
        error = fault(plan, state[0], number)
        error.events = events[:-1]
        raise error
    return events


def _setup_line(plan: Plan, number: int) -> dict[str, Any]:
    """What a transcript says of the experiment before the game's own setup."""
    resolved = plan.resolved
    bots = [plan.bots[plan.entry_of(number, seat)] for seat in range(resolved.seats)]
    return {
        "event": "setup",
        "game": plan.game.name,
        "behaviour_version": plan.game.behaviour_version,
        "seed": plan.seed,
        "game_number": number,
        "preset": resolved.preset,
        "rules": dict(resolved.rules),
        **{name: {row: dict(cells) for row, cells in rows.items()} for name, rows in resolved.tables.items()},
        "seats": [{"seat": s, "bot": b.code.name, "parameters": dict(b.values)} for s, b in enumerate(bots)],
    }
