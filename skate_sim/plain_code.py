"""Compiled code taken back to the plain Python that it was made of.

A bot calls helpers that exist for compiled code only. Its twin in plain Python is a copy in which every compiled
function, however deep, is the Python function under it: slow, but with Python's own errors and checks.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any

from skate_sim.bot_code import glue_module
from skate_sim.bot_fingerprint import global_names
from skate_sim.pointers import plain_answer
from skate_sim.policy import BotCode


def plain_hooks(code: BotCode) -> dict[int, Callable[..., int]]:
    """A bot's hooks by decision number, in the form in which the kernel calls, but as plain Python.

    What the bot's code raises comes through.
    """
    module = glue_module(code)
    hooks = {}
    for number, decision in enumerate(code.game.decision_names()):
        if decision in code.hooks:
            hook = plain(getattr(module, f"{decision}_hook"))
            hook.__globals__["answer_of"] = plain_answer
            hooks[number] = hook
    return hooks


def plain(value: Any, done: dict[int, Any] | None = None) -> Any:
    """A function, compiled or not, as plain Python together with all that it calls; other values as they are."""
    done = {} if done is None else done
    if isinstance(value, ModuleType):
        return _PlainModule(value, done) if _has_compiled(value) else value
    function = getattr(value, "py_func", value)
    if not isinstance(function, FunctionType):
        return value
    if id(function) not in done:
        space = dict(function.__globals__)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__, cells)
        copy.__kwdefaults__ = function.__kwdefaults__
        done[id(function)] = copy
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = plain(original.cell_contents, done)
        for name in global_names(function.__code__):
            if name in space:
                space[name] = plain(space[name], done)
    return done[id(function)]


def _has_compiled(module: ModuleType) -> bool:
    return any(hasattr(value, "py_func") for value in vars(module).values())


class _PlainModule:
    """A module whose functions are plain Python."""

    def __init__(self, module: ModuleType, done: dict[int, Any]) -> None:
        self._module, self._done = module, done

    def __getattr__(self, name: str) -> Any:
        return plain(getattr(self._module, name), self._done)
