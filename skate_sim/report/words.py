"""The page's sentences: what was found, how sure that is, and why."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skate_sim.bot_findings import run_findings
from skate_sim.digits import counted
from skate_sim.findings import records
from skate_sim.locations import bundled

if TYPE_CHECKING:
    from skate_sim.results import Answers


def finding(results: Answers) -> list[str]:
    """What a run found, in sentences, its game's notice first."""
    game = results.declaration
    return [*([game.notice] if game.notice else []), *run_findings(results)]


def sureness(results: Answers) -> list[str]:
    """How sure a run's numbers are, and why."""
    manifest, table = results.manifest(), results.bots()
    headline = results.declaration.outcome(results.headline)
    half = (table[f"{headline.name}_high"] - table[f"{headline.name}_low"]).max() / 2
    scale, unit = (100, " points") if headline.kind in ("share", "flag") else (1, "")
    said = [
        f"{counted(results.games, 'game')} of seed {manifest['seed']} {'was' if results.games == 1 else 'were'} played"
        + (f", of {manifest['games_planned']:,} planned: the run was stopped early." if results.partial else "."),
        f"Intervals are at 95%, each for itself; the widest of {headline.label.lower()} is ±{scale * half:.2g}{unit}. "
        "Four times the games would halve them.",
        "Two bots whose intervals do not overlap differ, at 95% or better; of others nothing is claimed.",
    ]
    if len(manifest["lineups"]) > 1:
        count = len(manifest["lineups"])
        said.append(
            f"Bots took turns in the seats: {count:,} lineups, each played equally often, so no seat favours one."
        )
    checks = results.checks()
    failed = [f"{row['check']} ({row['detail']})" for row in records(checks) if not row["holds"]]
    said.append(
        f"Checks that do not hold: {'; '.join(failed)}." if failed else f"All {len(checks)} checks of the sums hold."
    )
    return said


def play_command(manifest: Mapping[str, Any]) -> tuple[str, str]:
    """Where, and with which command, the games of a run or a comparison are told in the terminal.

    It names the experiment, a bundled one without its folder; without a file of it, the folder that the page is in.
    """
    file = Path(manifest.get("experiment_file", ""))
    if not file.is_file():
        return "in the folder of this page", "skate-sim play ."
    named = file.stem if file.parent == bundled("experiments") else str(file)
    return "in the terminal", f"skate-sim play {shlex.quote(named)}"


def summary(game_shares: Any, names: Any) -> str:
    """Who won a game, from the win shares of its end."""
    winners = [name for name, share in zip(names, game_shares, strict=True) if share not in ("0", 0)]
    return f"{' and '.join(winners)} won" + (" together" if len(winners) > 1 else "")
