"""The referee accepts games that follow the rules, and no others."""

from __future__ import annotations

import ast
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from skate_sim.simulation import tell_game
from skate_sim.testing import plan_of
from tests.referee import Foul, referee
from tests.referee.script import FIELDS
from tests.referee.shorthand import read_shorthand
from tests.referee.tamperings import TAMPERINGS, Tampering
from tests.referee.variants import BOTS, DECKS, FLIPS, random_variant
from tests.reference.printed import PRESETS

TESTS = Path(__file__).parent
HANDMADE = sorted((TESTS / "data" / "transcripts").glob("*.txt"))

#: Parts of the folder that play games and tamper with them. The referee itself is the rest.
NOT_THE_REFEREE = {"shorthand.py", "variants.py"}


#: ``REFEREE_SCALE=5`` referees five times as many games, above twenty thousand.
SCALE = int(os.environ.get("REFEREE_SCALE", "1"))


def games(count: int, **variant: Any) -> Iterator[list[dict[str, Any]]]:
    """Transcripts of the first games of a variant."""
    plan = plan_of(**variant)
    return (tell_game(plan, number) for number in range(count * SCALE))


def test_referee_is_a_stranger() -> None:
    """Only the standard library, and nothing of the game that it judges."""
    for path in (TESTS / "referee").glob("*.py"):
        if path.name not in NOT_THE_REFEREE:
            for node in ast.walk(ast.parse(path.read_text())):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    modules = [node.module or ""]
                assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names, path.name


@pytest.mark.parametrize("path", HANDMADE, ids=lambda path: path.stem)
def test_game_written_by_hand(path: Path) -> None:
    """Right to the end, and wrong at every line that says so."""
    lines, fouls = read_shorthand(path.read_text())
    referee(lines)
    for transcript, rule in fouls:
        with pytest.raises(Foul) as caught:
            referee(transcript)
        assert (caught.value.line_number, caught.value.rule) == (len(transcript), rule), transcript[-1]


def test_lines_of_a_file() -> None:
    lines, _ = read_shorthand(HANDMADE[0].read_text())
    text = [json.dumps(line) + "\n" for line in lines]
    referee(text)
    for spoilt in ("", "{", "[]", "{}", '{"event": "flip"}'):
        with pytest.raises(Foul) as caught:
            referee([*text[:5], spoilt, *text[6:]])
        assert (caught.value.line_number, caught.value.rule) == (6, "transcript: format")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("bot", sorted(set(BOTS)))
def test_printed_game(bot: str, seats: int, preset: str) -> None:
    for lines in games(20, bots=[bot] * seats, preset=preset):
        referee(lines)


@pytest.mark.parametrize(("preset", "switch", "value"), FLIPS)
def test_switch(preset: str, switch: str, value: Any) -> None:
    """On the printed deck, and on a small one that brings out the rarer rules."""
    for seats in (2, 3, 5):
        for deck in ("printed", "two of each"):
            edits = DECKS[deck]
            for lines in games(6, bots=BOTS[:seats], preset=preset, rules={switch: value}, edits=edits):
                referee(lines)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("deck", DECKS)
def test_deck(deck: str, preset: str) -> None:
    for seats in (2, 3, 4, 5):
        for lines in games(10, bots=BOTS[:seats], preset=preset, edits=DECKS[deck]):
            referee(lines)


@pytest.mark.parametrize("seed", range(100))
def test_random_variant(seed: int) -> None:
    for lines in games(5, **random_variant(seed)):
        referee(lines)


@cache
def pool() -> list[list[dict[str, Any]]]:
    """Games to tamper with: many variants, and long games in which helmets are used."""
    variants = [random_variant(seed) for seed in range(1000, 1060)]
    for timing in ("before_effect", "after_effect"):
        rules = {"rounds": 10, "helmet_timing": timing}
        bots = ["stop_at_n:n=9", "random_legal", "random_legal"]
        variants += [{"bots": bots, "rules": rules, "seed": seed} for seed in range(5)]
    transcripts = [lines for variant in variants for lines in games(1, **variant)]
    for lines in transcripts:
        referee(lines)
    return transcripts


def test_pool_has_every_kind_of_event() -> None:
    assert {line["event"] for lines in pool() for line in lines} == set(FIELDS)


@pytest.mark.parametrize("way", TAMPERINGS, ids=lambda way: way.name)
def test_tampering(way: Tampering) -> None:
    """Every game tampered with in this way is a foul, by one of the rules that it breaks (``-rP`` shows which)."""
    caught: Counter[str] = Counter()
    for lines in pool():
        places = [at for at, line in enumerate(lines) if line["event"] == way.kind]
        tampered_games = [tampered for at in places if (tampered := way.tamper(lines, at)) is not None]
        for tampered in tampered_games[:: max(1, len(tampered_games) // 2)]:
            with pytest.raises(Foul) as foul:
                referee(tampered)
            caught[foul.value.rule] += 1
    print(f"{way.name}: caught by", ", ".join(f"{rule} ({times})" for rule, times in caught.most_common()))
    assert caught, "this tampering applied nowhere"
    assert set(caught) <= set(way.rules)
