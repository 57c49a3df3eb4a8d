"""The main path: plan, chunks, executor, tallies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skate_sim.bot_code import compile_bot, parameter_words
from skate_sim.games import (
    BOT_FAILED,
    GUARD_MET,
    ILLEGAL_ANSWER,
    MAX_ENTRIES,
    Game,
    Resolved,
)
from skate_sim.policy import Bot
from skate_sim.tallies import Layout, Tallies, empty_tallies, make_layout, tally_rows

#: Games whose rows are kept at once; they fit into a processor's cache.
BLOCK = 512
#: Seconds that a chunk is meant to take: short enough for smooth progress, long enough to cost nothing.
CHUNK_SECONDS = 0.25
FIRST_CHUNK = 1024

#: Called with (games finished, games in all, seconds since the start).
Progress = Callable[[int, int, float], None]


class PlayError(RuntimeError):
    """A game that could not be finished: a bot that failed or answered illegally, a guard, a broken identity.

    Attributes
    ----------
    game_number : int
        The game to replay.
    events : list of dict
        What happened until then, when the game was being told.
    """

    def __init__(self, message: str, game_number: int) -> None:
        super().__init__(message)
        self.message = message
        self.game_number = game_number
        self.events: list[dict[str, Any]] = []

    def __reduce__(self) -> Any:
        return PlayError, (self.message, self.game_number)


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


def make_plan(resolved: Resolved, bots: list[Bot], lineups: np.ndarray, games: int, seed: int) -> Plan:
    """A plan, with the games rounded up to play every lineup equally often."""
    if len(bots) > MAX_ENTRIES:
        raise ValueError(f"{len(bots)} different bots; at most {MAX_ENTRIES}")
    rounded = -(-games // len(lineups)) * len(lineups)
    return Plan(resolved, tuple(bots), make_layout(resolved, len(bots), lineups), rounded, seed)


def default_threads() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_games(
    plan: Plan,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> tuple[Tallies, int]:
    """Play a plan's games and tally them.

    Parameters
    ----------
    threads : int, optional
        Threads to play on; all processors when left out.
    executor : concurrent.futures.Executor, optional
        Runs the chunks instead of threads of our own.
    chunk : int, optional
        Games in a chunk; by default sized by time. The result does not depend on it.
    progress : callable, optional
        Called with (games finished, games in all, seconds since the start).

    Returns
    -------
    tallies : Tallies
    finished : int
        Games that the tallies hold; fewer than planned after Ctrl-C, which lets the chunks in hand finish.

    Raises
    ------
    PlayError
        A game could not be finished.
    KeyboardInterrupt
        Ctrl-C before any chunk was finished.
    """
    prepare(plan)
    workers = threads or default_threads()
    pool = executor or ThreadPoolExecutor(workers, thread_name_prefix="skate-sim")
    total, finished, start = empty_tallies(plan.layout), 0, time.perf_counter()
    chunks = _chunk_sizes(plan.games, chunk)
    pending: dict[Future[tuple[Tallies, float]], int] = {}
    try:
        next_game, seconds_per_game = 0, None
        while next_game < plan.games or pending:
            while next_game < plan.games and len(pending) < 2 * workers:
                count = min(next(chunks) if chunk else _sized(seconds_per_game), plan.games - next_game)
                pending[pool.submit(play_chunk, plan, next_game, count)] = count
                next_game += count
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                tallies, seconds = future.result()
                total, finished = total + tallies, finished + pending[future]
                seconds_per_game = seconds / pending.pop(future)
            if progress:
                progress(finished, plan.games, time.perf_counter() - start)
    except (PlayError, KeyboardInterrupt) as stop:
        in_hand = [future for future in pending if not future.cancel()]
        faults = [e for e in (stop, *(f.exception() for f in in_hand)) if isinstance(e, PlayError)]
        if faults:  # the first game at fault, whichever thread met one first
            raise min(faults, key=lambda e: e.game_number) from None
        for future in in_hand:
            if future.exception() is None:
                total, finished = total + future.result()[0], finished + pending[future]
        if not finished:
            raise
    finally:
        for future in pending:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
    return total, finished


def prepare(plan: Plan) -> None:
    """Compile what a plan needs, on this thread, so that bots' errors come early and no clock counts it."""
    for bot in plan.bots:
        compile_bot(bot.code)
    layout, tallies = plan.layout, empty_tallies(plan.layout)
    seat_rows = np.zeros((1, plan.resolved.seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((1, len(layout.game_columns)), np.int32)
    seed = np.uint64(plan.seed)
    plan.game.play_batch(new_state(plan)[0], seed, 0, 0, layout.lineups, seat_rows, game_rows, tallies.ledger)
    tally_rows(tallies, layout, 0, seat_rows[:0], game_rows[:0])


def _chunk_sizes(games: int, chunk: int | None) -> Iterator[int]:
    while True:
        yield chunk or games


def _sized(seconds_per_game: float | None) -> int:
    """Games of a chunk that takes about CHUNK_SECONDS."""
    if seconds_per_game is None:
        return FIRST_CHUNK
    return max(BLOCK, int(CHUNK_SECONDS / seconds_per_game) // BLOCK * BLOCK)


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


def play_chunk(plan: Plan, first: int, count: int) -> tuple[Tallies, float]:
    """Play games ``first`` to ``first + count - 1`` on this thread; returns their tallies and the seconds taken."""
    start = time.perf_counter()
    layout, seats = plan.layout, plan.resolved.seats
    state, tallies = new_state(plan), empty_tallies(layout)
    block = min(BLOCK, count)
    seat_rows = np.zeros((block, seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((block, len(layout.game_columns)), np.int32)
    for offset in range(0, count, block):
        size = min(block, count - offset)
        played = plan.game.play_batch(
            state[0],
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
    """The error of a game that stopped."""
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
    seat_rows = np.zeros((1, plan.resolved.seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((1, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    played = plan.game.play_batch(
        state[0], np.uint64(plan.seed), number, 1, layout.lineups, seat_rows, game_rows, ledger
    )
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
