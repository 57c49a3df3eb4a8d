"""Figures of bots: their means, their distributions, their lines along an axis, the parts of their score."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from skate_sim.digits import format_interval
from skate_sim.plots.style import COLOURS, GREY, LEGEND_WIDTH, legend_below, look, names_at, percent, wrapped


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
        ax.errorbar(mean, place, xerr=bars, **look(int(str(number))), capsize=2)
        text = format_interval(mean, low, high, kind)
        ax.text(1.03, place, text, transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    if kind == "share":
        fair = float(np.average(table[outcome], weights=table["seat_games"]))
        ax.axvline(fair, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
        ax.annotate(
            "fair", (fair, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=7, color=GREY,
        )  # fmt: skip
        ax.xaxis.set_major_formatter(percent())
        ax.set_xlim(left=-0.02 * ax.get_xlim()[1])  # room for the marker of a bot that never wins
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlabel(f"{label} (bars: 95% intervals)")
    ax.grid(axis="x")
    names_at(ax, places, ranked["bot"])
    return ax


def score_distributions(table: pd.DataFrame, ax: Axes, *, label: str = "Score") -> Axes:
    """Histogram of a whole number, a strip a bot, the highest median on top; a line and a number at the median.

    Under each strip, a thick line goes from the quantile of 25% to that of 75%, a thin one from 5% to 95%.

    Parameters
    ----------
    table : DataFrame
        Of :meth:`skate_sim.results.Results.distribution`.
    label : str
        Label of the number.
    """
    parts = [part for _, part in table.groupby("bot", sort=False)]
    order = sorted(range(len(parts)), key=lambda n: (_quantile(parts[n], 0.5), -n))
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
        for low, high, wide in ((0.05, 0.95, 0.9), (0.25, 0.75, 2.6)):
            ax.hlines(place - 0.06, _quantile(part, low), _quantile(part, high), color=colour, linewidth=wide)
        median = _quantile(part, 0.5)
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
    names_at(ax, np.arange(len(order)) + 0.25, [str(parts[n]["bot"].iloc[0]) for n in order])
    ax.set_ylim(-0.15, len(parts) - 0.1)
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
        drawn = look(number) | {"linestyle": "-", "linewidth": 1.0}
        ax.errorbar(part[axis] + shift, mean, yerr=bars, **drawn, capsize=1.5, label=wrapped(bot, LEGEND_WIDTH))
    if kind in ("share", "flag"):
        ax.yaxis.set_major_formatter(percent())
    if 0 <= table[outcome].min() < 0.6 * table[outcome].max():
        ax.set_ylim(bottom=0)
    ax.set_xlabel(f"{axis_label or axis} (bars: 95% intervals)")
    ax.set_ylabel(label or outcome)
    ax.set_xticks(sorted(set(table[axis])))
    ax.grid(axis="y")
    legend_below(ax)
    return ax


def score_parts(table: pd.DataFrame, ax: Axes, parts: Mapping[str, str], *, label: str = "Score") -> Axes:
    """Where the score comes from: a bar a bot, divided into the means of its parts, the highest whole on top.

    Parameters
    ----------
    table : DataFrame
        Of :meth:`skate_sim.results.Results.bots`.
    parts : mapping of str to str
        Columns of the parts, with their labels.
    label : str
        Label of the score.
    """
    whole = table[list(parts)].sum(axis=1)
    ranked = table.assign(whole=whole).sort_values("whole", kind="stable").reset_index(drop=True)
    places = np.arange(len(ranked))
    above, below = np.zeros(len(ranked)), np.zeros(len(ranked))
    for number, (part, name) in enumerate(parts.items()):
        widths = ranked[part].to_numpy(float)
        left = np.where(widths >= 0, above, below)
        colour = COLOURS[number % len(COLOURS)]
        ax.barh(places, widths, left=left, height=0.66, color=colour, edgecolor="white", linewidth=0.6, label=name)
        above, below = above + widths.clip(min=0), below + widths.clip(max=0)
    for place, mean in zip(places, ranked["whole"], strict=True):
        ax.text(1.03, float(place), f"{mean:.1f}", transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    ax.axvline(0, color=GREY, linewidth=0.7)
    ax.set_xlabel(f"{label} (mean of a game)")
    ax.grid(axis="x")
    names_at(ax, places, ranked["bot"])
    ax.set_ylim(-0.5, len(ranked) - 0.5)
    above_plot = ScaledTranslation(0, 0.04, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=ax.transAxes + above_plot, ncols=2, borderaxespad=0,
        handlelength=1.2, columnspacing=1.2,
    )  # fmt: skip
    return ax


def _quantile(part: pd.DataFrame, share: float) -> float:
    """Smallest value that this share of the numbers does not exceed."""
    cumulative = part["count"].cumsum()
    return float(part["value"].to_numpy()[np.searchsorted(cumulative, max(1, math.ceil(share * cumulative.iloc[-1])))])
