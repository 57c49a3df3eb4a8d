"""The bundled experiments: each asks a question, runs, says what it found in words, and makes its figures."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from skate_sim.answer_tables import answer_findings
from skate_sim.comparison_results import ComparisonResults
from skate_sim.curves import curves_of, peak_sentences
from skate_sim.experiment import load_experiment
from skate_sim.locations import bundled
from skate_sim.results import Results
from tests.studies import found

FILES = sorted(bundled("experiments").glob("*.yaml"))
#: What each is about, and must have a figure of.
FIGURES = {
    "helmet_economy": {"sweep", "break_even"},
    "kick_flip_vs_hippy_jump": {"holding", "break_even"},
    "last_standing": {"differences_win_share"},
    "legendary_ladder": {"holding"},
    "push_your_luck": {"curves", "win_shares"},
    "push_by_seats": {"curves"},
    "push_by_risk": {"sweep"},
    "push_by_tricks": {"sweep"},
    "rulebook_vs_online": {"differences_win_share"},
    "seats": {"by_seat"},
    "two_players": {"win_shares"},
    "which_bot": {"pairs"},
}
HEAD = "pool: [risk_threshold, stop_at_n]\nplayers: 2\ngames: 600\n"


def test_every_file_is_listed_here() -> None:
    assert [file.stem for file in FILES] == sorted(FIGURES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_runs_and_answers(file: Path) -> None:
    experiment = load_experiment(file)
    assert experiment.question.endswith("?"), "the first line is the question"
    assert file.read_text(encoding="utf-8").startswith("# ")
    results = experiment.simulate(games=300)
    assert set(results.figures()) >= FIGURES[file.stem]
    if isinstance(results, Results):
        outcome = results.declaration.outcome(results.headline)
        told = [s for curve in curves_of(results.curves(), outcome.name) for s in peak_sentences(curve, outcome)]
        assert len(told) == (2 if file.stem == "push_your_luck" else 0)
    else:
        assert isinstance(results, ComparisonResults)
        told = results.summary().findings
        assert told
        assert all(results.variant(name).checks()["holds"].all() for name in results.names)
    assert all(sentence.endswith(".") and "nan" not in sentence for sentence in told)
    for name in FIGURES[file.stem]:
        figure = results.figures()[name]()
        assert isinstance(figure, Figure)
        assert figure.axes


def test_what_is_the_same_twice_is_exactly_equal(tmp_path: Path) -> None:
    results = found(tmp_path, HEAD + "variants:\n  printed: {}\n  again: {edits: {cards.ollie.points: 1}}\n")
    again, game = results.compared.contrast("again"), results.compared.plan.game
    for outcome in (game.outcome(name) for name in ("win_share", "prestige", "turns")):
        entry = 0 if outcome.level == "seat" else None
        assert results.compared.difference(again, outcome, entry=entry).estimate == (0, 0, 0)


def test_sweep_of_a_card_is_a_curve_for_each_bot(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(HEAD + "sweep: {cards.ollie.points: [3, 1, 2]}\n")
    results = load_experiment(tmp_path / "x.yaml").simulate()
    assert isinstance(results, ComparisonResults)
    [answer] = results.study.answers
    table = answer.tables(results)["sweep"]
    part = table[(table["outcome"] == "prestige") & (table["bot"] == "stop_at_n")]
    assert part["at"].tolist() == [1, 2, 3]
    assert (part["mean"].diff().dropna() > 0).all()
    assert part["best_rank"].tolist() == part["worst_rank"].tolist() == [3, 2, 1]
    assert part["behind_best"].iloc[0] == pytest.approx(part["mean"].iloc[2] - part["mean"].iloc[0])
    assert len(answer.findings(results)) == 2


def test_blank_twice_is_exactly_zero(tmp_path: Path) -> None:
    blank = "edits: {cards.ollie.points: 0}\nknock_out: {rows: [ollie], how: blank}\n"
    results = found(tmp_path, HEAD + blank)
    table = results.study.answers[0].tables(results)["knock_out"]
    assert (table[["value", "low", "high"]] == 0).all().all()


def curve(values: list[float], lows: list[float], highs: list[float]) -> pd.DataFrame:
    behind = [max(values) - v for v in values]
    number = {"bot": "pusher", "number": "limit", "at": [0.1 * n for n in range(1, len(values) + 1)]}
    means = {"outcome": "win_share", "mean": values, "mean_low": values, "mean_high": values}
    return pd.DataFrame(number | means | {"behind_best": behind, "behind_best_low": lows, "behind_best_high": highs})


def test_peak_in_words(outcome_of_shares: object) -> None:
    table = curve([0.2, 0.296, 0.3, 0.299, 0.25], [0.09, 0.001, 0, -0.002, 0.04], [0.11, 0.009, 0, 0.004, 0.06])
    [text] = peak_sentences(table, outcome_of_shares)
    assert text.startswith("pusher: the peak is at limit = 0.3, Win share 30%")
    assert "Not to be told from it: 0.4." in text
    assert text.endswith("Every limit tried from 0.2 to 0.4 is within 1 point of it, with certainty.")
    [edge] = peak_sentences(curve([0.2, 0.3], [0.09, 0], [0.11, 0]), outcome_of_shares)
    assert "it is the highest value tried" in edge
    assert "All other values are below it, beyond doubt." in edge


@pytest.fixture
def outcome_of_shares() -> object:
    from skate_sim.games import load

    return load("skate_legend").outcome("win_share")


def test_answers_are_printed_without_raw_numbers(tmp_path: Path) -> None:
    text = HEAD + "holding: {cards: [kick_flip, hippy_jump, '180'], rounds: [1, 2]}\n"
    results = found(tmp_path, text)
    game = results.compared.plan.game
    printed = list(answer_findings(results.study.answers[0], results, game, "win_share", False))
    values = printed[0]
    assert values.columns == ["Name", "Round 1", "Round 2"]
    assert values.title == "Holding: Win share [% points]"
    assert values.rows[0][0] == "Kick Flip"
    assert all("±" in cell or "(" in cell for row in values.rows for cell in row[1:])
    ranks = next(f for f in printed if f.title.startswith("Holding ranks"))
    assert all(set(cell) <= set("123-") for row in ranks.rows for cell in row[1:])


def test_where_two_are_equal_is_a_value_of_the_number(tmp_path: Path) -> None:
    """It is told in points of the card, not in points of win share: never scaled as a share is."""
    section = "{number: cards.kick_flip.points, between: [4, 8], equal: {holding: [kick_flip, hippy_jump], round: 2}}"
    results = found(tmp_path, f"{HEAD}break_even: {section}\n")
    [answer] = results.study.answers
    printed = list(answer_findings(answer, results, results.compared.plan.game, "win_share", True))
    at = next(f for f in printed if f.title.startswith("Break even at"))
    [row] = at.rows
    cell = row[list(at.columns).index("Equal at")]
    mean = answer.crossing(results).estimate.mean
    assert cell.startswith("–") if mean != mean else abs(float(re.findall(r"[\d.]+", cell)[0]) - mean) < 0.5
