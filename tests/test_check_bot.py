"""Every bundled bot keeps its word; a bot that does not is caught, by the right promise, with the game to see."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skate_sim import games
from skate_sim.bot_files import bundled_bots
from skate_sim.policy import BotError
from skate_sim.testing import check_bot
from tests.commands import invoke

GAME = games.load("skate_legend")

IMPORTS = """import numpy as np
from skate_sim import memory, parameter, random, random_below
from skate_sim.games.skate_legend import PILE_1, PILE_2, STOP, can_take, fall_risk, is_legal, least_risky, play_card
from skate_sim.games.skate_legend.state import HAND_DTYPE
from skate_sim.rng import word

"""
#: Takes what is least risky, and stops at will: what all the bots below are made of.
GO_ON = """

def go_on(view, stop):
    if stop and view.table.may_stop:
        return STOP
    return least_risky(view)[0]
"""
#: Bots that break a promise: their code, what they break, and words of the first finding.
BAD = {
    "answers illegally at times": (
        "def act(view):\n    return 99 if view.me.combo_size == 2 else go_on(view, False)\n",
        {"legal"},
        "it answers 99; legal answers: 0 (stop), 1 (pile 1)",
    ),
    "divides by zero": (
        "def act(view):\n    return go_on(view, 6 // (view.me.combo_size - 2) > 2)\n",
        {"legal"},
        "it raises FloatingPointError: divide by zero",
    ),
    "throws its dice again": (
        "def act(view, luck):\n    luck.next_word = 7\n    return go_on(view, random_below(luck, 2) == 1)\n",
        {"fair luck"},
        "with other luck",
    ),
    "changes its dice": (
        "def act(view, luck):\n    luck.key = 7\n    return go_on(view, random_below(luck, 2) == 1)\n",
        {"fair luck"},
        "it changed the key of its luck",
    ),
    "looks into its dice": (
        "def act(view, luck):\n    return go_on(view, word(luck.key, np.uint64(0)) % np.uint64(2) == 1)\n",
        {"fair luck"},
        "it draws no random number",
    ),
    "looks into the next hand": (
        "SIZE = HAND_DTYPE.itemsize\n\n\ndef act(view):\n"
        "    beyond = SIZE if view.hand.seat == 0 else -SIZE\n"
        "    return go_on(view, view.hand.cards[beyond] % 2 == 0)\n",
        {"legal"},
        "it raises IndexError",
    ),
    "reads what was left behind": (
        "def act(view):\n    return go_on(view, view.hand.cards[view.hand.count] != 0)\n",
        {"fresh memory"},
        "came out differently",
    ),
    "counts too far": (
        "def act(view):\n"
        "    number = view.me.combo_size + 3\n"
        "    for _ in range(60):\n"
        "        number = number * 7 + 1\n"
        "    return go_on(view, number % 5 == 0)\n",
        {"plain Python"},
        "compiled and as plain Python, it answers",
    ),
    "says that it throws no dice": (
        "traits = {'deterministic': True, 'plays_hand': True}\n\n\n"
        "def act(view, luck):\n    return go_on(view, random(luck) < 0.5)\n",
        {"traits"},
        "it declares deterministic: True, but",
    ),
    "says that it wears helmets": (
        "traits = {'wears_helmets': True}\n\n\n"
        "def act(view):\n    return go_on(view, False)\n\n\ndef helmet(view):\n    return False\n",
        {"traits"},
        "answers shows that",
    ),
}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a decision costs is measured for a moment only: no test is about how fast this machine is."""
    monkeypatch.setattr("skate_sim.bot_cost.SECONDS", 0.002)


def write_bot(folder: Path, code: str) -> str:
    path = folder / "bot.py"
    path.write_text(IMPORTS + code + GO_ON)
    return str(path)


@pytest.mark.parametrize("bot", sorted(bundled_bots(GAME)))
def test_bundled_bot_keeps_its_word(bot: str) -> None:
    report = check_bot(bot, games=24)
    assert report.passed, str(report)
    assert report.games == 24
    assert report.questions > 500
    assert all(p.times > 20 for p in report.promises if p.name != "traits")
    assert report.promises[-1].times == len(report.bot.code.traits) > 0
    assert all((d.nanoseconds is not None) == d.defined for d in report.decisions)
    assert report.nanoseconds is not None
    assert 1 < report.nanoseconds < 100_000
    assert json.loads(json.dumps(report.to_dict()))["passed"]


@pytest.mark.parametrize("name", BAD)
def test_bad_bot_is_caught(name: str, tmp_path: Path) -> None:
    code, breaks, words = BAD[name]
    report = check_bot(write_bot(tmp_path, code), games=24)
    assert {p.name for p in report.broken} == breaks, str(report)
    found = next(p for p in report.broken if words in p.finding)
    assert not report.passed
    assert found.broken > 0
    assert words in str(report)


@pytest.mark.parametrize(
    "code",
    [
        "def act(view):\n    return view.hidden.urn_size\n",
        "def act(view):\n    return view.table.hands[0].cards[0]\n",
        "def act(view):\n    return view.deck.slots\n",
        "def act(view):\n    return view.rules.slots.card[0]\n",
        "def act(view, state):\n    return 1\n",
    ],
)
def test_hidden_state_cannot_be_named(code: str, tmp_path: Path) -> None:
    with pytest.raises(BotError):
        check_bot(write_bot(tmp_path, code), games=8)


def test_parts_of_a_view_have_no_hidden_fields() -> None:
    names = {name for dtype in GAME.view_parts.values() for name in dtype.names}
    assert not names & {"hidden", "hands", "slots", "engine", "luck", "memo"}


def test_traits_are_measured(tmp_path: Path) -> None:
    code = (
        "traits = {'deterministic': False, 'remembers': True, 'plays_hand': False}\n"
        "plan = memory('stops')\nchance = parameter(0.5, low=0.0, high=1.0, help='x')\n\n\n"
        "def act(view, memo, luck, chance):\n"
        "    memo.stops += 1\n"
        "    if view.table.may_stop and random(luck) < chance:\n        return STOP\n"
        "    if can_take(view, PILE_1):\n        return PILE_1\n"
        "    return PILE_2 if can_take(view, PILE_2) else play_card(view.hand.cards[0])\n\n\n"
        "def helmet(view):\n    return True\n"
    )
    report = check_bot(write_bot(tmp_path, code) + ":chance=0.25", games=24)
    assert report.passed, str(report)
    traits = {t.name: t for t in report.traits}
    held = {name for name, trait in traits.items() if trait.holds}
    assert held == {"remembers", "stops_at_zero_risk", "takes_sure_falls", "wears_helmets"}
    assert [d.defined for d in report.decisions] == [True, True, False, False]
    assert all(d.asked > 0 for d in report.decisions)
    assert report.bot.values == {"chance": 0.25}


def test_report_does_not_change() -> None:
    first, second = (check_bot("random_legal", games=16, seed=3).to_dict() for _ in range(2))
    for report in (first, second):
        report.pop("nanoseconds")
        for decision in report["decisions"]:
            decision.pop("nanoseconds")
    assert first == second


def test_class_and_function_are_bots_too() -> None:
    def stops_early(view):  # type: ignore[no-untyped-def]
        return 0 if view.table.may_stop else 77

    report = check_bot(stops_early, games=8)
    (legal,) = report.broken
    assert legal.name == "legal"
    assert re.fullmatch(r"transcript_lines\(\[(stops_early, )*stops_early\], 0, seed=1, preset='\w+'\)", legal.command)

    class Careful:
        @staticmethod
        def helmet(view):  # type: ignore[no-untyped-def]
            return True

    assert check_bot(Careful, games=8).passed


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ("{'deterministc': True}", "did you mean 'deterministic'"),
        ("{'deterministic': 1}", "True or False"),
        ("['deterministic']", "True or False"),
    ],
)
def test_wrong_traits_are_refused(traits: str, words: str, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, f"traits = {traits}\n\n\ndef act(view):\n    return go_on(view, False)\n")
    with pytest.raises(BotError, match=words):
        check_bot(bot)


def test_command_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "check", "stop_at_n:n=3", "--games", "16")
    assert done.code == 0
    for words in ("stop_at_n:n=3", "no peeking", "the bot", "deterministic", "Every promise kept."):
        assert words in done.out
    record = json.loads(invoke(capsys, "check", "stop_at_n:n=3", "--games", "16", "--json").out)
    assert record["parameters"] == {"n": 3}
    assert {p["name"] for p in record["promises"]} >= {"legal", "no peeking", "plain Python"}


def test_command_names_the_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "def act(view):\n    return 99 if view.rules.grey_can_fall else go_on(view, False)\n")
    done = invoke(capsys, "check", "bot.py", "--games", "16")
    assert done.code == 1
    assert "1 promise broken." in done.out
    command = re.search(r"To see that game: skate-sim (play .*)", done.out)
    assert command
    assert "--preset online" in command[1]
    told = invoke(capsys, *command[1].split())
    assert told.code == 2
    assert "bot bot answered 99" in told.err


def test_unknown_bot_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "check", "stop_at_m")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'stop_at_n'" in done.err
