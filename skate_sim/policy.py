"""What a bot is, and how one is given its parameters.

A bot is a Python file (or a class, or a function) that defines some of its game's decisions as functions. Their
arguments are any of ``view``, ``params``, ``memo`` and ``luck``, and the bot's parameters by name; for what a bot
does not define, the game has a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from skate_sim.games import MAX_MEMO, Game, choices_text

#: Parameters are kept in 64 bits.
_HUGE = 2.0**62

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
        """Fingerprint of everything that its decisions depend on; see :mod:`skate_sim.bot_fingerprint`."""
        from skate_sim.bot_fingerprint import digest_of

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
