"""What there is to choose from: bots with their parameters, rule switches, presets, data tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from skate_sim import games
from skate_sim.bot_files import available_bots, find_code, load_file
from skate_sim.console import Finding, csv_text, output, say, show, write
from skate_sim.games import Column, Game, Resolved, Switch
from skate_sim.games import Table as DataTable
from skate_sim.policy import BotCode, BotError, Parameter

#: A column that has its default in more than this share of rows is folded into the last one.
_MOSTLY = 0.7
#: Columns of the bots as CSV.
_BOT_COLUMNS = ("bot", "text", "file", "error", "parameter", "default", "low", "high", "help")


def print_bots(name: str | None, game_name: str | None, form: str | None) -> None:
    """Print all bots of a game in a table, or everything about one; as CSV, a row for each parameter."""
    game = games.load(game_name or games.DEFAULT_GAME)
    if name is not None:
        code = find_code(name, game)
        if form == "json":
            write(json.dumps(_bot_record(code), indent=2))
        elif form == "csv":
            write(csv_text(_BOT_COLUMNS, _bot_rows(code.name, code, "")))
        else:
            _print_bot(output(), code)
        return
    found = [(bot, *_loaded(path, game)) for bot, path in sorted(available_bots(game).items())]
    if form == "csv":
        write(csv_text(_BOT_COLUMNS, [row for found_bot in found for row in _bot_rows(*found_bot)]))
        return
    if form == "json":
        records = [_bot_record(code) if code else {"bot": bot, "error": error} for bot, code, error in found]
        write(json.dumps(records, indent=2))
        return
    rows = [[bot, code.text if code else f"cannot be loaded: {error}", _parameters(code)] for bot, code, error in found]
    columns = ["Bot", "What it does", "Parameters"]
    note = "skate-sim bots NAME tells all about one. Parameters are given as NAME:parameter=number."
    show(output(), Finding(f"Bots of {game.title}", columns, rows, note, frozenset(columns)))


def _bot_rows(name: str, code: BotCode | None, error: str) -> list[list[Any]]:
    """A row for each parameter of a bot, or one."""
    first = [name, code.text if code else "", str(code.path or "") if code else "", error]
    parameters = code.parameters if code else {}
    rows = [[*first, key, p.default, p.low, p.high, p.help] for key, p in parameters.items()]
    return rows or [[*first, *[""] * 5]]


def _loaded(path: Any, game: Game) -> tuple[BotCode | None, str]:
    try:
        return load_file(path, game), ""
    except BotError as error:
        return None, str(error)


def _parameters(code: BotCode | None) -> str:
    if code is None:
        return ""
    return "\n".join(f"{name}={p.default:g} ({_range(p)})" for name, p in code.parameters.items())


def _range(parameter: Parameter) -> str:
    return f"{parameter.low:g} to {parameter.high:g}"


def _bot_record(code: BotCode) -> dict[str, Any]:
    parameters = {
        name: {"default": p.default, "low": p.low, "high": p.high, "whole": p.whole, "help": p.help}
        for name, p in code.parameters.items()
    }
    file = str(code.path) if code.path else None
    return {"bot": code.name, "text": code.text, "doc": code.doc, "file": file, "parameters": parameters} | {
        "decisions": list(code.hooks)
    }


def _print_bot(console: Console, code: BotCode) -> None:
    console.print(Text(code.name, "bold"))
    console.print(Text(code.doc.strip() or "It has no docstring."))
    if code.parameters:
        rows = [[name, f"{p.default:g}", _range(p), p.help] for name, p in code.parameters.items()]
        columns = ["Parameter", "Default", "Range", "Meaning"]
        show(console, Finding("Parameters", columns, rows, texts=frozenset({"Meaning"})))
    console.print()
    decisions = ", ".join(f"{d.name}" for d in code.game.decisions if d.name in code.hooks)
    others = [d for d in code.game.decisions if d.name not in code.hooks]
    console.print(f"Decides: {decisions}")
    for decision in others:
        console.print(Text(f"Leaves {decision.name} to the default: {decision.default}"))
    console.print(Text(f"File: {code.where}"), soft_wrap=True)


def print_rules(preset: str | None, game_name: str | None, form: str | None) -> None:
    """Print presets, switches and data tables of a game: of one preset, or of all side by side."""
    game = games.load(game_name or games.DEFAULT_GAME)
    chosen = [preset] if preset else list(game.presets)
    resolved = {name: game.resolve(game, game.default_seats, name, {}, {}) for name in chosen}
    first = resolved[preset or game.default_preset]
    if form == "json":
        write(json.dumps(_rules_record(game, resolved), indent=2))
    elif form == "csv":
        write("\n".join(_table_csv(first, table.name, table.columns) for table in game.tables))
    else:
        _print_rules(output(), game, resolved, first)


def _rules_record(game: Game, resolved: Mapping[str, Resolved]) -> dict[str, Any]:
    switches = [
        {
            "switch": s.name,
            "help": s.help,
            "valid": _valid(s),
            "values": {p: r.rules[s.name] for p, r in resolved.items()},
        }
        for s in game.switches
    ]
    tables = {
        p: {t: {row: dict(c) for row, c in rows.items()} for t, rows in r.tables.items()} for p, r in resolved.items()
    }
    presets = {name: text for name, text in game.presets.items() if name in resolved}
    return {"game": game.name, "seats": sorted(game.seats), "presets": presets, "switches": switches, "tables": tables}


def _table_csv(resolved: Resolved, table: str, columns: tuple[Column, ...]) -> str:
    rows = resolved.tables[table]
    cells = [[row, *(_plain(values[c.name]) for c in columns)] for row, values in rows.items()]
    return csv_text(["id", *(c.name for c in columns)], cells)


def _print_rules(console: Console, game: Game, resolved: Mapping[str, Resolved], first: Resolved) -> None:
    console.print(Text(game.title, "bold"))
    say(console, game.description)
    seats = ", ".join(str(n) for n in sorted(game.seats))
    console.print(f"Seats: {seats}. Presets:")
    for name in resolved:
        default = " (default)" if name == game.default_preset and "default" not in game.presets[name] else ""
        console.print(Text(f"  {name}: {game.presets[name]}{default}"))
    columns = ["Switch", *resolved, "Meaning (values)"]
    rows = [
        [s.name, *(_plain(r.rules[s.name]) for r in resolved.values()), f"{s.help} ({_valid(s)})"]
        for s in game.switches
    ]
    note = "Set in an experiment as rules: {switch: value}."
    show(console, Finding("Rule switches", columns, rows, note, frozenset(columns)))
    for table in game.tables:
        show(console, _data_table(first, table))
        show(console, _columns_table(table))


def _data_table(resolved: Resolved, table: DataTable) -> Finding:
    """A data table; columns that mostly have their default are told in words in the last one."""
    rows = resolved.tables[table.name]
    usual = {c.name: sum(cells[c.name] == c.default for cells in rows.values()) / len(rows) for c in table.columns}
    wide = [c for c in table.columns if c.default is None or usual[c.name] <= _MOSTLY]
    rest = [c for c in table.columns if c not in wide]
    cells = [
        [row, *(_plain(values[c.name]) for c in wide), ", ".join(_unusual(rest, values))]
        for row, values in rows.items()
    ]
    headings = ["id", *(c.name for c in wide), "also"]
    texts = frozenset({"id", "also", *(c.name for c in wide if c.kind != "whole")})
    return Finding(f"{table.help} ({table.name}, {resolved.preset})", headings, cells, texts=texts)


def _columns_table(table: DataTable) -> Finding:
    """What the columns of a data table mean and may hold."""
    rows = []
    for column in table.columns:
        values = {"flag": "true, false", "text": "text"}.get(column.kind, ", ".join(column.choices))
        values = f"{column.low} to {column.high}" if column.kind == "whole" else values
        default = "" if column.default is None else f"; default {_plain(column.default)}"
        rows.append([column.name, f"{column.help} ({values}{default})"])
    note = f"Edited in an experiment as edits: {{{table.name}.ID.COLUMN: value}}; {{{table.name}.ID: remove}} takes a "
    note += "row out, and a new ID with all columns that have no default adds one."
    columns = ["Column", "Meaning (values)"]
    return Finding(f"Columns of {table.name}", columns, rows, note, frozenset(columns))


def _unusual(columns: list[Column], values: Mapping[str, Any]) -> Iterator[str]:
    for column in columns:
        value = values[column.name]
        if value != column.default:
            yield column.name if value is True else f"{column.name} {_plain(value)}"


def _valid(switch: Switch) -> str:
    if switch.kind == "flag":
        return "true, false"
    numbers = [f"{switch.low} to {switch.high}"] if switch.kind == "whole" else []
    return ", ".join([*numbers, *switch.choices])


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
