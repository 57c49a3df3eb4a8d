"""The one style of all figures, and what their functions share.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; each bot has a marker of its own as
well. Figures are made for a column of a page (3.5 inches) and hold no global state: nothing here uses pyplot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import ScaledTranslation

WIDTH = 3.5
#: Okabe and Ito's colours without yellow, which is too light for a line on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p")
GREY = "#555555"
#: Letters of a bot's name on a line of a legend.
LEGEND_WIDTH = 46

_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that a figure is the same everywhere
    "text.usetex": False,  # whatever a user has set: not everybody has LaTeX
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
    """Draw a figure and write it as PNG and SVG, without the date.

    ``path`` has no ending; with the ending ``.svg``, it is that of the only file.
    """
    with style():
        made = lay_out(make())
        if path.suffix != ".svg":
            made.savefig(path.with_name(path.name + ".png"), pil_kwargs={"compress_level": 3})
            path = path.with_name(path.name + ".svg")
        made.savefig(path, metadata={"Date": None})


def lay_out(made: Figure) -> Figure:
    """Give everything in a figure its place, once for all its files; returns the figure.

    With a layout engine, matplotlib goes through all of a figure twice for each file, the first time to lay it out.
    """
    engine = made.get_layout_engine()
    if engine is not None:
        dpi, made.dpi = made.dpi, matplotlib.rcParams["savefig.dpi"]
        engine.execute(made)
        made.dpi = dpi
        made.set_layout_engine(None)
    return made


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


def percent() -> FuncFormatter:
    """Labels of an axis of shares."""
    return FuncFormatter(lambda share, _: f"{100 * share:g}%")


def look(number: int) -> dict[str, Any]:
    """Colour and marker of a bot, the same in all figures."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)], "linestyle": "none"}


def names_at(ax: Axes, places: Any, names: Any) -> None:
    """Names of the rows of a figure, in the place of a scale."""
    ax.set_yticks(places, [short(str(n)) for n in names])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.margins(y=0.5 / max(1, len(places)))


def legend_below(ax: Axes, handles: Sequence[Artist] | None = None) -> None:
    """The legend under the label of the axis, whatever the figure's height; by default of all that has a label."""
    below = ScaledTranslation(0, -0.38, ax.figure.dpi_scale_trans)
    given = {} if handles is None else {"handles": handles}
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, borderaxespad=0, **given)
