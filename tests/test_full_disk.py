"""Runs whose disk is full or cannot be written: one message, and what was there stays."""

from __future__ import annotations

import errno
import os
import re
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skate_sim import checkpoint, saving
from skate_sim.checkpoint import CHECKPOINT
from skate_sim.results import FolderError
from tests.commands import invoke
from tests.stopped import end, enter_with_long, never_stopped, resume, start
from tests.test_saving import contents


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter_with_long(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an uninterrupted run leaves behind."""
    return never_stopped(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("limit", [2_000, 60_000])
def test_full_disk(limit: int, folder: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]) -> None:
    """No file may grow beyond a limit: the kept games meet it at once, or only the tables do."""
    invoke(capsys, "run", "long.yaml", "--games", "500", "--seed", "6", "--no-figures")
    before = contents(folder / "results/long")
    full = limit_files(limit)
    done = end(start(folder, preexec_fn=full))
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "File too large" in done.err
    assert "--resume" in done.err or limit == 2_000
    after = contents(folder / "results/long")
    assert (CHECKPOINT in after) == (limit > 2_000)
    after.pop(CHECKPOINT, None)
    assert after == before, "the older result is as it was"
    assert len(list(folder.glob("results/.*"))) == 0
    if limit > 2_000:
        done = resume(capsys)
        assert "played before" in done.out
        assert contents(folder / "results/long") == whole


def limit_files(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_disk_that_gets_full_keeps_the_last_good_file(
    folder: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    times, fsync = 0, os.fsync

    def full(number: int) -> None:
        nonlocal times
        times += 1
        if times > 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(number)

    monkeypatch.setattr(os, "fsync", full)
    done = invoke(capsys, "run", "long.yaml", "--chunk", "500", "-t", "1")
    assert done.code == 2
    text = r"npz cannot be written: No space left on device; ([\d,]+) games are kept there; once it can, --resume"
    kept = re.search(text, done.err.replace("\n", " "))
    assert kept, done.err
    assert [p.name for p in (folder / "results/long").iterdir()] == [CHECKPOINT]
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert f"{kept[1]} of them played before" in " ".join(resume(capsys).out.split())
    assert contents(folder / "results/long") == whole


def test_a_disk_that_is_full_when_tables_are_written(
    folder: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(saving, "write_tables", full)
        done = invoke(capsys, "run", "long.yaml")
    assert done.code == 2
    assert "the results cannot be written to results/long: No space left on device" in done.err
    assert "once there is room, go on with --resume" in done.err
    done = resume(capsys)
    assert "20,000 of them played before" in done.out
    assert contents(folder / "results/long") == whole


@pytest.mark.parametrize("out", ["/dev/null/x", "long.yaml", "long.yaml/x", "x" * 300])
def test_a_folder_that_cannot_be_written_is_found_before_the_games(
    out: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skate_sim.playing.play", None)
    done = invoke(capsys, "run", "long.yaml", "--out", out)
    assert (done.code, done.out) == (2, "")
    assert "cannot be written" in done.err or "is a file" in done.err


def test_a_read_only_folder_is_found_before_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(FolderError, match="cannot be written: Read-only file system; name another"):
        saving.check_folder(tmp_path / "deep" / "er")
    assert list(tmp_path.iterdir()) == []
