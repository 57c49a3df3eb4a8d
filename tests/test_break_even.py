"""Break-even: what is played, where the difference is zero, and that the parts agree with runs of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from skate_sim import simulate
from skate_sim.between_bots import difference_of_bots
from skate_sim.break_even import BreakEvenAnswer, spaced
from skate_sim.crossing import find_crossing
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.observed import observed
from skate_sim.strata import strata_of, variance_of_mean
from tests.studies import Found, found, study_of

POOL = ["risk_threshold", "helmet_saver", "stop_at_n"]
HEAD = f"pool: [{', '.join(POOL)}]\ngames: 3000\n"


def test_values_between_two_ends() -> None:
    assert list(spaced(0, 4, whole=True)) == [0, 1, 2, 3, 4]
    assert list(spaced(0, 50, whole=True)) == [*range(0, 50, 3), 50]
    assert list(spaced(0, 40, whole=True)) == list(range(0, 41, 2))
    assert list(spaced(0.1, 0.6, whole=False))[:3] == [0.1, 0.15, 0.2]


def answer(played: Found) -> BreakEvenAnswer:
    [only] = played.study.answers
    assert isinstance(only, BreakEvenAnswer)
    return only


@pytest.fixture(scope="module")
def holding(tmp_path_factory: pytest.TempPathFactory) -> Found:
    equal = "{holding: [kick_flip, hippy_jump], round: 2, seat: 3}"
    section = f"break_even: {{number: cards.kick_flip.points, values: [0, 6, 12], equal: {equal}}}\n"
    return found(tmp_path_factory.mktemp("break_even"), HEAD + section)


def test_two_variants_a_value_and_what_links_neighbours(holding: Found) -> None:
    assert list(holding.study.variants)[:2] == [
        "kick_flip.points=0, holding kick_flip in round 2",
        "kick_flip.points=0, holding hippy_jump in round 2",
    ]
    cards = holding.study.variants["kick_flip.points=6, holding hippy_jump in round 2"].plan().resolved.tables["cards"]
    assert (cards["kick_flip"]["points"], cards["kick_flip"]["given_to"], cards["hippy_jump"]["given_to"]) == (6, 0, 3)
    assert len(holding.study.contrasts) == 3 + 2


def test_curve_is_that_of_runs_of_their_own(holding: Found) -> None:
    table = answer(holding).tables(holding)["break_even"]
    means = []
    for card in ("kick_flip", "hippy_jump"):
        edits = {"cards.kick_flip.points": 6, f"cards.{card}.given_to": 3, f"cards.{card}.given_in": 2}
        seats = simulate(POOL, games=3000, edits=edits).seats()
        means.append(seats[(seats["seat"] == 3) & (seats["bot"] == "all")].iloc[0]["win_share"])
    assert table["value"].iloc[1] == pytest.approx(means[0] - means[1])


def test_neighbours_go_together(holding: Found) -> None:
    differences, covariance = answer(holding)._curve(holding)
    assert (np.diag(covariance) > 0).all()
    assert covariance[0, 1] > 0
    assert covariance[0, 2] == 0
    assert np.allclose(covariance, covariance.T)
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert 0.3 < correlation < 1
    assert len(differences) == 3


def test_number_is_found_with_its_interval(holding: Found) -> None:
    row = answer(holding).tables(holding)["break_even_at"].iloc[0]
    assert row["found"] == "found"
    assert 0 < row["equal_at_low"] < row["equal_at"] < row["equal_at_high"] < 12
    sentences = answer(holding).findings(holding)
    assert sentences[0].startswith("At kick_flip.points = ")
    assert sentences[0].endswith(") the holder of Kick Flip and the holder of Hippy Jump have the same win share.")
    assert "At 6, the nearest value played" in sentences[1]
    assert answer(holding).figures(holding)["break_even"]().axes


def test_no_such_value(tmp_path: Path) -> None:
    equal = "{holding: [kick_flip, hippy_jump]}"
    section = f"break_even: {{number: cards.kick_flip.points, between: [-9, -7], equal: {equal}}}\n"
    played = found(tmp_path, HEAD + section)
    [sentence] = answer(played).findings(played)
    assert sentence.startswith("There is no value of kick_flip.points between -9 and -7 at which")
    assert sentence.endswith("the holder of Hippy Jump has more than the holder of Kick Flip throughout.")


def test_two_bots_of_one_variant(tmp_path: Path) -> None:
    section = "break_even: {number: pool.stop_at_n.n, between: [1, 6], equal: {bots: [stop_at_n, helmet_saver]}}\n"
    played = found(tmp_path, HEAD + section)
    assert (len(played.study.variants), len(played.study.contrasts)) == (6, 0)
    table = answer(played).tables(played)["break_even"]
    bots = simulate([*POOL[:2], "stop_at_n:n=3"], games=3000).bots().set_index("bot")["win_share"]
    assert table["value"].iloc[2] == pytest.approx(bots["stop_at_n:n=3"] - bots["helmet_saver"])
    differences, covariance = answer(played)._curve(played)
    assert str(find_crossing(list(range(1, 7)), differences, covariance)) == str(answer(played).crossing(played))


def test_two_variants_of_the_file(tmp_path: Path) -> None:
    section = (
        "variants: {printed: {}, online: {preset: online}}\nbreak_even: {number: cards.kick_flip.points, "
        "values: [0, 9], equal: {variants: [printed, online]}, bot: helmet_saver, outcome: prestige}\n"
    )
    played = found(tmp_path, HEAD + section)
    assert list(played.study.listed) == ["printed", "online"]
    assert played.study.listed_contrasts == played.study.contrasts[:1]
    table = answer(played).tables(played)["break_even"]
    edits = {"cards.kick_flip.points": 9}
    means = [
        simulate(POOL, games=3000, edits=edits, preset=preset).bots().set_index("bot")["prestige"]["helmet_saver"]
        for preset in ("rulebook", "online")
    ]
    assert table["value"].iloc[1] == pytest.approx(means[0] - means[1])


@pytest.mark.parametrize("players", [2, 4])
def test_difference_of_two_bots_is_known_where_they_are_alone(players: int) -> None:
    """One's gain is the other's loss: the difference is twice one's surplus, and so is its error."""
    run = simulate(POOL[:2], players=players, games=2000)
    share = run.declaration.outcome("win_share")
    mean, variance = difference_of_bots(run.plan, run.tallies, 0, 1, share)
    its = observed(run.plan, run.tallies, 0)
    column = [c.name for c in run.plan.layout.seat_columns].index("win_share")
    units = its.seats * run.declaration.share_units
    strata = strata_of(its.games, its.sums[:, column], its.squares[:, column], units, its.seats.astype(float))
    assert strata is not None
    assert mean == pytest.approx(2 * (strata.mean - 1 / players))
    assert variance == pytest.approx(4 * variance_of_mean(strata)[0])


def test_difference_of_two_bots_that_do_not_always_meet() -> None:
    run = simulate(POOL, players=2, games=3000)
    share = run.declaration.outcome("win_share")
    bots = run.bots().set_index("bot")
    mean, variance = difference_of_bots(run.plan, run.tallies, 0, 2, share)
    assert mean == pytest.approx(bots["win_share"]["risk_threshold"] - bots["win_share"]["stop_at_n"])
    alone = sum(((bots["win_share_high"] - bots["win_share_low"])[n] / 3.92) ** 2 for n in (POOL[0], POOL[2]))
    assert variance == pytest.approx(alone * 1.5, rel=0.1)  # half of its games are against the other
    duel = simulate([POOL[0], POOL[2]], games=1000)
    together = difference_of_bots(run.plan, run.tallies, 0, 2, share, together=True)
    assert together[0] == pytest.approx(difference_of_bots(duel.plan, duel.tallies, 0, 1, share)[0], abs=0.2)


EQUAL = "equal: {holding: [kick_flip, hippy_jump]}"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("number: cards.kick_flip.points", "3: break_even: found no equal; it is what is to be equal"),
        (
            f"number: cards.kick.points, between: [0, 1], {EQUAL}",
            r"3: break_even\.number: no row in cards 'kick'; did you mean 'kick_flip'",
        ),
        (f"number: cards.kick_flip.points, {EQUAL}", "3: break_even: found neither between nor values"),
        (f"number: cards.kick_flip.points, between: [3, 1], {EQUAL}", "3: break_even.between: .*the lower first"),
        (f"number: cards.kick_flip.points, between: [0, 200], {EQUAL}", "3: break_even.number: at 100: found 100"),
        (
            f"number: cards.kick_flip.points, values: [3, 1], {EQUAL}",
            "3: break_even.values: two or more numbers in asc",
        ),
        (
            "number: rules.rounds, between: [3, 4], equal: {}",
            "3: break_even.equal: found none of them; equal has one of",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {holding: [ollie, 180]}",
            "3: break_even.equal.holding: 'ollie' cannot be given",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {holding: [180, 180]}",
            "3: break_even.equal.holding: found '180' twice",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {holding: [180, 360], round: 9}",
            "3: break_even.equal.round: found 9; round is a whole number from 1 to 4",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {bots: [stop_at_n, helmet]}",
            "3: break_even.equal.bots: no bot 'helmet'",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {bots: [stop_at_n, helmet_saver]}, outcome: falls",
            "3: break_even.outcome: found 'falls'; .*win_share, prestige",
        ),
        (
            "number: rules.helmet_points, between: [0, 4], equal: {variants: [a, b]}, bot: stop_at_n",
            "3: break_even.equal.variants: no variant 'a'; the file has none",
        ),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, keys: str, message: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f"{HEAD}break_even: {{{keys}}}\n")
    with pytest.raises(ExperimentError, match=rf"x\.yaml:{message}"):
        load_experiment(file)


def test_study_of_a_number_of_bots_needs_no_contrast(tmp_path: Path) -> None:
    section = "break_even: {number: pool.0.limit, between: [0, 1], equal: {bots: [0, 1]}}\n"
    study = study_of(tmp_path, HEAD + section)
    assert (len(study.variants), study.contrasts) == (11, ())
