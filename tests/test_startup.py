"""What a command imports: libraries that a run has no need of would make everybody wait for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from skate_sim.executors import default_threads

ROOT = Path(__file__).parents[1]
#: Each takes as long to import as thousands of games to play.
HEAVY = ("scipy.stats", "scipy.optimize", "scipy.sparse", "matplotlib", "jinja2", "concurrent.futures.process")
#: What numba imports before it compiles, and a package that nothing here uses.
NEEDLESS = ("numba.np.arraymath", "scipy.linalg")

RUN = """
import sys
from skate_sim.cli import main
try:
    main([{arguments}])
except SystemExit as end:
    assert not end.code, end.code
print("imported:", *(name for name in {names!r} if name in sys.modules))
"""


def imported(folder: Path, names: tuple[str, ...], *arguments: str) -> list[str]:
    """Which of these modules a command imports."""
    code = RUN.format(arguments=", ".join(map(repr, arguments)), names=names)
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.rpartition("imported:")[2].split()


def test_figures_are_drawn_by_another_process(tmp_path: Path) -> None:
    if default_threads() < 2:
        pytest.skip("there is one processor")
    assert imported(tmp_path, ("matplotlib",), "run", "push_your_luck", "-g", "1", "-o", "out") == []
    assert (tmp_path / "out" / "figures" / "win_shares.png").is_file()


@pytest.mark.parametrize("arguments", [["--no-files"], ["--no-figures", "-o", "out"]])
def test_a_run_with_tables_only_imports_nothing_for_figures(tmp_path: Path, arguments: list[str]) -> None:
    assert imported(tmp_path, HEAVY, "run", "push_your_luck", "-g", "1", *arguments) == []


def test_a_run_with_everything_compiled_imports_nothing_to_compile_with(tmp_path: Path) -> None:
    arguments = ("run", "push_your_luck", "-g", "1", "--no-files")
    imported(tmp_path, NEEDLESS, *arguments)  # compiles what is not compiled yet
    assert imported(tmp_path, NEEDLESS, *arguments) == []
