"""Figures of step ledgers from small tables: hazards with their reference, and where sequences ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.patches import Patch

from skate_sim import plots
from skate_sim.figures import alternative_text, figure_title
from skate_sim.plots.steps import SEEN, WIDEST
from skate_sim.results import Results
from tests.commands import invoke

#: By bot and steps: kept, lost, tried.
COUNTS = {"careful": [(0, 0), (40, 5), (50, 5)], "bold": [(0, 0), (10, 30), (20, 40)]}
LABELS = {"kept": "kept", "lost": "lost with the next"}
#: Exact hazards, further than any bot went.
REFERENCE = [0.0, 0.2, 0.6, 0.8, 1.0]


def life_table(counts: dict[str, list[tuple[int, int]]] = COUNTS, rows: int = 5) -> pd.DataFrame:
    made = []
    for bot, ends in counts.items():
        ends = ends + [(0, 0)] * (rows - len(ends))
        reached = [sum(kept + lost for kept, lost in ends[n:]) for n in range(rows)]
        for steps, (kept, lost) in enumerate(ends):
            tried = reached[steps] - kept
            row = {"bot": bot, "steps": steps, "reached": reached[steps], "kept": kept, "lost": lost, "tried": tried}
            for name, count, of in (("kept_share", kept, 100), ("lost_share", lost, 100), ("hazard", lost, tried)):
                share = count / of if of else np.nan
                row |= {name: share, f"{name}_low": share * 0.95, f"{name}_high": share * 1.05}
            made.append(row | {"reference": REFERENCE[steps]})
    return pd.DataFrame(made)


def axes_of(draw: object, height: float = 3.0) -> Axes:
    return plots.figure(draw, height=height).axes[0]  # type: ignore[arg-type]


def hazards_of(table: pd.DataFrame) -> Axes:
    words = {"label": "Risk", "steps_label": "Cards", "reference_label": "by hand"}
    return axes_of(lambda ax: plots.hazards(table, ax, **words))


def test_hazards_have_a_line_with_intervals_a_bot_before_the_exact_one() -> None:
    ax = hazards_of(life_table())
    bars = [c for c in ax.containers if isinstance(c, ErrorbarContainer)]
    assert [b.get_label() for b in bars] == ["careful", "bold"]
    assert list(bars[1][0].get_xdata()) == [0, 1, 2], "where nothing was tried there is no point"
    assert bars[1][0].get_ydata() == pytest.approx([0, 30 / 90, 40 / 40])
    assert bars[1][2][0].get_segments()[1][:, 1] == pytest.approx([0.95 / 3, 1.05 / 3])
    exact = next(line for line in ax.lines if line.get_label() == "by hand")
    assert list(exact.get_xdata()) == [0, 1, 2, 3], "one step further than the bots"
    assert list(exact.get_ydata()) == REFERENCE[:4]
    assert exact.get_linewidth() > bars[0][0].get_linewidth()
    assert exact.get_zorder() <= bars[0][0].get_zorder()
    assert ax.lines.index(exact) == 0, "behind the others"
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["by hand", "careful", "bold"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Cards (bars: 95% intervals)", "Risk")
    assert ax.yaxis.get_major_formatter()(0.25, 0) == "25%"
    assert ax.get_ylim()[0] == 0


def test_a_hazard_that_is_hardly_known_is_left_out() -> None:
    table = life_table()
    vague = (table["bot"] == "bold") & (table["steps"] == 2)
    table.loc[vague, "hazard_low"] = table.loc[vague, "hazard_high"] - WIDEST - 0.01
    bars = [c for c in hazards_of(table).containers if isinstance(c, ErrorbarContainer)]
    assert [len(b[0].get_xdata()) for b in bars] == [3, 2]


def test_without_a_reference_there_is_none() -> None:
    ax = hazards_of(life_table().assign(reference=np.nan))
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["careful", "bold"]


def test_endings_have_a_strip_a_bot_the_failed_below_its_line() -> None:
    ax = axes_of(lambda ax: plots.endings(life_table(), ax, "lost", labels=LABELS, steps_label="Cards"))
    assert [t.get_text() for t in ax.get_yticklabels()] == ["bold", "careful"], "from below: the order of the table"
    bars = {}
    for container in (c for c in ax.containers if isinstance(c, BarContainer)):
        bars.setdefault(container.get_label(), []).append(container)
    kept, lost = (bars[name][1] for name in LABELS)
    assert [round(p.get_x() + p.get_width() / 2) for p in kept] == [1, 2]
    up, down = [p.get_height() for p in kept], [p.get_height() for p in lost]
    assert up[1] / up[0] == pytest.approx(50 / 40)
    assert down[0] / up[0] == pytest.approx(-5 / 40), "one scale for both"
    assert bars["lost"][0][0].get_height() / down[0] == pytest.approx(30 / 5), "and for all bots"
    assert {p.get_hatch() for p in lost} == {"////"}
    assert not {p.get_hatch() for p in kept} & {"////"}
    texts = [t.get_text() for t in ax.texts]
    assert [t for t in texts if t.endswith("%") or "±" in t or "to" in t][::2] == ["20%", "50%"]
    assert texts[-1] == "lost"
    assert any(t.startswith("70%") for t in texts)
    legend = ax.get_legend()
    assert [t.get_text() for t in legend.get_texts()] == ["kept", "lost with the next", "95% intervals"]
    assert [p.get_hatch() for p in legend.get_patches() if isinstance(p, Patch)] == ["", "////"]
    spans = [c for c in ax.containers if isinstance(c, ErrorbarContainer)]
    one = spans[0][2][0].get_segments()[0][:, 1]
    scale = bars["kept"][0][0].get_height() / 0.1
    assert one[1] - one[0] == pytest.approx(0.01 * scale), "as long as the interval is wide"


def test_strips_do_not_reach_into_each_other() -> None:
    worst = {"a": [(0, 100)], "b": [(100, 0)], "c": [(50, 50)]}
    ax = axes_of(lambda ax: plots.endings(life_table(worst), ax, "lost", labels=LABELS))
    grounds = [float(y) for y in ax.get_yticks()]
    ends = []
    for container in (c for c in ax.containers if isinstance(c, BarContainer)):
        ends += [sorted((p.get_y(), p.get_y() + p.get_height())) for p in container]
    for low, high in ends:
        assert any(place <= low and high <= place + 1 for place in range(3))
    assert all(place < ground < place + 1 for place, ground in enumerate(grounds))


def test_what_is_too_rare_to_be_seen_is_not_drawn() -> None:
    rare = int(1 / SEEN) * 2
    table = life_table({"a": [(rare, 0), (1, 0)]})
    table[[c for c in table if c.startswith(("kept_", "lost_"))]] /= rare / 100
    ax = axes_of(lambda ax: plots.endings(table, ax, "lost", labels=LABELS))
    assert ax.get_xlim()[1] < 1


def test_figures_of_a_run_are_labelled_by_the_game(results: Results, tmp_path: Path) -> None:
    figures = results.figures()
    ax = figures["hazard_combos"]().axes[0]
    assert ax.get_ylabel() == "Fall risk of the next trick"
    assert ax.get_xlabel() == "Cards in the combo (bars: 95% intervals)"
    first, *others = (t.get_text() for t in ax.get_legend().get_texts())
    assert first == "blind draws from the full deck (exact)"
    assert others == results.bots()["bot"].tolist()
    drawn = {b.get_label(): b[0] for b in ax.containers if isinstance(b, ErrorbarContainer)}
    table = results.ledger("combos").set_index(["bot", "steps"])
    for x, y in zip(*drawn["random_legal"].get_data(), strict=True):
        assert y == table.loc[("random_legal", int(x)), "hazard"]
    ax = figures["endings_combos"]().axes[0]
    assert [t.get_text() for t in ax.get_legend().get_texts()][:2] == ["stopped", "last one standing"]
    assert ax.get_xlabel() == "Cards in the combo at its end"
    assert figures["hazard_combos"]().get_figwidth() == figures["endings_combos"]().get_figwidth() == 3.5
    assert figure_title(results, "hazard_combos") == "Fall risk of the next trick, by cards in the combo"
    text = alternative_text(results, "hazard_combos")
    assert "blind draws from the full deck (exact): 0% at 0, 0% at 1, 7.03% at 2, 16.8% at 3" in text
    assert "stop_at_n:n=5: stopped " in alternative_text(results, "endings_combos")
    assert "<svg" in results.report()
    assert 'id="f-hazard_combos-' in results.report()


def test_the_command_draws_both(results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = results.save(tmp_path / "r", figures=False)
    for name in ("hazard_combos", "endings_combos"):
        out = tmp_path / f"{name}.svg"
        assert invoke(capsys, "figure", name, str(folder), "-o", str(out)).code == 0
        assert out.read_bytes().startswith(b"<?xml")
    wrong = invoke(capsys, "figure", "hazard_combo", str(folder), "-o", str(tmp_path / "w.png"))
    assert wrong.code == 2
    assert "did you mean 'hazard_combos'?" in wrong.err
