"""How often the intervals of short runs hold the value of a run a hundred times as long.

    python -m tests.benchmarks.seeds [--games 4000] [--seeds 20] [--json] [--assert]

A comparison of two variants is played with other seeds and once much longer. Every interval is looked at: of each
bot's outcomes and of their differences between the variants. The long run's own error is a tenth of a short one's, so
that a little less than the nominal 95% is to be expected: about 94.8%.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from typing import Any

from skate_sim.api import plan_games
from skate_sim.compared import Compared
from skate_sim.comparison import compare_plans, to_baseline
from skate_sim.dispatch import play
from skate_sim.observed import observed
from skate_sim.stats import Estimate

POOL = ["risk_threshold", "helmet_saver", "legend_hunter", "stop_at_n"]
CHANGED: dict[str, Any] = {"edits": {"cards.kick_flip.points": 2}, "rules": {"helmet_points": 3}}
LONGER = 100


def intervals(games: int, seed: int) -> dict[tuple[str, str, int], Estimate]:
    """Interval of each bot's outcome in the baseline, and of its difference, by kind, outcome and bot."""
    plans = {
        "printed": plan_games(POOL, games=games, seed=seed),
        "changed": plan_games(POOL, games=games, seed=seed, **CHANGED),
    }
    comparison = compare_plans(plans, to_baseline(list(plans), "printed"))
    compared = Compared(comparison, play(comparison).total)
    found = {}
    for column, row_column in enumerate(compared.plan.layout.seat_columns):
        outcome = row_column.outcome
        if row_column.index is not None or outcome.kind == "label":
            continue
        for entry in range(len(POOL)):
            its = observed(compared.plan, compared.by_variant["printed"], entry)
            found["mean", outcome.name, entry] = its.estimate(outcome, column, compared.plan.game)
            difference = compared.difference(comparison.contrasts[0], outcome, entry=entry)
            found["difference", outcome.name, entry] = difference.estimate
    return found


def main() -> None:
    """Count, print, and exit with 1 when ``--assert`` is given and far fewer hold the value than should."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4_000)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="must", action="store_true")
    options = parser.parse_args()
    truth = {key: estimate.mean for key, estimate in intervals(options.games * LONGER, 10_000).items()}
    held: Counter[str] = Counter()
    looked: Counter[str] = Counter()
    for seed in range(1, options.seeds + 1):
        for key, (_, low, high) in intervals(options.games, seed).items():
            if not math.isnan(low) and low < high:
                looked[key[0]] += 1
                held[key[0]] += low <= truth[key] <= high
    rows = [{"intervals": kind, "looked at": looked[kind], "held": held[kind]} for kind in looked]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        for row in rows:
            counts = f"{row['held']:>5} of {row['looked at']:>5}"
            share = row["held"] / row["looked at"]
            print(f"{row['intervals']:12} {counts} hold the value of the long run: {share:.1%}")
    if options.must and any(row["held"] < 0.92 * row["looked at"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
