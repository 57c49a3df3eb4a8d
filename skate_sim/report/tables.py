"""Tables of the page: the terminal's findings, with a key to sort each cell by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skate_sim.console import Finding

_NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Shown:
    """A table: rows of (text, key) pairs; the key is a number, or None where the text itself is sorted by."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, float | None], ...], ...]
    note: str = ""
    texts: frozenset[int] = frozenset({0})


def shown(finding: Finding) -> Shown:
    """A finding as a table of the page."""
    texts = frozenset({0, *(n for n, name in enumerate(finding.columns) if name in finding.texts)})
    rows = tuple(
        tuple((str(cell), None if n in texts else sort_key(str(cell))) for n, cell in enumerate(row))
        for row in _whole_names(finding.rows)
    )
    return Shown(finding.title, tuple(finding.columns), rows, finding.note, texts)


def _whole_names(rows: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Rows whose names do without the row above, where the terminal indents: once sorted, that is another one."""
    above = ""
    for row in rows:
        if row and row[0].startswith("  "):
            yield [f"{above}, {row[0].strip()}", *row[1:]]
        else:
            above = row[0] if row else ""
            yield row


def unbroken(text: str) -> str:
    """A number with its interval that stays on one line, or ends it before a bracket."""
    return text.replace(" ", "\u00a0").replace("\u00a0(", " (")


def sort_key(text: str) -> float | None:
    """The first number of a cell; None where there is none."""
    found = _NUMBER.search(text.replace("−", "-"))
    return float(found[0].replace(",", "")) if found else None
