"""Stored results of experiments whose sections play games of their own, and what is said of other stored results."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from skate_sim.luck_answer import _share
from skate_sim.saving import MANIFEST
from skate_sim.stats import Estimate
from tests.commands import EXPERIMENT, enter, invoke

POOL = "pool: [risk_threshold, helmet_saver, score_chaser]\ngames: 300\n"
DEAR = "{edits: {cards.hippy_jump.points: 3}}"
EDITED = POOL + f"variants:\n  dear: {DEAR}\n  printed: {{}}\n  again: {DEAR}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


@pytest.mark.parametrize("section", ["pairs: {size: 2}", "luck: true"])
def test_games_of_sections_are_verified_and_told(
    section: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "own.yaml").write_text(POOL + section + "\n")
    assert invoke(capsys, "run", "own.yaml", "-q", "--no-figures").code == 0
    done = invoke(capsys, "verify", "results/own")
    assert done.code == 0, done
    assert "Reproduces" in done.out
    assert invoke(capsys, "play", "results/own", "--game", "3").code == 0
    (folder / "own.yaml").unlink()
    done = invoke(capsys, "verify", "results/own")
    assert done.code == 1, "its games cannot be known without the file"
    assert "own" in done.out + done.err


def test_an_edited_baseline_is_not_called_the_preset(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "edited.yaml").write_text(EDITED)
    done = invoke(capsys, "run", "edited.yaml", "--no-files")
    assert "Variant dear (baseline): rulebook rules but cards.hippy_jump.points: 3\n" in done.out
    assert "Variant printed: Hippy Jump: points 3 → 2\n" in done.out
    assert "Variant again: as the baseline\n" in done.out


def test_a_share_of_nothing_is_bounded_by_its_interval() -> None:
    assert _share(Estimate(-0.001, -0.007, 0.006)) == "nothing beyond doubt (up to 0.6%)"
    assert _share(Estimate(0.0, -0.0001, 0.0001)) == "nothing (below 0.05%)"


def test_seats_that_the_game_has_not_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "rank", "stop_at_n", "--seats", "6")
    assert (done.code, done.err) == (2, "Error: found 6 seats; Skate Legend is for 2, 3, 4, 5\n")


def test_a_larger_result_of_another_kind_is_not_replaced_in_silence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "plain.yaml").write_text(EXPERIMENT)
    (folder / "paired.yaml").write_text(EDITED)
    (folder / "apart.yaml").write_text(POOL + "variants:\n  long: {}\n  short: {players: 2}\n")
    out = ("-q", "--no-figures", "-o", "results/one")
    invoke(capsys, "run", "paired.yaml", *out)
    done = invoke(capsys, "run", "apart.yaml", "-g", "100", *out)
    assert "results/one has 300 games of each variant of another run (its variants play the same games)" in done.err
    done = invoke(capsys, "run", "plain.yaml", "-g", "40", *out)
    assert "of another run (it compares variants), which this one of 40 replaces." in done.err
    invoke(capsys, "run", "plain.yaml", "-g", "4000", *out)
    done = invoke(capsys, "run", "paired.yaml", *out)
    assert "results/one has 4,000 games of another run (it compares no variants)" in done.err


def test_a_damaged_manifest_is_called_that(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "plain.yaml").write_text(EXPERIMENT)
    invoke(capsys, "run", "plain.yaml", "-g", "40", "-q", "--no-figures")
    manifest = folder / "results/plain" / MANIFEST
    manifest.write_text(manifest.read_text()[:700])
    done = invoke(capsys, "show", "results/plain")
    assert done.code == 2
    assert "results/plain holds no whole result of skate-sim: its manifest.json is damaged" in done.err


def test_the_hint_of_rank_runs_as_it_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bots").mkdir()
    (folder / "bots/my bot.py").write_text("def act(view):\n    return 0 if view.table.may_stop else 1\n")
    done = invoke(capsys, "rank", "bots/my bot.py", "--against", "stop_at_n", "--games", "100")
    command = shlex.split(done.out.rpartition("skate-sim ")[2])
    assert command[:2] == ["play", "--bots"]
    assert invoke(capsys, *command).code == 0
