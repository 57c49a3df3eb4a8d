"""A larger result is not lost to a smaller run of the same games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import enter, invoke
from tests.test_cli import interrupted

RUN = ("run", "who.yaml", "--no-figures", "--quiet")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def games_in(folder: Path) -> int:
    return int(json.loads((folder / "results/who/manifest.json").read_text())["games"])


def test_fewer_of_the_same_games(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invoke(capsys, *RUN).code == 0
    refused = invoke(capsys, *RUN, "--games", "400")
    assert (refused.code, games_in(folder)) == (2, 2000)
    assert "has 2,000 games of this experiment, and this run 400 of the same ones" in refused.err
    assert invoke(capsys, *RUN, "--games", "400", "--no-files").code == 0
    assert invoke(capsys, *RUN, "--games", "400", "--out", "other").code == 0
    assert invoke(capsys, *RUN).err == "", "the same number replaces itself"

    interrupted(2, monkeypatch)
    stopped = invoke(capsys, *RUN[:3], "--chunk", "10", "--threads", "1")
    assert (stopped.code, games_in(folder)) == (130, 2000)
    assert "Not written: results/who has 2,000 of these games already" in stopped.err
    monkeypatch.undo()
    monkeypatch.chdir(folder)

    assert (invoke(capsys, *RUN, "--games", "400", "--overwrite").code, games_in(folder)) == (0, 400)


def test_fewer_of_other_games_replace_it_and_say_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(capsys, *RUN).code == 0
    done = invoke(capsys, *RUN, "--games", "400", "--seed", "8")
    assert (done.code, games_in(folder)) == (0, 400)
    assert "results/who has 2,000 games of another run (seed is 7 there and 8 here), which this one of 400" in done.err
