"""A bot that cannot be loaded, compiled or trusted is one message, and a game that it spoils can be watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import invoke


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


IMPORTS = "from skate_sim import parameter\nfrom skate_sim.games.skate_legend import PILE_1, STOP\n\n\n"
#: Bots that cannot be loaded: code, line of the experiment or of the bot, what is said.
BROKEN = {
    "syntax": ("def act(view):\n    return (\n", ("bot.py, line 2", "SyntaxError")),
    "import": ("import no_such_module\n", ("bot.py, line 1", "no_such_module")),
    "crash at import": ("x = 1\ny = x / 0\n", ("bot.py, line 2", "ZeroDivisionError")),
    "no decision": ("def choose(view):\n    return 0\n", ("defines no decision", "act, helmet, draw, reveal")),
    "unknown argument": ("def act(view, lck):\n    return 0\n", ("'lck'", "did you mean 'luck'")),
    "bad default": (f"{IMPORTS}n = parameter(9, low=0, high=3, help='x')\n", ("0 to 3",)),
}
#: Bots that cannot be compiled.
UNCOMPILABLE = {
    "returns a float": ("def act(view):\n    return 0.5\n", ("whole number", "float")),
    "returns nothing": (
        f"{IMPORTS}def act(view):\n    if view.table.may_stop:\n        return STOP\n",
        ("returns nothing",),
    ),
    "unknown name": ("def act(view):\n    return no_such\n", ("no_such",)),
    "writes to the view": (
        "def act(view):\n    view.me.combo_size = 0\n    return 1\n",
        ("a bot may not change what it sees",),
    ),
    "reads beyond the view's names": (
        "def act(view):\n    return view.deck.slots[0]\n",
        ("nothing called 'slots'", "cards"),
    ),
    "unknown part of the view": ("def act(view):\n    return view.hidden\n", ("a view has no 'hidden'", "table")),
    "a way around the view": (
        "import numpy as np\n\n\ndef act(view):\n"
        "    far = np.lib.stride_tricks.as_strided(view.hand.cards, shape=(3000,), strides=(1,))\n"
        "    return far[2000] % 2\n",
        ("as_strided",),
    ),
    "numpy's random numbers": (
        "import numpy as np\n\n\ndef act(view):\n    return np.random.randint(2)\n",
        ("numpy.random", "random(luck)"),
    ),
    "Python's random numbers": (
        "import random\n\n\ndef act(view):\n    return random.randrange(2)\n",
        ("random(luck)",),
    ),
    "changes a parameter": (
        f"{IMPORTS}n = parameter(1, low=0, high=3, help='x')\n\n\n"
        "def act(view, params):\n    params.n = 2\n    return 1\n",
        ("a bot may not change what it sees",),
    ),
}
#: Bots that spoil a game.
SPOILING = {
    "raises": (
        "def act(view):\n    if view.me.combo_size > 1:\n        raise ValueError\n    return 1\n",
        ("raised an exception", "legal answers: "),
    ),
    "divides by zero": (
        "def act(view):\n    return 1 if 1 / (view.me.combo_size - 1) > 2 else 1\n",
        ("raised an exception",),
    ),
    "reads beyond an array": (
        "def act(view):\n    return 1 if view.hand.cards[view.me.combo_size * 5000] > 99 else 1\n",
        ("raised an exception",),
    ),
    "answers illegally": ("def act(view):\n    return 99\n", ("answered 99", "legal answers: ", "1 (pile 1)")),
    "answers below zero": ("def act(view):\n    return -7\n", ("answered -7",)),
}


def write_bot(folder: Path, code: str) -> None:
    (folder / "bot.py").write_text(code)
    (folder / "x.yaml").write_text("seats:\n  - ./bot.py\n  - stop_at_n\n")


@pytest.mark.parametrize("name", BROKEN)
def test_broken_bot(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, says = BROKEN[name]
    write_bot(folder, code)
    done = invoke(capsys, "run", "x.yaml", "--games", "100")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: x.yaml:2: seats.1: ")
    assert done.err.count("\n") == 1
    assert [words for words in says if words not in done.err] == []


@pytest.mark.parametrize("name", UNCOMPILABLE)
def test_bot_that_cannot_be_compiled(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, says = UNCOMPILABLE[name]
    write_bot(folder, code)
    done = invoke(capsys, "run", "x.yaml", "--games", "100", "--no-files", "--quiet")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert "bot.py" in done.err
    assert [words for words in says if words not in done.err] == []


@pytest.mark.parametrize("name", SPOILING)
def test_bot_that_spoils_a_game(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, says = SPOILING[name]
    write_bot(folder, code)
    done = invoke(capsys, "run", "x.yaml", "--games", "100", "--seed", "5", "--no-files", "--quiet")
    assert (done.code, done.out) == (2, "")
    assert [words for words in ("Error: bot bot ", *says) if words not in done.err] == []
    message, command = done.err.splitlines()
    assert command.startswith("To see that game: skate-sim play x.yaml --game 0 --seed 5")

    told = invoke(capsys, *command.removeprefix("To see that game: skate-sim ").split())
    assert told.code == 2
    assert told.out.startswith("Skate Legend, game 0 of seed 5")
    assert "Final scores" not in told.out
    assert told.err.splitlines() == [message]


@pytest.mark.parametrize("edit", ["helper's default", "imported module", "enum"])
def test_no_stale_code_after_an_edit(edit: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a bot's decisions depend on is in its fingerprint."""
    import sys

    from skate_sim import games
    from skate_sim.bot_files import load_file

    code = {
        "helper's default": "def helper(view, k=LIMIT):\n    return k\n\n\ndef act(view):\n    return helper(view)\n",
        "imported module": "import helper_of_bot\n\n\ndef act(view):\n    return helper_of_bot.K\n",
        "enum": "from enum import IntEnum\n\n\nclass E(IntEnum):\n    K = LIMIT\n\n\ndef act(view):\n    return E.K\n",
    }[edit]
    monkeypatch.syspath_prepend(str(folder))
    digests = set()
    for limit in ("1", "2"):
        sys.modules.pop("helper_of_bot", None)
        (folder / "helper_of_bot.py").write_text(f"K = {limit}\n")
        (folder / "bot.py").write_text(code.replace("LIMIT", limit))
        digests.add(load_file(folder / "bot.py", games.load(games.DEFAULT_GAME)).digest)
    assert len(digests) == 2


def test_random_numbers_behind_a_module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that reaches them by an attribute of a module of its own is refused as well."""
    import sys

    from skate_sim import games
    from skate_sim.bot_code import compile_bot
    from skate_sim.bot_files import load_file
    from skate_sim.policy import BotError

    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "helper_of_bot", raising=False)
    roll = "import numba\nimport numpy as np\n\n\n@numba.njit\ndef roll():\n    return np.random.randint(2)\n"
    (folder / "helper_of_bot.py").write_text(roll)
    (folder / "bot.py").write_text("import helper_of_bot\n\n\ndef act(view):\n    return helper_of_bot.roll()\n")
    bot = load_file(folder / "bot.py", games.load(games.DEFAULT_GAME))
    with pytest.raises(BotError, match=r"numpy\.random"):
        compile_bot(bot)
    sys.modules.pop("helper_of_bot")


def test_a_name_that_is_not_there_is_told_with_its_line(tmp_path: Path) -> None:
    from skate_sim import games
    from skate_sim.bot_code import compile_bot
    from skate_sim.bot_files import load_file
    from skate_sim.policy import BotError

    file = tmp_path / "broken.py"
    file.write_text("def act(view):\n    answer = 1\n    return anser\n")
    with pytest.raises(BotError, match=r"broken\.py, line 3: .*'anser'"):
        compile_bot(load_file(file, games.load("skate_legend")))
