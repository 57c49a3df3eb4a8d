"""All figures by the kind of their drawing: those of comparisons and of sections are here, and those of a run join."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from skate_sim import answer_plots, plots, run_figures
from skate_sim.drawing import Drawing
from skate_sim.plots import variants

#: Letters on a line of a footer.
FOOTER = 80


def drawn(drawing: Drawing) -> Figure:
    """The figure of a drawing, with its footer."""
    made = KINDS[drawing.kind](drawing.table, **drawing.words)
    if drawing.footer:
        text = plots.wrapped(drawing.footer, FOOTER)
        made.set_figheight(made.get_figheight() + 0.08 + 0.11 * (text.count("\n") + 1))
        made.supxlabel(text, x=0.01, ha="left", fontsize=5.5, color=plots.GREY)
    return made


def ladder(table: pd.DataFrame, rows: str, series: str | None, label: str, scale: int, ranked: bool = True) -> Figure:
    """A figure with :func:`skate_sim.answer_plots.ladder`."""
    names, groups = table[rows].unique(), [] if series is None else list(table[series].unique())
    lines = -(-len(groups) // answer_plots.legend_columns(groups)) if len(groups) > 1 else 0
    height = 0.85 + len(names) * max(0.2, 0.1 + 0.085 * len(groups)) + 0.15 * lines
    draw = partial(answer_plots.ladder, table, rows=rows, series=series, label=label, scale=scale, ranked=ranked)
    return plots.figure(draw, height=max(1.5, height))


def curves(table: pd.DataFrame, label: str, scale: int, peak: bool) -> Figure:
    """A figure with :func:`skate_sim.answer_plots.curves`."""
    bots = table["bot"].nunique()
    draw = partial(answer_plots.curves, table, label=label, scale=scale, peak=peak)
    return plots.figure(draw, height=2.5 + (0.145 * bots if bots > 1 else 0))


def panels(table: pd.DataFrame, label: str, scale: int) -> Figure:
    """An Axes with curves for each value of the column ``panel``, below each other, each with its peak."""
    parts = {str(title): part for title, part in table.groupby("panel", sort=False)}
    lines = max(part["bot"].nunique() for part in parts.values())
    height = 2.3 + (0.145 * lines if lines > 1 else 0)
    with plots.style():
        made = Figure(figsize=(plots.WIDTH, height * len(parts)), layout="constrained")
        FigureCanvasAgg(made)
        for n, (title, part) in enumerate(parts.items()):
            ax = made.add_subplot(len(parts), 1, n + 1)
            answer_plots.curves(part, ax, label=label, scale=scale, peak=True)
            ax.set_title(title, fontsize=8, loc="left")
    return made


def break_even(
    table: pd.DataFrame, label: str, what: Sequence[str], scale: int, at: Sequence[float], whole: bool
) -> Figure:
    """A figure with :func:`skate_sim.answer_plots.break_even`."""
    draw = partial(answer_plots.break_even, table, label=label, what=what, scale=scale, at=at, whole=whole)
    return plots.figure(draw, height=2.6)


def matrix(table: pd.DataFrame, label: str, scale: int) -> Figure:
    """A figure with :func:`skate_sim.answer_plots.heat_map`."""
    draw = partial(answer_plots.heat_map, table, label=label, scale=scale)
    return plots.figure(draw, height=1.3 + 0.33 * table["bot"].nunique())


def shares(table: pd.DataFrame, parts: Sequence[str]) -> Figure:
    """Shares of the variance as one bar for each outcome.

    Parameters
    ----------
    table : DataFrame
        Columns ``label`` (of the outcome), ``part`` and ``value``.
    parts : sequence of str
        In the order in which they lie.
    """
    outcomes = list(dict.fromkeys(table["label"]))

    def bars(ax: Axes) -> Axes:
        for number, outcome in enumerate(reversed(outcomes)):
            start, values = 0.0, table[table["label"] == outcome].set_index("part")["value"]
            for part, colour in zip(parts, plots.COLOURS, strict=False):
                width = max(0.0, 100 * float(np.nan_to_num(values[part])))
                ax.barh(number, width, left=start, color=colour, label=part if number == 0 else None)
                start += width
        ax.set_yticks(range(len(outcomes)), list(reversed(outcomes)))
        ax.set_xlabel("Share of the variance [%]")
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=5)
        return ax

    return plots.figure(bars, height=1.3 + 0.4 * len(outcomes))


def differences(table: pd.DataFrame, label: str, kind: str, least: float, title: str) -> Figure:
    """A figure with :func:`skate_sim.plots.variants.differences`."""
    bands = len(table[["variant", "baseline"]].drop_duplicates())
    heads = bands if bands > 1 else 0
    draw = partial(variants.differences, table, label=label, kind=kind, least=least, title=title)
    high = plots.row_height(table["bot"]) * len(table)
    return plots.figure(draw, height=0.95 + high + 0.22 * heads + 0.14 * (variants.titled(title).count("\n")))


def edited_rows(table: pd.DataFrame, title: str) -> Figure:
    """A figure with :func:`skate_sim.plots.variants.edited_rows`: a panel for each number of the rows."""
    panels_of = {str(label): part for label, part in table.groupby("label", sort=False)}
    rows = table[["row", "variant"]].drop_duplicates()
    heads = rows["row"].nunique() if rows["row"].nunique() > 1 else 0
    height = 0.62 + 0.24 * (len(rows) + rows["row"].nunique()) + 0.2 * heads
    with plots.style():
        made = Figure(figsize=(plots.WIDTH, height * len(panels_of) + 0.25), layout="constrained")
        FigureCanvasAgg(made)
        for n, (label, part) in enumerate(panels_of.items()):
            ax = made.add_subplot(len(panels_of), 1, n + 1)
            variants.edited_rows(part, ax, label=label)
        made.suptitle(variants.titled(title), x=0.01, ha="left", fontsize=9, fontweight="bold")
    return made


KINDS: dict[str, Callable[..., Figure]] = {
    **run_figures.KINDS,
    "ladder": ladder,
    "curves": curves,
    "panels": panels,
    "break_even": break_even,
    "matrix": matrix,
    "shares": shares,
    "differences": differences,
    "edited_rows": edited_rows,
}
