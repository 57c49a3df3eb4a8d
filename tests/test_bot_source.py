"""What a bot's fingerprint is made of: the same on every Python, and never of a source that is not what runs."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from skate_sim.bot_source import code_text

#: Written down, so that the suite fails on a Python that sees it otherwise.
EXPECTED = (
    "FunctionDef(name='act', args=arguments(args=[arg(arg='view'), arg(arg='n')], defaults=[4]), body=[Return("
    "value=IfExp(test=Compare(left=Attribute(value=Name(id='view', ctx=Load()), attr='size', ctx=Load()), "
    "ops=[GtE()], comparators=[Name(id='n', ctx=Load())]), body=0, orelse=None))])"
)
SOURCE = "def act(view, n=4):\n    return 0 if view.size >= n else None\n"


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., FunctionType]:
    """Writes a module, imports it, and gives a function of it."""

    def loaded(source: str, name: str = "act") -> FunctionType:
        path = tmp_path / "bot.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location("bot", path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))  # past any cache of bytecode
        function: Any = getattr(module, name)
        assert isinstance(function, FunctionType)
        return function

    return loaded


def text(function: FunctionType) -> str:
    return "\n".join(code_text(function.__code__))


def test_words_are_those_of_every_python(load: Callable[..., FunctionType]) -> None:
    assert text(load(SOURCE)) == EXPECTED


def test_layout_and_comments_do_not_matter(load: Callable[..., FunctionType]) -> None:
    spread = (
        "import math\n\n\ndef act(view, n=4):  # of four\n    return (\n        0 if view.size >= n else None\n    )\n"
    )
    assert text(load(spread)) == EXPECTED
    assert text(load(SOURCE.replace("0 if", "1 if"))) != EXPECTED


def test_decorated_inner_and_nameless_functions_have_a_source(load: Callable[..., FunctionType]) -> None:
    same = "def same(function):\n    return function\n\n\n@same\n@same\n" + SOURCE
    assert "decorator_list=[Name(id='same'" in text(load(same))
    inner = (
        "def outer():\n    k = 2\n\n    def act(view):\n        return view.size > k\n    return act\n\nact = outer()\n"
    )
    assert text(load(inner)).startswith("FunctionDef(name='act'")
    assert text(load("act = lambda view: 7\n")) == "Lambda(args=arguments(args=[arg(arg='view')]), body=7)"
    two = "act, other = (lambda view: 7), (lambda view: 7)\n"
    assert text(load(two)).startswith("bytecode of Python"), "which of the two it is cannot be told"


def test_a_source_that_is_not_what_runs_does_not_count(load: Callable[..., FunctionType], tmp_path: Path) -> None:
    old = load(SOURCE)
    before = text(old)
    (tmp_path / "bot.py").write_text(SOURCE.replace("0 if", "1 if"))
    assert text(old).startswith("bytecode of Python")
    (tmp_path / "bot.py").write_text(SOURCE.replace("0 if", "0 fi"))
    assert text(old).startswith("bytecode of Python"), "no Python any more"
    (tmp_path / "bot.py").unlink()
    assert text(old).startswith("bytecode of Python")
    assert text(load(SOURCE)) == before


def test_without_any_source_it_is_the_bytecode() -> None:
    space: dict[str, Any] = {}
    exec(SOURCE, space)
    assert text(space["act"]).startswith("bytecode of Python")
