"""Everything that bots are shown in a game, copied as it is handed to them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skate_sim import jit, pointers
from skate_sim.games.skate_legend.record import DEALT, DREW, REWARD, REWARD_GONE
from skate_sim.games.skate_legend.view import VIEW_PARTS
from skate_sim.rng import LUCK_DTYPE
from skate_sim.simulation import Plan, new_state, prepare

#: What the kernel calls: the records of the view, then memory, parameters and luck.
RECORDS = len(VIEW_PARTS) + 3
_HOOK = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * RECORDS)


@dataclass(frozen=True)
class Question:
    """A question to a bot: what had happened, and what the bot was shown."""

    seat: int
    decision: int
    happened: tuple[tuple[int, ...], ...]  # events as the kernel logs them: kind, round, seat, card, three more
    rewards: tuple[int, ...]  # those won or lost so far, and the one that is visible
    hidden: tuple[int, ...]  # the rewards to come
    view: tuple[tuple[str, bytes], ...]  # fields of the records by name
    luck_key: int

    def known(self, own_cards: bool = True) -> tuple[Any, ...]:
        """What this seat may know: all events, but for the face-down cards that others were dealt or drew."""
        return self.seat, self.decision, self.rewards, tuple(self._masked(row, own_cards) for row in self.happened)

    def unknown(self) -> tuple[Any, ...]:
        """What it may not know."""
        return self.happened, self.hidden

    def _masked(self, row: tuple[int, ...], own_cards: bool) -> tuple[int, ...]:
        kind, number, seat, card, *rest = row
        is_hidden = kind == DEALT or (kind == DREW and not rest[1])
        if is_hidden and (seat != self.seat or not own_cards):
            card = -1
        return kind, number, seat, card, *rest


def watch(plan: Plan, number: int) -> tuple[Any, list[Question]]:
    """Play a game with the log on; returns the final state and all questions to bots."""
    prepare(plan)
    state, questions = new_state(plan), []
    kept: list[Any] = []  # the callbacks must live as long as the game
    engine = state[0].engine
    engine.log_on = 1
    for entry in range(len(plan.bots)):
        for decision, address in enumerate(engine.entries[entry].hooks.tolist()):
            if address:
                hook, new_address = _watched(address, _note(state[0], questions, decision))
                kept.append(hook)
                engine.entries[entry].hooks[decision] = new_address
    layout, seats = plan.layout, plan.resolved.seats
    seat_rows = np.zeros((1, seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((1, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    plan.game.play_batch(state, np.uint64(plan.seed), number, 1, layout.lineups, seat_rows, game_rows, ledger)
    return state[0], questions


def _note(state: Any, questions: list[Question], decision: int) -> Callable[[list[bytes]], None]:
    """What writes a question down."""

    def note(records: list[bytes]) -> None:
        happened = tuple(state.events[: state.engine.log_size].tolist())
        rounds_over = sum(row[0] in (REWARD, REWARD_GONE) for row in happened)
        rewards = tuple(state.hidden.reward_card[: plan_rounds(state)].tolist())
        shown, luck = [], np.frombuffer(records[-1], LUCK_DTYPE)[0]
        for (part, dtype), data in zip(VIEW_PARTS.items(), records, strict=False):
            record = np.frombuffer(data, dtype)[0]
            shown += [(f"{part}.{name}", record[name].tobytes()) for name in dtype.names]
        hand = np.frombuffer(records[2], VIEW_PARTS["hand"])[0]
        seen, hidden = rewards[: rounds_over + 1], rewards[rounds_over + 1 :]
        questions.append(Question(int(hand["seat"]), decision, happened, seen, hidden, tuple(shown), int(luck["key"])))

    return note


def plan_rounds(state: Any) -> int:
    """Rounds of the game."""
    return int(state.table.rounds)


def _watched(address: int, note: Callable[[list[bytes]], None]) -> tuple[Any, int]:
    """A hook that notes what it is handed and then asks the hook at the address; with its own address."""
    if jit.INTERPRETED:

        def interpreted(*records: Any) -> int:
            note([record.tobytes() for record in records])
            return pointers.call_hook(address, records)

        return interpreted, pointers.register_interpreted(interpreted)
    sizes = [dtype.itemsize for dtype in VIEW_PARTS.values()] + [0, 0, LUCK_DTYPE.itemsize]
    original = _HOOK(address)

    def hook(*places: int) -> int:
        note([ctypes.string_at(place, size) for place, size in zip(places, sizes, strict=True)])
        return original(*places)

    callback = _HOOK(hook)
    return callback, ctypes.cast(callback, ctypes.c_void_p).value or 0
