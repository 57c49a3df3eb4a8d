"""One thing is told as one, several as several: what is printed and on the page reads as English."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from skate_sim import games
from skate_sim.api import plan_games
from skate_sim.comparison_results import ComparisonAnswers
from skate_sim.digits import counted
from skate_sim.games.skate_legend.faces import face
from skate_sim.lineups import SeatingError
from skate_sim.results import LoadedResults, Results
from tests.commands import enter, invoke

#: A verb in front of what looks like a plural, as in "only 1 plays".
PLURAL = re.compile(r".{0,40}(?<![\d.,])\b1 (?:more )?(?!is|was|has|plays|this|less)[a-z]+s\b.{0,40}")
ALONE = "seats: [stop_at_n, random_legal]\ngames: 1\n"
FILES = {
    "alone": ALONE + "precision: {half_width: 90}\n",
    "variants": ALONE + "variants:\n  a: {edits: {cards.hippy_jump.points: 3}}\n",
    "apart": ALONE + "variants:\n  a: {}\n  b: {rules: {rounds: 2}}\n",
    "sections": ALONE + "knock_out: {rows: hippy_jump}\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


@pytest.mark.filterwarnings("ignore:All-NaN")
@pytest.mark.parametrize("name", FILES)
def test_one_game_is_no_games(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in (Results, LoadedResults, ComparisonAnswers):
        monkeypatch.setattr(kind, "figures", lambda _: {})  # their words are not read here
    (folder / "x.yaml").write_text(FILES[name])
    ran = invoke(capsys, "run", "x.yaml", "--all")
    assert ran.code == 0, ran.err
    page = re.sub(r"<(svg|style|script).*?</\1>", "", (folder / "results/x/report.html").read_text(), flags=re.DOTALL)
    shown, verified = (invoke(capsys, word, "results/x").out for word in ("show", "verify"))
    for text in (ran.out, shown, verified, html.unescape(re.sub("<[^>]+>", " ", page))):
        assert re.search(r"\b1\s+game\b", text) or name == "apart"
        assert not PLURAL.findall(" ".join(text.split()))


@pytest.mark.parametrize(
    ("bots", "question"),
    [
        (["helmet_saver"], "How does helmet_saver rank?"),
        (["helmet_saver", "stop_at_n"], "How do helmet_saver and stop_at_n rank?"),
    ],
)
def test_bots_rank(bots: list[str], question: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "rank", *bots, "--against", "random_legal", "-g", "6", "--json")
    assert json.loads(done.out)["manifest"]["question"] == question


def test_conditions_of_cards() -> None:
    """On the pictures, and at the table of a person who plays."""
    game = games.load("skate_legend")
    edits = {f"cards.hippy_jump.needs_{need}": n for need, n in (("yellow", 1), ("colours", 1), ("broken", 2))}
    words = face("cards", "hippy_jump", game.resolve(game, 4, None, None, edits)).words
    assert "at least 1 yellow card and" in words
    assert "at least 1 colour and" in words
    assert "at least 2 cards with a broken skateboard" in words


def test_counted() -> None:
    assert [counted(n, "game") for n in (0, 1, 2, 2000)] == ["0 games", "1 game", "2 games", "2,000 games"]


def test_a_table_that_one_bot_cannot_fill() -> None:
    with pytest.raises(SeatingError, match=r"^1 bot by seat for 3 players; "):
        plan_games(["stop_at_n"], players=3, rotate=False)
