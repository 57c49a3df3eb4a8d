"""The page about experiment files: fresh, and its examples are files that can be played."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from skate_sim.experiment import load_experiment
from skate_sim.sections import PLANNERS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "make_experiments.py"))


def test_page_is_fresh(maker: dict[str, Any]) -> None:
    made = maker["page"]()
    written = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    assert written == made, "run python docs/make_experiments.py"


def test_every_section_has_its_part(maker: dict[str, Any]) -> None:
    assert set(maker["SECTIONS"]) == {"sweep", *PLANNERS}


def test_examples_can_be_played(maker: dict[str, Any], tmp_path: Path) -> None:
    for number, text in enumerate(maker["examples"]()):
        file = tmp_path / f"example_{number}.yaml"
        file.write_text(text)
        study = load_experiment(file).study()
        assert len(study.variants) > 1 or study.answers
