"""Luck and skill of a pool: all lineups on the same luck, their sums, and what is said of them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from skate_sim import simulate
from skate_sim.answer_tables import answer_findings
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.luck import FORMS
from skate_sim.luck_answer import WORDS
from skate_sim.same_luck import LuckSums, SameLuck
from skate_sim.simulation import PlayError
from tests.studies import found, study_of

POOL = ["risk_threshold", "helmet_saver", "random_legal"]
HEAD = f"pool: [{', '.join(POOL)}]\nplayers: 2\ngames: 1500\n"


def work_of(folder: Path, text: str = HEAD, **overrides: int) -> SameLuck:
    work = study_of(folder, text + "luck: true\n").works(**overrides)["luck"]
    assert isinstance(work, SameLuck)
    work.prepare()
    return work


def test_each_lineup_plays_the_luck_that_it_has_alone(tmp_path: Path) -> None:
    work = work_of(tmp_path)
    assert work.lineups.tolist() == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]
    assert work.games == 1500 // 6
    sums, _ = work.play(0, work.games)
    assert sums.blocks.sum() == work.games
    for number, lineup in enumerate(work.lineups.tolist()):
        alone = simulate([POOL[bot] for bot in lineup], rotate=False, games=work.games).tallies
        for column, crossed in enumerate(work.plan.layout.crossed.tolist()):
            of_lineup = sums.sums[column].sum(axis=0).reshape(-1, 2)[number]
            assert of_lineup.tolist() == alone.seat_sums[0, :, crossed].tolist()
    assert np.array_equal(np.trace(sums.products, axis1=1, axis2=2), sums.forms[:, :, FORMS.index("bot")].sum(axis=1))


def test_any_split_of_the_blocks_gives_the_same(tmp_path: Path) -> None:
    work = work_of(tmp_path, seed=4)
    whole, parts = work.play(0, 100)[0], work.play(0, 37)[0] + work.play(37, 63)[0]
    for name in ("blocks", "sums", "forms", "products"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    empty = work.empty()
    assert isinstance(empty, LuckSums)
    assert np.array_equal((empty + whole).sums, whole.sums)


def test_shares_add_up_and_skill_is_seen(tmp_path: Path) -> None:
    played = found(tmp_path, HEAD + "luck: true\n")
    [answer] = played.study.answers
    tables = answer.tables(played)
    shares = tables["luck"].set_index(["outcome", "part"])
    parts = ["bots", "seats", "places", "deal", "bots_by_deal", "rest"]
    for outcome in ("win_share", "prestige"):
        assert shares.loc[outcome].loc[parts, "value"].sum() == pytest.approx(1)
    assert shares.loc[("win_share", "bots"), "low"] > 0.1  # one of the three plays at random
    best = tables["luck_best"].set_index("outcome")
    assert best.loc["win_share", "worst"] == "random_legal"
    assert best.loc["win_share", "low"] > 0
    sentences = answer.findings(played)
    parts = r"[^;]+% ± [\d.]+ comes from the bot, [^;,]+ from the deal and [^;,]+ from the seat; the rest belongs to "
    assert re.match(f"Of what makes one seat's win share differ from game to game, {parts}", sentences[0])
    assert "random_legal: +" in sentences[1]
    assert answer.figures(played)["luck"]().axes


def test_shares_of_the_variance_are_printed_as_that(tmp_path: Path) -> None:
    played = found(tmp_path, HEAD + "luck: true\n")
    [answer] = played.study.answers
    shares = answer.tables(played)["luck"].set_index(["outcome", "part"])["value"]
    game = played.compared.plan.game
    printed = {finding.title: finding for finding in answer_findings(answer, played, game, "win_share", False)}
    for label, outcome in (("Win share", "win_share"), ("Prestige", "prestige")):
        finding = printed[f"Luck: {label} [% of its variance]"]
        cells = dict(finding.rows)
        assert list(cells) == list(WORDS.values())
        assert float(cells["the bot"].split("%")[0]) == pytest.approx(100 * shares[outcome, "bots"], rel=0.02)
        variance = float(finding.note.rpartition(" is ")[2].split()[0])
        assert variance == pytest.approx(shares[outcome, "variance"], rel=0.01)
    assert "Luck best: Win share [% points]" in printed, "points remain points"


def test_few_games_are_told_to_be_few(tmp_path: Path) -> None:
    played = found(tmp_path, HEAD.replace("1500", "6") + "luck: true\n")
    [answer] = played.study.answers
    assert answer.findings(played)[0].endswith("by so few games: 1 on the same luck, 20 are needed.")
    assert answer.tables(played)["luck"]["value"].isna().all()


def test_a_bot_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def act(view):\n    return 77\n")
    work = work_of(tmp_path, "pool: [risk_threshold, ./wrong.py]\ngames: 100\n")
    with pytest.raises(PlayError, match="bot wrong answered 77"):
        work.play(0, 10)


def test_luck_needs_a_pool(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("seats: [stop_at_n, helmet_saver]\nluck: true\n")
    with pytest.raises(ExperimentError, match="2: luck: luck and skill are told apart with a pool"):
        load_experiment(file)
    file.write_text("pool: [stop_at_n, helmet_saver]\nluck: 1\n")
    with pytest.raises(ExperimentError, match="2: luck: found 1; luck is true or false"):
        load_experiment(file)
