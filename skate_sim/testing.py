"""For tests: whole games as transcripts, and bots held to their word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skate_sim import games
from skate_sim.bot_check import check
from skate_sim.bot_files import as_code, parse_bot
from skate_sim.bot_report import BotReport
from skate_sim.games import load as load_game
from skate_sim.lineups import fixed_lineup
from skate_sim.policy import Bot, make_bot
from skate_sim.simulation import Plan, make_plan, tell_game


def plan_of(
    bots: Sequence[Any],
    *,
    game: str = games.DEFAULT_GAME,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    edits: Mapping[str, Any] | None = None,
    count: int = 1,
    seed: int = 1,
    lineups: np.ndarray | None = None,
) -> Plan:
    """A plan for bots by seat: names with parameters (``"stop_at_n:n=3"``), classes, functions or Bots.

    The same bot in several seats is one entry. ``lineups`` replaces the fixed table when given.
    """
    declared = games.load(game)
    entries: list[Bot] = []
    table: list[int] = []
    for source in bots:
        bot = _bot(source, declared)
        known = [e.identity for e in entries]
        if bot.identity not in known:
            entries.append(bot)
            known.append(bot.identity)
        table.append(known.index(bot.identity))
    resolved = declared.resolve(declared, len(bots), preset, rules, edits)
    return make_plan(resolved, entries, fixed_lineup(table) if lineups is None else lineups, count, seed)


def _bot(source: Any, game: games.Game) -> Bot:
    if isinstance(source, Bot):
        return source
    return parse_bot(source, game) if isinstance(source, str) else make_bot(as_code(source, game))


def transcript_lines(
    bots: Sequence[Any],
    game_number: int,
    *,
    seed: int = 1,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    edits: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """One game as the list of dicts that ``skate-sim play --json`` prints, a line each.

    Parameters
    ----------
    bots : sequence
        By seat, as in :func:`plan_of`; 2 to 5.
    game_number, seed : int
    preset, rules, edits
        Preset name; switches that differ; edits of the cards, as ``{"cards.ollie.points": 2}``.
    """
    return tell_game(plan_of(bots, preset=preset, rules=rules, edits=edits, seed=seed), game_number)


def check_bot(bot: Any, *, game: str = games.DEFAULT_GAME, games: int = 200, seed: int = 1) -> BotReport:
    """Hold a bot to its word: legal, repeatable, unable to peek, the same compiled and as plain Python.

    Parameters
    ----------
    bot : str, class, function or Bot
        As in :func:`plan_of`.
    game : str
        Name of the game.
    games : int
        About how many games it plays, over all numbers of seats and presets, against itself and the bundled bots.
    seed : int
        Of the games, and of the positions that are looked at closely.

    Returns
    -------
    BotReport
        ``report.passed`` says whether it kept every promise, ``print(report)`` which one it broke, and where.

    Raises
    ------
    BotError
        It cannot be loaded or compiled.
    """
    return check(_bot(bot, load_game(game)), games, seed)
