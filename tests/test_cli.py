"""The command line: what each command prints, where it writes, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from rich.console import Console

import skate_sim
from skate_sim.cli import main
from skate_sim.console import Finding, RunProgress, show
from tests.commands import ROOT, Done, enter, invoke

COMMANDS = sorted(main.commands)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def test_commands() -> None:
    expected = [
        *(
            "bots",
            "check",
            "completion",
            "figure",
            "init",
            "new",
            "play",
            "rank",
            "report",
            "rules",
            "run",
            "show",
            "verify",
        )
    ]
    assert expected == COMMANDS


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help(command: str | None, flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, *([command] if command else []), flag)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: skate-sim")
    assert "..." not in done.out.partition("Options:")[2].replace("[ARGS]...", ""), "a help text is cut short"


def test_help_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\n  skate-sim bots                    which bots there are" in invoke(capsys, "-h").out


def test_every_option_has_a_help_text() -> None:
    for command in main.commands.values():
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, f"{command.name} {option.name}"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(capsys, "--version").out == f"skate-sim, version {skate_sim.__version__}\n"


def test_module_is_the_command_and_help_imports_nothing_heavy() -> None:
    code = (
        "import runpy, sys\n"
        "sys.argv = ['skate-sim', '--help']\n"
        "try:\n    runpy.run_module('skate_sim', run_name='__main__')\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "heavy = {'numba', 'numpy', 'pandas', 'matplotlib', 'scipy', 'pydantic', 'rich', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Usage: skate-sim")


def run_who(capsys: pytest.CaptureFixture[str], *options: str) -> Done:
    """Run who.yaml once everything is compiled."""
    invoke(capsys, "run", "who.yaml", "--games", "2", "--quiet", "--no-files")
    return invoke(capsys, "run", "who.yaml", *options)


def test_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_who(capsys)
    assert done.code == 0
    assert done.err == "", "progress is for terminals"
    assert "\x1b" not in done.out, "styles are for terminals"
    assert max(len(line) for line in done.out.splitlines()) <= 100
    for words in ("who", "Who wins?", "2 skaters, rulebook rules", "2,000 games of seed 7"):
        assert words in done.out
    for title in ("Bots", "Fall rate by round", "Tricks by round", "Games", "Legendaries"):
        assert f"\n{title}\n" in done.out
    assert "Checks: all" in done.out
    assert done.out.splitlines()[-1] == "Written to results/who: tables, figures, report.html, manifest.json"
    rows = done.out.partition("\nBots\n")[2].partition("─\n")[2].splitlines()
    assert [line.split()[0] for line in rows[:2]] == ["Careful", "stop_at_n:n=3"], "the best comes first"
    manifest = json.loads((folder / "results/who/manifest.json").read_text())
    assert (manifest["games"], manifest["seed"], manifest["question"]) == (2000, 7, "Who wins?")
    assert list((folder / "results/who/figures").glob("*.png"))


def test_run_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_who(capsys, "-g", "1e2", "-s", "3", "-t", "1", "--chunk", "50", "-o", "here", "--no-figures", "--all")
    assert done.code == 0
    assert "100 games of seed 3" in done.out
    assert "Legendaries: Careful" in done.out
    assert "Cards drawn" in done.out
    assert done.out.splitlines()[-1] == "Written to here: tables, manifest.json"
    assert not (folder / "here/figures").exists()
    assert not (folder / "results").exists()


def test_threads_and_chunks_change_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = run_who(capsys, "--csv", "--no-files", "--threads", "1").out
    assert invoke(capsys, "run", "who.yaml", "--csv", "--no-files", "--threads", "3", "--chunk", "77").out == one


def test_no_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_who(capsys, "--no-files")
    assert "Written" not in done.out
    assert not (folder / "results").exists()


def test_quiet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_who(capsys, "--quiet", "--no-figures") == Done(0, "", "")
    assert (folder / "results/who/manifest.json").is_file()


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_who(capsys, "--json", "--no-files")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    printed = json.loads(done.out)
    assert printed["manifest"]["games"] == 2000
    bots = {row["bot"]: row for row in printed["tables"]["bots"]}
    assert sum(row["win_share"] for row in bots.values()) == pytest.approx(1)
    assert {"seats", "by_round", "ledger_legendaries", "ledger_combos", "game", "distributions", "checks"} < set(
        printed["tables"]
    )


def test_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run_who(capsys, "--csv", "--no-files").out)))
    assert [row["bot"] for row in rows] == ["stop_at_n:n=3", "Careful"]
    assert rows[0]["games"] == "2000"


def test_variants(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "run", "both.yaml", "--no-figures")
    assert done.code == 0
    assert done.out.index("Variant printed") < done.out.index("Variant short")
    assert "Variant short: rounds 4 → 2" in done.out
    side_by_side = done.out.partition("Win share, variants side by side\n")[2].splitlines()
    assert side_by_side[0].split() == ["Bot", "printed", "short"]
    assert "±" in side_by_side[2]
    for name in ("printed", "short"):
        manifest = json.loads((folder / f"results/both/{name}/manifest.json").read_text())
        assert (manifest["name"], manifest["seed"]) == (name, 7)

    printed = json.loads(invoke(capsys, "run", "both.yaml", "--json", "--no-files").out)
    assert list(printed["variants"]) == ["printed", "short"]
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, "run", "both.yaml", "--csv", "--no-files").out)))
    assert [row["variant"] for row in rows] == ["printed", "printed", "short", "short"]


def interrupted(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C when so many chunks of a run are finished."""
    chunks = 0

    def progress(self: Any, finished: int, games: int, seconds: float) -> None:
        nonlocal chunks
        chunks += 1
        if chunks > after:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(RunProgress, "__call__", progress)


def test_ctrl_c_keeps_what_is_finished(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(2, monkeypatch)
    done = run_who(capsys, "--chunk", "10", "--threads", "1", "--no-figures")
    assert done.code == 130
    assert done.err == "Stopped.\n"
    manifest = json.loads((folder / "results/who/manifest.json").read_text())
    assert manifest["partial"]
    assert 30 <= manifest["games"] <= 100, "the chunks in hand are finished, and no more"
    assert f"PARTIAL: stopped after {manifest['games']} of 2,000 games." in done.out

    monkeypatch.undo()
    monkeypatch.chdir(folder)
    fewer = invoke(capsys, "run", "who.yaml", "--games", str(manifest["games"]), "--csv", "--no-files")
    assert fewer.out == (folder / "results/who/tables/bots.csv").read_text(), "they are the first games of the run"


@pytest.mark.parametrize(("chunk", "partial"), [("10", True), ("2000", False)])
def test_ctrl_c_plays_no_more_variants(
    chunk: str,
    partial: bool,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interrupted(0, monkeypatch)
    done = invoke(capsys, "run", "both.yaml", "--chunk", chunk, "--threads", "1", "--no-files")
    assert done.code == 130
    assert "Variant printed" in done.out
    printed = r"printed was stopped after \d+ of 2,000 games; " if partial else ""
    assert re.search(f"PARTIAL: {printed}short was not played", done.out)
    assert "Variant short" not in done.out


def test_ctrl_c_before_anything_is_finished(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("skate_sim.playing.play", stop)
    done = invoke(capsys, "run", "who.yaml")
    assert (done.code, done.err.splitlines()[-1]) == (130, "Stopped.")
    assert not (folder / "results").exists()


@pytest.mark.parametrize("width", [40, 80, 140])
def test_tables_fit_the_terminal(width: int) -> None:
    columns = ["Bot", *(f"Number of something {i}" for i in range(9))]
    rows = [["a_bot_with_a_name:and=1,more=2,of=3", *(f"{i}.5% ± 0.5" for i in range(9))]] * 3
    text = io.StringIO()
    show(Console(file=text, width=width), Finding("Title", columns, rows, "What it means. " * 9))
    lines = text.getvalue().splitlines()
    assert max(len(line) for line in lines) <= width
    for i in range(9):
        assert sum(f"{i}.5% ± 0.5" in line for line in lines) == 3, "every number is there, in one piece"


def test_progress_is_for_terminals_and_long_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal, seconds, shown in ((True, 2.0, True), (True, 0.1, False), (False, 2.0, False)):
        with RunProgress("x") as progress:
            progress.console = Console(file=io.StringIO(), force_terminal=terminal)
            progress(100, 1000, seconds)
            assert (progress.bar is not None) == shown


def test_output_is_plain_with_no_color(folder: Path) -> None:
    """NO_COLOR takes colours away even on a terminal."""
    pytest.importorskip("pty")
    import pty

    parent, child = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm"}
    command = [sys.executable, "-m", "skate_sim", "play", str(folder / "who.yaml")]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=child, stderr=subprocess.DEVNULL) as process:
        os.close(child)
        text = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(parent)
    assert process.returncode == 0
    assert b"\x1b[36m" not in text
    assert b"Final scores" in text
