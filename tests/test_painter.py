"""Figures that a process of its own draws are those that are drawn here, and whatever becomes of it, they are there."""

from __future__ import annotations

import io
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from skate_sim import painter, plots
from skate_sim.aside import end_aside, start_aside
from skate_sim.drawing import Drawing
from skate_sim.painter import Painter, painter_aside
from skate_sim.results import Results
from tests.commands import enter, invoke


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painter, "default_threads", lambda: 2)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that painters start."""
    found: list[subprocess.Popen[bytes]] = []

    def start(*words: Any, **options: Any) -> subprocess.Popen[bytes] | None:
        if process := start_aside(*words, **options):
            found.append(process)
        return process

    monkeypatch.setattr(painter, "start_aside", start)
    return found


def bars(label: str = "Points") -> Drawing:
    columns = {"name": ["a", "b"], "value": [1.0, 2.0], "value_low": [0.5, 1.5], "value_high": [1.5, 2.5]}
    return Drawing("brought", "Bars", pd.DataFrame(columns), {"label": label})


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def draw_nothing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("drawn here")

    monkeypatch.setattr(plots, "write", fail)


def is_gone(group: int) -> bool:
    """Whether no process of a group is left; those that were killed may take a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_the_files_of_a_run_are_the_same_byte_for_byte(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results.save(tmp_path / "here")
    with painter_aside(True) as other:
        draw_nothing_here(monkeypatch)
        results.save(tmp_path / "aside", painter=other)
    assert len(list((tmp_path / "aside" / "figures").iterdir())) == 2 * len(results.figures())
    assert contents(tmp_path / "aside") == contents(tmp_path / "here")
    assert capsys.readouterr().err == ""


def test_a_path_that_ends_in_svg_is_one_file(tmp_path: Path) -> None:
    alone = Painter()
    alone.paint(tmp_path / "both", bars())
    alone.paint(tmp_path / "one.svg", bars())
    alone.finish()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both.png", "both.svg", "one.svg"]
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "both.svg").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("when", ["before", "after"])
def test_figures_are_drawn_here_when_the_other_process_is_killed(
    tmp_path: Path, started: list[subprocess.Popen[bytes]], when: str
) -> None:
    with painter_aside(True) as other:
        if when == "before":
            started[0].kill()
            started[0].wait()
        for number in range(4):
            other.paint(tmp_path / str(number), bars())
        if when == "after":
            os.kill(started[0].pid, signal.SIGKILL)
        other.finish()
    assert len({path.read_bytes() for path in tmp_path.glob("*.png")}) == 1
    assert len(list(tmp_path.iterdir())) == 8
    assert is_gone(started[0].pid)


@pytest.mark.parametrize("program", ["no such program", ""])
def test_figures_are_drawn_here_when_no_process_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with painter_aside(True) as other:
        other.paint(tmp_path / "x", bars())
        other.finish()
    assert len(list(tmp_path.iterdir())) == 2


def test_figures_are_drawn_here_when_there_is_no_room_for_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    def fail() -> None:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(painter, "TemporaryFile", fail)
    with painter_aside(True) as other:
        other.paint(tmp_path / "x", bars())
        other.finish()
    assert (started, len(list(tmp_path.iterdir()))) == ([], 2)


def test_what_cannot_be_sent_is_drawn_here(tmp_path: Path) -> None:
    with painter_aside(True) as other:
        other.paint(tmp_path / "x", bars())
        other.paint(tmp_path / "y", lambda: bars()())
        other.finish()
    assert len(list(tmp_path.iterdir())) == 4


def test_the_error_of_a_figure_is_raised_as_if_it_was_drawn_here(tmp_path: Path) -> None:
    with painter_aside(True) as other:
        other.paint(tmp_path / "x", Drawing("no such kind", "", pd.DataFrame()))
        with pytest.raises(KeyError, match="no such kind"):
            other.finish()


def test_where_a_process_is_not_split_it_draws_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    painter.draw_what_comes(io.BytesIO(b"".join(pickle.dumps((tmp_path / name, bars())) for name in "xyz")))
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["x.png", "y.png", "z.png"]


def test_warnings_of_the_other_process_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with painter_aside(True) as other:
        other.paint(tmp_path / "x", bars("点"))
        other.finish()
    assert "missing from font" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, None])
def test_nothing_is_left_of_a_command_that_ended(
    tmp_path: Path, started: list[subprocess.Popen[bytes]], error: type[BaseException] | None
) -> None:
    def leave() -> None:
        with painter_aside(True) as other:
            other.paint(tmp_path / "x", bars())
            if error:
                raise error
            other.finish()

    if error:
        with pytest.raises(error):
            leave()
    else:
        leave()
    assert started[0].returncode is not None
    assert is_gone(started[0].pid)


def test_a_result_that_cannot_be_written_ends_the_drawing_of_its_figures(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("skate_sim.saving.write_tables", fail)
    with painter_aside(True) as other:
        with pytest.raises(OSError, match="no space left"):
            results.save(tmp_path / "new", painter=other)
        assert started[0].returncode is not None
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("options", "starts"), [([], 1), (["--json"], 1), (["--no-figures"], 0), (["--no-files"], 0)])
def test_a_process_is_started_where_figures_are_drawn(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    started: list[subprocess.Popen[bytes]],
    options: list[str],
    starts: int,
) -> None:
    enter(tmp_path, monkeypatch)
    draw_nothing_here(monkeypatch)
    done = invoke(capsys, "run", "who.yaml", "-g", "40", *options)
    assert (done.code, done.err, len(started)) == (0, "", starts)


def test_one_processor_has_no_room_for_another_process(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    monkeypatch.setattr(painter, "default_threads", lambda: 1)
    with painter_aside(True):
        assert started == []


def test_files_in_the_users_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('not for you to import')\n")
    monkeypatch.chdir(tmp_path)
    with painter_aside(True) as other:
        draw_nothing_here(monkeypatch)
        other.paint(tmp_path / "x", bars())
        other.finish()


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
def test_a_process_aside_is_ended_with_those_that_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    (tmp_path / "sleeper.py").write_text(code + "print('started', file=sys.stderr, flush=True)\ntime.sleep(60)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with (tmp_path / "said").open("wb") as said:
        process = start_aside("sleeper", errors=said)
    assert process
    while not (tmp_path / "said").read_bytes():
        time.sleep(0.02)
    end_aside(process)
    assert is_gone(process.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="file descriptors that are closed")
@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
def test_a_result_is_kept_where_nobody_hears_what_was_said(tmp_path: Path, errors: str) -> None:
    if errors.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    command = f"exec {shlex.quote(sys.executable)} -m skate_sim run push_your_luck -g 1 -q -o out {errors}"
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, env=env, check=False).returncode == 0
    assert (tmp_path / "out" / "figures" / "win_shares.svg").is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="where the process splits itself")
def test_parts_of_a_process_that_was_killed_end_with_it(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys, time\n"
        "from skate_sim import painter\n"
        "with painter._pool() as pool:\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert is_gone(int(done.stdout))
