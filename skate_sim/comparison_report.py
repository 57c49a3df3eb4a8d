"""A comparison on the terminal: what ``skate-sim run`` prints of it, and ``skate-sim show`` of its folder."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from skate_sim.comparison_results import ComparisonAnswers, ComparisonResults
from skate_sim.console import say, show, tell
from skate_sim.digits import counted
from skate_sim.games import load as load_game
from skate_sim.run_report import print_results
from skate_sim.summary import Summary, about_variant
from skate_sim.variant_games import games_in_words, stopped_in_words


def print_comparison(console: Console, found: ComparisonAnswers, everything: bool = False) -> None:
    """Print what was compared, what was found in words, then the tables, the most important first.

    ``everything`` adds what did not change, what pairs are worth, and, of games that were just played, each variant.
    """
    said, manifest = found.summary(), found.manifest()
    if everything and isinstance(found, ComparisonResults):
        for name in found.names:
            print_results(console, found.variant(name), name, everything)
    console.print()
    console.print(Text(_about(found, manifest)), soft_wrap=False)
    if manifest["notice"]:
        console.print(Text(manifest["notice"], "bold"))
    for words in said.variants:
        line = about_variant(words, manifest["variants"][words.name]["preset"])
        console.print(Text(f" {line}"), soft_wrap=True)
    if hidden := len(found.names) - len(said.variants):
        belong = "belongs" if hidden == 1 else "belong"
        say(console, f"{counted(hidden, 'variant')} {belong} to the sections of the file.")
    if not manifest["comparable"]:
        say(console, f"The variants are not compared game by game: {manifest['not_comparable']}.")
    _mark_partial(console, found, manifest)
    if said.findings:
        console.print()
        for sentence in said.findings:
            tell(console, sentence)
    for finding in said.everything if everything else said.tables:
        show(console, finding)
    console.print()
    _print_sureness(console, said, everything)
    if said.precision:
        console.print(Text(said.precision, "bold" if "not reached" not in said.precision else "bold yellow"))
    if said.checks:
        what = "Checks that do not hold, perhaps as the run was stopped" if found.partial else "CHECKS FAILED"
        console.print(Text(f"{what}: {'; '.join(said.checks)}", "yellow" if found.partial else "bold red"))
    else:
        console.print(Text("Checks: all hold in every variant."))
    _mark_partial(console, found, manifest)


def _about(found: ComparisonAnswers, manifest: dict[str, Any]) -> str:
    """Game, seats, games, and when or how fast they were played."""
    game, pairs = load_game(manifest["game"]), manifest["tables_of"]
    seats = {its["seats"] for its in manifest["variants"].values()}
    table = f", {pairs or seats.pop()} {game.seat_word}s" if len(seats) == 1 else ""
    games = f"{counted(found.games, 'game')}{' of each pair' if pairs else ''}"
    if not pairs and len(found.names) > 1:
        games = games_in_words(found.games_by_variant)
    text = f"{game.title}{table}. {games} of seed {manifest['seed']}"
    if isinstance(found, ComparisonResults):
        kept = f", {found.kept:,} of them played before," if found.kept else ""
        speed = f", {found.played / found.seconds:,.0f} games/s" if found.seconds > 0 and found.played else ""
        return f"{text}{kept} in {found.seconds:.1f} s{speed}."
    when = f"{manifest['time']['started_at'][:10]} with skate-sim {manifest['versions']['skate_sim']}"
    return f"{text}, played {when}."


def _print_sureness(console: Console, said: Summary, everything: bool) -> None:
    for line in said.sureness if everything else [line for line in said.sureness if "beyond doubt" in line]:
        say(console, line)


def _mark_partial(console: Console, found: ComparisonAnswers, manifest: dict[str, Any]) -> None:
    if found.partial:
        console.print(Text(f"PARTIAL: {stopped_in_words(manifest)}.", "bold red"))
