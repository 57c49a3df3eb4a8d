"""What a function says, in words that are the same on every version of Python: for the fingerprint of a bot.

Bytecode is not: with it, no result could be verified, or gone on with, on another Python. So the fingerprint is of
the syntax tree of the function's source, but only where that source, compiled once more, gives the very code that
runs. Where it does not (the file was edited or deleted since, or there never was one), it is of the bytecode.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import Any


def code_text(code: CodeType) -> Iterator[str]:
    """All that a function's code says, without comments, layout and line numbers."""
    node = _syntax_of(code)
    if node is not None:
        yield _plain(node)
    else:
        yield f"bytecode of Python {sys.version_info[0]}.{sys.version_info[1]}"
        yield from _bytecode_text(code)


def _syntax_of(code: CodeType) -> ast.AST | None:
    """The syntax tree of a function, if its source is there and is what runs."""
    linecache.checkcache(code.co_filename)
    try:
        functions, codes = _parsed("".join(linecache.getlines(code.co_filename)), code.co_filename)
    except (SyntaxError, ValueError):
        return None
    nodes = [node for node in functions if (_first_line(node), _name(node)) == (code.co_firstlineno, code.co_name)]
    return nodes[0] if len(nodes) == 1 and code in codes else None


@lru_cache(maxsize=32)
def _parsed(text: str, filename: str) -> tuple[list[Any], set[CodeType]]:
    """Syntax trees and code of all functions in a text."""
    tree = ast.parse(text, filename)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    return functions, set(_all_codes(compile(text, filename, "exec", dont_inherit=True)))


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_codes(constant)


def _first_line(node: Any) -> int:
    decorators = getattr(node, "decorator_list", [])
    return int(min(part.lineno for part in (node, *decorators)))


def _name(node: Any) -> str:
    return getattr(node, "name", "<lambda>")


def _plain(part: Any) -> str:
    """A syntax tree as text; what is empty is left out, as newer versions have more fields."""
    if isinstance(part, ast.Constant):
        return repr(part.value)
    if isinstance(part, ast.AST):
        fields = [f"{name}={_plain(value)}" for name, value in ast.iter_fields(part) if value not in (None, [])]
        return f"{type(part).__name__}({', '.join(fields)})"
    if isinstance(part, list):
        return f"[{', '.join(map(_plain, part))}]"
    return repr(part)


def _bytecode_text(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _bytecode_text(constant)
        else:
            yield repr(constant)
