"""``skate-sim rank``: how bots do against others, and what they do otherwise."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from skate_sim import games as games_
from skate_sim.api import as_bots, simulate
from skate_sim.bot_files import available_bots, bundled_bots
from skate_sim.bot_findings import otherwise
from skate_sim.comparison_findings import signed
from skate_sim.console import RunProgress, announce_compiling, output, show, tell, write
from skate_sim.differences import listed
from skate_sim.findings import bots_finding, estimate, records
from skate_sim.jit import is_warm
from skate_sim.lineups import SeatingError
from skate_sim.observed import display_names
from skate_sim.play_command import split_bots
from skate_sim.policy import Bot, BotError
from skate_sim.ranking_findings import ranking_finding
from skate_sim.stats import Estimate

if TYPE_CHECKING:
    from skate_sim.results import Results


def rank_and_print(
    bots: Sequence[str],
    *,
    against: str | None = None,
    seats: int | None = None,
    games: int = 200_000,
    seed: int = 1,
    preset: str | None = None,
    game: str | None = None,
    threads: int | None = None,
    form: str | None = None,
) -> None:
    """Play bots against others, and print how they rank and what they do otherwise.

    Parameters
    ----------
    bots : sequence of str
    against : str, optional
        Others, separated by commas; by default those that come with the game.
    seats : int, optional
        By default those of the game's usual table, or as many as there are bots.
    form : {"json", "csv"}, optional

    Raises
    ------
    BotError
        A bot that cannot be found, loaded or given its parameters, or nobody to play against.
    """
    declared = games_.load(game or games_.DEFAULT_GAME)
    others = split_bots(against) if against else [*bundled_bots(declared).values()]
    pool, count = _pool(bots, others, declared)
    asked = display_names(pool)[:count]
    if not is_warm():
        announce_compiling()
    if seats is not None and seats not in declared.seats:
        valid = ", ".join(str(n) for n in sorted(declared.seats))
        raise SeatingError(f"found {seats} seats; {declared.title} is for {valid}")
    players = seats or declared.usual_seats(len(pool))
    with RunProgress("rank") as progress:
        results = simulate(
            pool,
            game=declared.name,
            players=players,
            preset=preset,
            games=games,
            seed=seed,
            threads=threads,
            progress=progress,
            question=f"How {'does' if count == 1 else 'do'} {listed(asked)} rank?",
            name="rank",
        )
    if form == "csv":
        table = results.ranking()
        write(table[table["outcome"] == results.headline].to_csv(index=False, lineterminator="\n"))
    elif form == "json":
        write(json.dumps(_record(results, asked), ensure_ascii=False, default=str))
    else:
        _print(results, asked)


def _pool(bots: Sequence[str], others: Sequence[str | Path], game: games_.Game) -> tuple[list[Bot], int]:
    """All bots that play, each once, and how many of them are asked about: the first."""
    pool: list[Bot] = []
    asked = 0
    for number, bot in enumerate(as_bots([*bots, *others], game)):
        if bot.identity not in [known.identity for known in pool]:
            pool.append(bot)
            asked += number < len(bots)
    if len(pool) < 2:
        raise BotError(f"found {pool[0].full_name} against itself; name others with --against")
    return pool, asked


def rank_sentences(results: Results, bot: str) -> list[str]:
    """How a bot ranks in a run, and what it does otherwise than the first (or, if it is that itself, than the next)."""
    headline = results.declaration.outcome(results.headline)
    rows = {row["bot"]: row for row in records(results.bots())}
    table = results.ranking()
    ranked = {row["bot"]: row for row in records(table[table["outcome"] == headline.name])}
    if bot not in ranked:
        return [f"{bot} has a {headline.label.lower()} of {estimate(rows[bot], headline)}; nothing ranks it."]
    its, order = ranked[bot], list(ranked)
    rank = f"{its['best_rank']}"
    if its["best_rank"] != its["worst_rank"]:
        rank += f" to {its['worst_rank']}"
    seats = int(results.manifest()["seats"])
    fair = f" (a fair share is {100 / seats:.3g}%)" if headline.kind == "share" else ""
    text = f"{bot} has rank {rank} of {len(order)}: {headline.label.lower()} {estimate(rows[bot], headline)}{fair}"
    if its["rank"] > 1:
        behind = Estimate(its["behind_best"], its["behind_best_low"], its["behind_best_high"])
        unit = " points" if headline.kind in ("share", "flag") else ""
        text += f", {signed(behind, headline).removeprefix('+')}{unit} behind {order[0]}"
    letters = set(its["group"])
    alike = [other for other in order if other != bot and letters & set(ranked[other]["group"])]
    apart = f"It cannot be told apart from {listed(alike)}." if alike else "All others can be told apart from it."
    other = order[0] if its["rank"] > 1 else order[1]
    return [f"{text}.", apart, *otherwise(results, bot, other)]


def _record(results: Results, asked: Sequence[str]) -> dict[str, Any]:
    tables = {n: json.loads(results.tables()[n].to_json(orient="records")) for n in ("ranking", "bots")}
    return {
        "manifest": results.manifest(),
        "findings": {bot: rank_sentences(results, bot) for bot in asked},
        "tables": tables,
    }


def _print(results: Results, asked: Sequence[str]) -> None:
    console, plan = output(), results.plan
    what = f"{plan.game.title}, {plan.resolved.seats} {plan.game.seat_word}s, {plan.resolved.preset} rules. "
    console.print(Text(f"{what}{results.games:,} games of seed {plan.seed}."))
    if plan.game.notice:
        console.print(Text(plan.game.notice, "bold"))
    if results.partial:
        console.print(Text(f"PARTIAL: stopped after {results.games:,} of {plan.games:,} games.", "bold red"))
    for bot in asked:
        console.print()
        for sentence in rank_sentences(results, bot):
            tell(console, sentence)
    if ranking := ranking_finding(results):
        show(console, ranking)
    table = bots_finding(results, False)
    kept = table.columns.index("sd") + 2  # what follows sd and the quantiles is told above
    rows = [row[:kept] for row in table.rows]
    show(console, replace(table, columns=table.columns[:kept], rows=rows, note=table.note.partition(" sd and")[0]))
    console.print()
    others = ",".join(_as_typed(bot) for bot in plan.bots[: plan.resolved.seats])
    console.print(Text(f"To see them play: skate-sim play --bots {shlex.quote(others)}"), soft_wrap=True)


def _as_typed(bot: Bot) -> str:
    """A bot as a command line names it: by its file, if its name would not find it."""
    path = bot.code.path
    found = path is not None and available_bots(bot.code.game, [Path()]).get(bot.code.name) == path.resolve()
    if path is None or found:
        return bot.full_name
    return f"{path}{bot.full_name.removeprefix(bot.code.name)}"
