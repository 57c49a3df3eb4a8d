"""Games that the page of a comparison tells: the one in which two variants come apart most, with both."""

from __future__ import annotations

import html
import re
import shlex
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import skate_sim
from skate_sim.comparison import Comparison
from skate_sim.comparison_results import ComparisonResults
from skate_sim.report.games import games_of_comparison
from skate_sim.simulation import tell_game
from tests.commands import invoke

BOTS = ["risk_threshold", "helmet_saver", "score_chaser", "stop_at_n"]
GAMES = 300


def compared(edits: dict[str, int | str]) -> ComparisonResults:
    variants = {"printed": {}, "big red": {"edits": edits}}
    return skate_sim.compare(variants, bots=BOTS, games=GAMES, name="red")


@pytest.fixture(scope="module")
def found() -> ComparisonResults:
    return compared({"cards.manual.points": 4, "cards.no_comply.points": 0})


def ends(comparison: Comparison, name: str, number: int) -> np.ndarray:
    """Win shares and Prestige of a game's seats, from its transcript."""
    seats = tell_game(comparison.plans[name], number)[-1]["seats"]
    return np.array([[float(Fraction(s["win_share"])), s["prestige"]] for s in seats])


def test_no_game_differs_more_than_the_one_told(found: ComparisonResults) -> None:
    assert found.comparison is not None
    told = games_of_comparison(found.comparison, GAMES, found.shown)
    assert told is not None
    first, second = told.stories[:2]
    assert (first.title, second.title) == ("Where they come apart: with printed", "The same game with big red")
    assert first.number == second.number
    changes = []
    for number in range(60):
        change = np.abs(ends(found.comparison, "big red", number) - ends(found.comparison, "printed", number))
        changes.append(tuple(change.sum(axis=0).round(9)))
    change = np.abs(ends(found.comparison, "big red", first.number) - ends(found.comparison, "printed", first.number))
    assert tuple(change.sum(axis=0).round(9)) >= max(changes)
    assert change[:, 0].sum() > 0, "somebody else wins"
    assert not {s.number for s in told.stories[2:]} & {first.number}
    assert all(s.title.endswith("(with big red)") for s in told.stories[2:])
    assert all("--variant 'big red'" in s.command for s in told.stories[1:])


def test_an_edited_card_has_a_face_in_each_variant_and_all_others_one(found: ComparisonResults) -> None:
    assert found.comparison is not None
    told = games_of_comparison(found.comparison, GAMES, found.shown)
    assert told is not None
    words = [card.words for card in told.legend]
    assert len(set(words)) == len(words)
    assert [w for w in words if w.startswith("Manual")] == ["Manual: red, 1 Prestige", "Manual: red, 4 Prestige"]
    assert len(set(told.pictures)) == len(told.pictures)


def test_variants_that_play_alike_have_no_game_that_differs() -> None:
    same = compared({"cards.manual.points": 1})
    assert same.comparison is not None
    told = games_of_comparison(same.comparison, GAMES, same.shown)
    assert told is None or not any("apart" in story.name for story in told.stories)


def test_variants_of_other_sizes_have_a_page_without_games(tmp_path: Path) -> None:
    variants = {"four": {"rules": {}}, "short": {"rules": {"rounds": 2}}}
    skate_sim.compare(variants, bots=BOTS[:2], games=20, name="rounds").save(
        tmp_path / "rounds", figures=False, report=True
    )
    assert (tmp_path / "rounds" / "report.html").is_file()


def test_a_stored_comparison_tells_the_same_games(
    found: ComparisonResults, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = found.save(tmp_path / "red", figures=False, report=True)
    page = (folder / "report.html").read_text(encoding="utf-8")
    index = re.findall(r'<li><a href="#game-([\w-]+)">', page)
    assert index[:2] == ["apart-0", "apart-1"]
    assert all(page.count(f'id="game-{name}"') == 1 for name in index)
    commands = re.findall("To see it in the folder of this page: <code>skate-sim (play [^<]*)<", html.unescape(page))
    assert commands[1].startswith("play . --variant 'big red' --game ")
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        assert invoke(capsys, *shlex.split(commands[1])).code == 0
    assert invoke(capsys, "report", str(folder)).code == 0
    assert re.findall(r'<li><a href="#game-([\w-]+)">', (folder / "report.html").read_text(encoding="utf-8")) == index
