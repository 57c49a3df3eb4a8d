"""YAML text as plain data that remembers the line of every key.

Keys are kept as they are written (``180:`` is the key ``"180"``, ``on:`` is ``"on"``); of the values, only numbers,
``true``/``false`` (``yes``, ``on``, ...) and ``null`` are anything but text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

#: A place in a file: keys, and positions in lists.
KeyPath = tuple[str | int, ...]

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)$|0x[0-9a-fA-F]+$")
_FLOAT = re.compile(
    r"[-+]?(?:(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|[0-9][0-9_]*e[-+]?[0-9]+|\.(?:inf|nan))$",
    re.IGNORECASE,
)
_KEPT_TAGS = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:null")


class SourceError(ValueError):
    """Text that is not the YAML that we read.

    Attributes
    ----------
    line : int
        Counted from 1.
    path : tuple
        Keys that lead to the place, as far as they are known.
    """

    def __init__(self, line: int, message: str, path: KeyPath = ()) -> None:
        super().__init__(message)
        self.line, self.message, self.path = line, message, path


class _Loader(yaml.SafeLoader):
    """Reads numbers as people write them: ``1e6`` is a number; ``010``, ``12:30`` and dates are text."""

    yaml_implicit_resolvers = {  # noqa: RUF012 (the name and form that PyYAML wants)
        first: [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT_TAGS]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:int", _INT, list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+.0123456789"))


@dataclass(frozen=True)
class Source:
    """What a text says (``data``), and the line of each of its keys."""

    data: Any
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """Line of a key, or of the nearest enclosing key that the text has."""
        at = self._walk(path)[0]
        return self.lines[at] if at else 1

    def depth(self, path: KeyPath) -> int:
        """How many of a path's keys, from the outside, the text has."""
        return len(path) - self._walk(path)[1]

    def _walk(self, path: KeyPath) -> tuple[KeyPath, int]:
        """Follow a path; returns the place reached, as the text spells it, and how many keys are left.

        A key may be written in one piece (``table.row``) where the path has its parts, or the reverse.
        """
        at: KeyPath = ()
        left = list(path)
        while left and (taken := self._step(at, left)):
            at, left = taken
        return at, len(left)

    def _step(self, at: KeyPath, left: list[str | int]) -> tuple[KeyPath, list[str | int]] | None:
        for count in range(len(left), 0, -1):
            key = left[0] if count == 1 else ".".join(str(part) for part in left[:count])
            if (*at, key) in self.lines:
                return (*at, key), left[count:]
        whole = ".".join(str(part) for part in left) + "."
        inside = (path for path in self.lines if path[:-1] == at and str(path[-1]).startswith(whole))
        if (path := next(inside, None)) is not None:
            return path, []
        head, dot, tail = str(left[0]).partition(".")
        return self._step(at, [head, tail, *left[1:]]) if dot else None


def read_source(text: str) -> Source:
    """Read one YAML document.

    Raises
    ------
    SourceError
        Not YAML, more than one document, a key twice, a key or value of a kind that we do not read.
    """
    lines: dict[KeyPath, int] = {}
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        data = None if node is None else _data(loader, node, (), lines, ())
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise SourceError(line, f"found the character U+{ord(text[error.position]):04X}, which YAML forbids") from error
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error) from error
    return Source(data, lines)


def _syntax_error(error: yaml.MarkedYAMLError) -> SourceError:
    """What is wrong with the YAML, with the line in which the unfinished part begins."""
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    problem, context = error.problem or "it cannot be read", error.context or ""
    if "'\\t'" in problem:
        return SourceError(line, "not valid YAML: found a tab; YAML is indented with spaces")
    if "single document" in context:
        return SourceError(line, "not valid YAML: found a second document; a file holds one")
    if error.context_mark and error.context_mark.line + 1 < line and context.startswith("while"):
        problem += f" {context} that begins in line {error.context_mark.line + 1}"
    return SourceError(line, f"not valid YAML: {problem}")


def _data(loader: _Loader, node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], above: tuple[int, ...]) -> Any:
    """Plain data of a node; notes the lines of its keys on the way."""
    line = node.start_mark.line + 1
    if id(node) in above:
        raise SourceError(line, "found an alias of something that contains it", path)
    above = (*above, id(node))
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node, path, lines, above)
    if isinstance(node, yaml.SequenceNode):
        result = []
        for number, item in enumerate(node.value):
            lines[(*path, number)] = item.start_mark.line + 1
            result.append(_data(loader, item, (*path, number), lines, above))
        return result
    try:
        return loader.construct_object(node)  # type: ignore[no-untyped-call]
    except (yaml.MarkedYAMLError, ValueError) as error:
        raise SourceError(line, f"found {node.value!r} with the tag {node.tag!r}, which is not read", path) from error


def _mapping(
    loader: _Loader, node: yaml.MappingNode, path: KeyPath, lines: dict[KeyPath, int], above: tuple[int, ...]
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise SourceError(line, "found a list or a mapping as a key; keys are words", path)
        key = key_node.value
        if key in result:
            raise SourceError(line, f"found this key twice, first in line {lines[(*path, key)]}", (*path, key))
        lines[(*path, key)] = line
        result[key] = _data(loader, value_node, (*path, key), lines, above)
    return result


def shown(value: Any) -> str:
    """A value as a message shows it: as YAML spells it, or what kind of thing it is."""
    if isinstance(value, Mapping):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
