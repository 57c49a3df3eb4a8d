"""How a bot's code reaches another process, which need not have its file.

Functions travel by value, with the helpers and constants that they use; what is installed (this package, numpy, ...)
travels by name. The fingerprint travels along, so that a bot is the same bot everywhere and is compiled once a process.
"""

from __future__ import annotations

import importlib
import io
import pickle
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import cloudpickle
from numba.core.dispatcher import Dispatcher

from skate_sim.bot_files import FILE_MODULE
from skate_sim.games import Game
from skate_sim.policy import BotCode, BotError

#: cloudpickle keeps its list of modules that travel by value for the whole process.
_by_value = threading.Lock()


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """cloudpickle, but compiled functions of this package go by name instead of being copied."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Dispatcher) and value.__module__.startswith("skate_sim."):
            module, name = value.__module__, value.py_func.__name__
            if getattr(sys.modules[module], name, None) is value:
                return _named, (module, name)
        return super().reducer_override(value)


def _named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def packed_code(code: BotCode) -> tuple[Callable[..., BotCode], tuple[Any, ...]]:
    """A bot's code in the form of ``__reduce__``.

    Raises
    ------
    BotError
        It uses something that cannot be sent, such as an open file.
    """
    file = io.BytesIO()
    try:
        with _own_modules_by_value():
            _Pickler(file, pickle.DEFAULT_PROTOCOL).dump(dict(code.hooks))
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise BotError(f"{code.where} cannot be sent to other processes: {error}") from error
    path = str(code.path) if code.path else None
    declared = (dict(code.parameters), tuple(code.memo), dict(code.traits))
    return _unpacked_code, (code.game, code.name, path, code.doc, declared, file.getvalue(), code.digest)


def _unpacked_code(
    game: Game, name: str, path: str | None, doc: str, declared: tuple[Any, ...], functions: bytes, digest: str
) -> BotCode:
    hooks: dict[str, FunctionType] = pickle.loads(functions)
    for hook in hooks.values():
        if hook.__module__.startswith(FILE_MODULE):  # numba looks up by name where kept machine code came from
            sys.modules.setdefault(hook.__module__, ModuleType(hook.__module__))
    parameters, memo, traits = declared
    code = BotCode(game, name, Path(path) if path else None, doc, parameters, memo, hooks, traits)
    vars(code)["digest"] = digest  # of the code where it came from; a file's digest could not be taken here
    return code


@contextmanager
def _own_modules_by_value() -> Iterator[None]:
    """Have functions of the user's own modules travel by value: bots' files, and helpers next to them."""
    with _by_value:
        own = [m for m in list(sys.modules.values()) if isinstance(m, ModuleType) and _is_own(m)]
        before = cloudpickle.list_registry_pickle_by_value()
        own = [m for m in own if m.__name__ not in before and sys.modules.get(m.__name__) is m]
        for module in own:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for module in own:
                cloudpickle.unregister_pickle_by_value(module)


def _is_own(module: ModuleType) -> bool:
    """Whether a module is the user's own: neither installed nor of this package or the standard library."""
    file = getattr(module, "__file__", None)
    if not file or module.__name__ == "__main__" or module.__name__.partition(".")[0] == "skate_sim":
        return False
    path = Path(file)
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return not installed and not path.is_relative_to(sysconfig.get_paths()["stdlib"])
