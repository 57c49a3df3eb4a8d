"""Figures of rows: a ladder of what each is worth, and a matrix of pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from skate_sim.digits import interval_text
from skate_sim.plots.style import COLOURS, GREY, names_at, percent, short, wrapped

#: Characters of a line of the label below narrow axes.
_LABEL_WIDTH = 36
#: From Okabe and Ito's vermilion by white to their blue.
_DIVERGING = LinearSegmentedColormap.from_list("advantage", [COLOURS[1], "#ffffff", COLOURS[0]])


def ladder(table: pd.DataFrame, ax: Axes, value: str, *, label: str = "", kind: str = "points") -> Axes:
    """What each row is worth with its interval, the most on top.

    Parameters
    ----------
    table : DataFrame
        Columns ``name`` and ``value``, ``value_low``, ``value_high`` for the value's name.
    value : str
        Column.
    label, kind : str
        Label of the value; the kind of number: shares are in percent.
    """
    ranked = table.sort_values(value, kind="stable", na_position="first").reset_index(drop=True)
    places = np.arange(len(ranked))
    for place, row in zip(places, ranked.to_dict("records"), strict=True):
        mean, low, high = (float(row[value + end]) for end in ("", "_low", "_high"))
        bars = np.nan_to_num([[mean - low], [high - mean]]).clip(0)
        ax.errorbar(mean, place, xerr=bars, color=COLOURS[0], marker="o", linestyle="none", capsize=2)
        text = interval_text(mean, low, high, kind)
        ax.text(1.03, float(place), text, transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    if kind in ("share", "flag"):
        ax.xaxis.set_major_formatter(percent())
    if np.nanmin(ranked[f"{value}_low"]) <= 0 <= np.nanmax(ranked[f"{value}_high"]):
        ax.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlabel(wrapped(f"{label or value} (bars: 95% intervals)", _LABEL_WIDTH))
    ax.grid(axis="both")
    names_at(ax, places, ranked["name"])
    return ax


def pair_matrix(table: pd.DataFrame, ax: Axes, *, label: str = "Advantage", kind: str = "share") -> Axes:
    """Advantage of the bot of each row over that of each column; a cell whose interval has 0 is hatched.

    Parameters
    ----------
    table : DataFrame
        One row a pair: ``bot``, ``against``, ``value``, ``low``, ``high``.
    label, kind : str
        Label of the value; the kind of number: shares are in percentage points.
    """
    names = list(dict.fromkeys([*table["bot"], *table["against"]]))
    scale = 100 if kind in ("share", "flag") else 1
    values = np.full((len(names), len(names)), np.nan)
    for row in table.to_dict("records"):
        values[names.index(row["bot"]), names.index(row["against"])] = scale * row["value"]
    most = float(np.nanmax(np.abs(values))) or 1.0
    ax.imshow(values, cmap=_DIVERGING, vmin=-most, vmax=most, aspect="equal")
    size = 7 if len(names) <= 6 else 5.5
    for row in table.to_dict("records"):
        at = names.index(row["against"]), names.index(row["bot"])
        undecided = row["low"] <= 0 <= row["high"]
        if undecided:
            corner = (at[0] - 0.5, at[1] - 0.5)
            ax.add_patch(Rectangle(corner, 1, 1, fill=False, hatch="////", edgecolor="#999999", linewidth=0))
        dark = scale * row["value"] > 0.8 * most  # the blue of the map is dark, its vermilion is not
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6} if undecided else None
        text = f"{scale * row['value']:+.1f}"
        ax.text(
            *at,
            text,
            ha="center",
            va="center",
            fontsize=size,
            color="white" if dark and not undecided else "black",
            bbox=box,
        )
    ax.set_xticks(range(len(names)), [short(n) for n in names], rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), [short(n) for n in names])
    ax.set_xlabel("against")
    unit = " [percentage points]" if scale == 100 else ""
    ax.set_title(f"{label}{unit}; hatched: undecided at 95%", fontsize=7, loc="right")
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax
