"""The ranking of a run as a table to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from skate_sim.comparison_findings import signed, unit_text
from skate_sim.console import Finding
from skate_sim.findings import MOST_BOTS, records
from skate_sim.stats import Estimate

if TYPE_CHECKING:
    from skate_sim.results import Answers

#: Chances beyond these are not told apart from 0 and 1.
_SURE = 0.001


def ranking_finding(results: Answers) -> Finding | None:
    """Ranks by the headline: which bots cannot be told apart, and the chance of each to be the best."""
    table = results.ranking()
    table = table[table["outcome"] == results.headline]
    if table.empty:
        return None
    outcome = results.declaration.outcome(results.headline)
    rows = []
    for row in records(table):
        span = f"{row['best_rank']} to {row['worst_rank']}"
        behind = Estimate(row["behind_best"], row["behind_best_low"], row["behind_best_high"])
        rows.append(
            [
                row["bot"],
                str(row["best_rank"]) if row["best_rank"] == row["worst_rank"] else span,
                row["group"],
                chance_text(row["chance_of_best"]),
                "–" if row["rank"] == 1 else signed(behind, outcome).removeprefix("+"),
            ]
        )
    note = f"{_apart_text(table)} Ranks, groups and distances hold together at 95%: simultaneous intervals of all "
    note += (
        "pairs (max-t), as their results go together in the same games. Chance of best: if nothing was known before."
    )
    behind_text = f"Behind the first {unit_text(outcome)}".strip()
    return Finding("Ranking", ["Bot", "Rank", "Group", "Chance of best", behind_text], rows, note, frozenset({"Group"}))


def _apart_text(table: pd.DataFrame) -> str:
    """Which bots cannot be told apart, in words."""
    if len(table) > MOST_BOTS:
        return "Bots that share a letter cannot be told apart."
    letters = sorted({letter for letters in table["group"] for letter in letters if letter.isalpha()})
    groups = [table[[letter in letters for letters in table["group"]]]["bot"].tolist() for letter in letters]
    alike = [group for group in groups if len(group) > 1]
    if not alike:
        return "All bots can be told apart."
    return f"Cannot be told apart: {'; '.join(', '.join(group) for group in alike)}."


def chance_text(chance: float) -> str:
    """A chance in percent, as far as it is known."""
    if chance < _SURE:
        return "<0.1%"
    if chance > 1 - _SURE:
        return ">99.9%"
    return f"{100 * chance:.1f}%" if min(chance, 1 - chance) < 0.01 else f"{100 * chance:.0f}%"
