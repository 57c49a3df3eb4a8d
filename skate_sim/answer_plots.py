"""Figures of answers: ladders, curves with bands, break-evens, heat maps; each a function of a table and an Axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from skate_sim.plots import COLOURS, GREY, LEGEND_WIDTH, MARKERS, short, wrapped
from skate_sim.ranges import listed, value_text

#: More bots than these share one colour in a curve's figure.
MOST_SERIES = len(COLOURS)
_UNDECIDED = "?"


def ladder(
    table: pd.DataFrame, ax: Axes, *, rows: str, series: str | None, label: str, scale: int = 1, ranked: bool = True
) -> Axes:
    """Values with intervals around a line at 0: a band a row, a marker for each of a series.

    Parameters
    ----------
    table : DataFrame
        Columns ``value``, ``low``, ``high``, and those named.
    rows, series : str
        Columns that name the rows, and the markers in a row.
    ranked : bool
        The highest row on top; else the first.
    """
    means = table.groupby(rows, sort=False)["value"].mean()
    order = means.sort_values(kind="stable") if ranked else means.iloc[::-1]
    places = {name: float(n) for n, name in enumerate(order.index)}
    groups = [None] if series is None else list(dict.fromkeys(table[series]))
    apart = 0.7 / max(1, len(groups))
    for number, group in enumerate(groups):
        part = table if group is None else table[table[series] == group]
        at = [places[name] + apart * ((len(groups) - 1) / 2 - number) for name in part[rows]]
        value, low, high = (scale * part[c].to_numpy(float) for c in ("value", "low", "high"))
        bars = np.nan_to_num([value - low, high - value]).clip(0)
        word = None if group is None else group if isinstance(group, str) else f"{series} {group}"
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
        name = None if word is None else wrapped(str(word), LEGEND_WIDTH)
        ax.errorbar(value, at, xerr=bars, linestyle="none", capsize=1.5, label=name, **look)
    for edge in range(1, len(places)):
        ax.axhline(edge - 0.5, color="#DDDDDD", linewidth=0.6, zorder=0.3)
    ax.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
    ax.set_yticks(list(places.values()), [short(str(name)) for name in places])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(-0.5, len(places) - 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.grid(axis="x")
    ax.set_xlabel(_lines(f"{label} (bars: 95% intervals)", 36))
    if len(groups) > 1:
        _legend_below(ax, ax.get_xlabel().count("\n"), columns=legend_columns(groups))
    return ax


def legend_columns(groups: Sequence[Any]) -> int:
    """Columns of a legend: three of short words."""
    return 3 if max(len(str(group)) for group in groups) < 4 else 1


def curves(table: pd.DataFrame, ax: Axes, *, label: str, scale: int = 1, peak: bool = False) -> Axes:
    """Mean along a number with its band, a line a bot.

    Parameters
    ----------
    table : DataFrame
        One outcome of :func:`skate_sim.curves.curves_table`.
    peak : bool
        Mark each curve's highest value; of a curve alone, shade what cannot be told from it.
    """
    alone = table["bot"].nunique() == 1
    for n, (_, part) in enumerate(table.groupby("bot", sort=False)):
        colour, at = COLOURS[n % MOST_SERIES], part["at"].to_numpy(float)
        mean, low, high = (scale * part[c].to_numpy(float) for c in ("mean", "mean_low", "mean_high"))
        ax.fill_between(at, low, high, color=colour, alpha=0.25, linewidth=0)
        name = wrapped(str(part["bot"].iloc[0]), LEGEND_WIDTH)
        ax.plot(at, mean, color=colour, marker=MARKERS[n % len(MARKERS)], label=name)
        if peak:
            top = int(np.argmax(mean))
            alike = at[part["behind_best_low"].to_numpy(float) <= 0]
            if len(alike) > 1 and alone:
                ax.axvspan(alike.min(), alike.max(), color=colour, alpha=0.12, linewidth=0, zorder=0.2)
            ax.annotate(
                f"peak at {value_text(part['at'].iloc[top])}", (at[top], high[top]), xytext=(0, 5),
                textcoords="offset points", ha="center", fontsize=7, color=colour,
            )  # fmt: skip
    if peak:
        ax.margins(y=0.14)
    numbers = listed(dict.fromkeys(table["number"]))
    said = "; shaded: cannot be told from the peak" if peak and alone and _has_alike(table) else ""
    ax.set_xlabel(_lines(f"{numbers} (bands: 95% intervals{said})"))
    ax.set_ylabel(f"{label} [%]" if scale == 100 else label)
    if all(float(value).is_integer() for value in table["at"]):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    if table["bot"].nunique() > 1:
        _legend_below(ax, ax.get_xlabel().count("\n"))
    return ax


def _has_alike(table: pd.DataFrame) -> bool:
    return bool(((table["behind_best_low"] <= 0) & (table["behind_best"] > 0)).any())


def break_even(
    table: pd.DataFrame,
    ax: Axes,
    *,
    label: str,
    what: Sequence[str],
    scale: int,
    at: Sequence[float],
    whole: bool = False,
) -> Axes:
    """A difference by a number, with its band, and where it is zero.

    Parameters
    ----------
    table : DataFrame
        Columns ``number``, ``at``, ``value``, ``low``, ``high``.
    what : pair of str
        The two that are to be equal.
    at : tuple of float
        Where they are, and its interval; NaN: nowhere, or not known.
    whole : bool
        The number is a whole one, and so are the marks of its axis.
    """
    value, low, high = (scale * table[c].to_numpy(float) for c in ("value", "low", "high"))
    ax.axhline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0.5)
    ax.fill_between(table["at"].to_numpy(float), low, high, color=COLOURS[0], alpha=0.25, linewidth=0)
    ax.plot(table["at"], value, color=COLOURS[0], marker="o")
    mean, start, end = at
    if np.isfinite(mean):
        edges = ax.get_xlim()
        first, last = (x if np.isfinite(x) else edge for x, edge in zip((start, end), edges, strict=True))
        ax.axvspan(first, last, color=COLOURS[1], alpha=0.25, linewidth=0, zorder=0.2)
        ax.plot([mean], [0], color=COLOURS[1], marker="D", markersize=5, linestyle="none", zorder=3)
        left = mean > sum(edges) / 2
        ax.annotate(
            f"equal at {mean:.3g}", (mean, 0), xytext=(-7 if left else 7, 7), textcoords="offset points",
            fontsize=7, color=COLOURS[1], ha="right" if left else "left",
        )  # fmt: skip
    if whole:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(f"{table['number'].iloc[0]} (bands: 95% intervals)")
    unit = " [% points]" if scale == 100 else ""
    ax.set_ylabel(_lines(f"{label}{unit}: {what[0]} less {what[1]}", 30))
    ax.grid(axis="y")
    return ax


def heat_map(table: pd.DataFrame, ax: Axes, *, label: str, scale: int) -> Axes:
    """Advantages of the row's bot over the column's: blue where it is better, red where worse; undecided ones marked.

    Parameters
    ----------
    table : DataFrame
        Columns ``bot``, ``against``, ``value``, ``decided``: a row for each ordered pair.
    """
    strengths = table.groupby("bot", sort=False)["value"].mean().sort_values(ascending=False, kind="stable")
    names = list(strengths.index)
    values = np.full((len(names), len(names)), np.nan)
    open_ = np.zeros(values.shape, bool)
    for row in table.to_dict("records"):
        at = names.index(row["bot"]), names.index(row["against"])
        values[at], open_[at] = scale * row["value"], not row["decided"]
    most = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
    ax.imshow(values, cmap="RdBu", vmin=-(most or 1.0), vmax=most or 1.0)
    for (one, other), value in np.ndenumerate(values):
        if np.isfinite(value):
            text = f"{value:+.1f}" + (f"\n{_UNDECIDED}" if open_[one, other] else "")
            colour = "white" if abs(value) > 0.55 * most else "black"
            ax.text(other, one, text, ha="center", va="center", fontsize=6, color=colour)
            if open_[one, other]:
                ax.add_patch(_hatched(one, other))
    shown = [short(name) for name in names]
    ax.set_xticks(range(len(names)), shown, rotation=90)
    ax.set_yticks(range(len(names)), shown)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    unit = " [% points]" if scale == 100 else ""
    marked = f"; {_UNDECIDED}: not decided" if open_.any() else ""
    ax.set_xlabel(_lines(f"{label} of the row's bot above a fair one{unit}, against the column's{marked}"))
    return ax


def _hatched(one: int, other: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((other - 0.5, one - 0.5), 1, 1, fill=False, hatch="////", edgecolor="#BBBBBB", linewidth=0)


def _lines(text: str, width: int = 44) -> str:
    return wrapped(text, width)


def _legend_below(ax: Axes, lines: int, columns: int = 1) -> None:
    """A legend below the axis' label of so many more lines."""
    below = ScaledTranslation(0, -0.38 - 0.13 * lines, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, borderaxespad=0, ncols=columns,
        columnspacing=1.0, handletextpad=0.4,
    )  # fmt: skip
