"""Watching bots while they play: a Python function stands between the kernel and a bot's compiled code.

The kernel calls a hook with the addresses of records that lie in the state, so whoever holds the state can look
at a game in the middle of a question.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from skate_sim.games import FINISHED, Resolved
from skate_sim.jit import INTERPRETED
from skate_sim.lineups import fixed_lineup
from skate_sim.pointers import NO_HOOK, call_hook, register_interpreted
from skate_sim.policy import Bot
from skate_sim.simulation import Plan, fault, make_plan


@dataclass(frozen=True)
class Question:
    """A question of the kernel to a seat.

    Attributes
    ----------
    number : int
        Number of the question in the game, from 1.
    decision : int
        Number of the decision.
    places : tuple of int
        Addresses of the records as a hook takes them: those of the view, then memory, parameters and luck.
    """

    number: int
    seat: int
    decision: int
    places: tuple[int, ...]


#: Answers in the place of a bot; ``NO_HOOK`` leaves the question to the game's default.
Answering = Callable[[Question], int]


def seating_plan(resolved: Resolved, bots: list[Bot], seed: int) -> Plan:
    """A plan with one bot a seat, each its own entry, also when several are the same bot."""
    return make_plan(resolved, bots, fixed_lineup(list(range(len(bots)))), 1, seed)


def play_one(plan: Plan, state: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Play one game of a plan; returns its rows by seat and its row of the game.

    Raises
    ------
    PlayError
        The game could not be finished.
    """
    layout = plan.layout
    seat_rows = np.zeros((1, plan.resolved.seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((1, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    seed = np.uint64(plan.seed)
    if not plan.game.play_batch(state, seed, number, 1, layout.lineups, seat_rows, game_rows, ledger):
        raise fault(plan, state[0], number)
    return seat_rows[0], game_rows[0]


def watch_game(
    plan: Plan, state: np.ndarray, number: int, seats: Iterable[int], answering: Answering
) -> tuple[np.ndarray, np.ndarray]:
    """Play one game of a seating plan while ``answering`` answers for some seats; returns as :func:`play_one`.

    Raises
    ------
    PlayError
        The game could not be finished.
    Exception
        Whatever ``answering`` raised.
    """
    errors: list[BaseException] = []
    engine = state[0].engine
    records = len(plan.game.view_parts) + 3

    def listener(seat: int, decision: int) -> Callable[..., int]:
        def listen(*places: int) -> int:
            if errors or engine.status != FINISHED:  # a spoilt game goes on with defaults, and is thrown away
                return NO_HOOK
            try:
                return answering(Question(int(engine.questions), seat, decision, places))
            except BaseException as error:  # no exception can pass through compiled code
                errors.append(error)
                return NO_HOOK

        return listen

    kept = []
    for seat in seats:
        for decision in range(len(plan.game.decisions)):
            address, callback = _address_of(listener(seat, decision), records)
            engine.entries[seat].hooks[decision] = address
            kept.append(callback)
    try:
        return play_one(plan, state, number)
    finally:
        if errors:
            raise errors[0]


@cache
def _form(records: int) -> Any:
    """The C form of a hook."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * records)


def _address_of(function: Callable[..., int], records: int) -> tuple[int, Any]:
    """Address under which the kernel can call a Python function of addresses, and what must be kept for it."""
    if INTERPRETED:
        interpreted = register_interpreted(lambda *given: function(*(r.__array_interface__["data"][0] for r in given)))
        return interpreted, None
    callback = _form(records)(function)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0, callback


def call_compiled(address: int, places: tuple[int, ...], dtypes: Iterable[np.dtype]) -> int:
    """Call a bot's hook as the kernel does."""
    if INTERPRETED:
        records = tuple(record_at(p, d, writable=True) for p, d in zip(places, dtypes, strict=True))
        return int(call_hook(address, records))
    return int(_form(len(places))(address)(*places))


def read(place: int, size: int) -> bytes:
    """Bytes at an address."""
    return ctypes.string_at(place, size)


def write(place: int, data: bytes) -> None:
    """Put bytes at an address."""
    ctypes.memmove(place, data, len(data))


def record_at(place: int, dtype: np.dtype, *, writable: bool = False) -> Any:
    """The record at an address."""
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(place)
    record: Any = np.frombuffer(memory, np.dtype((np.record, dtype)), 1)
    record.flags.writeable = writable
    return record[0]
