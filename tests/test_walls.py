"""The two walls of the design: the engine half imports no front half; only a game's folder knows its game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "skate_sim"
FRONT_LIBRARIES = {"pandas", "matplotlib", "click", "rich", "pyarrow"}
ENGINE = [
    *("bits", "bot_code", "bot_files", "bot_fingerprint", "bot_messages", "bot_source", "bot_travel"),
    *("cache_lines", "games", "jit", "lineups", "locations", "pointers"),
    *("policy", "rng", "simulation", "tallies", "contrasts", "comparison"),
    *("checkpoint", "dispatch", "executors", "played", "work"),
]
#: Words of Skate Legend that have no business outside its folders.
GAME_WORDS = re.compile(
    r"skate.?legend|prestige|helmet|kick.?flip|hippy|ollie|combo|legendar|perfect.?landing|broken.?(board|skate)|"
    r"\bfalls?\b|\bfell\b|reveal|replay_|trick",
    re.IGNORECASE,
)


def engine_files() -> Iterator[Path]:
    for name in ENGINE:
        path = PACKAGE / name
        yield from path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", list(engine_files()), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_engine_half_never_imports_front_half(path: Path) -> None:
    names = set(imported(path))
    assert not {n.split(".")[0] for n in names} & FRONT_LIBRARIES
    front = {f"skate_sim.{p.stem}" for p in PACKAGE.glob("*.py")} - {f"skate_sim.{n}" for n in ENGINE}
    assert not names & (front - {"skate_sim.__init__"}), "the engine half imports a module of the front half"


def test_a_game_runs_without_the_front_half_installed() -> None:
    code = (
        "import sys\n"
        f"blocked = {FRONT_LIBRARIES!r}\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in blocked: raise ImportError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from skate_sim.testing import plan_of\n"
        "from skate_sim.simulation import play_games\n"
        "print(play_games(plan_of(['stop_at_n'] * 3, count=30))[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip() == "30", done.stderr


def outside_files() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.parent.name != "games":
            yield path


@pytest.mark.parametrize("path", list(outside_files()), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_outside_its_folder_knows_a_game(path: Path) -> None:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        # Examples in docstrings and the default game of an experiment may name it; code and texts may not.
        text = re.sub(r"DEFAULT_GAME = .*|``[^`]*``|#.*|games/skate_legend|games\.skate_legend", "", line)
        if GAME_WORDS.search(text):
            found.append(f"{number}: {line.strip()}")
    assert not found, "\n".join(found)


def test_names_of_record_fields_are_free() -> None:
    """A field named like an attribute of numpy's records could not be read by its name when interpreted."""
    import numpy as np

    from skate_sim import games

    def fields(dtype: np.dtype) -> Iterator[str]:
        if dtype.subdtype:
            yield from fields(dtype.subdtype[0])
        for name in dtype.names or ():
            yield name
            yield from fields(dtype[name])

    taken = set(dir(np.record))
    for name in games.names():
        assert not taken & set(fields(games.load(name).state_dtype))
