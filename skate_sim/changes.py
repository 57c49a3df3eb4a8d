"""One number or word of an experiment, addressed by a path such as ``cards.NAME.points`` or ``players.0.limit``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from skate_sim import games
from skate_sim.experiment_check import merged_edits
from skate_sim.games import ContentError, Game, choices_text
from skate_sim.lineups import rotated_lineups
from skate_sim.policy import Bot, make_bot
from skate_sim.ranges import value_text

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment

#: Words under which a bot is addressed, by its number from 0 or by name.
BOTS = ("players", "seats", "pool")


def change(experiment: Experiment, path: str, value: Any, name: str | None = None) -> Experiment:
    """The experiment with another value in one place; :func:`check` says whether the game can play it.

    Parameters
    ----------
    path : str
        ``preset``, ``players``, ``rules.SWITCH``, ``TABLE.ROW.COLUMN``, or ``players.BOT.PARAMETER`` (also ``pool`` or
        ``seats``), with the bot's number from 0 or its name.
    name : str, optional
        Of the new experiment.

    Raises
    ------
    ContentError
        No such place.
    BotError
        A value that the bot's parameter may not have.
    """
    game = games.load(experiment.game)
    parts = path.split(".")
    changed: dict[str, Any] = {} if name is None else {"name": name}
    if path == "preset":
        changed["preset"] = value
    elif path == "players":
        changed["players"] = _seats(experiment, value, game)
    elif parts[0] in BOTS:
        changed["bots"] = _with_parameter(experiment, path, value)
    elif parts[0] == "rules" and len(parts) == 2:
        changed["rules"] = experiment.rules | {parts[1]: value}
    else:
        table, row, column = cell(path, game)
        check_row(experiment, table, row)
        changed["edits"] = merged_edits(experiment.edits, {table: {row: {column: value}}})
    return experiment.model_copy(update=changed)


def edited(experiment: Experiment, name: str, table: str, row: str, cells: Mapping[str, Any]) -> Experiment:
    """The experiment under another name, with other cells in a row."""
    edits = merged_edits(experiment.edits, {table: {row: dict(cells)}})
    return experiment.model_copy(update={"name": name, "edits": edits})


def check(experiment: Experiment) -> None:
    """Whether the game can play it.

    Raises
    ------
    ContentError
        It cannot.
    SeatingError
        The pool does not fit the table.
    """
    game = games.load(experiment.game)
    game.resolve(game, experiment.players, experiment.preset, experiment.rules, experiment.edits)
    if experiment.rotated:
        rotated_lineups(len(experiment.bots), experiment.players)
        known: list[Any] = []
        for bot in experiment.bots:
            if bot.identity in known:
                raise ContentError((), f"{bot.full_name} is then in the pool twice; a pool has each bot once")
            known.append(bot.identity)


def value_at(experiment: Experiment, path: str) -> Any:
    """The value that the experiment has in a place; of ``preset``, the game's default where none is named.

    Raises
    ------
    ContentError
        No such place.
    """
    game = games.load(experiment.game)
    parts = path.split(".")
    if path == "preset":
        return experiment.preset or game.default_preset
    if path == "players":
        return experiment.players
    if parts[0] in BOTS:
        bot, name = _addressed(experiment, path)
        return experiment.bots[bot[0]].values.get(name)
    resolved = game.resolve(game, experiment.players, experiment.preset, experiment.rules, experiment.edits)
    if parts[0] == "rules":
        return _in(resolved.rules, ".".join(parts[1:]), "rule switch")
    table, row, column = cell(path, game)
    return _in(_in(resolved.tables[table], row, f"row in {table}"), column, "column")


def _in(values: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in values:
        raise ContentError((), f"no {what} {name!r}; {choices_text(name, values)}")
    return values[name]


def cell(path: str, game: Game) -> tuple[str, str, str]:
    """Table, row and column of a path.

    Raises
    ------
    ContentError
        It is not the path of a cell.
    """
    parts = path.split(".", 2)
    tables = [t.name for t in game.tables]
    if parts[0] not in tables or len(parts) < 3:
        places = [*(f"{t}.ROW.COLUMN" for t in tables), "rules.SWITCH", "players.BOT.PARAMETER", "preset", "players"]
        raise ContentError((), f"no such place; {choices_text(path, places)}")
    return parts[0], parts[1], parts[2]


def check_row(experiment: Experiment, table: str, row: str) -> None:
    """Refuse a row that the experiment's table does not have.

    Raises
    ------
    ContentError
        With the nearest row.
    """
    rows = rows_of(experiment, table)
    if row not in rows:
        raise ContentError((), f"no row {row!r} in table {table}; {choices_text(row, rows)}")


def rows_of(experiment: Experiment, table: str) -> Mapping[str, Mapping[str, Any]]:
    """Rows of a table, with the experiment's edits."""
    game = games.load(experiment.game)
    resolved = game.resolve(game, experiment.players, experiment.preset, experiment.rules, experiment.edits)
    return resolved.tables[table]


def is_whole(experiment: Experiment, path: str) -> bool:
    """Whether only whole numbers may stand there."""
    return isinstance(value_at(experiment, path), int)


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """A short name for each path, all different."""
    paths = list(paths)
    for kept in (1, 2, 3):
        names = {path: ".".join(path.split(".")[-_parts(path, kept) :]) for path in paths}
        if len(set(names.values())) == len(names):
            break
    return names


def _parts(path: str, kept: int) -> int:
    """How many of a path's words from the end make its short name: a cell has its row at least."""
    first = path.split(".")[0]
    return kept if first == "rules" or first in BOTS else max(2, kept)


def variant_name(values: Mapping[str, Any]) -> str:
    """Readable name of a variant, such as ``limit=0.2, rounds=3``; it can be a folder's name."""
    text = ", ".join(f"{name}={value_text(value)}" for name, value in values.items())
    return re.sub(r"[^\w .,=+-]", "-", text)


def _seats(experiment: Experiment, value: Any, game: Game) -> int:
    if not experiment.rotated:
        raise ContentError((), "the bots are given by seat; another number of seats needs a pool")
    if isinstance(value, bool) or not isinstance(value, int) or value not in game.seats:
        valid = ", ".join(str(n) for n in sorted(game.seats))
        raise ContentError((), f"found {value!r}; {game.title} is for {valid} {game.seat_word}s")
    return value


def _with_parameter(experiment: Experiment, path: str, value: Any) -> tuple[Bot, ...]:
    numbers, name = _addressed(experiment, path)
    bots = list(experiment.bots)
    for number in numbers:
        bot = bots[number]
        bots[number] = make_bot(bot.code, {**bot.values, name: value}, bot.label)
    return tuple(bots)


def _addressed(experiment: Experiment, path: str) -> tuple[list[int], str]:
    """Numbers of the bots that a path addresses, and the parameter; by name it may be the same bot in several seats."""
    word, _, rest = path.partition(".")
    which, _, name = rest.rpartition(".")
    bots = experiment.bots
    if which.isdecimal():
        if int(which) >= len(bots):
            raise ContentError((), f"no bot number {which}; bots have the numbers 0 to {len(bots) - 1}")
        numbers = [int(which)]
    else:
        numbers = [n for n, bot in enumerate(bots) if which in (bot.label, bot.code.name, bot.full_name)]
        if not numbers:
            valid = choices_text(which, dict.fromkeys(bot.name for bot in bots))
            raise ContentError((), f"no bot {which!r}; {valid}, or a number from 0 to {len(bots) - 1}")
        if len({bots[n].identity for n in numbers}) > 1:
            several = ", ".join(f"{word}.{n}" for n in numbers)
            raise ContentError((), f"{len(numbers)} bots are called {which}; name one by its number: {several}")
    parameters = bots[numbers[0]].code.parameters
    if name not in parameters:
        valid = choices_text(name, parameters) if parameters else "it has none"
        raise ContentError((), f"bot {bots[numbers[0]].code.name} has no parameter {name!r}; {valid}")
    return numbers, name
