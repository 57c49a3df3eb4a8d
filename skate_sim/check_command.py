"""``skate-sim check``: a bot held to its word."""

from __future__ import annotations

import json

from rich.console import Console
from rich.text import Text

from skate_sim import games
from skate_sim.bot_check import check
from skate_sim.bot_files import parse_bot
from skate_sim.bot_report import BotReport, Promise
from skate_sim.console import Finding, announce_compiling, csv_text, output, say, show, working, write
from skate_sim.digits import counted
from skate_sim.jit import is_warm


def check_and_print(bot: str, count: int, seed: int, game: str | None, form: str | None) -> bool:
    """Check a bot and print what was found; returns whether it kept every promise."""
    chosen = parse_bot(bot, games.load(game or games.DEFAULT_GAME))
    if not is_warm():
        announce_compiling()
    with working("Checking"):
        report = check(chosen, count, seed)
    if form == "json":
        write(json.dumps(report.to_dict(), indent=2, ensure_ascii=False))
    elif form == "csv":
        rows = [[p.name, not p.broken if p.times else "", p.times, p.broken, p.meaning] for p in report.promises]
        write(csv_text(["promise", "kept", "tests", "broken", "meaning"], rows))
    else:
        print_report(output(), report)
    return report.passed


def print_report(console: Console, report: BotReport) -> None:
    """Print a report as tables, and every broken promise with the game to look at."""
    console.print(Text(report.bot.full_name, "bold"))
    say(console, report.bot.code.text)
    show(console, _promises(report))
    show(console, _decisions(report))
    show(console, _traits(report))
    for promise in report.broken:
        _print_broken(console, promise)
    console.print()
    many = len(report.broken)
    verdict = f"{counted(many, 'promise')} broken." if many else "Every promise kept."
    console.print(Text(verdict, "bold red" if many else "bold"))


def _promises(report: BotReport) -> Finding:
    rows = [[p.name, _verdict(p), f"{p.times:,}", p.meaning] for p in report.promises]
    note = f"{counted(report.games, 'game')}, {counted(report.questions, 'question')}, seed {report.seed}."
    return Finding("Promises", ["Promise", "Kept", "Tests", "Meaning"], rows, note, frozenset({"Kept", "Meaning"}))


def _verdict(promise: Promise) -> str:
    if not promise.times:
        return "not tested"
    return f"BROKEN in {promise.broken:,}" if promise.broken else "yes"


def _decisions(report: BotReport) -> Finding:
    rows = [
        [d.name, f"{d.asked:,}", "the bot" if d.defined else "the game's default", _nanoseconds(d.nanoseconds)]
        for d in report.decisions
    ]
    note = "Cost of a decision in nanoseconds, compiled and called as in a run."
    if report.nanoseconds is not None:
        note += f" A decision of the bot costs {_nanoseconds(report.nanoseconds)} ns on average."
    return Finding("Decisions", ["Decision", "Asked", "Answered by", "Cost"], rows, note, frozenset({"Answered by"}))


def _nanoseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _traits(report: BotReport) -> Finding:
    words = {True: "yes", False: "no", None: "-"}
    rows = [[t.name, words[t.holds], f"{t.seen:,}", words[t.declared], t.help] for t in report.traits]
    columns = ["Trait", "Has it", "Seen", "Declared", "Meaning"]
    note = "Seen: answers that show it, or, for deterministic, that speak against it. Declared: in the bot's traits."
    return Finding("Traits", columns, rows, note, frozenset({"Has it", "Declared", "Meaning"}))


def _print_broken(console: Console, promise: Promise) -> None:
    console.print()
    console.print(Text(f"Broken: {promise.name}", "bold red"))
    console.print(Text(promise.finding))
    if promise.command:
        console.print(Text(f"To see that game: {promise.command}"), soft_wrap=True)
