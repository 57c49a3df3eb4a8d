"""From the sections of an experiment file to what is played, compared and answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skate_sim import games
from skate_sim.break_even_plan import plan_break_even
from skate_sim.by_seat import plan_by_seat
from skate_sim.comparison import Contrast
from skate_sim.experiment_check import Reporter
from skate_sim.holding_plan import plan_holding
from skate_sim.knock_out import plan_knock_out
from skate_sim.luck_answer import plan_luck
from skate_sim.pairs import plan_pairs
from skate_sim.study import UNCHANGED, Answer
from skate_sim.sweep import sweep_variants, swept_values
from skate_sim.sweep_answer import sweep_answer

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment
    from skate_sim.experiment_file import ExperimentFile


@dataclass(frozen=True)
class Part:
    """What one section adds: variants by name, contrasts between them, and the answer made of these."""

    variants: Mapping[str, Experiment]
    contrasts: tuple[Contrast, ...]
    answer: Answer


@dataclass(frozen=True)
class Expanded:
    """All sections together; ``listed`` are the variants that the file lists itself."""

    variants: dict[str, Experiment]
    listed: dict[str, Experiment]
    baseline: str | None
    contrasts: tuple[Contrast, ...] = ()
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Context:
    """What a section is planned from: the experiment without sections, the listed variants, and their baseline."""

    plain: Experiment
    listed: Mapping[str, Experiment]
    report: Reporter
    baseline: str | None = None
    game: games.Game = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", games.load(self.plain.game))

    @property
    def unchanged(self) -> Experiment:
        """The experiment itself, as a variant."""
        return self.plain.model_copy(update={"name": UNCHANGED})


#: How each section is planned: a function of what the file says and the context.
PLANNERS: dict[str, Callable[[Any, Context], Part]] = {
    "holding": plan_holding,
    "knock_out": plan_knock_out,
    "break_even": plan_break_even,
    "pairs": plan_pairs,
    "luck": plan_luck,
    "by_seat": plan_by_seat,
}


def has_sections(parsed: ExperimentFile) -> bool:
    """Whether a file has a sweep or a section."""
    return parsed.sweep is not None or any(getattr(parsed, name) for name in PLANNERS)


def expand(parsed: ExperimentFile, plain: Experiment, listed: Mapping[str, Experiment], report: Reporter) -> Expanded:
    """Everything that a file's sections ask for.

    Raises
    ------
    ExperimentError
        A mistake in a section.
    """
    listed, baseline = dict(listed), next(iter(listed), None)
    if parsed.sweep is not None:
        swept, first = sweep_variants(parsed.sweep, plain, report)
        listed, baseline = listed | swept, baseline or first
    variants: dict[str, Experiment] = dict(listed)
    contrasts: list[Contrast] = []
    answers: list[Answer] = []
    if parsed.sweep is not None and (made := sweep_answer(swept_values(parsed.sweep), swept)):
        answers.append(made[0])
        contrasts += made[1]
    context = Context(plain, listed, report, parsed.baseline or baseline)
    for name, planner in PLANNERS.items():
        if form := getattr(parsed, name):
            part = planner(form, context)
            variants |= part.variants
            contrasts += [c for c in part.contrasts if c not in contrasts]
            answers.append(part.answer)
            if part.contrasts:
                _check_same_games(name, variants, report)
    if set(variants) == {UNCHANGED}:  # the experiment itself, which is played anyway
        variants = {}
    return Expanded(variants, listed, baseline, tuple(contrasts), tuple(answers))


def _check_same_games(section: str, variants: Mapping[str, Experiment], report: Reporter) -> None:
    """Refuse variants that do not play the same games seat by seat, as a section compares them."""
    shapes = {}
    for name, experiment in variants.items():
        resolved = experiment.plan().resolved
        shapes[name] = (resolved.seats, len(experiment.bots), experiment.rotated, dict(resolved.axes))
    first = next(iter(shapes))
    for name, shape in shapes.items():
        if shape != shapes[first]:
            raise report.error(
                (section,),
                f"compares variants that play the same games, and {name!r} has another number of seats, bots or rounds "
                f"than {first!r}; ask this in a file of its own",
            )
