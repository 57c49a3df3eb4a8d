"""Holds a bot to its word: plays it at every kind of table and tests its promises on the way.

A bot is legal, repeatable, changes nothing that it sees, cannot peek, and is the same compiled and as plain
Python; see :data:`skate_sim.bot_report.PROMISES`. What it declares of itself must be so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skate_sim.bot_code import compile_bot
from skate_sim.bot_examiner import Examiner
from skate_sim.bot_files import bundled_bots, load_file
from skate_sim.bot_report import BotReport, Place
from skate_sim.bot_watch import play_one, seating_plan, watch_game
from skate_sim.games import Resolved
from skate_sim.policy import Bot, make_bot
from skate_sim.simulation import Plan, PlayError, new_state


def check(bot: Bot, games: int, seed: int) -> BotReport:
    """Check a bot in about so many games, spread over all numbers of seats and presets of its game.

    At each table the bot plays against itself, and in every seat against the bundled bots.

    Raises
    ------
    BotError
        It cannot be compiled.
    """
    compile_bot(bot.code)
    examiner = Examiner(bot, seed)
    others, tables = _others(bot), list(_tables(bot))
    number = 0
    for resolved in tables:
        seatings = [seating_plan(resolved, bots, seed) for bots in _seatings(bot, others, resolved.seats)]
        state = new_state(seatings[0])
        examiner.enter_table()
        for i in range(-(-games // len(tables))):
            _play(examiner, seatings[i % len(seatings)], state, number)
            number += 1
    return examiner.report(number)


def _tables(bot: Bot) -> Iterator[Resolved]:
    game = bot.code.game
    for preset in game.presets:
        for seats in sorted(game.seats):
            yield game.resolve(game, seats, preset, {}, {})


def _others(bot: Bot) -> list[Bot]:
    """The bundled bots, this one aside."""
    bundled = [make_bot(load_file(path, bot.code.game)) for path in sorted(bundled_bots(bot.code.game).values())]
    return [other for other in bundled if other.identity != bot.identity] or [bot]


def _seatings(bot: Bot, others: list[Bot], seats: int) -> list[list[Bot]]:
    """The bot against itself, then in each seat by turns against the others."""
    seatings = [[bot] * seats]
    for number in range(max(seats, len(others))):
        table = [others[(number + i) % len(others)] for i in range(seats)]
        table[number % seats] = bot
        seatings.append(table)
    return seatings


def _play(examiner: Examiner, plan: Plan, state: np.ndarray, number: int) -> None:
    """Play a game under the examiner's eyes, then once more without it in fresh memory."""
    fresh = new_state(plan)
    state[0].engine.entries = fresh[0].engine.entries
    examiner.sit(plan, state, number)
    seats = [seat for seat, bot in enumerate(plan.bots) if bot is examiner.bot]
    broken = examiner.promises["legal"].broken
    try:
        rows = watch_game(plan, state, number, seats, examiner.answer)
    except PlayError:
        if examiner.promises["legal"].broken == broken:
            raise  # not this bot's fault
        return
    if examiner.promises["repeatable"].broken:
        return
    try:
        same = all(np.array_equal(a, b) for a, b in zip(rows, play_one(plan, fresh, number), strict=True))
    except PlayError:
        same = False
    memory = examiner.promises["fresh memory"]
    if same:
        memory.times += 1
    else:
        memory.fail(Place(plan, number), "played again, it came out differently")
