"""Simulating from Python: every form of a bot, seats, and what is refused in clear words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import skate_sim
from skate_sim.api import as_bots, plan_games, simulate
from skate_sim.bot_files import load_file
from skate_sim.games import ContentError, load
from skate_sim.lineups import SeatingError
from skate_sim.policy import BotError, make_bot
from skate_sim.results import Results
from tests.runs import POOL

GAME = load("skate_legend")
FILE = Path(__file__).parents[1] / "strategies" / "skate_legend" / "stop_at_n.py"


def act(view, n=4):  # type: ignore[no-untyped-def]
    return 0 if view.me.combo_size >= n and view.table.may_stop else 1


class Careful:
    limit = skate_sim.parameter(0.2, low=0.0, high=1.0, help="highest chance")

    @staticmethod
    def act(view, params):  # type: ignore[no-untyped-def]
        return 0 if view.table.may_stop else 1


def test_every_form_of_a_bot() -> None:
    code = load_file(FILE, GAME)
    sources = [
        "stop_at_n:n=5",
        ("stop_at_n", {"n": 5}),
        ("stop_at_n:n=3", {"n": 5}),
        str(FILE) + ":n=5",
        (FILE, {"n": 5}),
        (code, {"n": 5}),
        make_bot(code, {"n": 5}),
        (make_bot(code, {"n": 2}), {"n": 5}),
    ]
    bots = as_bots(sources, GAME)
    assert {b.identity for b in bots} == {bots[0].identity}
    assert {b.name for b in bots} == {"stop_at_n:n=5"}
    function, chosen, cls = as_bots([act, (act, {"n": 2}), (Careful, {"limit": 0.4})], GAME)
    assert (function.name, chosen.name, cls.name) == ("act", "act:n=2", "Careful:limit=0.4")
    [labelled] = as_bots({"my name": make_bot(code, label="other")}, GAME)
    assert labelled.name == "my name"
    assert as_bots([make_bot(code, label="kept")], GAME)[0].name == "kept"


def test_bots_next_to_an_experiment_come_first(tmp_path: Path) -> None:
    (tmp_path / "stop_at_n.py").write_text(FILE.read_text())
    [bot] = as_bots(["stop_at_n"], GAME, [tmp_path])
    assert bot.code.path == (tmp_path / "stop_at_n.py").resolve()


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ("stop_at_n", "they are a list, or a dict"),
        ([("stop_at_n", 5)], r"\(bot, \{parameter: number\}\)"),
        ([7], "a bot is a name, a path"),
        (["stop_at_nn"], "did you mean 'stop_at_n'"),
        ([("stop_at_n", {"m": 5})], "no parameter 'm'"),
        ([Path("nowhere/bot.py")], "no bot file nowhere/bot.py"),
    ],
)
def test_wrong_bots(bots: object, message: str) -> None:
    with pytest.raises(BotError, match=message):
        as_bots(bots, GAME)  # type: ignore[arg-type]


def test_the_same_bot_twice_in_a_pool_names_both(tmp_path: Path) -> None:
    copy = tmp_path / "copycat.py"
    copy.write_text(FILE.read_text())
    with pytest.raises(BotError) as error:
        plan_games({"one": "stop_at_n", "two": copy, "three": "random_legal"})
    for words in ("one", "two", "stop_at_n.py", "copycat.py", "rotate=False"):
        assert words in str(error.value)
    assert len(plan_games(["stop_at_n:n=3", "stop_at_n:n=4"]).bots) == 2


def test_the_same_bot_in_a_fixed_table_shares_an_entry() -> None:
    plan = plan_games(["random_legal", "stop_at_n", "random_legal"], rotate=False)
    assert [b.name for b in plan.bots] == ["random_legal", "stop_at_n"]
    assert plan.layout.lineups[:, :3].tolist() == [[0, 1, 0]]
    with pytest.raises(BotError, match="'a' and 'b' are the same bot, random_legal; give it one name"):
        plan_games({"a": "random_legal", "b": "random_legal"}, rotate=False)


def test_seats() -> None:
    assert plan_games(POOL).resolved.seats == 4
    assert plan_games(POOL, players=2).resolved.seats == 2
    many = [f"stop_at_n:n={n}" for n in range(1, 8)]
    assert plan_games(many).resolved.seats == 4, "the usual table"
    assert plan_games(many, players=5).resolved.seats == 5
    with pytest.raises(SeatingError, match="1 bot for 1 seats; Skate Legend is for 2, 3, 4, 5"):
        plan_games(["stop_at_n"])
    assert plan_games(["stop_at_n"], players=3).layout.lineups[:, :3].tolist() == [[0, 0, 0]] * 3
    with pytest.raises(SeatingError, match="3 bots cannot fill 4 seats"):
        plan_games(POOL[:3], players=4)
    with pytest.raises(SeatingError, match="2 bots by seat for 3 players"):
        plan_games(POOL[:2], players=3, rotate=False)
    with pytest.raises(ContentError, match="6 seats"):
        plan_games(["stop_at_n"] * 6, rotate=False)
    with pytest.raises(SeatingError, match="no bots"):
        plan_games([])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"games": 0}, "games=0; games is a whole number from 1"),
        ({"games": 1.5}, "games=1.5"),
        ({"games": float("nan")}, "games=nan"),
        ({"games": True}, "games=True"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed is a whole number from 0 to 18,446"),
        ({"players": "four"}, "players='four'"),
        ({"threads": 0}, "threads=0"),
        ({"chunk": 0.5}, "chunk=0.5"),
    ],
)
def test_wrong_numbers(words: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(POOL, **words)  # type: ignore[arg-type]


def test_wrong_game_rules_and_edits_are_the_games_to_refuse() -> None:
    for words in ({"game": "chess"}, {"preset": "x"}, {"rules": {"x": 1}}, {"edits": {"cards.ollie.x": 1}}):
        with pytest.raises(ContentError):
            plan_games(POOL, **words)  # type: ignore[arg-type]


def test_numbers_in_scientific_notation_are_whole() -> None:
    assert plan_games(POOL, games=1e3).games == 1000  # type: ignore[arg-type]


def test_progress_and_interruption() -> None:
    calls: list[tuple[int, int, float]] = []

    def interrupt(done: int, total: int, seconds: float) -> None:
        calls.append((done, total, seconds))
        if done >= 40:
            raise KeyboardInterrupt

    found = simulate(POOL, games=4000, chunk=20, threads=1, progress=interrupt)
    assert calls[0][0] in (20, 40), "one chunk, or both that were in hand"
    assert calls[0][1] == 4000
    assert found.partial
    assert 40 <= found.games < 4000
    assert int(found.tallies.games.sum()) == found.games
    checks = found.checks().set_index("check")["holds"]
    assert checks["every game is counted once"]
    assert found.bots()["win_share"].sum() == pytest.approx(1)


def test_a_table_of_one_bot_and_a_game_of_one(mirror: Results) -> None:
    found = simulate(POOL[:2], games=1, rotate=False)
    assert found.games == 1
    bots = found.bots()
    assert bots["prestige_low"].isna().all()
    assert ((bots["win_share_low"] >= 0) & (bots["win_share_high"] <= 1)).all()
    assert bots["win_share_high"].max() - bots["win_share_low"].min() > 0.5, "one game says little"
    assert len(mirror.bots()) == 1


def test_run_plays_an_experiment_file(tmp_path: Path) -> None:
    file = tmp_path / "who.yaml"
    file.write_text("# Who wins?\npool: [stop_at_n, random_legal]\ngames: 100000\n")
    found = skate_sim.run(file, games=40, seed=5)
    assert (found.games, found.plan.seed, found.question, found.name) == (40, 5, "Who wins?", "who")


def test_importing_is_quick() -> None:
    code = "import sys, skate_sim; heavy = {'numba', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules); print(heavy)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
    code = "import sys, skate_sim.api; print({'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
