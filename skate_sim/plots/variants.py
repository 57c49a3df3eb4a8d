"""Figures of variants: what differs for each bot, and rows of a table before and after an edit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from skate_sim.digits import format_interval
from skate_sim.plots.style import COLOURS, GREY, names_at, wrapped

#: Letters on a line of a title.
TITLE = 44
#: Lines of a figure between two groups of rows.
_GAP = 0.4


def titled(title: str) -> str:
    """A title on lines that a figure has room for."""
    return wrapped(title, TITLE)


def differences(
    table: pd.DataFrame, ax: Axes, *, label: str = "Win share", kind: str = "share", least: float = 0.0, title: str = ""
) -> Axes:
    """Differences of variants to their baselines with paired intervals: a row a bot, its value beside it.

    Parameters
    ----------
    table : DataFrame
        Rows of one outcome of :meth:`skate_sim.comparison_results.ComparisonResults.differences`.
    label, kind : str
        Of the axis; of the number: differences of shares are in points of a percent.
    least : float
        The axis goes at least so far to both sides of 0, so that what is too small to matter does not look large.
    title : str
        What was changed.
    """
    bands, scale = list(table.groupby(["variant", "baseline"], sort=False)), 100 if kind in ("share", "flag") else 1
    one_baseline = table["baseline"].nunique() == 1
    places, names, at = [], [], 0.0
    for number, ((variant, baseline), part) in enumerate(bands):
        if len(bands) > 1:
            at -= _GAP if number else 0.0
            head = str(variant) if one_baseline else f"{variant} less {baseline}"
            ax.text(0, at, head, transform=ax.get_yaxis_transform(), fontsize=7, fontweight="bold", va="center")
            at -= 1
        for row in part.to_dict("records"):
            mean, low, high = (scale * row[c] for c in ("difference", "low", "high"))
            bars = np.nan_to_num([[mean - low], [high - mean]]).clip(0)
            ax.errorbar(mean, at, xerr=bars, color=COLOURS[0], marker="o", linestyle="none", capsize=2)
            ax.text(1.03, at, _signed(mean, low, high), transform=ax.get_yaxis_transform(), va="center", fontsize=7)
            places.append(at)
            names.append(str(row["bot"]))
            at -= 1
    ax.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
    most = scale * float(np.nanmax(np.abs(table[["difference", "low", "high"]].to_numpy(float)), initial=0.0))
    half = max(least, 1.15 * most) or 1.0
    ax.set_xlim(-half, half)
    ax.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:+g}" if abs(x) > 1e-12 else "0"))
    ax.set_xlabel(wrapped(label, TITLE))
    ax.grid(axis="x")
    names_at(ax, places, names)
    ax.set_ylim(at + 0.4, 0.6)
    ax.set_title(titled(title), fontsize=9, fontweight="bold", loc="left", pad=6)
    return ax


def edited_rows(table: pd.DataFrame, ax: Axes, *, label: str = "") -> Axes:
    """A number of edited rows, a line a variant: the baseline's dot is hollow; values beside them.

    Parameters
    ----------
    table : DataFrame
        Columns ``row`` (its name and edit), ``variant``, ``baseline``, ``kind``, the number with its interval in the
        variant (``value``, ``low``, ``high``) and in the baseline (``before``, ``before_low``, ``before_high``).
    label : str
        Of the axis.
    """
    places, names, at, several = [], [], 0.0, table["row"].nunique() > 1
    kind = str(table["kind"].iloc[0])
    scale = 100 if kind in ("share", "flag") else 1
    ends = []
    for number, (row, part) in enumerate(table.groupby("row", sort=False)):
        if several:
            at -= _GAP if number else 0.0
            ax.text(0, at, str(row), transform=ax.get_yaxis_transform(), fontsize=7, fontweight="bold", va="center")
            at -= 1
        first = part.iloc[0]
        lines = [(str(first["baseline"]), *(first[c] for c in ("before", "before_low", "before_high")))]
        lines += [(str(r["variant"]), r["value"], r["low"], r["high"]) for r in part.to_dict("records")]
        for place, (name, mean, low, high) in enumerate(lines):
            bars = scale * np.nan_to_num([[mean - low], [high - mean]]).clip(0)
            look: dict[str, Any] = {"color": COLOURS[1 if place else 0], "markerfacecolor": None if place else "white"}
            ax.errorbar(scale * mean, at, xerr=bars, marker="o", markersize=5, linestyle="none", capsize=2, **look)
            text = format_interval(mean, low, high, kind)
            ax.text(1.03, at, text, transform=ax.get_yaxis_transform(), va="center", fontsize=7)
            if place:
                start = scale * lines[0][1]
                ax.plot([start, scale * mean], [at, at], color="#BBBBBB", linewidth=1.2, zorder=0.8)
            places.append(at)
            names.append(name)
            ends += [scale * low, scale * high]
            at -= 1
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = max(0.12 * (high - low), 0.02 * abs(high), 0.5 if scale == 100 else 0.0)
    ax.set_xlim(max(0.0, low - room) if low >= 0 else low - room, high + room)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    if scale == 100:
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}%"))
    ax.set_xlabel(wrapped(label, TITLE))
    ax.grid(axis="x")
    names_at(ax, places, names)
    ax.set_ylim(at + 0.4, 0.6)
    return ax


def _signed(mean: float, low: float, high: float) -> str:
    """A difference with its sign; one that is 0 in every game says so."""
    if mean == low == high == 0:
        return "0 exactly"
    if not np.isfinite(low):
        return "no game differed" if mean == 0 else f"{mean:+.2g} ± ?"
    text = format_interval(mean, low, high, "points")
    return f"+{text}" if mean > 0 and any(d in "123456789" for d in text.partition(" ")[0]) else text
