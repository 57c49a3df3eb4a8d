"""The very first run: a process of its own compiles the game while this one compiles all else."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from skate_sim import games
from skate_sim.aside import end_aside, start_aside
from skate_sim.executors import default_threads
from skate_sim.jit import is_warm
from skate_sim.simulation import make_plan, prepare_game


@contextmanager
def game_compiled_aside(name: str) -> Iterator[None]:
    """While this lasts, another process compiles a game into the cache folder, when nothing is compiled yet.

    On leaving, the game is there to be loaded. If that process fails, whoever needs the game compiles it.
    """
    aside = None if is_warm() or default_threads() < 2 else start_aside(__name__, name)
    try:
        yield
        if aside:
            aside.wait()
    finally:
        if aside:
            end_aside(aside)


def compile_game(name: str) -> None:
    """Compile a game without any bot."""
    game = games.load(name)
    seats = min(game.seats)
    prepare_game(make_plan(game.resolve(game, seats, None, None, None), [], np.zeros((1, seats), np.uint8), 1, 0))


if __name__ == "__main__":
    from skate_sim.cli import GARBAGE_THRESHOLD

    gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)
    compile_game(sys.argv[1])
