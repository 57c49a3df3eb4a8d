"""``skate-sim show``: the tables of a stored run, printed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from skate_sim.console import output, say, show, write
from skate_sim.findings import findings
from skate_sim.games import choices_text
from skate_sim.saving import FolderError, places

if TYPE_CHECKING:
    from skate_sim.results import LoadedResults


def show_folder(folder: Path, table: str | None, form: str | None, everything: bool) -> None:
    """Print the tables of the results in a folder, or in each folder of a variant in it.

    Raises
    ------
    FolderError
        It holds no results, or not the table.
    """
    from skate_sim.results import Results

    found = {place.name: Results.load(place) for place in places(folder)}
    for results in found.values():
        if table is not None and table not in results.table_names():
            raise FolderError(f"{folder} has no table {table!r}; {choices_text(table, results.table_names())}")
    if form == "json":
        shown = {name: _record(results, table) for name, results in found.items()}
        alone = next(iter(shown.values())) if len(shown) == 1 else {"variants": shown}
        write(json.dumps(alone, ensure_ascii=False))
    elif form == "csv" or table is not None:
        _write_csv(found, table or "bots")
    else:
        for results in found.values():
            _print(output(), results, everything)


def _record(results: LoadedResults, table: str | None) -> dict[str, Any]:
    """Manifest and tables as plain values."""
    tables = {table: results.tables()[table]} if table else results.tables()
    rows = {name: json.loads(t.to_json(orient="records", double_precision=15)) for name, t in tables.items()}
    return {"manifest": results.manifest(), "tables": rows}


def _write_csv(found: Mapping[str, LoadedResults], table: str) -> None:
    import pandas as pd

    tables = []
    for name, results in found.items():
        rows = results.tables()[table]
        if len(found) > 1:
            rows.insert(0, "variant", name)
        tables.append(rows)
    write(pd.concat(tables).to_csv(index=False, lineterminator="\n"))


def _print(console: Console, results: LoadedResults, everything: bool) -> None:
    """What the run was, its tables, and whether its checks held."""
    manifest = results.manifest()
    console.print(Text(results.name, "bold"))
    say(console, results.question)
    console.print()
    console.print(Text(_what(results, manifest)))
    if results.partial:
        text = f"PARTIAL: stopped after {results.games:,} of {manifest['games_planned']:,} games."
        console.print(Text(text, "bold red"))
    if results.declaration.notice:
        console.print(Text(results.declaration.notice, "bold"))
    for finding in findings(results, everything):
        show(console, finding)
    console.print()
    broken = results.checks().query("not holds")["check"].tolist()
    held = Text(f"CHECKS FAILED: {', '.join(broken)}", "bold red") if broken else Text("All checks held.")
    console.print(held)


def _what(results: LoadedResults, manifest: Mapping[str, Any]) -> str:
    game, changes = results.declaration, list(_changes(manifest["changes"]))
    rules = f"{manifest['preset']} rules" + (f" but {', '.join(changes)}" if changes else "")
    return (
        f"{game.title}, {manifest['seats']} {game.seat_word}s, {rules}. {results.games:,} games of seed "
        f"{manifest['seed']}, played {manifest['time']['started_at'][:10]} with skate-sim "
        f"{manifest['versions']['skate_sim']}."
    )


def _changes(changes: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    for where, change in changes.items():
        new = change["to"]
        text = "removed" if new is None else "added" if isinstance(new, dict) else str(new)
        yield f"{where.removeprefix('rules.')}: {text.lower() if isinstance(new, bool) else text}"
