"""Checks of an experiment against what its game declares. Each mistake is one message that names its line and key."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skate_sim import games
from skate_sim.bot_files import find_code, parse_bot
from skate_sim.digits import counted
from skate_sim.experiment_file import BotEntry, ExperimentFile, Settings
from skate_sim.games import ContentError, Game
from skate_sim.lineups import SeatingError, rotated_lineups
from skate_sim.policy import Bot, BotCode, BotError, make_bot
from skate_sim.yaml_source import KeyPath, Source


class ExperimentError(ValueError):
    """A mistake in an experiment; the message says where, what was found, and what would be valid."""

    @classmethod
    def at(cls, file: Path, line: int, where: KeyPath, message: str) -> ExperimentError:
        """The error ``FILE:LINE: key.path: message``; places in lists count from 1."""
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in where)
        return cls(f"{file}:{line}: {key + ': ' if key else ''}{message}")


@dataclass(frozen=True)
class Reporter:
    """Makes the errors of a file, or of one variant in it."""

    file: Path
    source: Source
    variant: str = ""

    def of_variant(self, name: str) -> Reporter:
        """The reporter for one of the variants."""
        return replace(self, variant=name)

    def error(self, where: KeyPath, message: str) -> ExperimentError:
        """The error at a key: the variant's own if it has that key, else the whole experiment's."""
        own: KeyPath = ("variants", self.variant)
        if self.variant and self.source.depth((*own, *where)) - len(own) >= self.source.depth(where):
            where = (*own, *where)
        return ExperimentError.at(self.file, self.source.line(where), where, message)

    def parameter(self, entry: KeyPath, bot: str, name: str) -> KeyPath:
        """Key of a bot's parameter, whichever way the bot is written."""
        short = (*entry, name)
        return short if self.source.depth(short) == len(short) else (*entry, bot, name)


def loaded_game(name: str, report: Reporter) -> Game:
    """The game that an experiment names."""
    try:
        return games.load(name)
    except ContentError as error:
        raise report.error(("game",), error.message) from error


def merged(base: ExperimentFile, own: Settings) -> Settings:
    """Settings of a variant: its own switches and edits on top of the experiment's, its own bots instead."""
    chosen = own if own.seats is not None or own.pool is not None else base
    return Settings.model_construct(
        preset=own.preset or base.preset,
        rules=base.rules | own.rules,
        edits=merged_edits(base.edits, own.edits),
        seats=chosen.seats,
        pool=chosen.pool,
        players=own.players if own.players is not None or own.seats is not None else base.players,
    )


def merged_edits(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Edits on top of others."""
    result = dict(base)
    for key, value in own.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged_edits(result[key], value) if both else value
    return result


def checked_players(settings: Settings, game: Game, report: Reporter) -> int:
    """Seats at the table, after checking them, rules and edits."""
    seats, pool, players = settings.seats, settings.pool, settings.players
    if (seats is None) == (pool is None):
        where = () if seats is None else ("pool",)
        found = "neither seats nor pool" if seats is None else "both seats and pool"
        raise report.error(where, f"found {found}; seats is a table by seat, pool is rotated through the seats")
    if seats is not None and players not in (None, len(seats)):
        raise report.error(
            ("players",), f"found {players}; seats has {counted(len(seats), 'bot')}, players goes with pool"
        )
    count = len(seats) if seats is not None else players or game.usual_seats(len(pool or ()))
    if count not in game.seats:
        valid = ", ".join(str(n) for n in sorted(game.seats))
        key = "seats" if seats is not None else "players" if players is not None else "pool"
        raise report.error((key,), f"found {count}; {game.title} is for {valid} {game.seat_word}s")
    _check_new_rows(settings.edits, game, report)
    try:
        game.resolve(game, count, settings.preset, settings.rules, settings.edits)
    except ContentError as error:
        raise report.error(error.where, error.message) from error
    return count


def _check_new_rows(edits: Mapping[str, Any], game: Game, report: Reporter) -> None:
    """Take a new row that is not complete for a misspelt one."""
    for table in game.tables:
        rows = edits.get(table.name)
        for row, cells in rows.items() if isinstance(rows, Mapping) else ():
            if row not in table.rows and isinstance(cells, Mapping):
                needed = [c.name for c in table.columns if c.default is None]
                if any(name not in cells for name in needed):
                    near = games.choices_text(row, table.rows)
                    message = f"no row {row!r} in {table.name}; {near}; a new row needs {', '.join(needed)}"
                    raise report.error(("edits", table.name, row), message)


def checked_bots(settings: Settings, players: int, game: Game, report: Reporter) -> tuple[Bot, ...]:
    """The bots, loaded from their files and given their parameters."""
    key, entries = ("seats", settings.seats) if settings.seats is not None else ("pool", settings.pool or [])
    codes: dict[str, BotCode] = {}
    bots = tuple(_checked_bot(entry, (key, number), game, report, codes) for number, entry in enumerate(entries))
    for number, bot in enumerate(bots):
        for earlier in range(number):
            if bot.identity == bots[earlier].identity:
                same = f"found {bot.full_name} again, it is {key}.{earlier + 1} too"
                if key == "pool":
                    raise report.error((key, number), f"{same}; a pool has each bot once")
                if bot.label and bots[earlier].label and bot.label != bots[earlier].label:
                    raise report.error((key, number), f"{same}; the same bot has one label in all its seats")
    if key == "pool":
        try:
            rotated_lineups(len(bots), players)
        except SeatingError as error:
            raise report.error((key,), str(error)) from error
    return bots


def _checked_bot(entry: BotEntry, where: KeyPath, game: Game, report: Reporter, codes: dict[str, BotCode]) -> Bot:
    """A bot with its parameters; ``codes`` are those that were loaded before, as many bots may be of one."""
    folders = [report.file.parent]
    try:
        if ":" in entry.bot:
            parsed = parse_bot(entry.bot, game, folders)
            code, values = parsed.code, dict(parsed.values)
        else:
            code, values = codes.get(entry.bot) or find_code(entry.bot, game, folders), {}
            codes[entry.bot] = code
    except BotError as error:
        near = _near_file(entry.bot, report.file.parent) if str(error).startswith("no bot file") else ""
        raise report.error(where, f"{error}{near}") from error
    for name, value in entry.parameters.items():
        try:
            values[name] = make_bot(code, {name: value}).values[name]
        except BotError as error:
            raise report.error(report.parameter(where, entry.bot, name), str(error)) from error
    return make_bot(code, values, entry.label)


def _near_file(name: str, folder: Path) -> str:
    """End of a message about a bot's file that is not there: the nearest one in its folder."""
    place = folder / Path(name).parent
    files = sorted(f.name for f in place.glob("*.py")) if place.is_dir() else []
    near = difflib.get_close_matches(Path(name).name, files, n=1)
    if near:
        return f"; did you mean {str(Path(name).parent / near[0])!r}?"
    return f"; {place.resolve()} has {', '.join(files) or 'no Python files'}"
