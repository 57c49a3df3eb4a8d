"""The fingerprint of a bot: of its functions, of all that they use, and of the lines that call them."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from skate_sim.bot_source import code_text
from skate_sim.pointers import argument_names
from skate_sim.policy import ARGUMENTS, BotCode


def digest_of(code: BotCode) -> str:
    """Fingerprint of what a bot's decisions depend on: its functions, all they call, constants, declarations."""
    digest = hashlib.sha256()
    for name, declared in code.parameters.items():
        digest.update(f"parameter {name} {declared.whole}".encode())
    digest.update(f"memo {code.memo}".encode())
    digest.update(glue_source(code).encode())
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
    for name, value in referenced(function):
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


def referenced(function: FunctionType) -> list[tuple[str, Any]]:
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


def glue_source(code: BotCode) -> str:
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
