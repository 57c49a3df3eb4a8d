"""Data tables and rule switches, loaded, edited and checked; the same for every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from skate_sim.games import Column, ContentError, Switch, Table, choices_text

Cells = dict[str, Any]
Rows = dict[str, Cells]

#: Value of an edit that takes a row out of its table.
REMOVE = "remove"


def load_table(path: Path, name: str, help: str, columns: tuple[Column, ...], capacity: int, provenance: str) -> Table:
    """Read a table's rows from YAML (row id: cells); cells left out take the column's default."""
    raw = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    rows = {str(row): _complete(columns, (name, str(row)), cells) for row, cells in raw.items()}
    return Table(name, help, columns, rows, capacity, provenance)


def edit_tables(
    tables: Iterable[Table], edits: Mapping[str, Any]
) -> tuple[dict[str, Rows], dict[str, tuple[Any, Any]]]:
    """Apply an experiment's edits.

    Parameters
    ----------
    tables : iterable of Table
    edits : mapping
        ``"table.row.column": value``, ``"table.row": {column: value, ...}`` (a new row, or several cells of an
        old one) or ``"table.row": "remove"``; or the same nested.

    Returns
    -------
    tables : dict of table name to rows
    changes : dict
        ``{"cards.ollie.points": (1, 2)}``: what really differs, with old and new value; None where a row is new
        or gone.

    Raises
    ------
    ContentError
        Unknown table, row or column, a value of the wrong type or out of range, too many rows.
    """
    by_name = {t.name: t for t in tables}
    result: dict[str, Rows] = {t.name: {row: dict(cells) for row, cells in t.rows.items()} for t in by_name.values()}
    for where, table_name, row, column, value in _flatten(edits, by_name):
        table = by_name[table_name]
        rows = result[table_name]
        if not isinstance(value, Mapping) or column is not None:
            _known_row(table_name, rows, row, where)
        if column is not None:
            rows[row][column] = checked_cell(_column(table, column, where), value, where)
        elif isinstance(value, Mapping) and row not in rows:
            rows[row] = _complete(table.columns, where, value)
        elif isinstance(value, Mapping):
            for name, cell in value.items():
                inner = (*where, str(name))
                rows[row][str(name)] = checked_cell(_column(table, str(name), inner), cell, inner)
        elif value == REMOVE or value is None:
            del rows[row]
        else:
            raise ContentError(where, f"found {value!r}; a row takes a mapping of columns, or {REMOVE!r}")
    for table in by_name.values():
        if len(result[table.name]) > table.capacity:
            raise ContentError(
                ("edits",), f"{len(result[table.name])} rows in table {table.name}; at most {table.capacity}"
            )
    return result, _differences(by_name, result)


def resolve_switches(
    switches: tuple[Switch, ...], presets: Mapping[str, str], preset: str, chosen: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """Value of every switch: the preset's, or the experiment's where it names one.

    Returns
    -------
    rules : dict of switch name to value
    changes : dict
        ``{"rules.rounds": (4, 3)}``: what differs from the preset.
    """
    if preset not in presets:
        raise ContentError(("preset",), f"no preset {preset!r}; {choices_text(preset, presets)}")
    known = {s.name: s for s in switches}
    rules = {s.name: s.presets[preset] for s in switches}
    changes = {}
    for name, value in chosen.items():
        where = ("rules", str(name))
        if name not in known:
            raise ContentError(where, f"no rule switch {str(name)!r}; {choices_text(name, known)}")
        value = _checked_switch(known[name], value, where)
        if value != rules[name]:
            changes[f"rules.{name}"] = (rules[name], value)
            rules[name] = value
    return rules, changes


def checked_cell(column: Column, value: Any, where: tuple[str, ...]) -> Any:
    """The value, if the column may hold it."""
    if column.kind == "flag":
        if not isinstance(value, bool):
            raise ContentError(where, f"found {value!r}; {column.name} is true or false")
        return value
    if column.kind == "text":
        if not isinstance(value, str) or not value.strip():
            raise ContentError(where, f"found {value!r}; {column.name} is a text")
        return value
    if column.kind == "choice":
        if value not in column.choices:
            raise ContentError(where, f"found {value!r}; {choices_text(value, column.choices)}")
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise ContentError(where, f"found {value!r}; {column.name} is a whole number{_range_text(column)}")
    if (column.low is not None and value < column.low) or (column.high is not None and value > column.high):
        raise ContentError(where, f"found {value}; {column.name} goes from {column.low} to {column.high}")
    return value


def _range_text(column: Column) -> str:
    return "" if column.low is None else f" from {column.low} to {column.high}"


def _checked_switch(switch: Switch, value: Any, where: tuple[str, ...]) -> Any:
    if switch.kind == "flag":
        if not isinstance(value, bool):
            raise ContentError(where, f"found {value!r}; {switch.name} is true or false")
    elif switch.kind == "choice":
        if value not in switch.choices:
            raise ContentError(where, f"found {value!r}; {choices_text(value, switch.choices)}")
    elif value not in switch.choices:
        words = "".join(f", or {w}" for w in switch.choices)
        valid = f"a whole number from {switch.low} to {switch.high}{words}"
        if isinstance(value, bool) or not isinstance(value, int) or not switch.low <= value <= switch.high:
            raise ContentError(where, f"found {value!r}; {switch.name} is {valid}")
    return value


def _flatten(edits: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterable[tuple[Any, ...]]:
    """Edits one by one as (path of keys, table, row, column or None, value)."""
    for key, value in edits.items():
        parts = str(key).split(".", 2)
        where = ("edits", str(key))
        if parts[0] not in tables:
            raise ContentError(where, f"no table {parts[0]!r}; {_near_table(str(key), parts[0], tables)}")
        if len(parts) == 1:
            if not isinstance(value, Mapping):
                raise ContentError(where, f"found {value!r}; a table takes a mapping of rows")
            inner = {f"{parts[0]}.{row}": cells for row, cells in value.items()}
            for path, *rest in _flatten(inner, tables):
                row_and_column = path[1].split(".", 2)[1:]
                yield (("edits", str(key), *row_and_column), *rest)
        elif len(parts) == 2:
            yield where, parts[0], parts[1], None, value
        else:
            yield where, parts[0], parts[1], parts[2], value


def _near_table(path: str, name: str, tables: Mapping[str, Table]) -> str:
    """What could be meant by a path that does not begin with a table: a row without its table, or another name."""
    home = next((table for table in tables.values() if name in table.rows), None)
    return f"did you mean {f'{home.name}.{path}'!r}?" if home else choices_text(name, tables)


def _known_row(table: str, rows: Rows, row: str, where: tuple[str, ...]) -> None:
    if row not in rows:
        raise ContentError(where, f"no row {row!r} in table {table}; {choices_text(row, rows)}")


def _column(table: Table, name: str, where: tuple[str, ...]) -> Column:
    for column in table.columns:
        if column.name == name:
            return column
    before, colon, after = name.partition(":")
    if colon and after:
        raise ContentError(where, f"no column {name!r}; a space belongs after the colon, as in {before}: {after}")
    raise ContentError(where, f"no column {name!r}; {choices_text(name, [c.name for c in table.columns])}")


def _complete(columns: tuple[Column, ...], where: tuple[str, ...], cells: Mapping[Any, Any]) -> Cells:
    """A whole row: the cells given, checked, and the defaults of the others."""
    names = [c.name for c in columns]
    for name in cells:
        if name not in names:
            raise ContentError((*where, str(name)), f"no column {str(name)!r}; {choices_text(name, names)}")
    result = {}
    for column in columns:
        inner = (*where, column.name)
        if column.name in cells:
            result[column.name] = checked_cell(column, cells[column.name], inner)
        elif column.default is not None:
            result[column.name] = column.default
        else:
            raise ContentError(where, f"a new row needs the column {column.name!r}")
    return result


def _differences(tables: Mapping[str, Table], edited: Mapping[str, Rows]) -> dict[str, tuple[Any, Any]]:
    changes: dict[str, tuple[Any, Any]] = {}
    for name, table in tables.items():
        for row in [*table.rows, *(r for r in edited[name] if r not in table.rows)]:
            old, new = table.rows.get(row), edited[name].get(row)
            if old is None or new is None:
                changes[f"{name}.{row}"] = (old, new)
            else:
                changes |= {f"{name}.{row}.{c}": (old[c], new[c]) for c in new if old[c] != new[c]}
    return changes
