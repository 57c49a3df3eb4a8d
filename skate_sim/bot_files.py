"""Bots by name, from their files or from Python: where they are found, how they are loaded, and what they declare."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from skate_sim.games import COMMON_TRAITS, MAX_PARAMETERS, Game, choices_text
from skate_sim.locations import bundled
from skate_sim.policy import ARGUMENTS, Bot, BotCode, BotError, Memory, Parameter, make_bot

#: How the modules that bots' files are loaded as are called.
FILE_MODULE = "skate_sim_bot_"


def parse_bot(text: str, game: Game, folders: Iterable[Path] = ()) -> Bot:
    """The bot that a command line means: ``risk_threshold``, ``risk_threshold:limit=0.3``, ``my/bot.py:n=5``."""
    name, _, tail = text.partition(":")
    values: dict[str, Any] = {}
    for pair in filter(None, tail.split(",")):
        key, equals, value = pair.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not math.isfinite(number):
            raise BotError(f"found {pair!r} in {text!r}; parameters are written name=number, as {name}:limit=0.3")
        values[key.strip()] = int(number) if number == int(number) and "." not in value else number
    return make_bot(find_code(name, game, folders), values)


def find_code(name: str, game: Game, folders: Iterable[Path] = ()) -> BotCode:
    """Find a bot by name or by path.

    A name is looked up next to the experiment (``folders``), then in ``./strategies``, then among the bundled
    bots. A path (it ends in ``.py``) is relative to the experiment, then to the current folder.

    Raises
    ------
    BotError
        There is none, with the nearest name; or its file cannot be loaded.
    """
    folders = [*folders, Path()]
    if name.endswith(".py"):
        for folder in folders:
            path = (folder / Path(name).expanduser()).resolve()
            if path.is_file():
                return load_file(path, game)
        raise BotError(f"no bot file {name}")
    available = available_bots(game, folders)
    if name not in available:
        raise BotError(f"no bot {name!r}; {choices_text(name, sorted(available))}")
    return load_file(available[name], game)


def available_bots(game: Game, folders: Iterable[Path] = ()) -> dict[str, Path]:
    """Path of every bot that can be named, nearest first: experiment folder, ``./strategies``, bundled."""
    found: dict[str, Path] = {}
    for folder in folders:
        _collect(folder, found)
    for folder in [*folders, Path()]:
        _collect(folder / "strategies" / game.name, found)
        _collect(folder / "strategies", found)
    return {**bundled_bots(game), **found}


def bundled_bots(game: Game) -> dict[str, Path]:
    """Path of every bot of a game that comes with the package, by name."""
    found: dict[str, Path] = {}
    _collect(bundled("strategies") / game.name, found)
    return found


def _collect(place: Path, found: dict[str, Path]) -> None:
    if place.is_dir():
        for path in sorted(place.glob("*.py")):
            if not path.stem.startswith("_") and not path.stem.startswith("test_"):
                found.setdefault(path.stem, path.resolve())


def load_file(path: Path, game: Game) -> BotCode:
    """Load a bot from its file.

    Raises
    ------
    BotError
        The file cannot be run, defines no decision, or declares something wrong.
    """
    module_name = f"{FILE_MODULE}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # numba looks up by name where a compiled function came from
    writes = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BotError(f"{_place(error, path)}: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = writes
    return _code_from(vars(module), path.stem, path, inspect.getdoc(module) or "", game)


def as_code(source: Any, game: Game, folders: Iterable[Path] = ()) -> BotCode:
    """A bot's code from a name, a path, a module, a class or a function."""
    if isinstance(source, BotCode):
        return source
    if isinstance(source, Path):
        return load_file(source, game)
    if isinstance(source, str):
        return find_code(source, game, folders)
    if isinstance(source, ModuleType):
        path = Path(source.__file__) if source.__file__ else None
        return _code_from(vars(source), source.__name__.rpartition(".")[2], path, source.__doc__ or "", game)
    if inspect.isclass(source):
        members = {k: v.__func__ if isinstance(v, staticmethod) else v for k, v in vars(source).items()}
        return _code_from(members, source.__name__, None, inspect.getdoc(source) or "", game)
    if isinstance(source, FunctionType):
        return _code_from_function(source, game)
    raise BotError(f"found {source!r}; a bot is a name, a path, a class or a function")


def _code_from_function(function: FunctionType, game: Game) -> BotCode:
    """A function is a bot that defines the game's first decision; arguments with defaults are its parameters."""
    first = game.decisions[0].name
    declared: dict[str, Any] = {}
    for name, argument in inspect.signature(function).parameters.items():
        if name not in ARGUMENTS and argument.default is not inspect.Parameter.empty:
            value = argument.default
            declared[name] = value if isinstance(value, Parameter) else _free_parameter(name, value)
    return _code_from({**declared, first: function}, function.__name__, None, inspect.getdoc(function) or "", game)


def _free_parameter(name: str, value: Any) -> Parameter:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BotError(f"argument {name}={value!r}; parameters of a bot are numbers")
    return Parameter(value, -1_000_000_000, 1_000_000_000, "")


def _code_from(members: Mapping[str, Any], name: str, path: Path | None, doc: str, game: Game) -> BotCode:
    where = str(path) if path else name
    parameters = {k: v for k, v in members.items() if isinstance(v, Parameter)}
    memories = [v for v in members.values() if isinstance(v, Memory)]
    hooks: dict[str, FunctionType] = {}
    for decision in game.decision_names():
        if isinstance(members.get(decision), FunctionType):
            hooks[decision] = members[decision]
    if not hooks:
        raise BotError(f"{where} defines no decision; a bot of {game.title} defines any of {_names(game)}")
    if len(parameters) > MAX_PARAMETERS:
        raise BotError(f"{where} has {len(parameters)} parameters; at most {MAX_PARAMETERS}")
    if len(memories) > 1:
        raise BotError(f"{where} declares memory more than once")
    for decision, hook in hooks.items():
        _check_arguments(hook, f"{where}: {decision}", parameters)
    traits = _declared_traits(members.get("traits", {}), where, game)
    return BotCode(game, name, path, doc, parameters, memories[0].names if memories else (), hooks, traits)


def _declared_traits(traits: Any, where: str, game: Game) -> dict[str, bool]:
    valid = [*COMMON_TRAITS, *(t.name for t in game.traits)]
    if not isinstance(traits, Mapping) or not all(isinstance(value, bool) for value in traits.values()):
        raise BotError(f"{where} has traits {traits!r}; they are written {{'{valid[0]}': True, ...}}, True or False")
    for name in traits:
        if name not in valid:
            raise BotError(f"{where} declares a trait {name!r}; {choices_text(name, valid)}")
    return dict(traits)


def _names(game: Game) -> str:
    return ", ".join(game.decision_names())


def _check_arguments(hook: Callable[..., Any], where: str, parameters: Mapping[str, Parameter]) -> None:
    valid = [*ARGUMENTS, *parameters]
    for argument, how in inspect.signature(hook).parameters.items():
        if how.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            raise BotError(f"{where} takes {how}; a hook names its arguments: {', '.join(valid)}")
        if argument not in valid:
            raise BotError(f"{where} takes an argument {argument!r}; {choices_text(argument, valid)}")


def _place(error: BaseException, path: Path) -> str:
    """File and line of an error inside a bot's file."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{path}, line {error.lineno}"
    line = 0
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}, line {line}" if line else str(path)
