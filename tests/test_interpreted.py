"""The kernel gives the same bits compiled and as plain Python.

Runs in whichever mode it is started in: the digests below were made by compiled code, and ``.ci/run`` starts this
file again with ``NUMBA_DISABLE_JIT=1``. They change only with the behaviour version.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from skate_sim import games
from skate_sim.simulation import new_state, prepare
from skate_sim.testing import plan_of

GAME = games.load("skate_legend")
GAMES = 25
CASES = {
    "two": (["risk_threshold", "stop_at_n:n=5"], "rulebook", {}, "500db1b4166fdfa7", "bd61d61478f09c96"),
    "three": (["legend_hunter", "random_legal", "score_chaser"], "online", {}, "5623dbec5c26ed36", "b57f9251ec6b050a"),
    "four": (
        ["helmet_saver", "risk_threshold:limit=0.4", "random_legal", "stop_at_n"],
        "rulebook",
        {},
        "22874d784dc51e08",
        "d7fc843cec6146fd",
    ),
    "five": (
        ["random_legal"] * 5,
        "online",
        {"cards.manual": "remove", "cards.ollie.copies": 1},
        "96dac633491b0f29",
        "bc78603e0799c6c0",
    ),
}


def digests(bots: list[str], preset: str, edits: dict[str, object]) -> tuple[str, str]:
    """Digests of all the rows and ledgers of a few games, and of how combos ended."""
    plan = plan_of(bots, preset=preset, edits=edits, seed=7)
    prepare(plan)
    layout = plan.layout
    seat_rows = np.zeros((GAMES, plan.resolved.seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((GAMES, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    played = GAME.play_batch(
        new_state(plan), np.uint64(plan.seed), 0, GAMES, layout.lineups, seat_rows, game_rows, ledger
    )
    assert played == GAMES
    events, ends = (np.ascontiguousarray(ledger[:, GAME.ledger_place(x)]).tobytes() for x in GAME.every_ledger)
    rows = seat_rows.tobytes() + game_rows.tobytes() + events
    return hashlib.sha256(rows).hexdigest()[:16], hashlib.sha256(ends).hexdigest()[:16]


@pytest.mark.parametrize("case", CASES)
def test_same_bits_compiled_and_interpreted(case: str) -> None:
    *setting, rows, ends = CASES[case]
    assert GAME.behaviour_version == 1
    assert digests(*setting) == (rows, ends)
