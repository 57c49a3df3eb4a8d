"""Figures of a run, by the kind of their drawing: each gives its plot a figure that is as high as what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from skate_sim import plots

#: Inches for everything in a figure but its rows of bots.
_FRAME = 0.75
#: Inches of a bot's strip of endings, and of all else in that figure.
_STRIP, _ENDINGS_FRAME = 0.52, 1.1
#: Inches of a line of a legend.
_LINE = 0.145


def win_shares(table: pd.DataFrame, outcome: str, label: str, kind: str) -> Figure:
    """A figure with :func:`skate_sim.plots.win_shares`."""
    draw = partial(plots.win_shares, table, outcome=outcome, label=label, kind=kind)
    return plots.figure(draw, height=_FRAME + plots.row_height(table["bot"]) * len(table))


def score_distributions(table: pd.DataFrame, label: str) -> Figure:
    """A figure with :func:`skate_sim.plots.score_distributions`."""
    draw, names = partial(plots.score_distributions, table, label=label), table["bot"].unique()
    return plots.figure(draw, height=_FRAME + max(0.42, plots.row_height(names)) * len(names))


def score_parts(table: pd.DataFrame, parts: Mapping[str, str], label: str) -> Figure:
    """A figure with :func:`skate_sim.plots.score_parts`."""
    draw = partial(plots.score_parts, table, parts=parts, label=label)
    height = _FRAME + 0.16 * -(-len(parts) // 2) + plots.row_height(table["bot"]) * len(table)
    return plots.figure(draw, height=height)


def by_axis(table: pd.DataFrame, outcome: str, label: str, axis_label: str, kind: str) -> Figure:
    """A figure with :func:`skate_sim.plots.by_axis`."""
    draw = partial(plots.by_axis, table, outcome=outcome, label=label, axis_label=axis_label, kind=kind)
    return plots.figure(draw, height=2.3 + _LINE * _lines(table["bot"].unique()))


def hazards(table: pd.DataFrame, label: str, steps_label: str, reference_label: str, has_reference: bool) -> Figure:
    """A figure with :func:`skate_sim.plots.hazards`."""
    draw = partial(plots.hazards, table, label=label, steps_label=steps_label, reference_label=reference_label)
    lines = _lines([*table["bot"].unique(), *[reference_label] * has_reference])
    return plots.figure(draw, height=2.5 + _LINE * lines)


def endings(table: pd.DataFrame, failure: str, labels: Mapping[str, str], steps_label: str) -> Figure:
    """A figure with :func:`skate_sim.plots.endings`."""
    draw = partial(plots.endings, table, failure=failure, labels=labels, steps_label=steps_label)
    strip = max(_STRIP, plots.row_height(table["bot"]))
    return plots.figure(draw, height=_ENDINGS_FRAME + _LINE * len(labels) + strip * table["bot"].nunique())


def brought(table: pd.DataFrame, label: str) -> Figure:
    """A figure with :func:`skate_sim.plots.ladder` of what each row of a ledger brought."""
    draw = partial(plots.ladder, table, value="value", label=label)
    return plots.figure(draw, height=_FRAME + plots.row_height(table["name"]) * len(table))


def risks(table: pd.DataFrame, label: str, group: str, mishap: str) -> Figure:
    """A figure with :func:`skate_sim.plots.risk_over_time`, wider than the others."""
    draw = partial(plots.risk_over_time, table, label=label, group=group, mishap=mishap)
    return plots.figure(draw, height=2.3 + _LINE * (1 + _lines(table["bot"].unique())), width=5.2)


def _lines(names: Iterable[str]) -> int:
    """Lines of a legend."""
    return sum(plots.wrapped(name, plots.LEGEND_WIDTH).count("\n") + 1 for name in names)


KINDS: dict[str, Callable[..., Figure]] = {
    "win_shares": win_shares,
    "score_distributions": score_distributions,
    "score_parts": score_parts,
    "by_axis": by_axis,
    "hazards": hazards,
    "endings": endings,
    "brought": brought,
    "risks": risks,
}
