"""Runs that are stopped, killed, or run out of disk go on where they were, and end as if nothing had happened."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from skate_sim import saving
from skate_sim.checkpoint import CHECKPOINT, read, write
from skate_sim.dispatch import play
from skate_sim.results import Results
from tests.commands import invoke
from tests.stopped import ENDLESS, EXPERIMENT, end, enter_with_long, never_stopped, resume, start, wait_for
from tests.test_saving import contents


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter_with_long(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an uninterrupted run leaves behind."""
    return never_stopped(tmp_path_factory.mktemp("whole"))


def test_kill_9(folder: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "results/long" / CHECKPOINT
    process = start(folder)
    wait_for(kept.is_file, process)
    process.kill()
    assert end(process).code == -signal.SIGKILL
    assert not (kept.parent / "manifest.json").exists()
    done = resume(capsys)
    assert done.code == 0
    assert "20,000 games of seed 5, " in done.out
    assert "of them played before" in done.out
    assert contents(kept.parent) == whole


def test_ctrl_c(folder: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]) -> None:
    process = start(folder)
    wait_for((folder / "results/long" / CHECKPOINT).is_file, process)
    process.send_signal(signal.SIGINT)
    stopped = end(process)
    assert (stopped.code, stopped.err) == (130, "Stopped.\n")
    assert "PARTIAL: stopped after" in stopped.out
    partial = Results.load(folder / "results/long")
    assert partial.partial
    assert 500 <= partial.games < 20_000
    assert partial.checks()["holds"].any()
    assert not (folder / "results/long" / CHECKPOINT).exists(), "its games are with the tables"
    done = resume(capsys)
    assert f"{partial.games:,} of them played before" in done.out
    assert contents(folder / "results/long") == whole


def test_ctrl_c_twice_leaves_a_game_that_never_ends(folder: Path) -> None:
    (folder / "endless.py").write_text(ENDLESS)
    (folder / "long.yaml").write_text(EXPERIMENT.replace("risk_threshold", "endless"))
    process = start(folder, "--chunk", "5")
    sizes = [0, 1]
    while len(set(sizes[-20:])) > 1 or not sizes[-1]:  # nothing is finished any more
        assert process.poll() is None, process.communicate()
        kept = folder / "results/long" / CHECKPOINT
        sizes.append(kept.stat().st_mtime_ns if kept.is_file() else 0)
        time.sleep(0.05)
    assert process.stderr
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "Stopping after the games in hand; Ctrl-C again leaves them unfinished.\n"
    process.send_signal(signal.SIGINT)
    done = end(process)
    assert (done.code, done.err) == (130, "Stopped.\n")
    assert "PARTIAL" in done.out
    assert Results.load(folder / "results/long").games % 5 == 0


def test_a_second_ctrl_c_while_saving_keeps_the_older_result(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke(capsys, "run", "long.yaml", "--games", "500", "--seed", "6", "--no-figures")
    before = contents(folder / "results/long")
    original = saving.write_tables

    def press(*words: Any) -> None:
        original(*words)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(saving, "write_tables", press)
    done = invoke(capsys, "run", "long.yaml", "--no-figures")
    assert done.code == 130
    assert Results.load(folder / "results/long").games == 20_000, "the first only ends the run after it"

    monkeypatch.setattr("skate_sim.console.RunProgress.__call__", lambda *_: signal.raise_signal(signal.SIGINT))
    (folder / "results/long").rename(folder / "results/other")
    invoke(capsys, "run", "long.yaml", "--games", "500", "--seed", "6", "--no-figures")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    invoke(capsys, "run", "long.yaml", "--games", "500", "--seed", "6", "--no-figures")
    assert contents(folder / "results/long") == before

    monkeypatch.setattr(saving, "write_tables", press)
    monkeypatch.setattr("skate_sim.console.RunProgress.__call__", lambda *_: signal.raise_signal(signal.SIGINT))
    done = invoke(capsys, "run", "long.yaml", "--chunk", "500", "--no-figures")
    assert done.code == 130
    after = contents(folder / "results/long")
    assert read(folder / "results/long" / CHECKPOINT, plan_of_long(folder)).games >= 500, "not even these are lost"
    after.pop(CHECKPOINT)
    assert after == before


def plan_of_long(folder: Path) -> Any:
    from skate_sim.experiment import load_experiment

    return load_experiment(folder / "long.yaml").plan()


@pytest.mark.parametrize(
    ("options", "change", "says"),
    [
        (("--seed", "6"), ("", ""), "seed is 5 there and 6 here"),
        ((), ("games", "rules: {rounds: 3}\ngames"), "rules.rounds is 4 there and 3 here"),
        ((), ("games", "edits: {cards.ollie.points: 2}\ngames"), "cards.ollie.points is 1 there and 2 here"),
        ((), ("stop_at_n", "helmet_saver"), "bots 1.bot is stop_at_n there and helmet_saver here"),
        ((), ("stop_at_n", "stop_at_n: {n: 3}"), "bots 1.n is 4 there and 3 here"),
        ((), ("[stop_at_n, risk", "[random_legal, stop_at_n, risk"), "seats is 2 there and 3 here"),
        (("--games", "10000"), ("", ""), "has 20,000 games, more than the 10,000 of this run"),
    ],
)
def test_games_of_another_run_are_refused(
    options: tuple[str, ...],
    change: tuple[str, str],
    says: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invoke(capsys, "run", "long.yaml", "--no-figures")
    before = contents(folder / "results/long")
    text = EXPERIMENT if not change[0] else EXPERIMENT.replace(*change)
    if "{n: 3}" in text:
        text = text.replace("[stop_at_n: {n: 3}, risk_threshold]", "[{stop_at_n: {n: 3}}, risk_threshold]")
    (folder / "long.yaml").write_text(text)
    monkeypatch.setattr("skate_sim.playing.play", None)
    done = resume(capsys, *options)
    assert done.code == 2
    assert says in done.err.replace("\n", " ")
    assert contents(folder / "results/long") == before


def test_resuming_variants(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = invoke(capsys, "run", "both.yaml", "--no-figures", "--csv", "-o", "whole").out
    with monkeypatch.context() as patch:
        patch.setattr("skate_sim.console.RunProgress.__call__", lambda *_: signal.raise_signal(signal.SIGINT))
        assert invoke(capsys, "run", "both.yaml", "--no-figures", "--chunk", "100").code == 130
    done = invoke(capsys, "run", "both.yaml", "--no-figures", "--csv", "--resume")
    assert done.out == whole
    assert "short has no finished games yet; starting from the first." in done.err
    for name in ("printed", "short"):
        assert contents(folder / "results/both" / name) == contents(folder / "whole" / name)


def test_starting_over_says_that_it_need_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of_long(folder)
    write(folder / "results/long" / CHECKPOINT, plan, play(plan, until=1000))
    done = invoke(capsys, "run", "long.yaml", "--no-figures")
    assert done.code == 0
    assert "results/long has finished games of a run that was stopped; --resume would go on from them." in done.err
    assert "played before" not in done.out
    assert not (folder / "results/long" / CHECKPOINT).exists()
    assert invoke(capsys, "run", "long.yaml", "--resume", "--no-files").code == 2
