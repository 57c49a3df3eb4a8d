"""What Tab completes, as bash itself has it: its words, our script, and what bash is left with."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT, VARIANTS

#: Readies bash as for a line that is typed: what COMP_WORDS has is where bash breaks the line, at colons, too.
_SCRIPT = """
compopt() { echo "option $2"; }
eval "$(skate-sim completion bash)"
for line in "$@"; do
    IFS=$'\\x1f' read -ra COMP_WORDS <<< "$line"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _skate_sim_completion skate-sim
    echo "${COMPREPLY[*]}"
    echo "--"
done
"""


def completed(folder: Path, *lines: str) -> list[list[str]]:
    """What bash is left with for each line; a bar is where bash breaks a line into words."""
    command = folder / "bin/skate-sim"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m skate_sim "$@"\n')
    command.chmod(0o755)
    words = [line.replace("|", "\x1f") for line in lines]
    done = subprocess.run(
        ["bash", "--norc", "-c", _SCRIPT, "bash", *words],
        cwd=folder,
        env={"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [part.split() for part in done.stdout.split("--\n")][:-1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bot, an experiment and stored results."""
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies/timid.py").write_text("")
    (tmp_path / "generous.yaml").write_text(VARIANTS)
    for name in ("figures", "tables"):
        (tmp_path / "results/stored" / name).mkdir(parents=True)
    (tmp_path / "results/stored/manifest.json").write_text('{"made_by": "skate-sim"}')
    (tmp_path / "results/stored/figures/games.svg").write_text("")
    (tmp_path / "results/stored/tables/bots.csv").write_text("")
    return tmp_path


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash(folder: Path) -> None:
    cases = {
        "skate-sim|sh": ["show"],
        "skate-sim|run|which": ["option", "default", "which_bot"],
        "skate-sim|run|gen": ["option", "default", "generous.yaml"],
        "skate-sim|check|ti": ["option", "default", "timid"],
        "skate-sim|play|--bots|stop_at_n|:|n|=|3,ti": ["3,timid"],
        "skate-sim|play|--bots|=|ti": ["timid"],
        "skate-sim|play|-b|timid,risk": ["timid,risk_threshold"],
        "skate-sim|play|--preset|on": ["online"],
        "skate-sim|play|generous|--variant|sh": ["short"],
        "skate-sim|play|results/s": ["option", "default", "results/stored"],
        "skate-sim|show|re": ["option", "dirnames", "results/stored"],
        "skate-sim|show|results/stored|--table|b": ["bots"],
        "skate-sim|figure|ga": ["game_risk", "games"],
        "skate-sim|run|-x|da": ["dask"],
        "skate-sim|run|nothing_like_it": ["option", "default"],
    }
    assert dict(zip(cases, completed(folder, *cases), strict=True)) == cases
