"""Runs in processes of their own, to be stopped or killed, and how they go on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ROOT, Done, enter, invoke
from tests.test_saving import contents

EXPERIMENT = "# Who wins?\npool: [stop_at_n, risk_threshold]\ngames: 20000\nseed: 5\n"
#: Has an endless turn once in some hundred.
ENDLESS = """
from skate_sim import random

def act(view, luck):
    while random(luck) < 0.0005:
        while view.me.combo_size >= 0:
            pass
    return 0 if view.table.may_stop else 1
"""
#: The command, with many chunks that take a while each, and games kept after every one.
SLOW = """
import time
from skate_sim import checkpoint, console
checkpoint.EVERY = 0.0
console.RunProgress.__call__ = lambda *_: time.sleep(0.03)
from skate_sim.cli import main
main()
"""


def start(folder: Path, *options: str, code: str = SLOW, **words: Any) -> subprocess.Popen[str]:
    """A run in a process of its own."""
    command = [sys.executable, "-c", code, "run", "long.yaml", "--no-figures", "--chunk", "500", "-t", "1", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=folder, env=environment, **pipes, **words)


def end(process: subprocess.Popen[str]) -> Done:
    out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err)


def wait_for(found: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not found():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def resume(capsys: pytest.CaptureFixture[str], *options: str) -> Done:
    return invoke(capsys, "run", "long.yaml", "--no-figures", "--resume", *options)


def enter_with_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with experiments the current one; ``long.yaml`` is that of :data:`EXPERIMENT`."""
    enter(folder, monkeypatch)
    (folder / "long.yaml").write_text(EXPERIMENT)
    return folder


def never_stopped(folder: Path) -> dict[str, bytes]:
    """What a run leaves behind that nobody stops."""
    from skate_sim.api import run

    with chdir(folder):
        Path("long.yaml").write_text(EXPERIMENT)
        return contents(run("long.yaml").save("long", figures=False))
