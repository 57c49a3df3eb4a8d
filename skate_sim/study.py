"""What an experiment file asks, taken apart: variants to play, what is compared, and answers to be drawn from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from skate_sim.comparison import Contrast, to_baseline

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.experiment import Experiment


class Answer(Protocol):
    """A section of an experiment file, answered after the run."""

    @property
    def name(self) -> str:
        """Of the section."""

    def tables(self, found: ComparisonResults) -> dict[str, pd.DataFrame]:
        """Tables to print and save, by name."""

    def findings(self, found: ComparisonResults) -> list[str]:
        """The answer in sentences."""

    def figures(self, found: ComparisonResults) -> dict[str, Callable[[], Figure]]:
        """Functions that each draw a figure, by name."""


@dataclass(frozen=True)
class Study:
    """An experiment as it is played.

    Attributes
    ----------
    experiment : Experiment
    variants : dict of str to Experiment
        Complete experiments, by name; under the name "" when there is just one.
    contrasts : tuple of Contrast
        What is compared, by the variants' names.
    answers : tuple of Answer
        Sections of the file.
    """

    experiment: Experiment
    variants: Mapping[str, Experiment]
    contrasts: tuple[Contrast, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether there is one run and nothing to compare."""
        return list(self.variants) == [""] and not self.answers


def study_of(experiment: Experiment) -> Study:
    """The study that an experiment asks for: every variant is compared with the baseline, or else with the first."""
    variants = experiment.each()
    baseline = experiment.baseline or next(iter(variants))
    return Study(experiment, variants, tuple(to_baseline(list(variants), baseline)))
