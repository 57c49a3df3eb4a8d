"""What README and the documents show is run: the bot, the notebook cell, the experiment, the commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from skate_sim.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the files that README tells to write."""
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "cautious.py").write_text(blocks("python")[0], encoding="utf-8")
    (tmp_path / "generous.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands() -> list[str]:
    lines = [line for block in blocks("bash") for line in block.splitlines() if line.startswith("skate-sim ")]
    assert len(lines) >= 5
    return lines


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_readme_run(line: str, folder: Path) -> None:
    words = shlex.split(line)[1:]
    if words[0] == "verify":
        made = ["run", Path(words[1]).name, "--games", "400", "--no-figures", "--quiet"]
        assert CliRunner().invoke(main, made).exit_code == 0
    if words[0] in ("run", "check", "rank"):
        words += ["--games", "20" if words[0] == "check" else "400"]
    if words[0] == "run":
        words += ["--no-figures"]
    outcome = CliRunner().invoke(main, words)
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.strip()


def test_notebook_cell_of_the_readme_runs(folder: Path) -> None:
    cell = folder / "cell.py"
    cell.write_text(blocks("python")[1].replace("20_000", "400"), encoding="utf-8")
    exec(compile(cell.read_text(encoding="utf-8"), str(cell), "exec"), {"__name__": "readme_cell"})


def test_every_event_is_documented() -> None:
    from skate_sim import games

    text = (ROOT / "docs" / "transcript.md").read_text(encoding="utf-8")
    for kind in games.load("skate_legend").events:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{kind.name}` |"))
        assert all(f"`{name}`" in row for name in kind.fields)
