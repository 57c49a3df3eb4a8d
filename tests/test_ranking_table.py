"""The ranking of a run: covariances from products between seats, held to games seen one by one, and what is printed."""

from __future__ import annotations

import numpy as np
import pytest

from skate_sim.api import plan_games, simulate
from skate_sim.ranking_findings import chance_text, ranking_finding
from skate_sim.ranking_table import means_together
from skate_sim.results import Results
from skate_sim.simulation import Plan, new_state, prepare
from tests.commands import enter, invoke

POOL = ["stop_at_n:n=3", "risk_threshold", "helmet_saver", "random_legal"]
GAMES = 600


def seat_numbers(plan: Plan, name: str) -> np.ndarray:
    """What each seat has in each game, (games, seats)."""
    prepare(plan)
    layout = plan.layout
    seat_rows = np.zeros((plan.games, plan.resolved.seats, len(layout.seat_columns)), np.int32)
    game_rows = np.zeros((plan.games, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    state = new_state(plan)
    played = plan.game.play_batch(
        state, np.uint64(plan.seed), 0, plan.games, layout.lineups, seat_rows, game_rows, ledger
    )
    assert played == plan.games
    column = [c.name for c in layout.seat_columns].index(name)
    return seat_rows[:, :, column].astype(float)


@pytest.mark.parametrize(
    ("bots", "players", "rotate"),
    [
        (POOL, 3, True),
        (POOL[:2], 4, True),
        (POOL, None, False),
        (["random_legal", "stop_at_n", "stop_at_n"], None, False),
    ],
)
@pytest.mark.parametrize("name", ["win_share", "prestige"])
def test_means_and_covariances(bots: list[str], players: int | None, rotate: bool, name: str) -> None:
    """Game by game: each lineup's vector of seat means, its covariance, and how bots are made of seats."""
    plan = plan_games(bots, players=players, games=GAMES, rotate=rotate)
    results = simulate(bots, players=players, games=GAMES, rotate=rotate)
    outcome = plan.game.outcome(name)
    numbers = seat_numbers(plan, name) / (plan.game.share_units if name == "win_share" else 1)
    lineups = plan.layout.lineups[:, : plan.resolved.seats]
    of = np.array([(lineups == bot) for bot in range(len(plan.bots))])  # (bots, lineups, seats)
    means, covariance = np.zeros(len(of)), np.zeros((len(of), len(of)))
    for lineup in range(len(lineups)):
        weights = of[:, lineup] / of.sum(axis=(1, 2))[:, None]
        own = numbers[lineup :: len(lineups)]
        means += weights @ own.mean(axis=0)
        covariance += weights @ np.cov(own.T) @ weights.T / len(own)
    found = means_together(plan, results.tallies, outcome)
    assert found is not None
    assert found.means == pytest.approx(means)
    assert found.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-15)
    table = results.bots()
    assert found.means == pytest.approx(table[name].to_numpy())
    if name == "win_share":  # they share one win a game
        seats = of.sum(axis=(1, 2)) / len(lineups)
        assert seats @ found.covariance @ seats == pytest.approx(0, abs=1e-12)


def test_table(results: Results) -> None:
    table = results.ranking()
    own = table[table["outcome"] == "win_share"]
    assert own["rank"].tolist() == [1, 2, 3, 4]
    assert own["value"].is_monotonic_decreasing
    assert own["chance_of_best"].sum() == pytest.approx(1)
    assert ((own["best_rank"] <= own["rank"]) & (own["rank"] <= own["worst_rank"])).all()
    assert (own["behind_best_low"] <= own["behind_best"]).all()
    assert own["group"].iloc[0] == "a"
    assert set(table["outcome"]) == {"win_share", "prestige"}


def test_twins_cannot_be_told_apart() -> None:
    twins = simulate(["stop_at_n:n=4", "stop_at_n:n=4", "random_legal"], rotate=False, games=2000)
    assert len(twins.ranking()) == 4, "one bot in two seats is one bot"
    alike = simulate({"a": "risk_threshold:limit=0.3", "b": "risk_threshold:limit=0.3001", "c": POOL[3]}, games=600)
    finding = ranking_finding(alike)
    assert finding is not None
    assert "Cannot be told apart: " in finding.note
    assert {row[0]: row[1] for row in finding.rows}["c"] == "3"
    assert {row[0]: row[2] for row in finding.rows}["c"] == "b"


def test_nothing_to_rank(mirror: Results) -> None:
    assert mirror.ranking().empty
    assert ranking_finding(mirror) is None


def test_printed_and_saved(tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    folder = enter(tmp_path, monkeypatch)
    done = invoke(capsys, "run", "who.yaml", "--no-figures")
    lines = done.out.partition("\nRanking\n")[2].splitlines()
    assert next(line for line in lines if line.startswith("Careful")).split()[1:4] == ["1", "a", ">99.9%"]
    assert "All bots can be told apart." in done.out
    assert "(max-t)" in done.out
    assert (folder / "results/who/tables/ranking.csv").read_text().startswith("outcome,bot,rank,best_rank")


def test_chances_as_text() -> None:
    texts = [chance_text(c) for c in (0, 0.004, 0.25, 0.995, 0.9999)]
    assert texts == ["<0.1%", "0.4%", "25%", "99.5%", ">99.9%"]
