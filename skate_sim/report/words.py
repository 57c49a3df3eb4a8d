"""The page's sentences: what was found, how sure that is, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skate_sim.findings import estimate, records
from skate_sim.games import Outcome

if TYPE_CHECKING:
    from skate_sim.results import Answers


def finding(results: Answers) -> list[str]:
    """What a run found about its bots, in sentences."""
    game, headline = results.declaration, results.declaration.outcome(results.headline)
    rows = records(results.bots().sort_values(headline.name, ascending=False, kind="stable"))
    if len(rows) == 1:
        return [f"{rows[0]['bot']} has a {headline.label.lower()} of {estimate(rows[0], headline)}."]
    best, last = rows[0], rows[-1]
    seats = int(results.manifest()["seats"])
    fair = f", where a fair share is {100 / seats:.3g}%" if headline.kind == "share" else ""
    leaders = [row["bot"] for row in rows if not _below(row, best, headline)]
    said = []
    if len(leaders) == 1:
        said.append(f"{best['bot']} is ahead: {headline.label.lower()} {estimate(best, headline)}{fair}.")
        said.append(f"Next is {rows[1]['bot']} with {estimate(rows[1], headline)}.")
    elif len(leaders) == len(rows):
        said.append(f"No bot can be told to be better than all others; the highest {headline.label.lower()} is ")
        said[-1] += f"{estimate(best, headline)} ({best['bot']}){fair}."
    else:
        names = f"{', '.join(leaders[:-1])} and {leaders[-1]}"
        said.append(f"{names} lead and cannot be told apart by their intervals; the highest {headline.label.lower()}")
        said[-1] += f" is {estimate(best, headline)} ({best['bot']}){fair}."
    if len(rows) > 2 and _below(last, best, headline):
        said.append(f"Last is {last['bot']} with {estimate(last, headline)}.")
    said += _about_score(results, rows)
    return said if not game.notice else [game.notice, *said]


def _about_score(results: Answers, rows: list[Any]) -> list[str]:
    """Who has the highest score, where that is another bot than the one that leads."""
    score = results.declaration.outcome(results.declaration.score)
    if score.level != "seat" or score.name == results.headline:
        return []
    top = max(rows, key=lambda row: row[score.name])
    if top is rows[0] or not _below(rows[0], top, score):
        return []
    return [f"The highest {score.label} is another bot's: {top['bot']} with {estimate(top, score)}."]


def _below(one: Any, other: Any, outcome: Outcome) -> bool:
    """Whether the interval of one bot lies below that of the other.

    Two bots whose 95% intervals do not overlap differ at that level, whatever the correlation between them.
    """
    return bool(one[f"{outcome.name}_high"] < other[f"{outcome.name}_low"])


def sureness(results: Answers) -> list[str]:
    """How sure a run's numbers are, and why."""
    manifest, table = results.manifest(), results.bots()
    headline = results.declaration.outcome(results.headline)
    half = (table[f"{headline.name}_high"] - table[f"{headline.name}_low"]).max() / 2
    scale, unit = (100, " points") if headline.kind in ("share", "flag") else (1, "")
    said = [
        f"{results.games:,} games of seed {manifest['seed']} were played"
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


def summary(game_shares: Any, names: Any) -> str:
    """Who won a game, from the win shares of its end."""
    winners = [name for name, share in zip(names, game_shares, strict=True) if share not in ("0", 0)]
    return f"{' and '.join(winners)} won" + (" together" if len(winners) > 1 else "")
