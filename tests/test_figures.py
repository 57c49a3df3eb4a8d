"""Figures of ledgers, pairs, sweeps and told games: what is drawn from small tables, and where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.patches import Rectangle

from skate_sim import plots
from skate_sim.figures import alternative_text, figure_title
from skate_sim.results import Results
from tests.commands import invoke

PARTS = {"a": "Apples", "b": "Bananas"}


def axes_of(draw: object, height: float = 3.0) -> Axes:
    return plots.figure(draw, height=height).axes[0]  # type: ignore[arg-type]


def test_parts_of_a_score_are_stacked_to_the_whole() -> None:
    table = pd.DataFrame({"bot": ["x", "y"], "a": [3.0, 1.0], "b": [-1.0, 4.0]})
    ax = axes_of(lambda ax: plots.score_parts(table, ax, PARTS, label="Points"))
    assert [t.get_text() for t in ax.get_yticklabels()] == ["x", "y"]
    bars = [c for c in ax.containers if isinstance(c, BarContainer)]
    assert [c.get_label() for c in bars] == ["Apples", "Bananas"]
    assert [(p.get_x(), p.get_width()) for p in bars[1]] == [(0, -1), (1, 4)]
    assert [t.get_text() for t in ax.texts] == ["2.0", "5.0"]
    assert bars[0][0].get_facecolor() != bars[1][0].get_facecolor()


def test_a_ladder_has_the_most_on_top_with_intervals() -> None:
    table = pd.DataFrame({"name": ["low", "high"], "v": [1.0, 3.0], "v_low": [0.5, 2.0], "v_high": [1.5, 4.5]})
    ax = axes_of(lambda ax: plots.ladder(table, ax, "v", label="Worth"))
    assert [t.get_text() for t in ax.get_yticklabels()] == ["low", "high"]
    bars = [c for c in ax.containers if isinstance(c, ErrorbarContainer)]
    assert bars[1][2][0].get_segments()[0][:, 0] == pytest.approx([2.0, 4.5])
    assert [t.get_text() for t in ax.texts] == ["1.0 ± 0.5", "3.0 (2.0 to 4.5)"]
    assert not [line for line in ax.lines if line.get_linestyle() == "--"], "no line at 0, as none comes near it"
    around = table.assign(v_low=[-0.5, 2.0])
    assert [line for line in axes_of(lambda ax: plots.ladder(around, ax, "v")).lines if line.get_linestyle() == "--"]


def test_a_matrix_of_pairs_marks_what_is_undecided() -> None:
    table = pd.DataFrame(
        {
            "bot": ["a", "b", "a", "c"],
            "against": ["b", "a", "c", "a"],
            "value": [0.1, -0.1, 0.01, -0.01],
            "low": [0.05, -0.15, -0.02, -0.04],
            "high": [0.15, -0.05, 0.04, 0.02],
        }
    )
    ax = axes_of(lambda ax: plots.pair_matrix(table, ax))
    values = ax.images[0].get_array()
    assert values[0, 1] == pytest.approx(10)
    assert values[1, 0] == pytest.approx(-10)
    assert np.ma.getmaskarray(values)[1, 2], "a pair that was not played is blank"
    low, high = ax.images[0].get_clim()
    assert low == -high, "no advantage is white"
    hatched = sorted(p.get_xy() for p in ax.patches if isinstance(p, Rectangle) and p.get_hatch())
    assert hatched == [(-0.5, 1.5), (1.5, -0.5)]
    assert sorted(t.get_text() for t in ax.texts) == ["+1.0", "+10.0", "-1.0", "-10.0"]


def test_a_sweep_has_bands_and_the_break_even() -> None:
    table = pd.DataFrame({"x": [2, 1, 3], "bot": "a", "value": [0.2, 0.1, 0.3], "low": [0.1, 0.0, 0.2], "high": 0.5})
    ax = axes_of(lambda ax: plots.sweep_curve(table, ax, x_label="n", label="W", crossing=(2.5, 2.1, 2.9), level=0.25))
    assert list(ax.lines[0].get_xdata()) == [1, 2, 3], "in order of x"
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == 0
    assert band[:, 1].max() == 0.5
    assert [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"] == [0.25]
    assert [t.get_text() for t in ax.texts] == ["even at 2.5 (2.1 to 2.9)"]
    assert ax.get_xlabel() == "n (bands: 95% intervals)"


def test_risks_of_a_game_have_a_cross_where_it_came_about() -> None:
    table = pd.DataFrame(
        {
            "choice": [1, 2, 3],
            "group": [1, 1, 2],
            "seat": [1, 2, 1],
            "bot": ["a (1)", "b", "a (1)"],
            "risk": [0.2, 0.0, 0.4],
            "least": 0.0,
            "mishap": [False, False, True],
        }
    )
    ax = axes_of(lambda ax: plots.risk_over_time(table, ax, label="Risk", group="Round", mishap="bust"))
    crosses = next(line for line in ax.lines if line.get_label() == "bust")
    assert (list(crosses.get_xdata()), list(crosses.get_ydata())) == ([3], [0.4])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["1 a", "2 b", "bust"]
    assert [t.get_text() for t in ax.texts] == ["Round 1", "Round 2"]
    assert ax.get_ylim()[1] >= 0.4


def test_every_figure_has_a_title_and_words_with_its_numbers(results: Results) -> None:
    for name in results.figures():
        text = alternative_text(results, name)
        assert text.startswith(figure_title(results, name))
        assert "_" not in figure_title(results, name)
        assert all(bot in text for bot in results.bots()["bot"]) or name.startswith("ladder")
    assert "Kick Flip" in alternative_text(results, "ladder_legendaries")
    assert figure_title(results, "score_parts") == "Where Prestige comes from"


def test_a_figure_of_stored_results_is_drawn_to_a_file(
    results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = results.save(tmp_path / "r", figures=False)
    assert not (folder / "report.html").exists()
    for ending, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        out = tmp_path / f"x.{ending}"
        assert invoke(capsys, "figure", "score_parts", str(folder), "-o", str(out)).code == 0
        assert out.read_bytes().startswith(begin)
    done = invoke(capsys, "figure", "game_risk", str(folder), "--game", "5", "-o", str(tmp_path / "g.png"))
    assert done.code == 0, done.err
    wrong = invoke(capsys, "figure", "win_share", str(folder), "-o", str(tmp_path / "w.png"))
    assert wrong.code == 2
    assert "did you mean 'win_shares'?" in wrong.err
    assert invoke(capsys, "figure", "win_shares", str(folder), "-o", str(tmp_path / "w.doc")).code == 2
