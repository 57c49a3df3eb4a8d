"""What compiles a game ahead makes the very machine code that a run asks for, and may fail."""

from __future__ import annotations

import shutil
import sys

import pytest

from skate_sim import cold_start, games
from skate_sim.api import plan_games
from skate_sim.jit import INTERPRETED
from skate_sim.run_command import compile_first


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_run_finds_what_was_compiled_ahead() -> None:
    game = games.load(games.DEFAULT_GAME)
    cold_start.compile_game(game.name)
    before = list(game.play_batch.signatures)
    assert len(before) == 1
    plan = plan_games(["stop_at_n", "stop_at_n", "risk_threshold"], rotate=False, games=10)
    compile_first({"": plan}, quiet=True)
    assert list(game.play_batch.signatures) == before


@pytest.mark.parametrize("program", [shutil.which("false") or "no such program", "no such program", ""])
def test_a_run_does_without(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold_start, "is_warm", lambda: False)
    monkeypatch.setattr(cold_start, "default_threads", lambda: 2)
    monkeypatch.setattr(sys, "executable", program)
    done = []
    with cold_start.game_compiled_aside(games.DEFAULT_GAME):
        done.append(program)
    assert done


def test_an_error_ends_what_compiles_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = cold_start.start_aside
    monkeypatch.setattr(cold_start, "is_warm", lambda: False)
    monkeypatch.setattr(cold_start, "default_threads", lambda: 2)
    monkeypatch.setattr(cold_start, "start_aside", lambda *words: started.append(start(*words)) or started[0])
    with pytest.raises(KeyError), cold_start.game_compiled_aside(games.DEFAULT_GAME):
        raise KeyError
    assert started[0].poll() is not None
