"""Folders and bots to start from run at once; stored runs are shown again; the shell completes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.commands import ROOT, enter, invoke
from tests.kernel import Kernel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def test_init_makes_what_runs_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invoke(capsys, "init", "lab").code == 0
    monkeypatch.chdir(folder / "lab")
    done = invoke(capsys, "run", "experiment.yaml", "--games", "400", "--no-figures")
    assert (done.code, "my_bot:patience=1" in done.out) == (0, True)
    checked = invoke(capsys, "check", "my_bot", "--games", "20", "--json")
    assert json.loads(checked.out)["passed"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter machinery, not of ours
def test_notebook_of_init_runs(folder: Path, capsys: pytest.CaptureFixture[str], kernel: Kernel) -> None:
    invoke(capsys, "init", "lab")
    notebook = nbformat.read(folder / "lab/notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    kernel.run(notebook, folder / "lab", games=400)
    assert "my_bot" in notebook.cells[1].outputs[0]["data"]["text/html"]


def test_init_keeps_what_is_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "init", ".")
    assert (done.code, "already" in done.err) == (2, True)
    (folder / "empty").mkdir()
    assert invoke(capsys, "init", "empty").code == 0
    assert sorted(p.name for p in folder.iterdir()) == ["both.yaml", "empty", "three.yaml", "who.yaml"]


def test_new_bot(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(capsys, "new", "bot", "brave").code == 0
    assert "skate-sim check brave" in (folder / "brave.py").read_text()
    assert "my_bot" not in (folder / "brave.py").read_text()
    (folder / "strategies").mkdir()
    assert invoke(capsys, "new", "bot", "shy").code == 0
    assert (folder / "strategies/skate_legend/shy.py").is_file()
    assert json.loads(invoke(capsys, "bots", "shy", "--json").out)["decisions"] == ["act", "helmet"]


@pytest.mark.parametrize("name", ["Brave", "1st", "class", "a-b", "test_x", "../x", "stop_at_n", "taken"])
def test_new_bot_refuses(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "taken.py").write_text("# not a bot yet\n")
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    done = invoke(capsys, "new", "bot", name)
    assert (done.code, done.err.startswith("Error: ")) == (2, True)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_show_prints_the_tables_of_the_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = invoke(capsys, "run", "who.yaml", "--no-figures")
    shown = invoke(capsys, "show", "results/who")
    assert shown.code == 0
    tables = ran.out[ran.out.index("Bots\n") : ran.out.index("Checks:")]
    assert tables in shown.out
    as_csv = invoke(capsys, "show", "results/who", "--csv").out
    assert as_csv == (folder / "results/who/tables/bots.csv").read_text()
    checks = invoke(capsys, "show", "results/who", "--table", "checks").out
    assert checks == (folder / "results/who/tables/checks.csv").read_text()
    record = json.loads(invoke(capsys, "show", "results/who", "--json").out)
    assert record["tables"] == json.loads(invoke(capsys, "run", "who.yaml", "--no-files", "--json").out)["tables"]


def test_show_variants(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "run", "both.yaml", "--no-figures", "--quiet", "--games", "400")
    assert "Variant short: rounds 4 → 2" in invoke(capsys, "show", "results/both").out
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, "show", "results/both", "--csv").out)))
    assert {row["variant"] for row in rows} >= {"printed", "short"}


def test_show_tables_of_all_variants(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "run", "three.yaml", "--no-figures", "--quiet", "--games", "400")
    table = invoke(capsys, "show", "results/three", "--table", "differences").out
    assert table == (folder / "results/three/tables/differences.csv").read_text()
    shown = invoke(capsys, "show", "results/three")
    assert (shown.code, "for --table: differences" in " ".join(shown.out.split())) == (0, True)
    record = json.loads(invoke(capsys, "show", "results/three", "--json").out)
    assert ("differences" in record["tables"], len(record["variants"]) >= 2) == (True, True)


def test_show_mistakes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(capsys, "show", "nowhere").code == 2
    invoke(capsys, "run", "who.yaml", "--no-figures", "--quiet")
    done = invoke(capsys, "show", "results/who", "--table", "bot")
    assert (done.code, "did you mean 'bots'" in done.err) == (2, True)


def test_csv_of_bots_and_promises(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, "bots", "--csv").out)))
    record = {r["bot"]: r for r in json.loads(invoke(capsys, "bots", "--json").out)}
    assert {row["bot"] for row in rows} == set(record)
    one = next(row for row in rows if row["bot"] == "stop_at_n")
    assert (one["parameter"], float(one["high"])) == ("n", record["stop_at_n"]["parameters"]["n"]["high"])
    promises = list(csv.DictReader(io.StringIO(invoke(capsys, "check", "stop_at_n", "-g", "20", "--csv").out)))
    assert {row["kept"] for row in promises} == {"True"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "completion", shell)
    assert (done.code, f"_SKATE_SIM_COMPLETE={shell}_complete" in done.out) == (0, True)


def test_the_shell_completes_names(folder: Path) -> None:
    def completed(words: str) -> str:
        words_so_far = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
        environment = os.environ | words_so_far | {"_SKATE_SIM_COMPLETE": "bash_complete"}
        code = "from skate_sim.cli import main; main(prog_name='skate-sim')"
        environment["PYTHONPATH"] = str(ROOT)
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert "plain,push_your_luck" in completed("skate-sim run push")
    assert "plain,score_chaser" in completed("skate-sim check sco")
    assert "plain,verify" in completed("skate-sim ver")
