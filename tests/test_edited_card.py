"""A card that a variant edits: what is said first, the same in the terminal, in ``show`` and on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.image import imread

import skate_sim
from skate_sim.comparison_results import ComparisonResults
from skate_sim.report import page
from skate_sim.saving import FolderError
from skate_sim.stats import Estimate, corrected
from tests.commands import EXPERIMENT, enter, invoke

BOTS = ["risk_threshold", "helmet_saver"]
CARD = {"edits": {"cards.hippy_jump.points": 3}}


@pytest.fixture(scope="module")
def found() -> ComparisonResults:
    """A third point for a Legendary."""
    return skate_sim.compare({"printed": {}, "dear": CARD}, bots=BOTS, games=6000, question="Worth it?", name="card")


@pytest.fixture(scope="module")
def stored(found: ComparisonResults, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found.save(tmp_path_factory.mktemp("results") / "card")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


def test_numbers_are_those_of_the_ledgers(found: ComparisonResults) -> None:
    table = found.tables()["edited_rows"]
    assert set(table["row"]) == {"hippy_jump"}
    for name, columns in (
        ("printed", ("before", "before_low", "before_high")),
        ("dear", ("value", "low", "high")),
    ):
        ledger = found.variant(name).ledger("legendaries")
        [its] = ledger[(ledger["row"] == "hippy_jump") & (ledger["bot"] == "all")].to_dict("records")
        for row in table.to_dict("records"):
            ends = [its[row["measure"] + end] for end in ("", "_low", "_high")]
            assert [row[c] for c in columns] == ends
    certain = table.set_index("measure")["certain"]
    assert certain["value"], "half as much again is beyond doubt"
    assert not certain["taken_per_game"], "the bots take it as often"


def test_a_card_without_a_ledger_and_a_rule_have_no_rows() -> None:
    variants = {
        "printed": {},
        "ollie": {"edits": {"cards.ollie.points": 2}},
        "helmets": {"rules": {"helmet_points": 3}},
    }
    tables = skate_sim.compare(variants, bots=BOTS, games=20).tables()
    assert list(tables) == ["differences"]


def test_findings_begin_with_the_card(found: ComparisonResults) -> None:
    first, bots, score, game = found.summary().findings
    assert re.match(r"Hippy Jump \(points 2 → 3\): win share when taken .*; Prestige brought per time taken 2\.", first)
    assert re.match(r"With dear no bot's win share changes beyond doubt \(all within ±[\d.]+ points\): all bots", bots)
    assert re.match(r"With dear each bot has more Prestige, by 0\.\d+ to 0\.\d+ a game\.", score)
    assert game.startswith("The game as a whole with dear: Winning Prestige +0.")


def test_what_else_a_variant_changes_is_said_with_the_card() -> None:
    """Whatever became of the card may be due to the rest."""
    both = {"rules": {"helmet_points": 3}, **CARD}
    found = skate_sim.compare({"printed": {}, "both": both}, bots=BOTS, games=200)
    first = found.summary().findings[0]
    assert first.startswith("With both, Hippy Jump (points 2 → 3), besides helmet points 2 → 3: win share when taken")
    apart = skate_sim.compare({"printed": {}, "short": {"rules": {"rounds": 2}, **CARD}}, bots=BOTS, games=200)
    assert apart.summary().findings[0].startswith("With short, Hippy Jump (points 2 → 3), besides rounds 4 → 2: ")
    assert not any("Same games" in finding.note for finding in apart.summary().tables)


def test_a_bound_is_as_wide_as_the_widest_corrected_interval(found: ComparisonResults) -> None:
    table = found.differences()
    shares = table[table["outcome"] == "win_share"]
    assert not shares["certain"].any()
    bound = float(re.search(r"±([\d.]+) points", found.summary().findings[1])[1])  # type: ignore[index]
    assert bound >= 100 * shares[["low", "high"]].abs().to_numpy().max()
    assert bound < 3 * 100 * shares[["low", "high"]].abs().to_numpy().max()


def test_what_a_bot_gains_is_told() -> None:
    found = skate_sim.compare({"printed": {}, "nine": {"rules": {"helmet_points": 9}}}, bots=BOTS, games=3000)
    first = found.summary().findings[0]
    assert re.match(r"With nine, Win share \[% points\]: risk_threshold -[\d.]+ ± .*, helmet_saver \+", first)


def test_certain_is_corrected_for_the_whole_table(found: ComparisonResults) -> None:
    table = found.differences()
    one_side = (table["low"] > 0) | (table["high"] < 0)
    assert one_side[table["certain"]].all()
    assert table["certain"].any()
    contrast = found.study.contrasts[0]
    assert found.compared is not None
    game, bots = found.compared.plan.game, found.compared.bot_names()
    for row in table.to_dict("records"):
        entry = bots.index(row["bot"]) if row["bot"] != "all" else None
        strict = corrected(0.95, len(table))
        low, high = found.compared.difference(
            contrast, game.outcome(row["outcome"]), entry=entry, level=strict
        ).estimate[1:]
        assert row["certain"] == (low > 0 or high < 0)
    doubtful = Estimate(*table.loc[one_side & ~table["certain"], ["difference", "low", "high"]].iloc[0])
    assert doubtful.low > 0 or doubtful.high < 0, "sure by itself, not among so many"
    same = skate_sim.compare({"a": {}, "b": {}}, bots=BOTS, games=50)
    assert not same.differences()["certain"].any()
    assert same.summary().findings == ["b and a play the very same games."]


def test_show_prints_what_run_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variants = "variants:\n  printed: {}\n  dear: {edits: {cards.hippy_jump.points: 3}}\n"
    (folder / "card.yaml").write_text(EXPERIMENT + variants)
    run = invoke(capsys, "run", "card.yaml", "--no-figures").out
    shown = invoke(capsys, "show", "results/card").out
    begin = " - Hippy Jump"
    end = "Checks: all hold in every variant."
    assert run[run.index(begin) : run.index(end)] == shown[shown.index(begin) : shown.index(end)]
    assert "Games" not in shown
    assert "Fall rate by round" in invoke(capsys, "show", "results/card", "--variant", "dear").out
    assert "Correlation" in invoke(capsys, "show", "results/card", "--all").out
    assert invoke(capsys, "show", "results/card", "--csv").out.startswith("variant,baseline,bot,outcome,label")
    everything = json.loads(invoke(capsys, "show", "results/card", "--json").out)
    assert everything["findings"][0].startswith("Hippy Jump")
    assert {"differences", "edited_rows"} <= set(everything["tables"])
    assert list(everything["variants"]) == ["printed", "dear"]
    wrong = invoke(capsys, "show", "results/card", "--variant", "deer")
    assert (wrong.code, "did you mean 'dear'?" in wrong.err) == (2, True)
    parent = invoke(capsys, "show", "results")
    assert parent.code == 2
    assert (
        "results holds no result of skate-sim: there is no manifest.json of its own in it; in it there are"
        in parent.err
    )
    assert "results/card" in parent.err


def test_read_back_it_says_the_same(found: ComparisonResults, stored: Path) -> None:
    loaded = ComparisonResults.load(stored)
    ours, theirs = found.summary(), loaded.summary()
    assert theirs.as_json() == ours.as_json()
    assert (theirs.findings, theirs.tables) == (ours.findings, ours.tables)
    assert list(loaded.figures()) == ["edited_rows", "differences_win_share", "differences_prestige"]


def test_findings_that_were_changed_are_not_shown(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    file = folder / "findings.json"
    file.write_text(file.read_text().replace("Hippy", "Happy"))
    with pytest.raises(FolderError, match=r"findings.json is not as it was saved"):
        ComparisonResults.load(folder).summary()


def test_figures_are_drawn_again(stored: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("edited_rows", "differences_win_share"):
        assert invoke(capsys, "figure", name, str(stored), "-o", f"{name}.png").code == 0
        assert (imread(folder / f"{name}.png") == imread(stored / f"figures/{name}.png")).all()
    wrong = invoke(capsys, "figure", "differences_winshare", str(stored))
    assert (wrong.code, "did you mean 'differences_win_share'?" in wrong.err) == (2, True)
    assert "game_risk" not in invoke(capsys, "figure", "x", str(stored)).err


def test_the_axis_is_as_wide_as_what_matters(found: ComparisonResults) -> None:
    [ax] = found.figures()["differences_win_share"]().axes
    assert ax.get_xlim() == (-1, 1), "though all differences are smaller by far"
    assert ax.get_title(loc="left") == "Hippy Jump: points 2 → 3"
    texts = {text.get_text() for text in ax.texts}
    assert len(texts) == 2, "each bot has its value beside it"
    assert all("±" in text for text in texts)
    footer = found.figures()["differences_win_share"]()._supxlabel.get_text()  # type: ignore[attr-defined]
    assert "6,000 games of each variant" in footer.replace("\n", " ")
    shares, points = found.figures()["edited_rows"]().axes
    assert [label.get_text() for label in shares.get_yticklabels()] == ["printed", "dear"]
    assert points.get_xlabel() == "Prestige brought per time taken"


def test_the_page_can_be_defended(stored: Path, found: ComparisonResults, capsys: pytest.CaptureFixture[str]) -> None:
    before = (stored / "report.html").read_text()
    assert invoke(capsys, "report", str(stored)).code == 0
    text = (stored / "report.html").read_text()
    body = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    assert body == re.sub(r"<svg.*?</svg>", "", before, flags=re.DOTALL)
    assert body.index("Hippy Jump (points 2 → 3)") < body.index('id="figures"') < body.index('id="run"')
    run = body[body.index('id="run"') :]
    for words in (
        '<th scope="row">cards.hippy_jump.points</th><td>2</td><td>3</td>',
        "6,000 of seed 1 for each variant",
        "2 skaters, rulebook rules",
        "printed (baseline)",
        "Takes the least risky card and stops",
        "for all ",
    ):
        assert words in run
    for noise in ("inf<", ">nan", "e+0", "± ?", "Bonferroni, "):
        assert noise not in body
    assert '<details class="more">' in body
    assert body.index("Win share by variant") < body.index('<details class="more">') < body.index("Correlation")
    assert "script" not in page(found).partition("<main>")[2].partition("</main>")[0]


def test_a_card_of_which_nothing_is_known_has_no_figure() -> None:
    found = skate_sim.compare({"printed": {}, "dear": CARD}, bots=BOTS, games=1)
    assert found.tables()["edited_rows"]["low"].isna().all()
    figures = found.figures()
    assert "edited_rows" not in figures
    for draw in figures.values():
        draw()


def test_one_variant_alone_is_compared_with_the_unchanged_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "one.yaml").write_text(EXPERIMENT + "variants:\n  dear: {edits: {cards.hippy_jump.points: 3}}\n")
    out = invoke(capsys, "run", "one.yaml", "--no-files").out
    assert "Variant unchanged (baseline): rulebook rules (added, to compare with)" in out
    assert "dear less unchanged" in " ".join(out.split())
    (folder / "one.yaml").write_text(EXPERIMENT + "variants:\n  printed: {}\n")
    assert "unchanged" not in invoke(capsys, "run", "one.yaml", "--no-files").out
    own = "games: 100\nvariants:\n  only: {pool: [stop_at_n, random_legal], edits: {cards.ollie.points: 2}}\n"
    (folder / "one.yaml").write_text(own)
    assert "unchanged" not in invoke(capsys, "run", "one.yaml", "--no-files").out


def test_the_header_of_pairs_has_the_size_of_their_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pool = "pool: [stop_at_n, risk_threshold, random_legal]\ngames: 300\npairs: {size: 2}\n"
    (folder / "pairs.yaml").write_text(pool)
    assert "Skate Legend, 2 skaters. 300 games of each pair of seed 1" in invoke(capsys, "run", "pairs.yaml").out
    assert "Skate Legend, 2 skaters. 300 games of each pair" in invoke(capsys, "show", "results/pairs").out


def test_one_variant_alone_is_compared_with_the_unchanged_game_from_python() -> None:
    found = skate_sim.compare({"dear": CARD}, bots=BOTS, games=200)
    both = skate_sim.compare({"unchanged": {}, "dear": CARD}, bots=BOTS, games=200)
    assert found.names == ["unchanged", "dear"]
    pd.testing.assert_frame_equal(found.differences(), both.differences())
    assert found.summary().variants[0].note == "added, to compare with"
    assert skate_sim.compare({"dear": CARD}, bots=BOTS, games=20, baseline="dear").study.baseline == "dear"
    assert skate_sim.compare({"printed": {}}, bots=BOTS, games=20).names == ["printed"], "it changes nothing"
    assert skate_sim.compare({"few": {"bots": BOTS}}, games=20).names == ["few"], "nothing is there without it"
