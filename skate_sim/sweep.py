"""A sweep: every combination of values becomes a variant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from skate_sim.changes import change, check, short_names, value_at, variant_name
from skate_sim.experiment_check import ExperimentError, Reporter
from skate_sim.games import ContentError
from skate_sim.lineups import SeatingError
from skate_sim.policy import BotError
from skate_sim.ranges import values_of

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment

MOST_VARIANTS = 200


def sweep_variants(grid: Mapping[str, Any], plain: Experiment, report: Reporter) -> tuple[dict[str, Experiment], str]:
    """The variants of a grid by name, and the one to compare with: with the plain experiment's values, or the first.

    Raises
    ------
    ExperimentError
        A place that there is not, a value that cannot stand there, or too many combinations.
    """
    values = {path: _values(path, given, report) for path, given in grid.items()}
    count = math.prod(len(v) for v in values.values())
    if count > MOST_VARIANTS:
        text = " times ".join(str(len(v)) for v in values.values())
        raise report.error(("sweep",), f"found {text} = {count:,} variants; a sweep has at most {MOST_VARIANTS}")
    for path, listed in values.items():
        for value in listed:
            _changed(plain, {path: value}, report)
    names, variants, baseline = short_names(values), {}, ""
    present = {path: value_at(plain, path) for path in values}
    for combination in product(*values.values()):
        chosen = dict(zip(values, combination, strict=True))
        name = variant_name({names[path]: value for path, value in chosen.items()})
        variants[name] = _changed(plain, chosen, report).model_copy(update={"name": name})
        if all(_same(present[path], value) for path, value in chosen.items()):
            baseline = name
    return variants, baseline or next(iter(variants))


def swept_values(grid: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values of each place, as the variants of :func:`sweep_variants` go through them."""
    return {path: values_of(given) for path, given in grid.items()}


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _values(path: str, given: Any, report: Reporter) -> list[Any]:
    try:
        return values_of(given)
    except ValueError as error:
        raise report.error(_where(path), str(error)) from error


def _where(path: str) -> tuple[str, ...]:
    return ("sweep", *path.split("."))


def _changed(plain: Experiment, chosen: Mapping[str, Any], report: Reporter) -> Experiment:
    """The experiment with these values, if the game can play it."""
    result = plain
    try:
        for path, value in chosen.items():
            result = change(result, path, value)
        path = next(iter(chosen)) if len(chosen) == 1 else ""
        check(result)
    except (ContentError, BotError, SeatingError) as error:
        text = error.message if isinstance(error, ContentError) else str(error)
        raise _error(path, text, chosen, report) from error
    return result


def _error(path: str, text: str, chosen: Mapping[str, Any], report: Reporter) -> ExperimentError:
    if path:
        return report.error(_where(path), text)
    return report.error(("sweep",), f"with {', '.join(f'{p}: {v!r}' for p, v in chosen.items())}: {text}")
