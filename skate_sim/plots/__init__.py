"""One function a figure: takes a table and an Axes, draws, returns the Axes; and the style that they share."""

from skate_sim.plots.bots import by_axis, score_distributions, score_parts, win_shares
from skate_sim.plots.curves import risk_over_time, sweep_curve
from skate_sim.plots.rows import ladder, pair_matrix
from skate_sim.plots.steps import endings, hazards
from skate_sim.plots.style import (
    COLOURS,
    GREY,
    LEGEND_WIDTH,
    MARKERS,
    WIDTH,
    figure,
    lay_out,
    row_height,
    short,
    style,
    wrapped,
    write,
)
from skate_sim.plots.variants import differences, edited_rows

__all__ = [
    "COLOURS",
    "GREY",
    "LEGEND_WIDTH",
    "MARKERS",
    "WIDTH",
    "by_axis",
    "differences",
    "edited_rows",
    "endings",
    "figure",
    "hazards",
    "ladder",
    "lay_out",
    "pair_matrix",
    "risk_over_time",
    "row_height",
    "score_distributions",
    "score_parts",
    "short",
    "style",
    "sweep_curve",
    "win_shares",
    "wrapped",
    "write",
]
