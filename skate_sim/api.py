"""Simulate from Python: bots in, answers out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.bot_files import as_code, find_code, parse_bot
from skate_sim.digits import counted
from skate_sim.dispatch import Progress
from skate_sim.executors import Crew
from skate_sim.games import DEFAULT_GAME, Game
from skate_sim.games import load as load_game
from skate_sim.lineups import SeatingError, fixed_lineup, rotated_lineups
from skate_sim.playing import play_kept
from skate_sim.policy import Bot, BotCode, BotError, make_bot
from skate_sim.precision import Precision
from skate_sim.results import Results
from skate_sim.simulation import Plan, make_plan

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: What ``bots`` may be: sources in a list, or by the name to show.
Sources = Sequence[Any] | Mapping[str, Any]

MAX_SEED = 2**64 - 1
MAX_GAMES = 10**12


def simulate(
    bots: Sources,
    *,
    game: str = DEFAULT_GAME,
    players: int | None = None,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    edits: Mapping[str, Any] | None = None,
    games: int = 1_000_000,
    seed: int = 1,
    rotate: bool = True,
    threads: int | None = None,
    executor: Executor | Crew | str | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    precision: Precision | float | Mapping[str, Any] | None = None,
    question: str = "",
    name: str = "run",
    folders: Iterable[Path] = (),
) -> Results:
    """Play games between bots and return what came of them.

    Parameters
    ----------
    bots : list, or dict of name to source
        A bot is its name, with parameters if you like (``"risk_threshold:limit=0.3"``), the path of a file, a
        class, a function, any of these with parameters as ``(source, {"limit": 0.3})``, a BotCode or a Bot.
        The names of a dict are shown instead of the bots' own.
    game : str
        Name of the game.
    players : int, optional
        Seats at the table. By default as many as bots, at most the game's usual number.
    preset : str, optional
        Rules to start from; the game's default when left out.
    rules : mapping, optional
        Switches that differ from the preset.
    edits : mapping, optional
        Cells of the game's tables that differ, as ``{"table.row.column": value}``.
    games : int
        Rounded up so that every lineup plays equally often.
    seed : int
        Same seed, same games.
    rotate : bool
        True: the bots are a pool, each different; every bot sits in every seat equally often. False: they are
        the table by seat, and one bot may have several seats.
    threads : int, optional
        Threads, or processes, to play on; all processors when left out. The result does not depend on it.
    executor : str or concurrent.futures.Executor, optional
        What plays the games: ``"threads"`` (default), ``"processes"``, ``"dask"``, the address of a Dask scheduler as
        ``"tcp://host:8786"``, or any executor. The result does not depend on it. An executor that breaks is replaced
        by a new one; one that was given here as an object by threads.
    chunk : int, optional
        Games played at once by a thread; by default sized by time. The result does not depend on it.
    progress : callable, optional
        Called with (games finished, games in all, seconds since the start).
    checkpoint : str or Path, optional
        Folder for the results; every few seconds, finished games are kept there, until the results are saved to it.
    resume : bool
        Go on from the finished games in the folder ``checkpoint``, be it of a run that was stopped or a complete one
        with fewer games. The tables are those of a run that was never stopped.
    precision : float, mapping or Precision, optional
        Stop as soon as every bot's interval of the headline is this tight (half its width, of shares in points of a
        percent), ``games`` at the latest; or ``{"half_width": 0.1, "outcome": "win_share"}``. All intervals are then
        wider, so that they are valid although they were looked at time and again (see docs/statistics.md).
    question, name : str
        For titles.
    folders : iterable of Path
        Where bots are looked up first.

    Returns
    -------
    Results
        Of fewer games than asked for (``partial``) when interrupted with Ctrl-C.

    Raises
    ------
    ContentError
        Rules, edits or seats that the game cannot play.
    BotError
        A bot that cannot be found, loaded or compiled, or is there twice.
    SeatingError
        Bots and seats that do not fit together.
    PlayError
        A game that could not be finished.
    ExecutorError
        No such executor, or workers that are lost again and again.
    CheckpointError
        Finished games that cannot be kept, or that belong to another run.
    """
    plan = plan_games(
        bots,
        game=game,
        players=players,
        preset=preset,
        rules=rules,
        edits=edits,
        games=games,
        seed=seed,
        rotate=rotate,
        folders=folders,
    )
    for word, value in (("threads", threads), ("chunk", chunk)):
        if value is not None:
            whole(word, value, 1, MAX_GAMES)
    words: dict[str, Any] = {"threads": threads, "executor": executor, "chunk": chunk, "progress": progress}
    finished = play_kept(plan, **words, checkpoint=checkpoint, resume=resume, precision=precision)
    given = given_experiment(plan, question, rules or {}, edits or {}, rotate)
    return Results(
        plan,
        finished.played.total,
        finished.played.games,
        finished.seconds,
        question=question,
        experiment=given,
        name=name,
        started=finished.started,
        played=finished.played,
        kept=finished.kept,
        reached=finished.reached,
    )


def run(path: str | Path, **overrides: Any) -> Results | ComparisonResults:
    """Play an experiment file; ``overrides`` replace what it says, as ``run("x.yaml", games=1000)``.

    Returns
    -------
    Results or ComparisonResults
        The latter when the experiment has variants or other sections that are compared.
    """
    from skate_sim.experiment import load_experiment

    return load_experiment(path).simulate(**overrides)


def plan_games(
    bots: Sources,
    *,
    game: str = DEFAULT_GAME,
    players: int | None = None,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    edits: Mapping[str, Any] | None = None,
    games: int = 1_000_000,
    seed: int = 1,
    rotate: bool = True,
    folders: Iterable[Path] = (),
) -> Plan:
    """The plan that :func:`simulate` plays; its parameters are the same."""
    declared = load_game(game)
    games, seed = whole("games", games, 1, MAX_GAMES), whole("seed", seed, 0, MAX_SEED)
    if players is not None:
        players = whole("players", players, 1, max(declared.seats))
    for word, mapping in (("rules", rules), ("edits", edits)):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise ValueError(f"found {word}={mapping!r}; {word} is a mapping of names to values")
    chosen = as_bots(bots, declared, folders)
    entries, lineups = _pool(chosen, declared, players) if rotate else _table(chosen, players)
    resolved = declared.resolve(declared, lineups.shape[1], preset, rules, edits)
    return make_plan(resolved, entries, lineups, games, seed)


def as_bots(bots: Sources, game: Game, folders: Iterable[Path] = ()) -> list[Bot]:
    """The bots that :func:`simulate` is given, one for each source.

    Raises
    ------
    BotError
        See :func:`simulate`.
    """
    if isinstance(bots, str | Path) or not isinstance(bots, Sequence | Mapping):
        raise BotError(f"found {bots!r} for the bots; they are a list, or a dict of names to bots")
    if not bots:
        raise SeatingError("no bots; name at least one")
    folders = list(folders)
    if isinstance(bots, Mapping):
        return [_as_bot(source, game, folders, str(label)) for label, source in bots.items()]
    return [_as_bot(source, game, folders, "") for source in bots]


def _as_bot(source: Any, game: Game, folders: list[Path], label: str) -> Bot:
    """A bot from any of the forms in which it may be given."""
    values: Mapping[str, Any] = {}
    if isinstance(source, tuple):
        if len(source) != 2 or not isinstance(source[1], Mapping):
            raise BotError(f"found {source!r}; a bot with parameters is (bot, {{parameter: number}})")
        source, values = source
    if isinstance(source, str):
        source = parse_bot(source, game, folders)
    if isinstance(source, Path):
        source = find_code(str(source), game, folders)
    if isinstance(source, Bot):
        code, values, label = source.code, {**source.values, **values}, label or source.label
    else:
        code = source if isinstance(source, BotCode) else as_code(source, game, folders)
    if code.game is not game:
        raise BotError(f"{code.name} is a bot of {code.game.title}, not of {game.title}")
    return make_bot(code, values, label)


def _pool(bots: list[Bot], game: Game, players: int | None) -> tuple[list[Bot], np.ndarray]:
    """Entries and lineups of different bots that are rotated through the seats."""
    known: dict[Any, Bot] = {}
    for bot in bots:
        if bot.identity in known:
            twins = f"{known[bot.identity].name} ({known[bot.identity].code.where}) and {bot.name} ({bot.code.where})"
            raise BotError(
                f"{twins} are the same bot, with the same code and parameters; a pool has different bots. To let a "
                f"bot play itself, give the table by seat (rotate=False)"
            )
        known[bot.identity] = bot
    seats = players or game.usual_seats(len(bots))
    if seats not in game.seats:
        valid = ", ".join(str(n) for n in sorted(game.seats))
        raise SeatingError(f"{counted(len(bots), 'bot')} for {seats} seats; {game.title} is for {valid}")
    return bots, rotated_lineups(len(bots), seats)


def _table(bots: list[Bot], players: int | None) -> tuple[list[Bot], np.ndarray]:
    """Entries and the one lineup of bots by seat; the same bot in several seats is one entry."""
    if players is not None and players != len(bots):
        found = f"{counted(len(bots), 'bot')} by seat for {counted(players, 'player')}"
        raise SeatingError(f"{found}; without rotation each seat has its bot")
    entries: list[Bot] = []
    lineup = []
    for bot in bots:
        number = next((n for n, other in enumerate(entries) if other.identity == bot.identity), len(entries))
        if number == len(entries):
            entries.append(bot)
        elif bot.label and entries[number].label and bot.label != entries[number].label:
            twins = f"{entries[number].label!r} and {bot.label!r}"
            raise BotError(f"{twins} are the same bot, {bot.full_name}; give it one name in all its seats")
        elif bot.label:
            entries[number] = bot
        lineup.append(number)
    return entries, fixed_lineup(lineup)


def given_experiment(
    plan: Plan, question: str, rules: Mapping[str, Any], edits: Mapping[str, Any], rotate: bool
) -> dict[str, Any]:
    """What was asked of a plan, for its manifest."""
    return {
        "question": question,
        "game": plan.game.name,
        "players": plan.resolved.seats,
        "preset": plan.resolved.preset,
        "rules": dict(rules),
        "edits": dict(edits),
        "pool" if rotate else "seats": _listed(plan, rotate),
        "games": plan.games,
        "seed": plan.seed,
    }


def _listed(plan: Plan, rotate: bool) -> list[dict[str, Any]]:
    """The pool, or the bots by seat, as an experiment file lists them."""
    numbers = range(len(plan.bots)) if rotate else plan.layout.lineups[0, : plan.resolved.seats].tolist()
    bots = [plan.bots[n] for n in numbers]
    return [{"bot": str(b.code.path or b.code.name), "label": b.name, **b.values} for b in bots]


def whole(word: str, value: Any, low: int, high: int) -> int:
    """A whole number in a range; ``1e6`` is one, too."""
    is_number = isinstance(value, int | float | np.integer) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or int(value) != value or not low <= value <= high:
        raise ValueError(f"found {word}={value!r}; {word} is a whole number from {low:,} to {high:,}")
    return int(value)
