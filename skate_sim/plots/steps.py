"""Figures of sequences that grow step by step: the hazard of a further step, and where they ended."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from skate_sim.plots.style import COLOURS, GREY, LEGEND_WIDTH, legend_below, look, names_at, percent, wrapped
from skate_sim.stats import LEVEL, format_interval, rate_interval

#: Hazards whose interval is wider than this are not drawn: they say little, and hide what the others say.
WIDEST = 0.2
#: Endings of fewer sequences than this, by number of steps, are too low to be seen.
SEEN = 0.01
#: Colours of the ways to end well; that of failing is vermilion, and hatched.
_KEPT = (COLOURS[0], COLOURS[5], COLOURS[2], COLOURS[4], COLOURS[7], COLOURS[3], COLOURS[6])


def hazards(
    table: pd.DataFrame,
    ax: Axes,
    *,
    label: str = "Hazard",
    steps_label: str = "Steps",
    reference_label: str = "",
) -> Axes:
    """Chance that a further step fails by the number of steps so far, a line with intervals a bot.

    All points stand at their number of steps, not side by side: the curves are steep. Behind them is a broad grey line
    with the exact reference, which ends one step after the last of the others. A point whose interval is wider than
    :data:`WIDEST` is left out.

    Parameters
    ----------
    table : DataFrame
        Rows of bots, of :meth:`skate_sim.results.Results.ledger` for a step ledger.
    label, steps_label, reference_label : str
        Labels of the hazard, of the number of steps, and of the reference.
    """
    bots = list(dict.fromkeys(table["bot"]))
    sure = table[table["hazard_high"] - table["hazard_low"] <= WIDEST]
    last = int(sure["steps"].max()) if len(sure) else 1
    exact = table.drop_duplicates("steps").set_index("steps")["reference"].loc[: last + 1].dropna()
    if len(exact):
        ax.plot(exact.index, exact, color=GREY, alpha=0.35, linewidth=4, solid_capstyle="butt", label=reference_label)
    for number, bot in enumerate(bots):
        part = sure[sure["bot"] == bot]
        mean = part["hazard"].to_numpy(float)
        bars = np.nan_to_num([mean - part["hazard_low"], part["hazard_high"] - mean]).clip(0)
        drawn = look(number) | {"linestyle": "-", "linewidth": 1.0}
        ax.errorbar(part["steps"], mean, yerr=bars, **drawn, capsize=1.5, label=wrapped(bot, LEGEND_WIDTH))
    ax.yaxis.set_major_formatter(percent())
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    ax.set_xlabel(f"{steps_label} (bars: 95% intervals)")
    ax.set_ylabel(label)
    ax.grid(axis="y")
    legend_below(ax)
    return ax


def endings(
    table: pd.DataFrame,
    ax: Axes,
    failure: str,
    *,
    labels: Mapping[str, str],
    steps_label: str = "Steps",
) -> Axes:
    """After how many steps sequences ended, and how: a strip a bot, in the order of the table.

    Above the line of each strip are those that ended well, stacked, below it those that failed, with thin lines for
    intervals. All strips have one scale; the highest bar of each says its share. At the right is the share of the
    bot's sequences that failed.

    Parameters
    ----------
    table : DataFrame
        Rows of bots, of :meth:`skate_sim.results.Results.ledger` for a step ledger.
    failure : str
        The ending that failed.
    labels : mapping of str to str
        The ways to end, and what the legend says of each.
    steps_label : str
        Label of the number of steps.
    """
    bots = list(dict.fromkeys(table["bot"]))[::-1]
    kept = [e for e in labels if e != failure and table[e].any()]
    colours = {ending: _KEPT[number % len(_KEPT)] for number, ending in enumerate(kept)} | {failure: COLOURS[1]}
    shown = table[table[[f"{e}_share" for e in labels]].sum(axis=1) >= SEEN]
    up, down = table[[f"{e}_share" for e in kept]].sum(axis=1).max(), table[f"{failure}_share_high"].max()
    scale = 0.8 / (float(up + down) or 1.0)
    ground = scale * float(down) + 0.04
    for place, bot in enumerate(bots):
        _strip(ax, shown[shown["bot"] == bot], colours, failure, place + ground, scale)
        share = _failed(table[table["bot"] == bot], failure)
        ax.text(1.03, place + ground, share, transform=ax.get_yaxis_transform(), va="center", fontsize=7)
    ax.text(1.03, len(bots), failure, transform=ax.get_yaxis_transform(), va="bottom", fontsize=7, color=GREY)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(steps_label)
    ax.grid(axis="x")
    names_at(ax, np.arange(len(bots)) + ground, bots)
    ax.set_ylim(0, len(bots))
    handles: list[Artist] = [
        Patch(facecolor=colour, edgecolor="white", linewidth=0, hatch=_hatch(e, failure), label=labels[e])
        for e, colour in colours.items()
    ]
    handles.append(Line2D([], [], color="black", marker="|", linestyle="none", label="95% intervals"))
    legend_below(ax, handles)
    return ax


def _strip(ax: Axes, part: pd.DataFrame, colours: Mapping[str, str], failure: str, ground: float, scale: float) -> None:
    """The bars of one bot, around the height of its line."""
    ax.axhline(ground, color=GREY, linewidth=0.6)
    top = np.full(len(part), ground)
    for ending, colour in colours.items():
        if ending == failure:
            _bars(ax, part, ending, np.full(len(part), ground), -scale, colour, _hatch(ending, failure))
        else:
            top = _bars(ax, part, ending, top, scale, colour)
    if len(part):
        highest = int(np.argmax(top))
        at = (float(part["steps"].iloc[highest]), float(top[highest]))
        ax.annotate(
            f"{100 * (at[1] - ground) / scale:.0f}%", at, (0, 1.5), textcoords="offset points", ha="center",
            va="bottom", fontsize=6, color=GREY,
        )  # fmt: skip


def _hatch(ending: str, failure: str) -> str:
    """What tells the failed ones apart without colours."""
    return "////" if ending == failure else ""


def _bars(
    ax: Axes, part: pd.DataFrame, ending: str, base: np.ndarray, scale: float, colour: str, hatch: str = ""
) -> np.ndarray:
    """Bars of an ending by number of steps, with their intervals, on a base, or below it; returns where they end."""
    steps = part["steps"].to_numpy(float)
    share, low, high = (part[f"{ending}_share{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    tips = base + scale * share
    ax.bar(steps, scale * share, bottom=base, color=colour, edgecolor="white", linewidth=0.3, hatch=hatch, label=ending)
    sides = [share - low, high - share] if scale > 0 else [high - share, share - low]
    bars = abs(scale) * np.clip(sides, 0, None)[:, share > 0]
    ax.errorbar(steps[share > 0], tips[share > 0], yerr=bars, fmt="none", ecolor="black", elinewidth=0.6)
    return tips


def _failed(part: pd.DataFrame, failure: str) -> str:
    """The share of a bot's sequences that failed, with its interval."""
    level = float(part["level"].iloc[0]) if "level" in part else LEVEL
    return format_interval(*rate_interval(int(part[failure].sum()), int(part["reached"].max()), level), "share")
