"""How many games of independent runs one game of a paired comparison is worth, on the win share at four seats.

python -m tests.benchmarks.variance [--games 200000] [--json] [--assert]
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from skate_sim.api import plan_games
from skate_sim.compared import Compared
from skate_sim.comparison import compare_plans, to_baseline
from skate_sim.dispatch import play
from skate_sim.stats import format_interval

TABLE = ["risk_threshold:limit=0.3", "stop_at_n:n=4", "helmet_saver", "legend_hunter"]
STOPPERS = ["stop_at_n:n=4"] * 4

#: A table and what is changed, for the bot in the first seat; and what one pair of games is at least worth.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], float]] = {
    "Kick Flip 5 to 4 points": ({"bots": TABLE}, {"bots": TABLE, "edits": {"cards.kick_flip.points": 4}}, 30.0),
    "risk limit 0.30 to 0.35": ({"bots": TABLE}, {"bots": ["risk_threshold:limit=0.35", *TABLE[1:]]}, 3.5),
    "risk limit 0.30 to 0.50": ({"bots": TABLE}, {"bots": ["risk_threshold:limit=0.5", *TABLE[1:]]}, 1.0),
    "stop-at-4 to stop-at-5": ({"bots": STOPPERS}, {"bots": ["stop_at_n:n=5", *STOPPERS[1:]]}, 1.4),
    "a helmet 2 to 3 points": ({"bots": TABLE}, {"bots": TABLE, "rules": {"helmet_points": 3}}, 1.0),
}


def measured(games: int) -> list[dict[str, Any]]:
    """One row a case: the difference of the win share in the first seat, and its worth."""
    rows = []
    for name, (before, after, least) in CASES.items():
        plans = {
            side: plan_games(games=games, rotate=False, **words)
            for side, words in (("before", before), ("after", after))
        }
        comparison = compare_plans(plans, to_baseline(list(plans), "before"))
        comparison.prepare()
        compared = Compared(comparison, play(comparison).total)
        found = compared.difference(
            comparison.contrasts[0], compared.plan.game.outcome(compared.plan.game.headlines[4]), entry=0
        )
        text = format_interval(*found.estimate, "share")
        rows.append(
            {"change": name, "difference": text, "correlation": found.correlation, "worth": found.worth, "least": least}
        )
    return rows


def main() -> None:
    """Measure, print, and exit with 1 when ``--assert`` is given and a case is worth less than it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="must", action="store_true")
    options = parser.parse_args()
    rows = measured(options.games)
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'change':26} {'difference':>24} {'correlation':>12} {'worth':>7} {'at least':>9}")
        for row in rows:
            numbers = f"{row['correlation']:>12.3f} {row['worth']:>7.1f} {row['least']:>9.1f}"
            print(f"{row['change']:26} {row['difference']:>24} {numbers}")
    if options.must and any(row["worth"] < row["least"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
