"""Several variants on the same games: sums, alignment of bots, and differences that are known."""

from __future__ import annotations

import pickle
from dataclasses import fields

import numpy as np
import pytest

from skate_sim import simulate
from skate_sim.api import plan_games
from skate_sim.compared import Compared
from skate_sim.comparison import Comparison, NotComparableError, compare_plans, to_average, to_baseline
from skate_sim.dispatch import play
from skate_sim.simulation import Plan

POOL = ["risk_threshold", "helmet_saver", "stop_at_n"]
GAMES = 1500


def plans() -> dict[str, Plan]:
    """A baseline, a changed card, the baseline again, and a changed bot."""
    changed = ["risk_threshold:limit=0.4", "helmet_saver", "stop_at_n"]
    return {
        "printed": plan_games(POOL, games=GAMES),
        "kick_flip_1": plan_games(POOL, games=GAMES, edits={"cards.kick_flip.points": 1}),
        "again": plan_games(POOL, games=GAMES),
        "bolder": plan_games(changed, games=GAMES),
    }


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    made = plans()
    return compare_plans(made, [*to_baseline(list(made), "printed"), *to_average(list(made))])


@pytest.fixture(scope="module")
def compared(comparison: Comparison) -> Compared:
    return Compared(comparison, play(comparison, chunk=400).total)


def test_variants_have_the_tallies_that_they_have_alone(compared: Compared) -> None:
    for name, plan in plans().items():
        alone = simulate([b.full_name for b in plan.bots], games=GAMES, edits=dict(EDITS.get(name, {})))
        assert compared.by_variant[name].equals(alone.tallies), name


EDITS = {"kick_flip_1": {"cards.kick_flip.points": 1}}


def test_sums_of_contrasts_are_those_of_the_rows(comparison: Comparison, compared: Compared) -> None:
    """A contrast's sums are the weighted sums of its variants' sums, whatever the chunks."""
    for number, contrast in enumerate(comparison.contrasts):
        for of_contrast, of_variant in (("seat_sums", "seat_sums"), ("game_sums", "game_sums")):
            expected = sum(w * getattr(compared.by_variant[v], of_variant) for v, w in contrast.weights.items())
            assert np.array_equal(getattr(compared.tallies.contrasts, of_contrast)[number], expected)
    whole, _ = comparison.play(0, GAMES)
    for field in fields(whole.contrasts):
        assert np.array_equal(getattr(whole.contrasts, field.name), getattr(compared.tallies.contrasts, field.name))


def test_a_variant_differs_from_itself_by_exactly_nothing(compared: Compared) -> None:
    game = compared.plan.game
    for outcome in (game.outcome("win_share"), game.outcome("prestige")):
        found = compared.difference(compared.contrast("again", "printed"), outcome, entry=0)
        assert tuple(found.estimate) == (0.0, 0.0, 0.0)
        assert found.worth == np.inf


def test_a_weaker_card_costs_prestige_and_pairs_are_worth_many_games(compared: Compared) -> None:
    prestige = compared.plan.game.outcome("prestige")
    found = compared.difference(compared.contrast("kick_flip_1", "printed"), prestige, entry=0)
    assert found.estimate.high < 0
    assert found.correlation > 0.8
    assert found.worth > 5


def test_bots_are_paired_by_their_place(compared: Compared) -> None:
    assert compared.bot_names() == ["risk_threshold", "helmet_saver", "stop_at_n"]
    shares = [
        compared.difference(compared.contrast("bolder", "printed"), compared.plan.game.outcome("win_share"), entry=e)
        for e in range(3)
    ]
    assert sum(s.estimate.mean for s in shares) == pytest.approx(0, abs=1e-12)
    assert shares[0].estimate.mean != 0


def test_bots_in_several_seats_are_paired_by_game() -> None:
    seats = ["stop_at_n", "stop_at_n", "risk_threshold"]
    made = {
        "printed": plan_games(seats, games=GAMES, rotate=False),
        "changed": plan_games(["stop_at_n", "stop_at_n:n=3", "risk_threshold"], games=GAMES, rotate=False),
    }
    comparison = compare_plans(made, to_baseline(list(made), "printed"))
    compared = Compared(comparison, play(comparison).total)
    assert len(compared.bot_names()) == 3
    share = compared.plan.game.outcome("win_share")
    total = sum(compared.difference(comparison.contrasts[0], share, entry=e).estimate.mean for e in range(3))
    assert total == pytest.approx(0, abs=1e-12)


def test_differences_to_the_average_add_up_to_nothing(compared: Compared) -> None:
    prestige = compared.plan.game.outcome("prestige")
    found = [compared.difference(compared.contrast(n, "the average"), prestige, entry=1) for n in plans()]
    assert sum(f.estimate.mean for f in found) == pytest.approx(0, abs=1e-9)
    assert all(f.worth > 1 for f in found)


def test_work_travels_and_its_sums_come_back(comparison: Comparison) -> None:
    there = pickle.loads(pickle.dumps(comparison))
    assert there.identity == comparison.identity
    sums, _ = there.play(0, 200)
    back = comparison.from_arrays(sums.arrays())
    here, _ = comparison.play(0, 200)
    assert {n: a.tolist() for n, a in back.arrays().items()} == {n: a.tolist() for n, a in here.arrays().items()}


def test_tables_of_another_size_are_not_comparable() -> None:
    made = {"three": plan_games(POOL, games=10), "two": plan_games(POOL, players=2, games=10)}
    with pytest.raises(NotComparableError, match="two has another seats than three: 2 and 3"):
        compare_plans(made, to_baseline(list(made), "three"))
