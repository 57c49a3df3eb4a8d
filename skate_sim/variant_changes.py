"""What a variant changes, against its baseline: rules, cells of tables, rows, bots; in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skate_sim.differences import row_names
from skate_sim.games import Game, Resolved
from skate_sim.observed import display_names
from skate_sim.simulation import Plan

#: Changes of a variant that are told; its manifest has all.
MOST_CHANGES = 6


@dataclass(frozen=True)
class RowEdit:
    """Cells of a row that a variant changes, as ``points 2 → 3``; the row is in both variants."""

    table: str
    row: str
    name: str
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        """The row and its edit: ``Hippy Jump: points 2 → 3``."""
        return f"{self.name}: {', '.join(self.cells)}"


def edited_rows_of(variant: Resolved, baseline: Resolved) -> list[RowEdit]:
    """Rows that both have, with other cells."""
    game, edits = variant.game, []
    for table in game.tables:
        ours, theirs = variant.tables[table.name], baseline.tables[table.name]
        names = row_names(game, table.name, theirs)
        for row in theirs:
            if row in ours and (cells := _changed_cells(theirs[row], ours[row])):
                edits.append(RowEdit(table.name, row, names[row], tuple(cells)))
    return edits


def changes_between(variant: Plan, baseline: Plan) -> list[str]:
    """Everything in which a variant is not its baseline, a few words each."""
    ours, theirs = variant.resolved, baseline.resolved
    said = [f"{ours.seats} {ours.game.seat_word}s instead of {theirs.seats}"] * (ours.seats != theirs.seats)
    said += [
        f"{name.replace('_', ' ')} {value_word(theirs.rules[name])} → {value_word(value)}"
        for name, value in ours.rules.items()
        if value != theirs.rules[name]
    ]
    said += [edit.text for edit in edited_rows_of(ours, theirs)]
    for word, some, others in (("removed", theirs, ours), ("added", ours, theirs)):
        said += [f"{name} {word}" for name in _only_in(ours.game, some, others)]
    here, there = display_names(variant.bots), display_names(baseline.bots)
    same = [bot.identity for bot in variant.bots] == [bot.identity for bot in baseline.bots]
    if not same:
        new = [f"{a} instead of {b}" if a != b else f"another {a}" for a, b in zip(here, there, strict=False) if a != b]
        said += new or [f"bots {', '.join(here)}"]
    return said


def in_short(changes: list[str]) -> str:
    """Changes in one line; no more than a few of them."""
    more = len(changes) - MOST_CHANGES
    return ", ".join([*changes[:MOST_CHANGES], *([f"{more} more"] if more > 0 else [])])


def rules_of(resolved: Resolved) -> str:
    """The preset, and in what rules and cards are not as there, in one line."""
    edits = [f"{where.removeprefix('rules.')}: {_new_word(new)}" for where, (_, new) in resolved.changes.items()]
    return f"{resolved.preset} rules" + (f" but {in_short(edits)}" if edits else "")


def _new_word(value: Any) -> str:
    if value is None:
        return "removed"
    return "added" if isinstance(value, Mapping) else value_word(value)


def value_word(value: Any) -> str:
    """A value as an experiment file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _changed_cells(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [
        f"{column.replace('_', ' ')} {value_word(before[column])} → {value_word(value)}"
        for column, value in after.items()
        if value != before[column]
    ]


def _only_in(game: Game, some: Resolved, others: Resolved) -> list[str]:
    """Names of rows that only the first has."""
    found = []
    for table in game.tables:
        names = row_names(game, table.name, some.tables[table.name])
        found += [names[row] for row in some.tables[table.name] if row not in others.tables[table.name]]
    return found
