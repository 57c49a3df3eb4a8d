"""The unchanged experiment, which is added to one variant alone: there is something to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from skate_sim.study import UNCHANGED

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment
    from skate_sim.simulation import Plan


def with_unchanged(
    listed: Mapping[str, Experiment], unchanged: Callable[[str], Experiment]
) -> tuple[dict[str, Experiment], str | None]:
    """Variants with the unchanged experiment before them, and its name; as they are, and None, where none is needed.

    Parameters
    ----------
    listed : mapping of str to Experiment
        The variants by name. It is added to a single one that changes anything at all.
    unchanged : callable
        Makes the unchanged experiment with a name.
    """
    if len(listed) != 1:
        return dict(listed), None
    [(only, variant)] = listed.items()
    name = UNCHANGED if only != UNCHANGED else "baseline"
    added = unchanged(name)
    return ({name: added, only: variant}, name) if _differs(variant, added) else (dict(listed), None)


def _differs(variant: Experiment, other: Experiment) -> bool:
    """Whether a variant changes anything at all."""
    ours, theirs = variant.plan(), other.plan()
    return [ours.resolved.rules, ours.resolved.tables, _table(ours)] != [
        theirs.resolved.rules,
        theirs.resolved.tables,
        _table(theirs),
    ]


def _table(plan: Plan) -> list[Any]:
    """Who sits where."""
    return [[bot.identity for bot in plan.bots], plan.layout.lineups.tolist(), plan.resolved.seats]
