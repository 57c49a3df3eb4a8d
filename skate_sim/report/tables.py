"""Tables of the page: the terminal's findings, with a key to sort each cell by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from skate_sim.console import Finding
from skate_sim.digits import format_interval

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


def frame(title: str, table: pd.DataFrame, note: str = "") -> Shown:
    """A DataFrame as a table of the page, numbers with four digits."""
    numeric = [pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind) for kind in table.dtypes]
    rows = tuple(
        tuple(_cell(value, is_number) for value, is_number in zip(row, numeric, strict=True))
        for row in table.itertuples(index=False, name=None)
    )
    texts = frozenset(n for n, is_number in enumerate(numeric) if not is_number)
    return Shown(title, tuple(str(c).replace("_", " ") for c in table.columns), rows, note, texts)


def differences(table: pd.DataFrame, kinds: Mapping[str, str]) -> Shown:
    """Differences between variants, each with no more digits than its interval supports.

    Parameters
    ----------
    table : DataFrame
        One row a difference: variant, baseline, bot, outcome, label, difference, low, high, correlation, worth.
    kinds : mapping of str to str
        Kind of each outcome.
    """
    title, headings = "Differences", {"variant": "Variant", "baseline": "Against", "bot": "Bot", "label": "Outcome"}
    named = [column for column in headings if column in table]
    rows = []
    for row in table.to_dict("records"):
        kind = kinds.get(str(row.get("outcome")), "points")
        text = format_interval(row["difference"], row["low"], row["high"], kind)
        cells: list[tuple[str, float | None]] = [(str(row[column]), None) for column in named]
        cells.append((text, None if pd.isna(row["difference"]) else float(row["difference"])))
        cells += [_cell(float(f"{row[c]:.2g}"), True) for c in ("correlation", "worth") if c in table]
        rows.append(tuple(cells))
    columns = [
        *(headings[c] for c in named),
        "Difference",
        *(c.capitalize() for c in ("correlation", "worth") if c in table),
    ]
    note = "Differences are paired: the same games with the same luck. Intervals are at 95%."
    if "worth" in table:
        note += " Worth: how many independent games tell as much as one that is paired."
    return Shown(title, tuple(columns), tuple(rows), note, frozenset(range(len(named))))


def _cell(value: Any, is_number: bool) -> tuple[str, float | None]:
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return "–", None
    if not is_number:
        return str(value), None
    return (f"{value:,}" if isinstance(value, int) else f"{value:.4g}"), float(value)
