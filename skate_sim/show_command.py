"""``skate-sim show``: what a stored run found, printed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from skate_sim.console import output, say, write
from skate_sim.digits import counted
from skate_sim.games import choices_text
from skate_sim.run_report import leading_table, print_tables
from skate_sim.saving import FolderError, manifest_of

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.results import LoadedResults
    from skate_sim.stored_comparison import LoadedComparison


def show_folder(
    folder: Path, table: str | None, form: str | None, everything: bool, variant: str | None = None
) -> None:
    """Print what was found of the results in a folder: of a comparison what the run printed, or one of its variants.

    Raises
    ------
    FolderError
        It holds no results, or not the table or variant.
    """
    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.results import Results

    if manifest_of(folder).get("kind") != "comparison":
        if variant is not None:
            raise FolderError(f"{folder} holds a single run; it has no variant {variant!r}")
        _show_run(folder, Results.load(folder), table, form, everything)
        return
    found = ComparisonResults.load(folder)
    if variant is None:
        _show_comparison(folder, found, table, form, everything)
        return
    if variant not in found.shown:
        valid = choices_text(variant, found.shown) if found.shown else "it has only what sections found of all together"
        raise FolderError(f"{folder} has no tables of a variant {variant!r}; {valid}")
    _show_run(folder, found.variant(variant), table, form, everything)


def _show_run(folder: Path, found: LoadedResults, table: str | None, form: str | None, everything: bool) -> None:
    _check(folder, table, found.table_names())
    if form == "json":
        write(json.dumps(_record(found.manifest(), found.tables(), table), ensure_ascii=False))
    elif form == "csv" or table is not None:
        write(found.tables()[table or "bots"].to_csv(index=False, lineterminator="\n"))
    else:
        _print(output(), found, everything)


def _show_comparison(
    folder: Path, found: LoadedComparison, table: str | None, form: str | None, everything: bool
) -> None:
    from skate_sim.comparison_report import print_comparison

    joint, variants = found.tables(), {name: found.variant(name) for name in found.shown}
    _check(folder, table, [*joint, *(name for its in variants.values() for name in its.table_names())])
    if form == "json":
        records = {name: _record(its.manifest(), its.tables(), table) for name, its in variants.items()}
        said = {"findings": found.summary().findings, "variants": records}
        write(json.dumps(_record(found.manifest(), joint, table) | said, ensure_ascii=False))
    elif form == "csv" or table is not None:
        write(_one_table(found, table).to_csv(index=False, lineterminator="\n"))
    else:
        console = output()
        console.print(Text(found.name, "bold"))
        say(console, found.question)
        print_comparison(console, found, everything)
        for its in variants.values() if everything else ():
            console.print()
            _print(console, its, everything)
        names = f"Tables for --table: {', '.join(joint)}. " if joint else ""
        one = "One variant: --variant NAME. " if found.shown else ""
        say(console, f"{names}{one}All of everything: --all.")


def _check(folder: Path, table: str | None, names: Iterable[str]) -> None:
    names = list(dict.fromkeys(names))
    if table is not None and table not in names:
        raise FolderError(f"{folder} has no table {table!r}; {choices_text(table, names)}")


def _record(manifest: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], table: str | None) -> dict[str, Any]:
    rows = {
        name: json.loads(frame.to_json(orient="records", double_precision=15))
        for name, frame in tables.items()
        if table in (None, name)
    }
    return {"manifest": dict(manifest), "tables": rows}


def _one_table(found: LoadedComparison, table: str | None) -> pd.DataFrame:
    """A table of all variants together, or those of each with a column for the variant."""
    import pandas as pd

    if table is None:
        return leading_table(found)
    if table in found.tables():
        return found.tables()[table]
    tables = {n: its.tables()[table] for n in found.shown if table in (its := found.variant(n)).table_names()}
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
        f"{game.title}, {manifest['seats']} {game.seat_word}s, {rules}. {counted(results.games, 'game')} of seed "
        f"{manifest['seed']}, played {manifest['time']['started_at'][:10]} with skate-sim "
        f"{manifest['versions']['skate_sim']}."
    )


def _changes(changes: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    for where, change in changes.items():
        new = change["to"]
        text = "removed" if new is None else "added" if isinstance(new, dict) else str(new)
        yield f"{where.removeprefix('rules.')}: {text.lower() if isinstance(new, bool) else text}"
