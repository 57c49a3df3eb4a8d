"""What each card does to the game: without it, with a blank, and what is already blank."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.games import load
from tests.studies import Found, found, study_of

HEAD = "pool: [risk_threshold, helmet_saver, stop_at_n]\ngames: 3000\n"


def test_all_rows_that_the_game_can_do_without(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD + "knock_out: {}\n")
    cards = load("skate_legend").tables[0].rows
    assert list(study.variants) == ["unchanged", *(f"{row} removed" for row in cards if row != "perfect_landing")]
    assert list(study.answers[0].left_out) == ["perfect_landing"]
    assert study.variants["ollie removed"].plan().resolved.tables["cards"]["ollie"]["copies"] == 0


def test_a_blank_has_no_points_effect_or_condition(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD + "knock_out: {rows: [kick_flip, casper_slide, perfect_landing], how: blank}\n")
    cards = study.variants["casper_slide blank"].plan().resolved.tables["cards"]
    assert (cards["casper_slide"]["points"], cards["casper_slide"]["needs_same_colour"]) == (0, 0)
    assert (cards["casper_slide"]["colour"], cards["casper_slide"]["broken"]) == ("yellow", True)
    assert cards["kick_flip"]["effect"] == "replay"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Found:
    section = "edits: {cards.180: {points: 0, needs_cards: 0}}\nknock_out: {rows: [kick_flip, 180], how: blank}\n"
    return found(tmp_path_factory.mktemp("knock_out"), HEAD + section)


def test_a_blank_made_blank_changes_exactly_nothing(played: Found) -> None:
    table = played.study.answers[0].tables(played)["knock_out"]
    assert list(played.study.variants) == ["unchanged", "kick_flip blank"]
    blank = table[table["row"] == "180"]
    assert (blank[["value", "low", "high"]] == 0).all(axis=None)
    assert not blank["sure"].any()
    other = table[(table["row"] == "kick_flip") & (table["outcome"] == "prestige")]
    assert (other["high"] < 0).all()
    assert other["sure"].all()


def test_differences_are_those_of_the_variants(played: Found) -> None:
    from skate_sim import simulate

    bots = ["risk_threshold", "helmet_saver", "stop_at_n"]
    edits = {"cards.180": {"points": 0, "needs_cards": 0}}
    blank = {"cards.kick_flip": {"points": 0, "effect": "none", "times": 1}}
    plain = simulate(bots, games=3000, edits=edits).bots().set_index("bot")
    without = simulate(bots, games=3000, edits=edits | blank).bots().set_index("bot")
    table = played.study.answers[0].tables(played)["knock_out"]
    rows = table[(table["row"] == "kick_flip") & (table["outcome"] == "win_share")].set_index("bot")
    assert np.allclose(rows["value"], (without["win_share"] - plain["win_share"])[rows.index])


def test_findings_and_figure(played: Found) -> None:
    answer = played.study.answers[0]
    sentences = answer.findings(played)
    assert any("180° made blank" in s and s.startswith("No change beyond doubt") for s in sentences)
    assert all(s.endswith(".") for s in sentences)
    assert answer.figures(played)["knock_out"]().axes


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            "knock_out: {rows: [ollie, olie]}",
            r"3: knock_out\.rows\.2: no row 'olie' in table cards; did you mean 'ollie'",
        ),
        ("knock_out: {rows: [ollie, ollie]}", r"3: knock_out\.rows\.2: found 'ollie' twice"),
        ("knock_out: {rows: perfect_landing}", "3: knock_out.*perfect_landing cannot be removed: 0 cards of kind"),
        ("knock_out:\n  how: gone", r"4: knock_out\.how: found 'gone'; how is removed or blank"),
        ("knock_out: {table: tiles}", "3: knock_out: Skate Legend has no such table .*valid: cards"),
        (
            "rules: {airwalk_reveal: true}\nknock_out: {rows: [airwalk_grab], how: blank}",
            "4: .*airwalk_grab cannot be blank: the rules keep its effect",
        ),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, section: str, message: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(HEAD + section + "\n")
    with pytest.raises(ExperimentError, match=rf"x\.yaml:{message}"):
        load_experiment(file)
