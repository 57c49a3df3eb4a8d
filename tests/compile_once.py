"""Where no compiled game is on disk, one process compiles it, and not each of those that run tests.

It begins before they collect their tests. Files whose tests play no games come first; all others wait for the game.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
#: Files whose tests play no games. (One that does costs time, as it compiles the game itself, and no more.)
WITHOUT_GAMES = {
    "test_coverage.py",
    "test_exact_solver.py",
    "test_luck.py",
    "test_moments.py",
    "test_paired.py",
    "test_ranking.py",
    "test_sequences.py",
    "test_stats.py",
    "test_walls.py",
}
COMPILE = """
from skate_sim import cold_start, games, jit
jit.is_warm() or cold_start.compile_game(games.DEFAULT_GAME)
"""


class Compiler:
    """For the process that starts the others: a process of its own compiles, and holds a lock on a file meanwhile."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="skate-sim-tests-")
        self.file = Path(self.folder.name) / "lock"
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        quiet: Any = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
        with self.file.open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.process = subprocess.Popen(
                [sys.executable, "-c", COMPILE],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)},
                pass_fds=[lock.fileno()],  # from here on it alone holds the lock, which ends with it, however it ends
                **quiet,
            )

    def pytest_configure_node(self, node: Any) -> None:
        """Tell a process that runs tests which file to wait for."""
        node.workerinput["game_lock"] = str(self.file)

    def pytest_unconfigure(self) -> None:
        """Nothing is left behind, also when no test has waited."""
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


class Waiting:
    """For a process that runs tests: before the first test that may play a game, the game is compiled."""

    def __init__(self, lock: str) -> None:
        self.lock: str | None = lock

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Wait, at most once."""
        if self.lock and item.path.name not in WITHOUT_GAMES:
            with open(self.lock, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
            self.lock = None


def pytest_configure(config: pytest.Config) -> None:
    """Compile aside where several processes run tests."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Waiting(config.workerinput["game_lock"]))
    elif config.getoption("tx", None) and not config.option.collectonly:
        config.pluginmanager.register(Compiler())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need no game come first, else as they were."""
    items.sort(key=lambda item: item.path.name not in WITHOUT_GAMES)
