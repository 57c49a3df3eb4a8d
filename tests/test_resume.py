"""Runs that are stopped, killed, or run out of disk go on where they were, and end as if nothing had happened."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skate_sim import checkpoint, saving
from skate_sim.api import plan_games, simulate
from skate_sim.checkpoint import CHECKPOINT, TALLIES, CheckpointError, read, resumed, write
from skate_sim.dispatch import play
from skate_sim.results import FolderError, Results
from tests.commands import ROOT, Done, enter, invoke
from tests.runs import POOL
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    enter(tmp_path, monkeypatch)
    (tmp_path / "long.yaml").write_text(EXPERIMENT)
    return tmp_path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an uninterrupted run leaves behind."""
    from skate_sim.api import run

    with chdir(tmp_path_factory.mktemp("whole")):
        Path("long.yaml").write_text(EXPERIMENT)
        return contents(run("long.yaml").save("long", figures=False))


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


def test_another_behaviour_version_or_bot_is_refused(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=400)
    write(tmp_path / TALLIES, plan, play(plan))

    class Later:
        games = 400

        def __init__(self, **changes: Any) -> None:
            self.identity = {**plan.identity, **changes}

    with pytest.raises(CheckpointError, match="behaviour version is 1 there and 2 here"):
        read(tmp_path / TALLIES, Later(behaviour_version=2))  # type: ignore[arg-type]
    bots = [dict(bot) for bot in plan.identity["bots"]]
    bots[1]["fingerprint"] = "changed"
    with pytest.raises(CheckpointError, match=r"bots 2\.fingerprint is \w+ there and changed here"):
        read(tmp_path / TALLIES, Later(bots=bots))  # type: ignore[arg-type]


def test_more_games_than_before(tmp_path: Path) -> None:
    whole = contents(simulate(POOL, games=6000).save(tmp_path / "whole", figures=False))
    simulate(POOL, games=1001).save(tmp_path / "run", figures=False)
    words: dict[str, Any] = {"checkpoint": tmp_path / "run", "resume": True}
    for games, kept in ((4000, 1004), (6000, 4000), (6000, 6000)):
        found = simulate(POOL, games=games, **words)
        assert (found.games, found.kept) == (games, kept)
        found.save(tmp_path / "run", figures=False)
    assert contents(tmp_path / "run") == whole


def test_kept_games_come_back_as_they_were(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=9000)
    played = play(plan, ranges=[(0, 5000), (6000, 6001), (8192, 9000)], chunk=333)
    write(tmp_path / "x" / CHECKPOINT, plan, played)
    back = read(tmp_path / "x" / CHECKPOINT, plan)
    assert back.ranges == played.ranges
    assert back.parts() == played.parts()
    assert back.total.equals(played.total)
    assert play(plan, done=back).parts() == play(plan).parts()
    assert resumed(tmp_path / "nowhere", plan).games == 0
    kept = (tmp_path / "x" / CHECKPOINT).read_bytes()
    for torn in (b"PK torn", b"", kept[:999], kept[:1500] + bytes(200) + kept[1700:]):
        (tmp_path / "x" / CHECKPOINT).write_bytes(torn)
        with pytest.raises(CheckpointError, match=r"checkpoint\.npz cannot be read"):
            read(tmp_path / "x" / CHECKPOINT, plan)
    np.savez(tmp_path / "x" / "other.npz", a=np.zeros(3))
    with pytest.raises(CheckpointError, match=r"other\.npz cannot be read"):
        read(tmp_path / "x" / "other.npz", plan)
    with pytest.raises(CheckpointError, match="resume needs checkpoint"):
        simulate(POOL, games=4, resume=True)


def test_games_of_fewer_counts_are_not_gone_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As versions before this one kept them."""
    monkeypatch.setattr(checkpoint, "FORMAT", 1)
    folder = simulate(POOL, games=400).save(tmp_path / "run", figures=False)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match=r"tallies\.npz has format 1, with fewer counts than format 2"):
        simulate(POOL, games=800, checkpoint=folder, resume=True)
    done = invoke(capsys, "verify", str(folder))
    assert (done.code, done.out) == (2, "")
    assert "run the experiment again" in done.err


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


def test_the_file_says_what_it_is_of(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=400)
    write(tmp_path / TALLIES, plan, play(plan))
    with np.load(tmp_path / TALLIES) as archive:
        meta = json.loads(archive["meta"].tobytes())
    assert meta["identity"] == json.loads(json.dumps(plan.identity))
    assert meta["ranges"] == [[0, 400]]
