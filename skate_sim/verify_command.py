"""``skate-sim verify``: stored results played again, and whether they come out the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from skate_sim.checkpoint import CheckpointError
from skate_sim.console import Finding, RunProgress, announce_compiling, output, say, show, working, write
from skate_sim.digits import counted
from skate_sim.executors import check_executor, open_crew
from skate_sim.jit import is_warm
from skate_sim.played import PartRecord
from skate_sim.policy import BotError
from skate_sim.saving import FolderError, places
from skate_sim.verification import Verdict, verify

#: Problems that are printed one by one.
MOST = 10


def verify_and_print(folder: Path, as_json: bool, executor: str, threads: int | None, **options: Any) -> bool:
    """Verify the results in a folder, or each of several in it; returns whether all reproduce."""
    check_executor(executor)
    if not is_warm():
        announce_compiling()
    verdicts, all_places = {}, places(folder)
    with working("Starting the workers"), open_crew(executor, threads) as crew:
        for place in all_places:
            with RunProgress(place.name) as progress:
                try:
                    verdicts[place] = verify(place, executor=crew, progress=progress, **options)
                except (FolderError, CheckpointError, BotError) as error:
                    if len(all_places) == 1:
                        raise
                    # The others are verified all the same.
                    verdicts[place] = Verdict(place.name, problems=(f"it cannot be verified: {error}",))
    if as_json:
        records = {str(place): verdict.to_dict() for place, verdict in verdicts.items()}
        write(json.dumps(records if len(records) > 1 else next(iter(records.values())), ensure_ascii=False))
    else:
        for place, verdict in verdicts.items():
            print_verdict(output(), place, verdict)
    return all(verdict.reproduces for verdict in verdicts.values())


def print_verdict(console: Console, folder: Path, verdict: Verdict) -> None:
    """Print what was played again, and whether it came out the same."""
    console.print(Text(str(folder), "bold"), soft_wrap=True)
    if verdict.parts and verdict.tables is None:
        rows = [[_games(part), "yes" if same else "NO", part.digest] for part, same in verdict.parts]
        texts = frozenset({"The same", "Stored digest"})
        show(console, Finding("Games played again", ["Games", "The same", "Stored digest"], rows, "", texts))
        console.print()
    for note in verdict.notes:
        say(console, f"Note: {note}.")
    for problem in verdict.problems[:MOST]:
        console.print(Text(f"{problem[:1].upper()}{problem[1:]}.", "red"), soft_wrap=True)
    if len(verdict.problems) > MOST:
        console.print(Text(f"And {len(verdict.problems) - MOST} more.", "red"))
    console.print(Text(_verdict(verdict), "bold" if verdict.reproduces else "bold red"))


def _games(part: PartRecord) -> str:
    return ", ".join(f"{first:,} to {stop - 1:,}" for first, stop in part.ranges)


def _verdict(verdict: Verdict) -> str:
    if not verdict.reproduces:
        return "DOES NOT REPRODUCE."
    if verdict.tables is not None:
        return f"Reproduces: all {counted(verdict.of_games, 'game')} and every table, byte by byte."
    parts = f"{len(verdict.parts)} of {counted(verdict.of_parts, 'part')}"
    return f"Reproduces: {parts}, {verdict.games:,} of {counted(verdict.of_games, 'game')}, bit by bit."
