"""What it is worth to hold a card: variants, differences that are known, and where mistakes are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.holding import HoldingAnswer
from tests.studies import Found, found, study_of

HEAD = "pool: [risk_threshold, helmet_saver, stop_at_n]\ngames: 3000\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Found:
    section = "holding: {cards: [kick_flip, hippy_jump, 180], rounds: 1..2}\n"
    return found(tmp_path_factory.mktemp("holding"), HEAD + section)


def answer(played: Found) -> HoldingAnswer:
    [only] = played.study.answers
    assert isinstance(only, HoldingAnswer)
    return only


def test_each_card_is_given_in_each_round(tmp_path: Path) -> None:
    study = study_of(tmp_path, HEAD + "holding: {against: none, seat: 2}\n")
    assert len(study.variants) == 1 + 9 * 4
    cards = study.variants["holding 180 in round 3"].plan().resolved.tables["cards"]
    assert (cards["180"]["given_to"], cards["180"]["given_in"]) == (2, 3)
    assert all(c.baseline == "unchanged" for c in study.contrasts[: 9 * 4])
    assert study.listed == ()


def test_values_against_the_average_add_up_to_nothing(played: Found) -> None:
    table = answer(played).tables(played)["holding"]
    assert list(table.columns[:5]) == ["row", "name", "bot", "round", "outcome"]
    assert len(table) == 3 * 2 * 4 * 2  # cards, rounds, bots and all, outcomes
    sums = table.groupby(["bot", "round", "outcome"])["value"].sum()
    assert np.allclose(sums, 0, atol=1e-9)
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()


def test_values_are_differences_of_the_seats_means(played: Found) -> None:
    """The same from the tables of the variants alone."""
    from skate_sim import simulate

    table = answer(played).tables(played)["holding"]
    means = {}
    for card in ("kick_flip", "hippy_jump", "180"):
        edits = {f"cards.{card}.given_to": 1, f"cards.{card}.given_in": 2}
        seats = simulate(["risk_threshold", "helmet_saver", "stop_at_n"], games=3000, edits=edits).seats()
        row = seats[(seats["seat"] == 1) & (seats["bot"] == "helmet_saver")].iloc[0]
        means[card] = row["win_share"]
    row = table[(table["row"] == "kick_flip") & (table["bot"] == "helmet_saver") & (table["round"] == 2)].iloc[0]
    assert row["value"] == pytest.approx(means["kick_flip"] - sum(means.values()) / 3)


def test_ranks_hold_all_cards(played: Found) -> None:
    ranks = answer(played).tables(played)["holding_ranks"]
    assert sorted(ranks["row"]) == sorted(["kick_flip", "hippy_jump", "180"] * 2)
    assert (ranks["best_rank"] <= ranks["rank"]).all()
    assert (ranks["rank"] <= ranks["worst_rank"]).all()
    table = answer(played).tables(played)["holding"]
    values = table[(table["bot"] == "all") & (table["outcome"] == "win_share")].set_index(["round", "row"])["value"]
    assert np.allclose([values[r["round"], r["row"]] for r in ranks.to_dict("records")], ranks["above_average"])


def test_findings_are_sentences(played: Found) -> None:
    sentences = answer(played).findings(played)
    first = sentences[0]
    assert " points of win share (95% " in first
    assert " is worth to its holder, against the average Legendary (all bots together): " in first
    assert first.count(" points of win share (95% ") == 2, "one for each round"
    assert len(sentences) == 3 + 2


def test_figure_is_drawn(played: Found) -> None:
    [(name, draw)] = answer(played).figures(played).items()
    assert name == "holding"
    assert draw().axes


def test_a_card_against_itself_is_worth_nothing_and_any_card_something(tmp_path: Path) -> None:
    played = found(tmp_path, HEAD + "holding: {cards: [kick_flip, 180], rounds: 1, against: kick_flip}\n")
    table = answer(played).tables(played)["holding"]
    itself, other = table[table["row"] == "kick_flip"], table[table["row"] == "180"]
    assert (itself[["value", "low", "high"]] == 0).all(axis=None)
    assert (other["value"] != 0).all()
    played = found(tmp_path, HEAD + "holding: {cards: kick_flip, rounds: 1, against: none}\n")
    table = answer(played).tables(played)["holding"]
    assert (table[table["bot"] == "all"]["low"] > 0).all()
    assert "against no Legendary" in answer(played).findings(played)[0]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("holding: {cards: [kickflip]}", r"3: holding\.cards\.1: 'kickflip' cannot be given; did you mean 'kick_flip'"),
        ("holding: {cards: [ollie]}", r"3: holding\.cards\.1: 'ollie' cannot be given"),
        ("holding: {cards: [180, '180']}", r"3: holding\.cards\.2: found '180' twice"),
        ("holding: {cards: [180]}", "3: holding: one card has no average"),
        ("holding: {against: nothing}", r"3: holding\.against: found 'nothing'; .*average, none, kick_flip"),
        ("holding:\n  rounds: 1..7", r"4: holding\.rounds: found 7; a game has 4"),
        ("holding:\n  seat: 4", r"4: holding\.seat: found 4; the table has 3 seats"),
        ("holding:\n  seat: 0", r"4: holding\.seat: found 0; seat is the seat that holds it"),
        ("holding:\n  round: 1", r"4: holding\.round: no such key; did you mean 'rounds'"),
        ("holding: all", "3: holding: found 'all'; holding is a mapping"),
        ("holding: {}\nsweep: {players: [2, 3]}", "3: holding: compares variants that play the same games"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, section: str, message: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(HEAD + section + "\n")
    with pytest.raises(ExperimentError, match=rf"x\.yaml:{message}"):
        load_experiment(file)
