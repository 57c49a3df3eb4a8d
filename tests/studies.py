"""A stand-in for the results of a comparison: what the answers of an experiment file's sections look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skate_sim.compared import Compared
from skate_sim.dispatch import play
from skate_sim.experiment import load_experiment
from skate_sim.stats import LEVEL
from skate_sim.study import Study


class Found:
    """A study that has been played."""

    def __init__(self, study: Study) -> None:
        self.study, self.level = study, LEVEL
        self.comparison = study.work()
        self.comparison.prepare()
        tallies = play(self.comparison).total
        self.compared = Compared(self.comparison, tallies)
        self.own: dict[str, Any] = getattr(tallies, "own", {})


def study_of(folder: Path, text: str) -> Study:
    """The study of an experiment file with this text."""
    file = folder / "x.yaml"
    file.write_text(text)
    return load_experiment(file).study()


def found(folder: Path, text: str) -> Found:
    """The same, played."""
    return Found(study_of(folder, text))
