"""From a bot's Python functions to addresses of compiled code.

A bot's functions are compiled together with a few generated lines that give them the form in which the kernel
calls (see :mod:`skate_sim.pointers`). These lines are kept in a file of their own in the cache folder, named by
a digest of everything that the bot's decisions depend on, so that numba can keep the machine code next to it.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import importlib.util
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import EnumType
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError

from skate_sim import jit
from skate_sim.bot_source import code_text
from skate_sim.games import MAX_MEMO, MAX_PARAMETERS, choices_text
from skate_sim.pointers import answer_of, argument_names, read_only, register_interpreted
from skate_sim.policy import ARGUMENTS, Bot, BotCode, BotError
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
    numpy_names = {name for name, value in _referenced(function) if value is np}
    before = None
    for step in dis.get_instructions(function):
        if step.argval == "random" and before in numpy_names:
            raise BotError(f"{where} uses numpy.random; random numbers come from luck: random(luck)")
        before = step.argval
    for name in sorted(global_names(function.__code__) & BYPASSES):
        raise BotError(f"{where} uses {name}, which could see or change what a bot may not")
    for name, value in _referenced(function):
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


def digest_of(code: BotCode) -> str:
    """Fingerprint of what a bot's decisions depend on: its functions, all they call, constants, declarations."""
    digest = hashlib.sha256()
    for name, declared in code.parameters.items():
        digest.update(f"parameter {name} {declared.whole}".encode())
    digest.update(f"memo {code.memo}".encode())
    digest.update(_glue_source(code).encode())
    seen: set[int] = set()
    for decision, hook in code.hooks.items():
        digest.update(f"hook {decision}".encode())
        for part in _fingerprint(hook, seen):
            digest.update(part.encode())
    return digest.hexdigest()[:16]


def _fingerprint(function: FunctionType, seen: set[int]) -> Iterator[str]:
    if id(function) in seen:
        return
    seen.add(id(function))
    yield from code_text(function.__code__)
    yield repr((function.__defaults__, function.__kwdefaults__))
    for name, value in _referenced(function):
        if isinstance(value, FunctionType):
            yield f"function {name}"
            yield from _fingerprint(value, seen)
        elif hasattr(value, "py_func"):
            yield f"compiled {name}"
            if not value.py_func.__module__.startswith("skate_sim."):
                yield from _fingerprint(value.py_func, seen)
        elif isinstance(value, bool | int | float | str | tuple | np.generic):
            yield f"constant {name} {value!r}"
        elif isinstance(value, np.ndarray):
            yield f"array {name} {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        elif isinstance(value, EnumType):
            yield f"enum {name} {list(value.__members__.items())}"
        else:
            yield f"other {name} {_file_digest(value)}"


def _file_digest(value: Any) -> str:
    """Digest of the file that defines a module, class or object, unless it belongs to an installed library."""
    module = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
    file = _own_file(module)
    return hashlib.sha256(file.read_bytes()).hexdigest() if file else ""


def _own_file(module: ModuleType | None) -> Path | None:
    """File of a module, unless it belongs to this package or to an installed library."""
    file = getattr(module, "__file__", None)
    if not file or {"site-packages", "dist-packages"} & set(Path(file).parts):
        return None
    libraries = (sysconfig.get_paths()["stdlib"], Path(__file__).parent)
    return None if any(Path(file).is_relative_to(folder) for folder in libraries) else Path(file)


def _referenced(function: FunctionType) -> list[tuple[str, Any]]:
    """Names outside itself that a function uses, with their values: global, closed over, or of an own module."""
    names, spaces, known = sorted(global_names(function.__code__)), [function.__globals__], set()
    closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = [(name, cell.cell_contents) for name, cell in closure]
    while spaces:
        space = spaces.pop()
        found += [(name, space[name]) for name in names if name in space]
        for _, value in found:
            if isinstance(value, ModuleType) and id(value) not in known and _own_file(value):
                known.add(id(value))
                spaces.append(vars(value))
    return found


def global_names(code: CodeType) -> set[str]:
    """Names that a function's code looks up outside itself, attributes included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= global_names(constant)
    return names


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


def _glue_source(code: BotCode) -> str:
    """Lines that turn the kernel's call into a call of each hook."""
    parts = ", ".join(code.game.view_parts)
    lines = ["# Generated: the form in which the kernel calls this bot.", ""]
    for decision, hook in code.hooks.items():
        wanted = argument_names(hook)
        passed = {"view": f"make_view({parts})", "params": "params", "memo": "memo", "luck": "luck"}
        arguments = "".join(f"{passed[a] if a in ARGUMENTS else 'params.' + a}, " for a in wanted)
        lines += [
            f"def {decision}_hook({parts}, memo, params, luck):",
            f"    return answer_of({decision}, ({arguments}))",
            "",
            "",
        ]
    return "\n".join(lines)


def glue_module(code: BotCode) -> Any:
    """The generated module of a bot; written to the cache folder once."""
    folder = jit.cache_folder() / "bots"
    path = folder / f"{code.game.name}_{code.digest}.py"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".tmp", delete=False, encoding="utf-8") as file:
            file.write(_glue_source(code))
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
        raise BotError(_compile_message(code, decision, str(error))) from error
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


def _lines_with(code: BotCode, name: str) -> list[str]:
    """The line of a bot's file that reads a name first."""
    try:
        tree = ast.parse(code.path.read_text(encoding="utf-8")) if code.path else ast.Module([], [])
    except (OSError, SyntaxError, UnicodeDecodeError):
        return []
    loads = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    found = [node.lineno for node in loads if node.id == name]
    return [str(min(found))] if found else []


def _compile_message(code: BotCode, decision: str, text: str) -> str:
    """What numba found wrong with a bot, without its machinery."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = re.findall(rf'File "[^"]*{re.escape(code.path.name)}", line (\d+)', text) if code.path else []
    unnamed = re.search(r"NameError: name '(\w+)'", text)
    if unnamed and not lines:
        lines = _lines_with(code, unnamed.group(1))
    where = f"{code.where}, line {lines[-1]}" if lines else f"{code.where}: {decision}"
    for clue in (r"a bot may not change what it sees \(\w+\)", r"Cannot modify readonly array.*"):
        if re.search(clue, text):
            return f"{where}: a bot may not change what it sees"
    unknown = re.search(r"Unknown attribute '(\w+)' of type View", text)
    if unknown:
        return f"{where}: a view has no {unknown.group(1)!r}; {choices_text(unknown.group(1), code.game.view_fields)}"
    for clue in (
        r"(nothing called '\w+' here; [^\n]*)",
        r"(a decision answers with a whole number[^\n]*)",
        r"(Untyped global name [^\n]*)",
        r"(Use of unsupported [^\n]*)",
        r"(Unknown attribute [^\n]*)",
        r"(Field '\w+' was not found[^\n]*)",
        r"(NameError: [^\n]*)",
        r"(No implementation of function [^\n]*)",
    ):
        found = re.search(clue, text)
        if found:
            return f"{where}: {found.group(1).strip()}"
    reasons = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    return f"{where}: {reasons[0] if reasons else 'it cannot be compiled'}"
