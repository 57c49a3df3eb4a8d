"""After an edit, what runs is the edited code: of the package, of a bot, of whatever a bot imports.

Numba's own cache watches only the file that holds the function it was asked to compile.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skate_sim import jit

PACKAGE = Path(jit.__file__).parent

#: Compiles one function that calls a helper deep in the game, and tells its result, and whether it came from disk.
PROBE = """
import numpy as np
from skate_sim import games, jit
from skate_sim.games.skate_legend.combo import add_to_combo

@jit.entry_point
def points_of_first_card(state):
    add_to_combo(state, np.uint64(0), np.uint64(0), np.uint64(0))
    return state.table.skaters[0].combo_points

def tell():
    game = games.load("skate_legend")
    state = game.new_state(game.resolve(game, 2, None, None, None))
    points = points_of_first_card(state[0])
    stats = points_of_first_card.stats
    print(points, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""

#: Changes every file in turn; tells those whose change the digest does not see.
DIGESTS = """
from skate_sim import jit
before = jit.source_digest()
for path in sorted(jit.compiled_sources()):
    text = path.read_text()
    path.write_text(text + "\\n# edited\\n")
    if jit.source_digest.__wrapped__() == before:
        print(path)
    path.write_text(text)
assert jit.source_digest.__wrapped__() == before
"""

#: Tells the first game of each bot against itself, a line each.
STORIES = """
import sys
from skate_sim.testing import transcript_lines
for bot in sys.argv[1:]:
    print(transcript_lines([bot, bot], 0)[1:])
"""

#: Compiles a bot of a file, or reads its machine code; tells how many of its functions were read.
READ = """
import sys
from pathlib import Path
from skate_sim import games
from skate_sim.bot_code import compile_bot
from skate_sim.bot_files import load_file
print(sum(hook.cache_hits for hook in compile_bot(load_file(Path(sys.argv[1]), games.load("skate_legend"))).keep))
"""

BOT = """
from skate_sim.games.skate_legend import PILE_1, STOP, can_take
{imported}


def act(view):
    if view.table.may_stop and view.table.skaters[view.hand.seat].combo_size >= {number}:
        return STOP
    return PILE_1 if can_take(view, PILE_1) else PILE_1 + 1
"""


def python(folder: Path, *arguments: str, cache: Path | None = None) -> str:
    """Output of a Python process of its own, in a folder whose modules come first."""
    left_out = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    env |= {"PYTHONPATH": os.pathsep.join([str(folder), str(PACKAGE.parent)]), "PYTHONDONTWRITEBYTECODE": "1"}
    if cache:
        env["NUMBA_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path} no longer has {old!r} once: edit something else in this test"
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package, and the probe."""
    folder = tmp_path_factory.mktemp("copied")
    shutil.copytree(PACKAGE, folder / "skate_sim", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "probe.py").write_text(PROBE)
    return folder


def test_an_edit_deep_in_a_game_is_run_at_once(copied: Path) -> None:
    def told() -> list[int]:
        printed = python(copied, "-c", "import probe; probe.tell()", cache=copied / "cache")
        return [int(word) for word in printed.split()]

    first, *compiled = told()
    assert compiled == [0, 1]
    assert told() == [first, 1, 0], "the cache is not used: this test could not fail"
    add = "_add_counts(skater, record)\n"
    edit(copied / "skate_sim/games/skate_legend/combo.py", add, f"{add}    skater.combo_points = 71\n")
    assert told() == [71, 0, 1]
    assert first != 71


def test_every_source_of_compiled_code_counts(copied: Path) -> None:
    assert python(copied, "-c", DIGESTS, cache=copied / "digests") == ""


def test_what_compiled_code_imports_is_a_source_of_it() -> None:
    """Constants of a module that is no source could change without the digest."""
    sources = set(jit.compiled_sources())
    missed = set()
    for path in sources:
        if path.suffix == ".py":
            missed |= {(path.name, module.name) for module in _modules_of_package(path) if module not in sources}
    # Bots are declared there; what ends up in generated code is part of each bot's fingerprint.
    of_bots = {("bot_code.py", name) for name in ("policy.py", "bot_fingerprint.py", "bot_messages.py")}
    found_elsewhere = of_bots | {("__init__.py", "__init__.py")}
    assert missed <= found_elsewhere


def _modules_of_package(path: Path) -> set[Path]:
    """Files of the package that a file imports from, or that it imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            base = PACKAGE.parent / name.replace(".", "/")
            found |= {file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()}
    return {file for file in found if file.is_relative_to(PACKAGE)} - {PACKAGE / "__init__.py"}


#: How a bot may come by a number of a module that its helper imports: its imports, the number, the helper.
WAYS = {
    "function": ("from {helper} import number", "number()", "from deep import number\n"),
    "constant": ("from {helper} import N", "N", "from deep import N\n"),
    "constant of a module": (
        "from {helper} import number",
        "number()",
        "import deep\n\n\ndef number():\n    return deep.N\n",
    ),
    "constant passed on by a module": ("import {helper}", "{helper}.N", "from deep import N\n"),
}


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """A game of each bot against itself, before and after an edit of what its helper imports."""
    folder, bots = tmp_path_factory.mktemp("bots"), []
    for place, (imported, number, between) in enumerate(WAYS.values()):
        helper = f"helper_{place}"
        words = {"imported": imported.format(helper=helper), "number": number.format(helper=helper)}
        (folder / f"bot_{place}.py").write_text(f'"""A bot."""\n{BOT.format(**words)}')
        (folder / f"{helper}.py").write_text(between)
        bots.append(f"./bot_{place}.py")
    told = []
    for n in (1, 3):
        (folder / "deep.py").write_text(f"N = {n}\n\n\ndef number():\n    return {n}\n")
        told.append(python(folder, "-c", STORIES, *bots).splitlines())
    return {way: [lines[place] for lines in told] for place, way in enumerate(WAYS)}


@pytest.mark.parametrize("way", WAYS)
def test_an_edit_of_what_a_bots_helper_imports(way: str, stories: dict[str, list[str]]) -> None:
    before, after = stories[way]
    assert before != after


def test_the_same_bot_in_two_places_is_compiled_once_in_each(tmp_path: Path) -> None:
    """Kept machine code names the module of the bot, which is another one in another environment."""
    files = [tmp_path / place / "bot.py" for place in ("here", "there")]
    for file in files:
        file.parent.mkdir()
        file.write_text(BOT.format(imported="", number=3))
    read = [python(tmp_path, "-c", READ, str(file), cache=tmp_path / "cache") for file in files * 2]
    assert read == ["0", "0", "1", "1"]


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 60])
def test_machine_code_that_was_damaged_is_made_again(copied: Path, tmp_path: Path, ending: str, kept: int) -> None:
    """As by a full disk, or power that failed."""
    cache = tmp_path / "cache"

    def tell() -> str:
        return python(copied, "-c", "import probe; probe.tell()", cache=cache)

    first, found = tell(), list(cache.rglob(f"*{ending}"))
    assert found
    for path in found:
        path.write_bytes(path.read_bytes()[:kept])
    assert tell() == first
    assert tell().split()[0] == first.split()[0]
    assert tell().split()[1] == "1"


def test_without_a_folder_for_machine_code_it_is_made_for_once(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert python(copied, "-c", "import probe; probe.tell()", cache=tmp_path / "cache").split()[1:] == ["0", "1"]
