"""``skate-sim show``: the tables of a stored run, printed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.console import Console
from rich.text import Text

from skate_sim.console import output, say, write
from skate_sim.games import choices_text
from skate_sim.run_report import print_tables
from skate_sim.saving import MANIFEST, FolderError, load, manifest_of

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.results import LoadedResults


def show_folder(folder: Path, table: str | None, form: str | None, everything: bool) -> None:
    """Print the tables of the results in a folder, or of each variant in it.

    Raises
    ------
    FolderError
        It holds no results, or not the table.
    """
    from skate_sim.results import Results

    joint = _joint(folder)
    found = {place.name: Results.load(place) for place in _places(folder, joint)}
    names = list(dict.fromkeys([*(joint[1] if joint else {}), *(n for r in found.values() for n in r.table_names())]))
    if table is not None and table not in names:
        raise FolderError(f"{folder} has no table {table!r}; {choices_text(table, names)}")
    if form == "json":
        write(json.dumps(_records(joint, found, table), ensure_ascii=False))
    elif form == "csv" or table is not None:
        write(_one_table(joint, found, table or "bots").to_csv(index=False, lineterminator="\n"))
    else:
        for results in found.values():
            _print(output(), results, everything)
        if joint and joint[1]:
            output().print()
            say(output(), f"Tables of all variants together, for --table: {', '.join(joint[1])}.")


def _joint(folder: Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]] | None:
    """Manifest and tables of several variants together; None for the results of one."""
    if (folder / MANIFEST).is_file() and "variants" in manifest_of(folder):
        return load(folder)
    return None


def _places(folder: Path, joint: object) -> list[Path]:
    """The folder, or the folders of the variants in it."""
    if (folder / MANIFEST).is_file() and not joint:
        return [folder]
    return [path.parent for path in sorted(folder.glob(f"*/{MANIFEST}"))] or [folder]


def _records(joint: Any, found: Mapping[str, LoadedResults], table: str | None) -> dict[str, Any]:
    """Manifests and tables as plain values."""
    shown = {name: _record(r.manifest(), r.tables(), table) for name, r in found.items()}
    if not joint and len(shown) == 1:
        return next(iter(shown.values()))
    return (_record(joint[0], joint[1], table) if joint else {}) | {"variants": shown}


def _record(manifest: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], table: str | None) -> dict[str, Any]:
    rows = {
        name: json.loads(frame.to_json(orient="records", double_precision=15))
        for name, frame in tables.items()
        if table in (None, name)
    }
    return {"manifest": dict(manifest), "tables": rows}


def _one_table(joint: Any, found: Mapping[str, LoadedResults], table: str) -> pd.DataFrame:
    """A table of all variants together, or those of each with a column for the variant."""
    import pandas as pd

    if joint and table in joint[1]:
        return cast("pd.DataFrame", joint[1][table])
    tables = {name: results.tables()[table] for name, results in found.items() if table in results.table_names()}
    if len(found) == 1:
        return next(iter(tables.values()))
    return pd.concat([frame.assign(variant=name)[["variant", *frame]] for name, frame in tables.items()])


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
    print_tables(console, results, everything)
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
