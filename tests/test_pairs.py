"""Pairs: balanced seatings, advantages that are known, circles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from skate_sim import simulate
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.games import load
from skate_sim.pairs import Advantages, findings_of, matrix_drawing, matrix_rows, pair_lineups, tables_of
from tests.studies import Found, found, study_of

POOL = ["risk_threshold", "helmet_saver", "stop_at_n"]
HEAD = f"pool: [{', '.join(POOL)}]\ngames: 3000\n"
SHARE = load("skate_legend").outcome("win_share")


@pytest.mark.parametrize(("seats", "lineups"), [(2, 2), (3, 6), (4, 6), (5, 20), (6, 20)])
def test_seatings_are_balanced(seats: int, lineups: int) -> None:
    made = pair_lineups(seats)
    assert made.shape == (lineups, seats)
    assert len(np.unique(made, axis=0)) == lineups
    assert (made.mean(axis=0) == 0.5).all()
    swapped = {tuple(row) for row in (1 - made).tolist()}
    assert swapped == {tuple(row) for row in made.tolist()}
    assert set(made.sum(axis=1).tolist()) == {seats // 2, seats - seats // 2}


@pytest.fixture(scope="module")
def duels(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return found(tmp_path_factory.mktemp("pairs"), HEAD + "pairs: {size: 2}\n")


def test_advantage_is_that_of_a_run_of_the_two(duels: Found) -> None:
    assert list(duels.study.variants) == [""]
    [answer] = duels.study.answers
    table = answer.tables(duels)["pairs"].set_index(["bot", "against"])
    assert len(table) == 6
    run = simulate(POOL[1:], games=3000).bots().set_index("bot").loc["helmet_saver"]
    cell = table.loc[("helmet_saver", "stop_at_n")]
    assert cell["value"] == pytest.approx(run["win_share"] - 0.5)
    assert cell["high"] - cell["low"] == pytest.approx(run["win_share_high"] - run["win_share_low"], rel=0.01)
    back = table.loc[("stop_at_n", "helmet_saver")]
    assert (back["value"], back["low"], back["decided"]) == (-cell["value"], -cell["high"], cell["decided"])


def test_findings_and_figure_of_duels(duels: Found) -> None:
    [answer] = duels.study.answers
    sentences = answer.findings(duels)
    assert sentences[0].startswith("Of 3 pairs alone at tables of 2, ")
    assert answer.figures(duels)["pairs"]().axes
    assert answer.tables(duels)["pairs_ranks"]["rank"].tolist() == [1, 2, 3]


def test_number_of_games_and_seed_may_be_replaced(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD + "pairs: {size: 5}\n")
    work = study.works(games=50, seed=9)["pairs"]
    assert work.games == 60
    assert {plan.seed for plan in work.plans.values()} == {9}
    assert len(work.plans) == 3


def test_among_the_field(tmp_path: Path) -> None:
    """All three at the table: half of what one bot has more than the other in the same games."""
    played = found(tmp_path, HEAD + "pairs: {against: field}\n")
    assert list(played.study.variants) == [""]
    [answer] = played.study.answers
    table = answer.tables(played)["pairs"].set_index(["bot", "against"])
    bots = simulate(POOL, games=3000).bots().set_index("bot")["win_share"]
    expected = (bots["helmet_saver"] - bots["risk_threshold"]) / 2
    assert table.loc[("helmet_saver", "risk_threshold"), "value"] == pytest.approx(expected)
    assert "with the rest of the pool" in answer.findings(played)[0]


def test_field_beside_other_sections(tmp_path: Path) -> None:
    sections = "pairs: {against: field}\nholding: {cards: [180, 360], rounds: 1}\n"
    study = study_of(tmp_path, HEAD + sections)
    assert "unchanged" in study.variants
    assert [answer.name for answer in study.answers] == ["holding", "pairs"]


def circle(error: float) -> Advantages:
    means = np.array([[0, 0.02, -0.03, 0.1], [-0.02, 0, 0.04, 0.1], [0.03, -0.04, 0, 0.1], [-0.1, -0.1, -0.1, 0]])
    errors = np.where(np.eye(4, dtype=bool), np.nan, error)
    return Advantages(["rock", "scissors", "paper", "well"], means, errors)


def test_circles_and_what_is_not_decided() -> None:
    sentences = findings_of(circle(0.001), SHARE, "alone", 0.95)
    assert sentences[0] == "Of 6 pairs alone, 6 are decided at 95% as a whole."
    assert "There is a circle beyond doubt: rock beats scissors beats paper beats rock." in sentences
    sentences = findings_of(circle(0.01), SHARE, "alone", 0.95)
    assert sentences[0] == "Of 6 pairs alone, 5 are decided at 95% as a whole; not rock and scissors."
    assert sentences[-1] == "No bots beat each other in a circle beyond doubt."


def test_matrix_marks_what_is_not_decided() -> None:
    rows = matrix_rows(circle(0.01), SHARE, 0.95)
    assert rows[0] == ["rock", "–", "2.0% ± 2.0 ?", "-3.0% ± 2.0", "10.0% ± 2.0"]
    ranks = tables_of(circle(0.01), 0.95)["pairs_ranks"].set_index("bot")
    assert ranks.loc["well"].tolist()[-3:] == [0, 3, 0]
    assert ranks.loc["rock"].tolist()[-3:] == [1, 1, 1]
    assert ranks.loc["rock", "value"] == pytest.approx(0.03)
    assert ranks.loc["rock", "high"] - ranks.loc["rock", "value"] == pytest.approx(0.0196, rel=0.01)
    assert matrix_drawing(circle(0.01), SHARE, "Who beats whom")().axes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "pairs:\n  size: 9\n", r"4: pairs\.size: found 9; Skate Legend is for 2, 3, 4, 5 skaters"),
        (HEAD + "pairs: {size: 2, against: field}\n", r"3: pairs\.size: found 2; among the field"),
        (HEAD + "pairs: {against: all}\n", r"3: pairs\.against: found 'all'; against is each other"),
        ("seats: [stop_at_n, helmet_saver]\npairs: {size: 2}\n", "2: pairs: pairs are those of a pool"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(ExperimentError, match=rf"x\.yaml:{message}"):
        load_experiment(file)


def test_one_pair_that_is_decided_is_told_as_one() -> None:
    two = Advantages(["rock", "well"], np.array([[0, 0.1], [-0.1, 0]]), np.array([[np.nan, 0.001], [0.001, np.nan]]))
    sentences = findings_of(two, SHARE, "alone", 0.95)
    assert sentences[0] == "Of 1 pair alone, 1 is decided at 95% as a whole."
    assert sentences[1].endswith("and beats 1 of 1 bot beyond doubt.")
