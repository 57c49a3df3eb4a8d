"""A reader that goes away, as ``| head`` does: the command ends quietly, and its files are there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT, enter


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def read_little(folder: Path, size: int, *arguments: str) -> tuple[int, str]:
    """Run the command, read so many bytes of what it prints, and close the pipe; its exit code and complaints."""
    command = [sys.executable, "-m", "skate_sim", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        if size:
            os.read(process.stdout.fileno(), size)
        process.stdout.close()
        complaints = process.stderr.read()
    return process.returncode, complaints.replace("Compiling (first run only)...\n", "")


@pytest.mark.parametrize(("name", "size"), [("who", 0), ("who", 1), ("three", 1)])
def test_a_run_leaves_its_files(folder: Path, name: str, size: int) -> None:
    assert read_little(folder, size, "run", f"{name}.yaml", "--no-figures") == (0, "")
    assert (folder / "results" / name / "manifest.json").is_file()


@pytest.mark.parametrize(
    "arguments",
    [("play", "who.yaml", "--json"), ("rules",)],
)
def test_what_prints_much_ends_quietly(folder: Path, arguments: tuple[str, ...]) -> None:
    code, complaints = read_little(folder, 1, *arguments)
    assert (code, complaints) == (0, "")
