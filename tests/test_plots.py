"""Figures from small tables: what is drawn, where, and that nothing overlaps."""

from __future__ import annotations

import sys
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from skate_sim import plots
from skate_sim.plots.style import look
from skate_sim.results import Results

LONG = [
    "risk_threshold:limit=0.30625,eagerness=0.125",
    "a_bot_with_one_unbroken_word_for_a_name_that_goes_on",
    "a long name, with words and commas, that goes on and on, and on: n=1, m=2",
    *(f"stop_at_n:n={n}" for n in range(5)),
]


def bots_table(names: list[str]) -> pd.DataFrame:
    shares = np.linspace(0.4, 0.05, len(names))
    shares /= shares.sum()
    columns = {"win_share": shares, "win_share_low": shares * 0.9, "win_share_high": shares * 1.1}
    return pd.DataFrame({"bot": names, "seat_games": 1000, **columns})


def distribution_table(names: list[str], above: int = 0) -> pd.DataFrame:
    rows = []
    for number, name in enumerate(names):
        counts = [0, 10, 20 + number, 40, 20, 10, above]
        for value, count in enumerate(counts):
            end = "above" if value == 6 and above else ""
            share, label = count / sum(counts), f"≥ {value}" if end else str(value)
            cells = {"bot": name, "value": value + number, "label": label, "open_end": end, "count": count}
            rows.append({**cells, "share": share, "share_low": share, "share_high": share})
    return pd.DataFrame(rows)


def axis_table(names: list[str]) -> pd.DataFrame:
    rows = []
    for number, name in enumerate(names):
        for place in range(1, 5):
            mean = 0.1 * (number + 1) + 0.01 * place
            cells = {"bot": name, "round": place, "games": 100}
            rows.append({**cells, "rate": mean, "rate_low": mean - 0.02, "rate_high": mean + 0.01})
    return pd.DataFrame(rows)


def drawn(draw: object, height: float = 3.0) -> tuple[Figure, Axes]:
    figure = plots.figure(draw, height=height)  # type: ignore[arg-type]
    return figure, figure.axes[0]


def bars_of(ax: Axes) -> list[ErrorbarContainer]:
    return [c for c in ax.containers if isinstance(c, ErrorbarContainer)]


def no_overlap(figure: Figure, texts: list[Text]) -> bool:
    figure.draw_without_rendering()
    boxes = [t.get_window_extent() for t in texts if t.get_text()]
    boxes = sorted(boxes, key=lambda box: box.y0)
    inside = all(b.x0 >= 0 and b.x1 <= figure.bbox.x1 and b.y0 >= 0 and b.y1 <= figure.bbox.y1 for b in boxes)
    return inside and all(low.y1 <= high.y0 for low, high in pairwise(boxes))


def test_win_shares_are_sorted_with_intervals_and_a_fair_line() -> None:
    table = bots_table(["worst", "best", "middle"]).assign(
        win_share=[0.1, 0.6, 0.3], win_share_low=[0.05, 0.5, 0.25], win_share_high=[0.2, 0.65, 0.35]
    )
    _, ax = drawn(lambda ax: plots.win_shares(table, ax))
    assert [t.get_text() for t in ax.get_yticklabels()] == ["worst", "middle", "best"]
    bars = bars_of(ax)
    assert [float(b[0].get_xdata()[0]) for b in bars] == [0.1, 0.3, 0.6]
    segment = bars[2][2][0].get_segments()[0]
    assert segment[:, 0] == pytest.approx([0.5, 0.65])
    fair = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in fair] == pytest.approx([1 / 3])
    assert [t.get_text() for t in ax.texts][:3] == ["10% (5 to 20)", "30% ± 5", "60% (50 to 65)"]
    assert ax.get_xlim()[0] <= 0 < 0.65 <= ax.get_xlim()[1]
    assert ax.get_xlabel() == "Win share (bars: 95% intervals)"
    assert ax.xaxis.get_major_formatter()(0.25, 0) == "25%"


def test_a_headline_that_is_no_share_has_no_fair_line() -> None:
    table = bots_table(["a", "b"]).rename(columns=lambda c: c.replace("win_share", "points"))
    _, ax = drawn(lambda ax: plots.win_shares(table, ax, outcome="points", label="Points", kind="points"))
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]
    assert ax.get_xlabel().startswith("Points")


def test_a_bot_keeps_its_colour_and_marker_in_all_figures() -> None:
    names = ["a", "b", "c"]
    table = bots_table(names).iloc[::-1].reset_index(drop=True)
    _, first = drawn(lambda ax: plots.win_shares(table, ax))
    _, second = drawn(lambda ax: plots.by_axis(axis_table(["c", "b", "a"]), ax, "rate"))
    of_first = {t.get_text(): b[0] for t, b in zip(first.get_yticklabels(), bars_of(first), strict=True)}
    for bars in bars_of(second):
        same = of_first[bars.get_label()]
        assert (same.get_color(), same.get_marker()) == (bars[0].get_color(), bars[0].get_marker())
    assert len({(b[0].get_color(), b[0].get_marker()) for b in bars_of(second)}) == 3


def test_sixty_four_bots_all_look_different() -> None:
    looks = [look(n) for n in range(64)]
    assert len({(one["color"], one["marker"]) for one in looks}) == 64


def test_score_distributions_have_a_strip_and_a_median_each() -> None:
    names = ["low", "mid", "high"]
    _, ax = drawn(lambda ax: plots.score_distributions(distribution_table(names), ax, label="Points"))
    assert [t.get_text() for t in ax.get_yticklabels()] == names
    strips = [p for p in ax.patches if isinstance(p, StepPatch)]
    assert len(strips) == 2 * len(names)
    medians = [float(line.get_xdata()[0]) for line in ax.lines]
    assert medians == [3, 4, 5]
    assert [t.get_text() for t in ax.texts if t.get_text().isdigit()] == ["3", "4", "5"]
    quantiles = [[path[:, 0].tolist() for path in c.get_segments()] for c in ax.collections]
    assert quantiles[:2] == [[[1, 5]], [[2, 4]]], "5% to 95%, and 25% to 75%"
    tops = [strip.get_data().values.max() for strip in strips[::2]]
    assert all(place < top <= place + 0.85 + 1e-9 for place, top in enumerate(tops))
    assert ax.get_xlabel() == "Points"
    low, high = ax.get_xlim()
    assert low < 0 < 8 < high


def test_numbers_outside_of_a_histogram_are_hatched_and_named() -> None:
    _, ax = drawn(lambda ax: plots.score_distributions(distribution_table(["a"], above=5), ax))
    assert [p.get_hatch() for p in ax.patches].count("////") == 1
    assert "≥ 6" in [t.get_text() for t in ax.texts]
    _, without = drawn(lambda ax: plots.score_distributions(distribution_table(["a"]), ax))
    assert not [p for p in without.patches if p.get_hatch()]


def test_by_axis_has_a_line_with_intervals_each() -> None:
    table = axis_table(["a", "b"])
    _, ax = drawn(lambda ax: plots.by_axis(table, ax, "rate", label="Rate", axis_label="Round", kind="flag"), height=3)
    bars = bars_of(ax)
    assert [b.get_label() for b in bars] == ["a", "b"]
    assert bars[0][0].get_ydata() == pytest.approx([0.11, 0.12, 0.13, 0.14])
    assert bars[0][2][0].get_segments()[0][:, 1] == pytest.approx([0.09, 0.12])
    assert (bars[0][0].get_xdata() < bars[1][0].get_xdata()).all(), "intervals stand side by side"
    assert np.abs(bars[0][0].get_xdata() - [1, 2, 3, 4]).max() < 0.3
    assert list(ax.get_xticks()) == [1, 2, 3, 4]
    assert ax.get_ylim()[0] == 0
    assert ax.get_ylabel() == "Rate"
    assert ax.get_xlabel().startswith("Round")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b"]


def test_nothing_overlaps_with_eight_bots_and_long_names() -> None:
    height = 0.75 + plots.row_height(LONG) * len(LONG)
    shares, ax = drawn(lambda ax: plots.win_shares(bots_table(LONG), ax), height)
    assert no_overlap(shares, list(ax.get_yticklabels()))
    assert no_overlap(shares, [t for t in ax.texts if "%" in t.get_text()])
    scores, ax = drawn(lambda ax: plots.score_distributions(distribution_table(LONG), ax), height)
    assert no_overlap(scores, list(ax.get_yticklabels()))
    rounds, ax = drawn(lambda ax: plots.by_axis(axis_table(LONG), ax, "rate"), 4.0)
    assert no_overlap(rounds, [*ax.get_legend().get_texts(), ax.xaxis.label])
    assert rounds.get_figwidth() == 3.5
    assert ax.get_window_extent().height > 1.5 * rounds.dpi, "the legend leaves room for the lines"


def test_names_are_wrapped_at_their_joints() -> None:
    assert plots.wrapped("stop_at_n") == "stop_at_n"
    assert plots.wrapped("risk_threshold:limit=0.30625") == "risk_threshold:\nlimit=0.30625"
    assert all(len(line) <= 21 for line in plots.short("x" * 200).split("\n"))
    assert plots.short(LONG[2]).count("\n") == 2
    assert plots.short(LONG[2]).endswith("m=2")


def test_figures_of_a_result(results: Results) -> None:
    figures = results.figures()
    by_round, combos = ["round_falls", "round_tricks"], ["hazard_combos", "endings_combos"]
    bots = ["win_shares", "score_distributions", "score_parts"]
    assert list(figures) == [*bots, *by_round, *combos, "ladder_legendaries"]
    ax = figures["score_distributions"]().axes[0]
    assert ax.get_xlabel() == "Prestige"
    ax = figures["round_falls"]().axes[0]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("Fall rate", "Round (bars: 95% intervals)")
    assert figures["round_tricks"]().axes[0].get_ylabel() == "Tricks [cards]"
    assert figures["win_shares"]().axes[0].get_yticklabels()[-1].get_text() == "risk_threshold"


def test_no_global_state_is_left() -> None:
    before = dict(matplotlib.rcParams)
    drawn(lambda ax: plots.win_shares(bots_table(["a", "b"]), ax))
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or not matplotlib.pyplot.get_fignums()


def test_each_file_of_a_figure_goes_through_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], Figure.draw

    def count(made: Figure, *words: Any) -> Any:
        drawn.append(made)
        return draw(made, *words)

    monkeypatch.setattr(Figure, "draw", count)
    plots.write(lambda: plots.figure(lambda ax: ax, height=1.0), tmp_path / "empty")
    assert len(drawn) == len(list(tmp_path.iterdir())) == 2


def test_a_figure_that_is_laid_out_is_as_matplotlib_lays_it_out(tmp_path: Path) -> None:
    def make() -> Figure:
        return plots.figure(partial(plots.win_shares, bots_table(LONG)), height=2.5)

    plots.write(make, tmp_path / "ours")
    with plots.style():
        make().savefig(tmp_path / "theirs.png", pil_kwargs={"compress_level": 3})
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "theirs.png").read_bytes()
