"""Every notebook runs from top to bottom, and is stored with its output."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from tests.kernel import Kernel

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def last_line(cell: nbformat.NotebookNode) -> str:
    return cell.source.rstrip().splitlines()[-1] if cell.source.strip() else ""


def test_there_are_notebooks() -> None:
    names = {path.stem[3:] for path in NOTEBOOKS}
    assert names == {"tour", "write_a_bot", "compare_bots", "balance_a_card", "replay_a_game"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter machinery, not of ours
def test_notebook_runs(path: Path, tmp_path: Path, kernel: Kernel) -> None:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and re.search(r"^(results$|figure$|duel\.|table\.|print)", last_line(cell)):
            assert cell.outputs, f"stored without output: {cell.source}"
    kernel.run(notebook, tmp_path, games=2000)
    errors = [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "error"]
    assert not errors
    shown = [o.data for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "execute_result"]
    assert any("image/png" in data or "<svg" in data.get("text/html", "") for data in shown), "no figure is shown"
