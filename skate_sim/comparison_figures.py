"""Which figures a comparison has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from skate_sim import answer_plots, plots
from skate_sim.curves import curves_of
from skate_sim.figures import with_unit
from skate_sim.games import Outcome

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: Contrasts that are drawn; more are in the tables only.
MOST_CONTRASTS = 12


def figures_of_comparison(found: ComparisonResults) -> dict[str, Callable[[], Figure]]:
    """Functions that each draw a figure: the differences of the headline and of the score."""
    if found.compared is None:
        return _apart(found)
    if not any(c.name in found.shown for c in found.study.listed_contrasts):
        return {}
    plan = found.compared.plan
    names = dict.fromkeys([plan.game.headlines[plan.resolved.seats], plan.game.score])
    return {f"differences_{name}": partial(_differences, found, plan.game.outcome(name)) for name in names}


def _apart(found: ComparisonResults) -> dict[str, Callable[[], Figure]]:
    """The curves of a pool, a line a variant."""
    parts: dict[str, list[pd.DataFrame]] = {}
    for name in found.names:
        its = found.variant(name)
        for curve in curves_of(its.curves(), its.headline):
            parts.setdefault(str(curve["bot"].iloc[0]), []).append(curve.assign(bot=name))
    if not parts:
        return {}
    first = found.variant(found.names[0])
    tables = {bot: pd.concat(curves) for bot, curves in parts.items()}
    return {"curves": partial(answer_plots.panels, tables, first.declaration.outcome(first.headline))}


def _differences(found: ComparisonResults, outcome: Outcome) -> Figure:
    table = found.differences()
    table = table[(table["outcome"] == outcome.name) & table["variant"].isin(found.shown)]
    kept = list(dict.fromkeys(zip(table["variant"], table["baseline"], strict=True)))[:MOST_CONTRASTS]
    table = table[[pair in kept for pair in zip(table["variant"], table["baseline"], strict=True)]]
    draw = partial(plots.differences, table, label=with_unit(outcome), kind=outcome.kind)
    bots = max(1, table["bot"].nunique())
    lines = sum(plots.wrapped(name, plots.LEGEND_WIDTH).count("\n") + 1 for name in table["bot"].unique())
    return plots.figure(draw, height=0.75 + len(kept) * (0.12 + 0.1 * bots) + 0.145 * lines)
