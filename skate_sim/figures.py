"""Which figures a result has, with labels from the game's declaration."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from skate_sim import answer_plots, plots
from skate_sim.curves import curves_of
from skate_sim.findings import MOST_BOTS
from skate_sim.games import Outcome

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.results import Answers

#: Inches for everything in a figure but its rows of bots.
_FRAME = 0.75


def figures_of(results: Answers) -> dict[str, Callable[[], Figure]]:
    """Functions that each draw a figure: the headline, the scores, and every shown outcome along each axis."""
    game = results.declaration
    headline, score = game.outcome(results.headline), game.outcome(game.score)
    made: dict[str, Callable[[], Figure]] = {
        "win_shares" if headline.kind == "share" else headline.name: partial(_headline, results, headline)
    }
    if len(curves := results.curves()):
        made["curves"] = partial(_curves, curves, headline)
    if score.histogram and score.level == "seat":
        made["score_distributions"] = partial(_scores, results, score)
    for outcome in game.outcomes if len(results.bots()) <= MOST_BOTS else ():
        if outcome.axis is not None and outcome.shown and outcome.level == "seat":
            made[outcome.name] = partial(_along, results, outcome, outcome.axis)
    return made


def with_unit(outcome: Outcome) -> str:
    """Label of an outcome, and its unit where the label does not say it."""
    said = outcome.unit.lower() in outcome.label.lower()
    return outcome.label if said else f"{outcome.label} [{outcome.unit}]"


def _headline(results: Answers, outcome: Outcome) -> Figure:
    table = results.bots()
    draw = partial(plots.win_shares, table, outcome=outcome.name, label=with_unit(outcome), kind=outcome.kind)
    return plots.figure(draw, height=_FRAME + plots.row_height(table["bot"]) * len(table))


def _scores(results: Answers, outcome: Outcome) -> Figure:
    table = results.distribution(outcome.name)
    draw = partial(plots.score_distributions, table, label=with_unit(outcome))
    names = table["bot"].unique()
    return plots.figure(draw, height=_FRAME + max(0.42, plots.row_height(names)) * len(names))


def _curves(table: pd.DataFrame, outcome: Outcome) -> Figure:
    return answer_plots.panels({str(c["bot"].iloc[0]): c for c in curves_of(table, outcome.name)}, outcome)


def _along(results: Answers, outcome: Outcome, axis: str) -> Figure:
    table = results.along(axis)
    draw = partial(
        plots.by_axis,
        table,
        outcome=outcome.name,
        label=with_unit(outcome),
        axis_label=results.declaration.axes[axis],
        kind=outcome.kind,
    )
    lines = sum(plots.wrapped(name, plots.LEGEND_WIDTH).count("\n") + 1 for name in table["bot"].unique())
    return plots.figure(draw, height=2.3 + 0.145 * lines)
