"""What an experiment asks: which variants are played on the same games, what is compared, what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from skate_sim.comparison import Comparison, Contrast, compare_plans
from skate_sim.study_work import with_own

if TYPE_CHECKING:
    from pandas import DataFrame

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.work import Work

#: Name of the experiment itself among variants that sections of the file add.
UNCHANGED = "unchanged"


class Answer(Protocol):
    """The answer to a section of an experiment file; ``found`` is a :class:`ComparisonResults`."""

    @property
    def name(self) -> str:
        """The section's name."""

    def tables(self, found: Any) -> dict[str, DataFrame]:
        """Tidy tables by name."""

    def findings(self, found: Any) -> list[str]:
        """What was found, in sentences."""

    def figures(self, found: Any) -> dict[str, Drawing]:
        """Figures by name."""


@runtime_checkable
class OwnGames(Protocol):
    """An answer that needs games other than the variants'; ``found.own`` has their sums under its name."""

    @property
    def name(self) -> str:
        """The section's name."""

    def work(self, **overrides: Any) -> Work:
        """The games to play; ``overrides`` (games, seed) replace what the file says."""


@dataclass(frozen=True)
class Study:
    """An experiment with everything that is to be played and answered.

    Attributes
    ----------
    variants : dict of name to Experiment
        Complete experiments to play; ``{"": experiment}`` when there is just one.
    contrasts : tuple of Contrast
        All that is compared, by variant name.
    answers : tuple of Answer
        Sections of the file, answered after the run.
    listed : tuple of str
        The variants that the file itself lists (``variants`` and ``sweep``); sections add others. Left out: all.
    """

    experiment: Experiment
    variants: Mapping[str, Experiment]
    contrasts: tuple[Contrast, ...] = ()
    answers: tuple[Answer, ...] = ()
    listed: tuple[str, ...] = field(default=())

    @property
    def is_plain(self) -> bool:
        """Whether there is one run and nothing to compare or answer."""
        return list(self.variants) == [""] and not self.answers

    @property
    def listed_contrasts(self) -> tuple[Contrast, ...]:
        """The contrasts of the listed variants to the baseline, without those that sections add."""
        if not self.listed and not self.answers:
            return self.contrasts
        names = {(name, self.baseline) for name in self.listed}
        return tuple(c for c in self.contrasts if (c.name, c.baseline) in names and set(c.weights) <= set(self.listed))

    @property
    def baseline(self) -> str | None:
        """The listed variant that the others are compared to."""
        return self.experiment.baseline

    @property
    def shown(self) -> tuple[str, ...]:
        """The variants to look at one by one: those listed; all where no section added any."""
        told = {name for answer in self.answers for name in getattr(answer, "told", ())}
        return tuple(name for name in self.listed if name not in told) if self.answers else tuple(self.variants)

    def work(self, **overrides: Any) -> Comparison:
        """All games as one piece of work; ``overrides`` go to :meth:`Experiment.plan`.

        Raises
        ------
        NotComparableError
            The variants cannot play the same games seat by seat.
        """
        plans = {name: variant.plan(**overrides) for name, variant in self.variants.items()}
        return with_own(compare_plans(plans, self.contrasts), self.works(**overrides))

    def works(self, **overrides: Any) -> dict[str, Work]:
        """Games besides the variants', by the name of the answer that needs them."""
        return {a.name: a.work(**overrides) for a in self.answers if isinstance(a, OwnGames)}
