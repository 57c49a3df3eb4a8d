"""From a bot's Python functions to addresses of compiled code.

A bot's functions are compiled together with a few generated lines that give them the form in which the kernel
calls (see :mod:`skate_sim.pointers`). These lines are kept in a file of their own in the cache folder, named by
a digest of everything that the bot's decisions depend on, so that numba can keep the machine code next to it.
"""

from __future__ import annotations

import dis
import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError

from skate_sim import jit
from skate_sim.bot_fingerprint import global_names, glue_source, referenced
from skate_sim.bot_messages import compile_message
from skate_sim.games import MAX_MEMO, MAX_PARAMETERS
from skate_sim.pointers import answer_of, argument_names, read_only, register_interpreted
from skate_sim.policy import Bot, BotCode, BotError
from skate_sim.rng import LUCK_DTYPE


@dataclass(frozen=True, eq=False)
class CompiledBot:
    """Addresses of a bot's hooks by decision number; holds on to the machine code."""

    addresses: Mapping[int, int]
    fixed: Mapping[int, int]  # the answer of each hook that has only one
    uses_luck: bool
    keep: tuple[Any, ...]


#: Names of numpy and numba that lead around read-only records and their bounds.
BYPASSES = frozenset({"as_strided", "sliding_window_view", "objmode", "carray", "farray"})

_compiled: dict[tuple[str, str], CompiledBot] = {}


def compile_bot(code: BotCode) -> CompiledBot:
    """Compile a bot, or take it from memory or disk.

    Raises
    ------
    BotError
        Its code does something that cannot be compiled, or tries to change what it sees.
    """
    key = (code.game.name, code.digest)
    if key not in _compiled:
        for decision, hook in code.hooks.items():
            refuse_other_luck(hook, f"{code.where}: {decision}", set())
        module = glue_module(code)
        addresses, fixed, keep = {}, {}, []
        for number, decision in enumerate(code.game.decision_names()):
            if decision in code.hooks:
                address, held = _compile_hook(code, decision, getattr(module, f"{decision}_hook"))
                addresses[number] = address
                keep.append(held)
                answer = only_answer(code.hooks[decision])
                if answer is not None:
                    fixed[number] = answer
        uses_luck = any("luck" in argument_names(hook) for hook in code.hooks.values())
        _compiled[key] = CompiledBot(addresses, fixed, uses_luck, tuple(keep))
    return _compiled[key]


def only_answer(function: FunctionType) -> int | None:
    """What a function answers that does nothing but return a constant, such as ``return False``; else None."""
    steps = [s for s in dis.get_instructions(function) if s.opname not in {"RESUME", "NOP", "CACHE"}]
    if [s.opname for s in steps[1:]] not in ([], ["RETURN_VALUE"]):
        return None
    if steps[0].opname in {"LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST"}:
        answer = steps[0].argval
    elif steps[0].opname == "LOAD_GLOBAL":
        answer = function.__globals__.get(steps[0].argval)
    else:
        return None
    if not isinstance(answer, bool | int | np.bool_ | np.integer) or not -(1 << 63) <= int(answer) < 1 << 63:
        return None
    return int(answer)


def refuse_other_luck(function: FunctionType, where: str, seen: set[int]) -> None:
    """Refuse random numbers that are not the seat's own: their games could not be repeated.

    Raises
    ------
    BotError
        The function, or one that it calls, uses ``random`` or ``numpy.random``.
    """
    if id(function) in seen:
        return
    seen.add(id(function))
    numpy_names = {name for name, value in referenced(function) if value is np}
    before = None
    for step in dis.get_instructions(function):
        if step.argval == "random" and before in numpy_names:
            raise BotError(f"{where} uses numpy.random; random numbers come from luck: random(luck)")
        before = step.argval
    for name in sorted(global_names(function.__code__) & BYPASSES):
        raise BotError(f"{where} uses {name}, which could see or change what a bot may not")
    for name, value in referenced(function):
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if module in ("random", "numpy.random", "numpy.random.mtrand"):
            raise BotError(f"{where} uses {name} of {module}; random numbers come from luck: random(luck)")
        inner = getattr(value, "py_func", value)
        if isinstance(inner, FunctionType) and not inner.__module__.startswith("skate_sim."):
            refuse_other_luck(inner, where, seen)


def parameter_words(bot: Bot) -> np.ndarray:
    """A bot's parameters as the kernel passes them on, MAX_PARAMETERS words of 8 bytes."""
    record = np.zeros(1, own_record(bot.code, "params"))
    for name, value in bot.values.items():
        record[name] = value
    return record.view(np.int64)


def _compilable(function: FunctionType, done: dict[int, Any], *, whole: bool) -> Any:
    """A copy of a function whose plain Python helpers are compiled, compiled itself."""
    if id(function) not in done:
        space = dict(function.__globals__)
        copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
        copy.__kwdefaults__ = function.__kwdefaults__
        done[id(function)] = jit.bot_function(copy, whole=whole)
        for name in global_names(function.__code__):
            value = space.get(name)
            if isinstance(value, FunctionType) and not value.__module__.startswith("skate_sim."):
                space[name] = _compilable(value, done, whole=False)
    return done[id(function)]


def own_record(code: BotCode, part: str) -> np.dtype:
    """Record of a bot's own parameters or memory, under its own names, as long as the kernel's."""
    if part == "params":
        names = [(n, np.int64 if p.whole else np.float64) for n, p in code.parameters.items()]
        capacity = MAX_PARAMETERS
    else:
        names = [(n, np.int64) for n in code.memo]
        capacity = MAX_MEMO
    if not names:
        names = [("nothing_declared_", np.int64)]  # numba knows no record without a field
    layout: Any = {
        "names": [n for n, _ in names],
        "formats": [k for _, k in names],
        "offsets": [8 * i for i in range(len(names))],
        "itemsize": 8 * capacity,
    }
    dtype: np.dtype = np.dtype(layout, align=True)
    return dtype


@cache
def _read_only_type(record: np.dtype) -> Any:
    return read_only(from_dtype(record))


def _signature(code: BotCode) -> Any:
    parts = [_read_only_type(d) for d in code.game.view_parts.values()]
    memo, params = from_dtype(own_record(code, "memo")), _read_only_type(own_record(code, "params"))
    return types.int64(*parts, memo, params, from_dtype(LUCK_DTYPE))


def glue_module(code: BotCode) -> Any:
    """The generated module of a bot; written to the cache folder once.

    Each place of a bot's file has one of its own: machine code that is kept names the module that it came from, and
    cannot be read where that module is not imported, as in another environment with the same bot.
    """
    folder = jit.cache_folder() / "bots"
    places = "|".join(sorted({hook.__module__ for hook in code.hooks.values()}))
    place = hashlib.sha256(places.encode()).hexdigest()[:8]
    path = folder / f"{code.game.name}_{code.digest}_{place}.py"
    source = glue_source(code)
    if not path.is_file() or path.read_text(encoding="utf-8") != source:  # a file may have been cut short
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".tmp", delete=False, encoding="utf-8") as file:
            file.write(source)
        os.replace(file.name, path)
    spec = importlib.util.spec_from_file_location(f"skate_sim_glue_{code.digest}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks up by name where a compiled function came from
    spec.loader.exec_module(module)
    done: dict[int, Any] = {}
    for decision, hook in code.hooks.items():
        setattr(module, decision, hook if jit.INTERPRETED else _compilable(hook, done, whole=True))
    vars(module).update(make_view=code.game.make_view, answer_of=answer_of)
    return module


def _compile_hook(code: BotCode, decision: str, glue: Any) -> tuple[int, Any]:
    if jit.INTERPRETED:
        dtypes = {"memo": own_record(code, "memo"), "params": own_record(code, "params")}
        return register_interpreted(_interpreted_hook(glue, len(code.game.view_parts), dtypes)), glue
    try:
        callback = _cached_or_fresh(_signature(code), glue)
    except (NumbaError, NotImplementedError) as error:
        raise BotError(compile_message(code, decision, str(error))) from error
    return callback.address, callback


def _cached_or_fresh(signature: Any, glue: Any) -> Any:
    """Compile, or load from disk; what cannot be loaded (say, a helper module is gone) is compiled anew."""
    try:
        return jit.c_callback(signature, cached=True)(glue)
    except NumbaError:
        raise
    except Exception:
        return jit.c_callback(signature, cached=False)(glue)


def _interpreted_hook(glue: Any, parts: int, dtypes: Mapping[str, np.dtype]) -> Any:
    """Call a hook as plain Python, with memory and parameters under the bot's own names."""

    def hook(*records: Any) -> int:
        seen, (memo, params, luck) = records[:parts], records[parts:]
        named = [r.view(np.dtype((np.record, d))) for r, d in ((memo, dtypes["memo"]), (params, dtypes["params"]))]
        return int(glue(*seen, *named, luck))

    return hook
