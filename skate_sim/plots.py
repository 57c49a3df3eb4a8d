"""One function a figure: takes a table and an Axes, draws, returns the Axes.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; each bot has a marker of its own as
well. Figures are made for a column of a page (3.5 inches) and hold no global state: nothing here uses pyplot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import ScaledTranslation

from skate_sim.stats import format_interval

WIDTH = 3.5
#: Okabe and Ito's colours without yellow, which is too light for a line on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p")
GREY = "#555555"
#: Letters of a bot's name on a line of a legend.
LEGEND_WIDTH = 46

_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that a figure is the same everywhere
    "font.size": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.7,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "savefig.dpi": 200,
    "svg.hashsalt": "skate-sim",  # the same ids in every file
}


def style() -> AbstractContextManager[None]:
    """The one style of all figures, for a ``with`` statement around drawing and saving."""
    return matplotlib.rc_context(_STYLE)


def figure(draw: Callable[[Axes], Axes], *, height: float, width: float = WIDTH) -> Figure:
    """A figure of its own with one Axes to draw on; sizes in inches."""
    with style():
        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(made)
        draw(made.add_subplot())
    return made


def write(make: Callable[[], Figure], path: Path) -> None:
    """Draw a figure and write it as PNG and SVG, without the date; ``path`` has no ending."""
    with style():
        made = make()
        made.savefig(path.with_name(path.name + ".png"), pil_kwargs={"compress_level": 3})
        made.set_layout_engine("none")  # it is laid out; doing so again would double the time of the second file
        made.savefig(path.with_name(path.name + ".svg"), metadata={"Date": None})


def row_height(names: Iterable[str]) -> float:
    """Inches that each row of a list of bots needs for the longest of the names."""
    return 0.13 + 0.13 * max(short(name).count("\n") + 1 for name in names)


def short(name: str) -> str:
    """A bot's name on at most three lines; what is left out is in the middle, as ends tell bots apart."""
    lines = wrapped(name).split("\n")
    return "\n".join(lines if len(lines) <= 3 else [lines[0], lines[1] + "…", lines[-1]])


def wrapped(name: str, width: int = 20) -> str:
    """A bot's name on lines of at most so many letters, broken after punctuation where there is some."""
    lines = [""]
    for piece in re.findall(rf"[^\s_:,;-]{{1,{width - 1}}}[\s_:,;-]*|[\s_:,;-]+", name):
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines).replace("$", r"\$")  # no formulas


def win_shares(
    table: pd.DataFrame,
    ax: Axes,
    *,
    outcome: str = "win_share",
    label: str = "Win share",
    kind: str = "share",
) -> Axes:
    """Mean of the headline outcome with its interval, a dot a bot, the best on top; a line at the fair share.

    Parameters
    ----------
    table : DataFrame
        Of :meth:`skate_sim.results.Results.bots`.
    outcome, label, kind : str
        Column, its label, and the kind of number: shares are in percent, and only they have a fair share.
    """
    ranked = table.reset_index(drop=True).sort_values(outcome, kind="stable")
    places = [float(n) for n in range(len(ranked))]
    for place, (number, row) in zip(places, ranked.iterrows(), strict=True):
        mean, low, high = (row[outcome + end] for end in ("", "_low", "_high"))
        bars = np.nan_to_num([[mean - low], [high - mean]]).clip(0)
        ax.errorbar(mean, place, xerr=bars, **_look(int(str(number))), capsize=2)
        text = format_interval(mean, low, high, kind)
        ax.text(1.03, place, text, transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    if kind == "share":
        fair = float(np.average(table[outcome], weights=table["seat_games"]))
        ax.axvline(fair, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
        ax.annotate(
            "fair", (fair, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=7, color=GREY,
        )  # fmt: skip
        ax.xaxis.set_major_formatter(_percent())
        ax.set_xlim(left=-0.02 * ax.get_xlim()[1])  # room for the marker of a bot that never wins
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlabel(f"{label} (bars: 95% intervals)")
    ax.grid(axis="x")
    _names_at(ax, places, ranked["bot"])
    return ax


def score_distributions(table: pd.DataFrame, ax: Axes, *, label: str = "Score") -> Axes:
    """Histogram of a whole number, a strip a bot, the highest median on top; a line and a number at the median.

    Parameters
    ----------
    table : DataFrame
        Of :meth:`skate_sim.results.Results.distribution`.
    label : str
        Label of the number.
    """
    parts = [part for _, part in table.groupby("bot", sort=False)]
    order = sorted(range(len(parts)), key=lambda n: (_median(parts[n]), -n))
    tallest = max(float(part["share"].max()) for part in parts)
    for place, number in enumerate(order):
        part, colour = parts[number], COLOURS[number % len(COLOURS)]
        edges = np.append(part["value"], part["value"].max() + 1) - 0.5
        heights = part["share"].to_numpy() / tallest * 0.85
        ax.stairs(place + heights, edges, baseline=place, fill=True, color=colour, alpha=0.35)
        ax.stairs(place + heights, edges, baseline=place, color=colour, linewidth=0.9)
        for i in np.flatnonzero((part["open_end"] != "").to_numpy() & (heights > 0)):
            ax.stairs(
                place + heights[i : i + 1], edges[i : i + 2], baseline=place, fill=True, hatch="////", color=colour
            )
        median = _median(part)
        at = int(np.searchsorted(part["value"], median))
        ax.plot([median, median], [place, place + heights[at]], color="black", linewidth=1.2)
        ax.text(1.03, place + 0.25, f"{median:g}", transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    ax.text(1.03, len(parts) - 0.08, "median", transform=ax.get_yaxis_transform(), va="bottom", fontsize=7, color=GREY)
    for _, end in table[table["open_end"] != ""].drop_duplicates("value").iterrows():
        ax.annotate(
            end["label"], (end["value"], 0), xytext=(0, 2), textcoords="offset points", fontsize=6,
            ha="right" if end["open_end"] == "above" else "left",
        )  # fmt: skip
    ax.set_xlabel(label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.margins(x=0.02)
    ax.grid(axis="x")
    _names_at(ax, np.arange(len(order)) + 0.25, [str(parts[n]["bot"].iloc[0]) for n in order])
    ax.set_ylim(-0.05, len(parts) - 0.1)
    return ax


def by_axis(
    table: pd.DataFrame, ax: Axes, outcome: str, *, label: str = "", axis_label: str = "", kind: str = "count"
) -> Axes:
    """Mean of an outcome along an axis of the game with its intervals, a line a bot.

    Parameters
    ----------
    table : DataFrame
        Of :meth:`skate_sim.results.Results.along`; the axis is its second column.
    outcome : str
        Column.
    label, axis_label, kind : str
        Labels of the outcome and of the axis; the outcome's kind: shares and flags are in percent.
    """
    axis = str(table.columns[1])
    bots = list(dict.fromkeys(table["bot"]))
    apart = min(0.08, 0.5 / len(bots))
    for number, bot in enumerate(bots):
        part = table[table["bot"] == bot]
        mean = part[outcome].to_numpy()
        bars = np.nan_to_num([mean - part[f"{outcome}_low"], part[f"{outcome}_high"] - mean]).clip(0)
        shift = apart * (number - (len(bots) - 1) / 2)
        look = _look(number) | {"linestyle": "-", "linewidth": 1.0}
        ax.errorbar(part[axis] + shift, mean, yerr=bars, **look, capsize=1.5, label=wrapped(bot, LEGEND_WIDTH))
    if kind in ("share", "flag"):
        ax.yaxis.set_major_formatter(_percent())
    if 0 <= table[outcome].min() < 0.6 * table[outcome].max():
        ax.set_ylim(bottom=0)
    ax.set_xlabel(f"{axis_label or axis} (bars: 95% intervals)")
    ax.set_ylabel(label or outcome)
    ax.set_xticks(sorted(set(table[axis])))
    ax.grid(axis="y")
    below = ScaledTranslation(0, -0.38, ax.figure.dpi_scale_trans)  # inches, whatever the height
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, borderaxespad=0)
    return ax


def differences(table: pd.DataFrame, ax: Axes, *, label: str = "Win share", kind: str = "share") -> Axes:
    """Differences of variants to their baselines with paired intervals, a band a variant, a marker a bot.

    Parameters
    ----------
    table : DataFrame
        Rows of one outcome of :meth:`skate_sim.comparison_results.ComparisonResults.differences`.
    label, kind : str
        Of the outcome: differences of shares are in points of a percent.
    """
    scale = 100 if kind in ("share", "flag") else 1
    bots, bands = list(dict.fromkeys(table["bot"])), list(table.groupby(["variant", "baseline"], sort=False))[::-1]
    apart = 0.7 / max(1, len(bots))
    for number, bot in enumerate(bots):
        points = [
            (place, row) for place, (_, part) in enumerate(bands) for _, row in part[part["bot"] == bot].iterrows()
        ]
        means = [scale * row["difference"] for _, row in points]
        bars = [[scale * abs(row["difference"] - row[end]) for _, row in points] for end in ("low", "high")]
        places = [place + apart * ((len(bots) - 1) / 2 - number) for place, _ in points]
        ax.errorbar(
            means, places, xerr=np.nan_to_num(bars), **_look(number), capsize=1.5, label=wrapped(bot, LEGEND_WIDTH)
        )
    ax.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
    ax.set_xlabel(f"{label}: {'% points' if scale == 100 else 'difference'} (bars: 95%)")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.grid(axis="x")
    _names_at(ax, list(range(len(bands))), [f"{variant} less {baseline}" for (variant, baseline), _ in bands])
    ax.set_ylim(-0.5, len(bands) - 0.5)
    below = ScaledTranslation(0, -0.38, ax.figure.dpi_scale_trans)
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, borderaxespad=0)
    return ax


def _percent() -> FuncFormatter:
    return FuncFormatter(lambda share, _: f"{100 * share:g}%")


def _look(number: int) -> dict[str, Any]:
    """Colour and marker of a bot, the same in all figures."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)], "linestyle": "none"}


def _names_at(ax: Axes, places: Any, names: Any) -> None:
    ax.set_yticks(places, [short(str(n)) for n in names])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.margins(y=0.5 / max(1, len(places)))


def _median(part: pd.DataFrame) -> float:
    """Smallest value that half of the numbers do not exceed."""
    cumulative = part["count"].cumsum()
    return float(part["value"].to_numpy()[np.searchsorted(cumulative, (cumulative.iloc[-1] + 1) // 2)])
