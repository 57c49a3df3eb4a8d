"""Finds the games worth telling: the first games of a run, played again with a look at each one's row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skate_sim.games import row_columns
from skate_sim.games.telling import Notable, Searched
from skate_sim.simulation import Plan, fault, new_state

#: Games that are searched at most.
MOST = 2000


def search(plan: Plan, games: int, win_shares: np.ndarray) -> Searched:
    """Rows of games 0 to ``games - 1``, each played by itself, as a ledger adds up all games of a batch.

    Raises
    ------
    PlayError
        A game could not be finished.
    """
    layout, seats, entries = plan.layout, plan.resolved.seats, len(plan.bots)
    seat_rows = np.zeros((games, seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((games, len(layout.game_columns)), np.int32)
    counts = {x.name: np.zeros((games, entries, x.capacity, len(x.events)), np.uint8) for x in plan.game.ledgers}
    state, ledger = new_state(plan), np.zeros((entries, layout.ledger_cells), np.int64)
    seed = np.uint64(plan.seed)
    for number in range(games):
        ledger[:] = 0
        rows = seat_rows[number : number + 1], game_rows[number : number + 1]
        if not plan.game.play_batch(state, seed, number, 1, layout.lineups, *rows, ledger):
            raise fault(plan, state[0], number)
        for declared in plan.game.ledgers:
            shape = (entries, declared.capacity, 2, len(declared.events))
            cells = ledger[:, plan.game.ledger_place(declared)].reshape(shape)
            counts[declared.name][number] = np.minimum(cells[:, :, 0], 255)
    lineups = layout.lineups[:, :seats].astype(np.int64)
    return Searched(
        plan.resolved,
        lineups[np.arange(games) % len(lineups)],
        {c.name: seat_rows[:, :, n] for n, c in enumerate(row_columns(plan.resolved, "seat"))},
        {c.name: game_rows[:, n] for n, c in enumerate(row_columns(plan.resolved, "game"))},
        counts,
        win_shares,
    )


def notable_games(seen: Searched) -> Iterator[tuple[Notable, int]]:
    """Games worth telling, with their numbers; no game comes twice."""
    telling = seen.resolved.game.telling
    told: list[int] = []
    for notable in telling.notables if telling else ():
        rank = np.asarray(notable.rank(seen), float).copy()
        rank[told] = -np.inf
        if len(rank) and np.isfinite(rank.max()):
            told.append(int(rank.argmax()))
            yield notable, told[-1]
