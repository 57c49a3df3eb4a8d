"""Instructions per trick, by callgrind: the same on a busy machine as on a quiet one.

Two runs of different length are subtracted, so that start-up does not count. Valgrind does not know the newest
instructions: both engines are compiled for x86-64-v3 here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measure import ROOT, environment

GAMES = (200, 2200)
_CODE = """
import sys
from skate_sim import simulate
simulate(sys.argv[2:], rotate=False, threads=1, games=int(sys.argv[1]))
"""


def per_trick(ours: Sequence[str], program: Path, theirs: str, tricks: float) -> dict[str, float]:
    """Instructions per trick of our kernel with all bookkeeping, and of the yardstick.

    Parameters
    ----------
    ours : sequence of str
        Bots by seat.
    program, theirs : Path, str
        The yardstick, and its bots by seat.
    tricks : float
        Tricks in a game.
    """
    target = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "OPENBLAS_NUM_THREADS": "1"}
    env = environment(NUMBA_CACHE_DIR=str(program.parent / "numba"), **target)
    command = [sys.executable, "-c", _CODE]
    subprocess.run([*command, "10", *ours], check=True, env=env, cwd=ROOT)  # compiles
    seats = str(len(ours))
    counts = {
        "ours": [_counted([*command, str(games), *ours], env) for games in GAMES],
        "yardstick": [
            _counted([str(program), "--seats", seats, "--bots", theirs, "--games", str(games)], dict(os.environ))
            for games in GAMES
        ],
    }
    played = (GAMES[1] - GAMES[0]) * tricks
    return {f"instructions, {name}": (long - short) / played for name, (short, long) in counts.items()}


def _counted(command: Sequence[str], env: dict[str, str]) -> int:
    """Instructions of a process."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--smc-check=all-non-file"]
    done = subprocess.run([*valgrind, *command], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        raise SystemExit(f"valgrind failed:\n{done.stderr[-2000:]}")
    return int(found.group(1))
