"""Games in which all lineups of a pool play the same luck, and the sums that tell luck from skill."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from skate_sim.luck import FORMS, forms_of
from skate_sim.simulation import Plan, check_identities, fault, make_plan, new_state, prepare

#: A block (the same luck for all lineups) belongs to the batch ``block % BATCHES``; intervals are made of batches.
BATCHES = 32
#: Numbers of one lineup's seats that are kept at once.
_KEPT = 1 << 20


@dataclass(eq=False)
class LuckSums:
    """Sums over blocks; see :mod:`skate_sim.luck`. Places are lineups times seats.

    Attributes
    ----------
    blocks : int64 array, (batches,)
    sums : int64 array, (columns, batches, places)
    forms : int64 array, (columns, batches, forms)
    products : int64 array, (columns, bots, bots)
        Of the bots' sums within a block: how far what bots have goes together.
    """

    blocks: np.ndarray
    sums: np.ndarray
    forms: np.ndarray
    products: np.ndarray

    def __add__(self, other: LuckSums) -> LuckSums:
        return LuckSums(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class SameLuck:
    """Every block is played by all lineups of a plan; a :class:`skate_sim.work.Work` that counts blocks as games."""

    plan: Plan
    games: int

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the games."""
        return self.plan.identity | {"blocks": "all lineups", "batches": BATCHES}

    @property
    def games_each(self) -> int:
        """Games of a block."""
        return len(self.plan.layout.lineups)

    @property
    def lineups(self) -> np.ndarray:
        """Bot by seat, (lineups, seats)."""
        return self.plan.layout.lineups[:, : self.plan.resolved.seats]

    def prepare(self) -> None:
        """Compile what the games need."""
        prepare(self.plan)

    def empty(self) -> LuckSums:
        """Sums of no block."""
        columns, bots = len(self.plan.layout.crossed), len(self.plan.bots)
        shapes = [
            (BATCHES,),
            (columns, BATCHES, self.lineups.size),
            (columns, BATCHES, len(FORMS)),
            (columns, bots, bots),
        ]
        return LuckSums(*(np.zeros(shape, np.int64) for shape in shapes))

    def from_arrays(self, arrays: dict[str, np.ndarray]) -> LuckSums:
        """Sums from their arrays."""
        return LuckSums(**arrays)

    def play(self, first: int, count: int) -> tuple[LuckSums, float]:
        """Play blocks ``first`` to ``first + count - 1``; returns their sums and the seconds taken.

        Raises
        ------
        PlayError
            A game could not be finished.
        """
        start, result = time.perf_counter(), self.empty()
        state = new_state(self.plan)
        most = max(1, _KEPT // self.lineups.size)
        for offset in range(0, count, most):
            size = min(most, count - offset)
            self._tally(result, first + offset, self._values(state, first + offset, size))
        return result, time.perf_counter() - start

    def _values(self, state: np.ndarray, first: int, size: int) -> np.ndarray:
        """Outcomes of some blocks, (columns, blocks, lineups, seats)."""
        plan, layout = self.plan, self.plan.layout
        seat_rows = np.zeros((size, plan.resolved.seats, len(layout.seat_columns)), np.int32)
        game_rows = np.zeros((size, len(layout.game_columns)), np.int32)
        ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
        values = np.zeros((len(layout.crossed), size, *self.lineups.shape), np.int64)
        for number in range(len(self.lineups)):
            lineup = layout.lineups[number : number + 1]
            seed = np.uint64(plan.seed)
            played = plan.game.play_batch(state, seed, first, size, lineup, seat_rows, game_rows, ledger)
            if played < size:
                alone = make_plan(plan.resolved, list(plan.bots), self.lineups[number : number + 1], 1, plan.seed)
                raise fault(replace(alone, games=plan.games), state[0], first + played)
            check_identities(layout, seat_rows, first)
            values[:, :, number] = np.moveaxis(seat_rows[:, :, layout.crossed], -1, 0)
        return values

    def _tally(self, result: LuckSums, first: int, values: np.ndarray) -> None:
        size = values.shape[1]
        batch = np.arange(first, first + size) % BATCHES
        np.add.at(result.blocks, batch, 1)
        bots = (self.lineups.ravel()[:, None] == np.arange(len(self.plan.bots))).astype(np.int64)
        for column, outcomes in enumerate(values.reshape(len(values), size, -1)):
            np.add.at(result.sums[column], batch, outcomes)
            np.add.at(result.forms[column], batch, forms_of(outcomes, self.lineups))
            by_bot = outcomes @ bots
            result.products[column] += by_bot.T @ by_bot
