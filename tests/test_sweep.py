"""Sweeps: which values a range has, which variants a grid makes, and where its mistakes are."""

from __future__ import annotations

from pathlib import Path

import pytest

from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.ranges import values_of
from tests.studies import found, study_of

HEAD = "pool: [risk_threshold, helmet_saver, stop_at_n]\ngames: 600\n"


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("3..7", [3, 4, 5, 6, 7]),
        ("0.1..0.4", [0.1, 0.2, 0.3, 0.4]),
        ("0..1 step 0.25", [0.0, 0.25, 0.5, 0.75, 1.0]),
        ("-2..2 step 2", [-2, 0, 2]),
        ("0.1 .. 0.6 step 0.2", [0.1, 0.3, 0.5]),
        ([1, "3..4", True, "online"], [1, 3, 4, True, "online"]),
        (5, [5]),
    ],
)
def test_values_of_ranges_and_lists(given: object, values: list[object]) -> None:
    assert values_of(given) == values
    assert [type(v) for v in values_of(given)] == [type(v) for v in values]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "empty list"),
        ("7..3", "goes upwards"),
        ("1..2 step 0", "goes upwards"),
        ("1..x", "a range is written"),
        ([1, "0..2"], "found 1 twice"),
        ("0..1 step 0.00001", "100,001 values"),
        ([[1]], "values are numbers"),
    ],
)
def test_what_is_no_range(given: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        values_of(given)


def test_grid_becomes_variants_with_readable_names(tmp_path: Path) -> None:
    study = study_of(
        tmp_path,
        HEAD + "sweep:\n  cards.kick_flip.points: 4..6\n  players.0.limit: [0.2, 0.3]\n  rules.rounds: [4]\n",
    )
    assert list(study.variants) == [
        f"kick_flip.points={points}, limit={limit}, rounds=4" for points in (4, 5, 6) for limit in (0.2, 0.3)
    ]
    chosen = study.variants["kick_flip.points=6, limit=0.2, rounds=4"]
    assert chosen.plan().resolved.tables["cards"]["kick_flip"]["points"] == 6
    assert [bot.full_name for bot in chosen.bots] == ["risk_threshold:limit=0.2", "helmet_saver", "stop_at_n"]
    assert study.baseline == "kick_flip.points=5, limit=0.3, rounds=4"  # the experiment as it is
    assert [c.name for c in study.contrasts] == [name for name in study.variants if name != study.baseline]
    assert study.listed_contrasts == study.contrasts


def test_presets_seats_and_bots_by_name(tmp_path: Path) -> None:
    study = study_of(
        tmp_path,
        HEAD + "players: 2\nsweep:\n  preset: [rulebook, online]\n  players: [2, 3]\n  pool.stop_at_n: {n: [3, 4]}\n",
    )
    assert len(study.variants) == 8
    chosen = study.variants["preset=online, players=3, n=4"]
    assert (chosen.plan().resolved.preset, chosen.plan().resolved.seats) == ("online", 3)
    assert chosen.bots[2].values["n"] == 4
    assert study.baseline == "preset=rulebook, players=2, n=4"


def test_first_variant_or_the_named_one_is_the_baseline(tmp_path: Path) -> None:
    sweep = HEAD + "sweep: {cards.kick_flip.points: [1, 2]}\n"
    assert study_of(tmp_path, sweep).baseline == "kick_flip.points=1"
    assert study_of(tmp_path, sweep + "baseline: kick_flip.points=2\n").baseline == "kick_flip.points=2"
    variants = HEAD + "variants: {a: {}, b: {preset: online}}\n"
    assert study_of(tmp_path, variants).baseline == "a"
    assert study_of(tmp_path, variants + "baseline: b\n").contrasts[0].weights == {"a": 1, "b": -1}


def test_variants_and_a_sweep_are_compared_together(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD + "variants: {printed: {}}\nsweep: {rules.helmet_points: [1]}\n")
    assert list(study.variants) == ["printed", "helmet_points=1"]
    assert [c.baseline for c in study.contrasts] == ["printed"]


def test_a_plain_experiment_is_a_study_of_itself(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD)
    assert list(study.variants) == [""]
    assert (study.contrasts, study.answers, study.listed, study.baseline) == ((), (), (), None)


def test_a_sweep_that_changes_nothing_differs_by_exactly_nothing(tmp_path: Path) -> None:
    played = found(tmp_path, HEAD + "variants: {printed: {}}\nsweep: {cards.kick_flip.points: [5, 1]}\n")
    same, other = played.study.contrasts
    for entry in range(3):
        share = played.compared.plan.game.outcome("win_share")
        assert tuple(played.compared.difference(same, share, entry=entry).estimate) == (0.0, 0.0, 0.0)
        assert played.compared.difference(other, share, entry=entry).estimate.high > 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("sweep: {}", "3: sweep: found an empty mapping; sweep is a mapping of places"),
        ("sweep:\n  cards.kickflip.points: [1]", "4: sweep.cards.kickflip.points: no row 'kickflip' .*'kick_flip'"),
        ("sweep:\n  cards.kick_flip.points: [1, x]", "4: sweep.cards.kick_flip.points: found 'x'; points is a whole"),
        ("sweep:\n  cards.kick_flip.points: 3..200", "4: .*found 100; points goes from -99 to 99"),
        ("sweep:\n  cards.kick_flip: [1]", "4: sweep.cards.kick_flip: no such place"),
        ("sweep:\n  rules.rounds: [4, 99]", "4: sweep.rules.rounds: found 99"),
        ("sweep:\n  rules.round: [4]", "4: sweep.rules.round: no rule switch 'round'; did you mean 'rounds'"),
        ("sweep:\n  players.3.limit: [0.1]", "4: sweep.players.3.limit: no bot number 3; .* 0 to 2"),
        ("sweep:\n  players.0.limits: [0.1]", "4: .*risk_threshold has no parameter 'limits'; did you mean 'limit'"),
        ("sweep:\n  players.risky.limit: [0.1]", "4: .*no bot 'risky'"),
        ("sweep:\n  players.0.limit: [7]", "4: .*limit goes from 0.0 to 1.0"),
        ("sweep:\n  players: [2, 9]", "4: sweep.players: found 9; Skate Legend is for 2, 3, 4, 5 skaters"),
        ("sweep:\n  players: [4]", "4: sweep.players: 3 bots cannot fill 4 seats"),
        ("sweep:\n  preset: [rulbook]", "4: sweep.preset: no preset 'rulbook'"),
        (
            "sweep:\n  cards.kick_flip.points: 0..20\n  rules.rounds: 1..10",
            "3: sweep: found 21 times 10 = 210 variants",
        ),
        ("sweep:\n  cards.kick_flip.points: 5..1", "4: .*a range goes upwards"),
        ("sweep:\n  rules: {rounds: []}", "4: sweep.rules.rounds: found an empty list"),
        ("baseline: x", "3: baseline: found a baseline but no variants"),
        ("variants: {a: {}, b: {}}\nbaseline: c", "4: baseline: no variant 'c'; valid: a, b"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(HEAD + lines + "\n")
    with pytest.raises(ExperimentError, match=rf"x\.yaml:{message}"):
        load_experiment(file)


def test_a_bot_may_not_become_one_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("pool: [stop_at_n, 'stop_at_n:n=3']\nsweep:\n  pool.0.n: [3]\n")
    with pytest.raises(ExperimentError, match=r"3: sweep\.pool\.0\.n: stop_at_n:n=3 is then in the pool twice"):
        load_experiment(file)
