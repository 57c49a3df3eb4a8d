"""``holding`` together with variants: measured in each, with the paired difference between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.holding_variants import HoldingInVariants
from tests.studies import Found, found, study_of

POOL = "pool: [risk_threshold, helmet_saver]\nplayers: 2\ngames: 3000\n"
TWO = POOL + "variants:\n  printed: {}\n  dear: {edits: {cards.hippy_jump.points: 5}}\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Found:
    section = "holding: {cards: [hippy_jump, 180], against: none, rounds: 1}\n"
    return found(tmp_path_factory.mktemp("holding"), TWO + section)


def answer(played: Found) -> HoldingInVariants:
    [only] = played.study.answers
    assert isinstance(only, HoldingInVariants)
    return only


def test_each_variant_gives_each_card(played: Found) -> None:
    assert set(played.study.variants) == {
        "printed",
        "dear",
        *(f"holding {card} in round 1 with {v}" for card in ("hippy_jump", "180") for v in ("printed", "dear")),
    }
    cards = played.study.variants["holding 180 in round 1 with dear"].plan().resolved.tables["cards"]
    assert (cards["180"]["given_to"], cards["hippy_jump"]["points"]) == (1, 5)


def test_values_are_those_of_each_variant_alone(played: Found, tmp_path: Path) -> None:
    table = answer(played).tables(played)["holding"]
    alone = found(
        tmp_path,
        POOL + "edits: {cards.hippy_jump.points: 5}\nholding: {cards: [hippy_jump, 180], against: none, rounds: 1}\n",
    )
    [one] = alone.study.answers
    own = one.tables(alone)["holding"].set_index(["row", "bot", "outcome"])["value"]
    mine = table[table["variant"] == "dear"].set_index(["row", "bot", "outcome"])["value"]
    assert mine.sort_index().equals(own.sort_index())


def test_the_change_is_paired(played: Found) -> None:
    tables = answer(played).tables(played)
    keys = ["row", "bot", "outcome"]
    by = {v: t.set_index(keys)["value"] for v, t in tables["holding"].groupby("variant")}
    change = tables["holding_change"].set_index(keys)
    expected = by["dear"] - by["printed"]
    for key, row in change.iterrows():
        assert row["value"] == pytest.approx(expected[key], abs=1e-12)
        assert row["low"] < row["value"] < row["high"]
    held = tables["holding"].set_index(["variant", *keys])
    here = held.loc[("dear", "hippy_jump", "all", "prestige")]
    narrow = change.loc[("hippy_jump", "all", "prestige")]
    assert narrow["low"] > 1, "three points more"
    assert narrow["high"] - narrow["low"] < 0.8 * (here["high"] - here["low"]), "on the same games luck cancels"


def test_against_the_average(tmp_path: Path) -> None:
    played = found(tmp_path, TWO.replace("3000", "600") + "holding: {cards: [hippy_jump, 180, 360], rounds: 1..2}\n")
    change = answer(played).tables(played)["holding_change"]
    sums = change.groupby(["bot", "round", "outcome"])["value"].sum()
    assert sums.abs().max() < 1e-9, "what one gains above the average the others lose"


def test_findings_have_both_numbers_and_the_difference(played: Found) -> None:
    hippy, other = answer(played).findings(played)
    assert hippy.startswith(
        "Hippy Jump is worth to its holder, against no Legendary (all bots together): from round 1 on"
    )
    assert " with printed, " in hippy
    assert " with dear, a difference of +" in hippy
    assert other.startswith("180° is worth")


def test_of_many_cards_the_edited_one_is_told(tmp_path: Path) -> None:
    played = found(tmp_path, TWO.replace("3000", "200") + "holding: {rounds: 1}\n")
    edited, rest = answer(played).findings(played)
    assert edited.startswith("Hippy Jump is worth")
    assert rest.startswith("What a card is worth to its holder with dear, less with printed (all bots together)")


def test_one_variant_that_is_listed_is_compared_with_the_unchanged_game(tmp_path: Path) -> None:
    text = (
        POOL
        + "variants:\n  dear: {edits: {cards.hippy_jump.points: 5}}\nholding: {cards: [hippy_jump], against: none}\n"
    )
    study = study_of(tmp_path, text)
    [only] = study.answers
    assert isinstance(only, HoldingInVariants)
    assert (only.baseline, list(only.parts)) == ("unchanged", ["unchanged", "dear"])


def test_a_sweep_has_each_value(tmp_path: Path) -> None:
    text = POOL + "sweep: {cards.hippy_jump.points: 1..3}\nholding: {cards: [hippy_jump], against: none, rounds: 1}\n"
    [_, only] = study_of(tmp_path, text).answers
    assert isinstance(only, HoldingInVariants)
    assert only.baseline == "hippy_jump.points=2", "the value that is printed"
    assert len(only.changes) == 2


def test_variants_that_play_other_games_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(
        POOL
        + "variants:\n  a: {}\n  b: {rules: {rounds: 2}}\nholding: {cards: [hippy_jump], rounds: 1, against: none}\n"
    )
    with pytest.raises(
        ExperimentError, match=r"holding: compares variants that play the same games, and 'b' has another"
    ):
        load_experiment(file)
