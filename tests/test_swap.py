"""What a process that was killed left next to a result's folder, by the moment at which it was killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skate_sim import saving, swap
from skate_sim.manifest import MADE_BY
from skate_sim.painter import Painter
from tests.commands import enter, invoke

MANIFEST = {"made_by": MADE_BY, "format": 1, "games": 1}


@pytest.fixture
def gone() -> int:
    """Number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as process:
        process.wait()
    return process.pid


def save(folder: Path, games: int) -> None:
    saving.save(folder, saving.Content(MANIFEST | {"games": games}, dict, (), {}), Painter())


def left_by(process: int, target: Path, ending: str, games: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a process leaves it for a moment."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: process)
        patch.setattr("secrets.token_hex", lambda count: "0a" * count)
        path = swap.next_to(target).with_suffix(ending)
    save(path, games)
    return path


def games_in(folder: Path) -> int:
    return int(saving.manifest_of(folder)["games"])


@pytest.mark.parametrize(
    ("at", "endings", "found"),
    [
        ("while it wrote the first result", [".new"], 9),
        ("between the renames", [".new", ".old"], 2),
        ("between the renames, and then somebody removed the new one", [".old"], 1),
    ],
)
def test_without_a_folder(
    at: str, endings: list[str], found: int, tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "run"
    for ending in endings:
        left_by(gone, target, ending, 2 if ending == ".new" else 1, monkeypatch)
    swap.mend(target)
    assert target.exists() == (found != 9), at
    assert not target.exists() or games_in(target) == found
    save(target, 9)
    assert [p.name for p in tmp_path.iterdir()] == ["run"]
    assert games_in(target) == 9


@pytest.mark.parametrize("ending", [".new", ".old"])
def test_next_to_a_folder(ending: str, tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it wrote a result, or removed the older one."""
    target = tmp_path / "run"
    left = left_by(gone, target, ending, 1, monkeypatch)
    (left / saving.MANIFEST).unlink()
    save(target, 3)
    assert [p.name for p in tmp_path.iterdir()] == ["run"]
    assert games_in(target) == 3


def test_others_are_left_alone(tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of living processes, of other machines and of other folders."""
    target = tmp_path / "run"
    kept = [left_by(os.getppid(), target, ending, 1, monkeypatch) for ending in (".new", ".old")]
    kept.append(left_by(gone, tmp_path / "run.2", ".old", 1, monkeypatch))
    with monkeypatch.context() as patch:
        patch.setattr("platform.node", lambda: "elsewhere")
        kept.append(left_by(gone, target, ".new", 1, monkeypatch))
    (tmp_path / ".run.notes.old").mkdir()
    swap.mend(target)
    assert {p.name for p in tmp_path.iterdir()} == {p.name for p in kept} | {".run.notes.old"}


def test_a_run_goes_on_from_what_was_swapped(
    tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(tmp_path, monkeypatch)
    run = ("run", "who.yaml", "-q", "--no-figures")
    invoke(capsys, *run, "-g", "40")
    old = left_by(gone, tmp_path / "results/who", ".old", 1, monkeypatch)
    shutil.rmtree(old)
    (tmp_path / "results/who").rename(old)
    done = invoke(capsys, *run, "--resume")
    assert "has no finished games yet" not in done.err
    assert [p.name for p in (tmp_path / "results").iterdir()] == ["who"]
    assert games_in(tmp_path / "results/who") == 2000
