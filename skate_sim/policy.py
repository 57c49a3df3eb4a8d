"""What a bot is, how one is found, loaded and given its parameters.

A bot is a Python file (or a class, or a function) that defines some of its game's decisions as functions. Their
arguments are any of ``view``, ``params``, ``memo`` and ``luck``, and the bot's parameters by name; for what a bot
does not define, the game has a default.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from skate_sim.games import COMMON_TRAITS, MAX_MEMO, MAX_PARAMETERS, Game, choices_text
from skate_sim.locations import bundled

#: Parameters are kept in 64 bits.
_HUGE = 2.0**62

#: How the modules that bots' files are loaded as are called.
FILE_MODULE = "skate_sim_bot_"

#: What a hook may ask for besides the bot's own parameters.
ARGUMENTS = ("view", "params", "memo", "luck")


class BotError(ValueError):
    """A bot that cannot be found, loaded, compiled or given its parameters; the message is for its author."""


@dataclass(frozen=True)
class Parameter:
    """A number that a bot's user may choose.

    Attributes
    ----------
    default, low, high : int or float
        Default and inclusive range. The parameter is a whole number when ``default`` is an int.
    help : str
        What it means, in a few words.
    """

    default: float
    low: float
    high: float
    help: str

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return isinstance(self.default, int)

    def checked(self, name: str, value: Any) -> float:
        """The value, if the parameter may have it.

        Raises
        ------
        BotError
            Wrong type, or out of range.
        """
        kind = "a whole number" if self.whole else "a number"
        if hasattr(value, "item"):
            value = value.item()  # a number of numpy's
        if isinstance(value, bool) and self.whole:
            value = int(value)
        if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= _HUGE:
            raise BotError(f"found {value!r}; {name} is {kind} from {self.low} to {self.high}")
        if self.whole and value != int(value):
            raise BotError(f"found {value!r}; {name} is a whole number from {self.low} to {self.high}")
        if not self.low <= value <= self.high:
            raise BotError(f"found {value}; {name} goes from {self.low} to {self.high}")
        return int(value) if self.whole else float(value)


def parameter(default: float, *, low: float, high: float, help: str) -> Any:
    """Declare a parameter of a bot: ``limit = parameter(0.3, low=0.0, high=1.0, help="...")``.

    Whole numbers only when ``default`` is an int. The bot reads it as ``params.limit``, or takes an argument of
    its name.
    """
    declared = Parameter(int(default) if isinstance(default, bool) else default, low, high, help)
    declared.checked("the default", default)
    return declared


@dataclass(frozen=True)
class Memory:
    """Names of the whole numbers that a bot remembers during a game."""

    names: tuple[str, ...]


def memory(*names: str) -> Any:
    """Declare what a bot remembers: ``plan = memory("target", "tricks_left")``; read and set as ``memo.target``.

    Whole numbers, 0 when a game starts; each seat has its own.
    """
    distinct = len(set(names)) == len(names)
    if not 1 <= len(names) <= MAX_MEMO or not distinct or not all(n.isidentifier() for n in names):
        raise BotError(f"memory takes 1 to {MAX_MEMO} different names, found {names!r}")
    return Memory(tuple(names))


@dataclass(frozen=True, eq=False)
class BotCode:
    """A bot's code, before it is given parameters.

    Attributes
    ----------
    name : str
        File name without ending, or name of the class or function.
    path : Path or None
        Its file; None for a bot from Python.
    text : str
        First line of the docstring: what lists show.
    hooks : dict of str to function
        The decisions that it defines.
    traits : dict of str to bool
        What it declares that it does or never does; ``skate-sim check`` holds it to that.
    """

    game: Game
    name: str
    path: Path | None
    doc: str
    parameters: Mapping[str, Parameter]
    memo: tuple[str, ...]
    hooks: Mapping[str, FunctionType]
    traits: Mapping[str, bool] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """First line of the docstring."""
        return self.doc.strip().splitlines()[0] if self.doc.strip() else ""

    @cached_property
    def digest(self) -> str:
        """Fingerprint of everything that its decisions depend on; see :mod:`skate_sim.bot_code`."""
        from skate_sim.bot_code import digest_of

        return digest_of(self)

    def __reduce__(self) -> Any:
        """Code travels to another process by value, wherever it came from."""
        from skate_sim.bot_travel import packed_code

        return packed_code(self)

    @property
    def where(self) -> str:
        """Its file, or that it comes from Python."""
        return str(self.path) if self.path else f"{self.name} (from Python)"


@dataclass(frozen=True, eq=False)
class Bot:
    """A bot with its parameters. Equal code and parameters are the same bot, whatever it is called."""

    code: BotCode
    values: Mapping[str, float] = field(default_factory=dict)
    label: str = ""

    @property
    def identity(self) -> tuple[str, tuple[tuple[str, float], ...]]:
        """What makes it the same bot: fingerprint of the code, and parameters."""
        return self.code.digest, tuple(sorted(self.values.items()))

    @property
    def name(self) -> str:
        """The label if it has one, else its name with the parameters that differ from their defaults."""
        return self.label or self.full_name

    @property
    def full_name(self) -> str:
        """Name with the parameters that differ from their defaults, as a command line spells it."""
        chosen = [f"{k}={v:g}" for k, v in self.values.items() if v != self.code.parameters[k].default]
        return self.code.name + (":" + ",".join(chosen) if chosen else "")


def make_bot(code: BotCode, values: Mapping[str, Any] | None = None, label: str = "") -> Bot:
    """Give a bot its parameters; those left out take their defaults.

    Raises
    ------
    BotError
        Unknown parameter, or a value that it may not have.
    """
    chosen: dict[str, float] = {name: p.default for name, p in code.parameters.items()}
    for name, value in (values or {}).items():
        if name not in code.parameters:
            valid = choices_text(name, code.parameters) if code.parameters else "it has none"
            raise BotError(f"bot {code.name} has no parameter {str(name)!r}; {valid}")
        try:
            chosen[name] = code.parameters[name].checked(name, value)
        except BotError as error:
            raise BotError(f"bot {code.name}: {error}") from None
    return Bot(code, chosen, label)


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
