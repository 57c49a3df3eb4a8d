"""Runs the command line in this process, as a shell would."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from skate_sim.cli import main

ROOT = Path(__file__).parents[1]
EXPERIMENT = """# Who wins?
pool:
  - stop_at_n: {n: 3}
  - {bot: risk_threshold, label: Careful, limit: 0.2}
players: 2
games: 2000
seed: 7
"""
VARIANTS = EXPERIMENT + "variants:\n  printed: {}\n  short: {rules: {rounds: 2}}\n"
#: Variants that play the same games; one of them is the baseline once more.
COMPARED = EXPERIMENT + (
    "baseline: printed\nvariants:\n  worth_2: {edits: {cards.ollie.points: 2}}\n  printed: {}\n  again: {}\n"
)


class Done(NamedTuple):
    """Exit code and what was printed."""

    code: int
    out: str
    err: str


def invoke(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """Run ``skate-sim`` with arguments."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main.main(list(arguments), prog_name="skate-sim")
    captured = capsys.readouterr()
    code = stop.value.code
    return Done(code if isinstance(code, int) else int(code is not None), captured.out, captured.err)


def enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with ``who.yaml``, ``both.yaml`` and ``three.yaml`` the current one, and a terminal of 100."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    (folder / "who.yaml").write_text(EXPERIMENT)
    (folder / "both.yaml").write_text(VARIANTS)
    (folder / "three.yaml").write_text(COMPARED)
    return folder
