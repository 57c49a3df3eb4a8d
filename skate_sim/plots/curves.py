"""Figures of curves: an outcome as a number varies, and risk as a game goes on."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from skate_sim.plots.style import COLOURS, GREY, LEGEND_WIDTH, MARKERS, legend_below, look, percent, wrapped


def sweep_curve(
    table: pd.DataFrame,
    ax: Axes,
    *,
    x_label: str = "",
    label: str = "",
    kind: str = "share",
    crossing: tuple[float, float, float] | None = None,
    level: float | None = None,
) -> Axes:
    """An outcome as a number varies: a line with a band a bot; the break-even with its interval.

    Parameters
    ----------
    table : DataFrame
        Columns ``x``, ``bot``, ``value``, ``low``, ``high``.
    x_label, label, kind : str
        Labels of both axes; the kind of number: shares are in percent.
    crossing : (estimate, low, high), optional
        Where the break-even is, with its interval.
    level : float, optional
        The value at which it is even.
    """
    for number, (bot, part) in enumerate(table.groupby("bot", sort=False)):
        part = part.sort_values("x")
        x, colour = part["x"].to_numpy(float), COLOURS[number % len(COLOURS)]
        ax.fill_between(x, part["low"].to_numpy(float), part["high"].to_numpy(float), color=colour, alpha=0.22, lw=0)
        ax.plot(
            x, part["value"].to_numpy(float), **look(number) | {"linestyle": "-"}, label=wrapped(str(bot), LEGEND_WIDTH)
        )
    if level is not None:
        ax.axhline(level, color=GREY, linestyle="--", linewidth=0.8)
    if crossing is not None:
        at, low, high = crossing
        ax.axvspan(low, high, color=GREY, alpha=0.15, lw=0)
        ax.axvline(at, color="black", linewidth=0.9)
        ax.annotate(
            f"even at {at:.3g} ({low:.3g} to {high:.3g})", (at, 1), xycoords=("data", "axes fraction"), xytext=(0, 2),
            textcoords="offset points", ha="center", va="bottom", fontsize=7,
        )  # fmt: skip
    if kind in ("share", "flag"):
        ax.yaxis.set_major_formatter(percent())
    ax.set_xlabel(f"{x_label or 'x'} (bands: 95% intervals)")
    ax.set_ylabel(label)
    ax.grid(axis="y")
    legend_below(ax)
    return ax


def risk_over_time(
    table: pd.DataFrame, ax: Axes, *, label: str = "Risk", group: str = "Group", mishap: str = "mishap"
) -> Axes:
    """The risk that each choice of a game took, in order; a cross where it came about, a line between groups.

    Parameters
    ----------
    table : DataFrame
        Of :func:`skate_sim.report.told.risks`.
    label, group, mishap : str
        Labels of the risk, of a group such as a round, and of what the risk was of.
    """
    for seat in sorted(table["seat"].unique().tolist()):
        part, number = table[table["seat"] == seat], seat - 1
        name = wrapped(f"{seat} {part['bot'].iloc[0].removesuffix(f' ({seat})')}", LEGEND_WIDTH)
        colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
        part = part[part["risk"] > 0]
        ax.vlines(part["choice"], 0, part["risk"], color=colour, linewidth=0.9, alpha=0.6)
        ax.plot(part["choice"], part["risk"], color=colour, marker=marker, linestyle="none", label=name)
    met = table[table["mishap"]]
    if len(met):
        ax.plot(met["choice"], met["risk"], "x", color="black", markersize=6.5, markeredgewidth=1.3, label=mishap)
    starts = table.drop_duplicates("group")
    for _, row in starts.iterrows():
        at = row["choice"] - 0.5
        if at > 1:
            ax.axvline(at, color=GREY, linewidth=0.6)
        ax.annotate(
            f"{group} {row['group']}", (at, 1), xycoords=("data", "axes fraction"), xytext=(2, 2),
            textcoords="offset points", fontsize=6, color=GREY, va="bottom",
        )  # fmt: skip
    ax.yaxis.set_major_formatter(percent())
    ax.set_ylim(0, max(0.1, 1.1 * float(table["risk"].max())))
    ax.set_xlim(0.5, len(table) + 1.5)
    ax.set_xlabel("Decisions, in order; those without risk have no mark")
    ax.set_ylabel(f"{label} taken")
    ax.grid(axis="y")
    legend_below(ax)
    return ax
