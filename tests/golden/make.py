"""Write the golden games anew: ``python tests/golden/make.py``, or with ``--search`` look for other games first.

Read the difference before you commit it: a game that tells another story than before means that the rules, the
luck or a bot changed. When a game has no longer what it was chosen for, search, and put the new number into
``chosen.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parents[1]))

from skate_sim.games.skate_legend import GAME  # noqa: E402
from skate_sim.simulation import tell_game  # noqa: E402
from tests.golden.chosen import GAMES, SEED, Golden  # noqa: E402
from tests.rules import Told  # noqa: E402
from tests.rules.decks import of_kind  # noqa: E402

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
#: Parts of the Prestige that are told.
PARTS = ("tricks", "legendaries", "perfect_landing", "helmets")


def find(golden: Golden, most: int = 20_000) -> int:
    """The number of the first game that has what it is chosen for."""
    plan = golden.plan()
    return next((number for number in range(most) if golden.has(Told(tell_game(plan, number)))), -1)


def text_of(golden: Golden) -> str:
    """The game in plain words."""
    plan = golden.plan()
    setup, *events = tell_game(plan, golden.game)
    cards = setup["cards"]
    lines = [f"# {golden.why}", f"# Seed {SEED}, game {golden.game}; {golden.preset} rules"]
    lines[-1] += "".join(f", {name} {value}" for name, value in golden.rules.items()) + "."
    if any(key.removeprefix("cards.").partition(".")[0] in of_kind("trick") for key in golden.edits):
        deck = ", ".join(f"{c['copies']} {card}" for card, c in cards.items() if c["kind"] == "trick" and c["copies"])
        lines.append(f"# Deck: {deck}.")
    for seat, bot in enumerate(golden.bots):
        lines.append(f"{NAMES[seat]} ({bot}) is dealt {cards[setup['dealt'][seat]]['name']}.")
    rewards = ", ".join(cards[card]["name"] for card in setup["rewards"])
    lines.append(f"Piles of {setup['piles'][0]} and {setup['piles'][1]} cards; rewards: {rewards}.")
    number = 0
    for event in events[:-1]:
        if event["round"] != number:
            number = event["round"]
            lines += ["", f"Round {number}"]
        who = "" if event["seat"] is None else NAMES[event["seat"]]
        lines.append(GAME.sentence(event, who, plan.resolved))
    lines.append("")
    for seat in events[-1]["seats"]:
        parts = ", ".join(f"{key.replace('_', ' ')} {seat[key]}" for key in PARTS if seat[key])
        lines.append(
            f"{NAMES[seat['seat']]}: {seat['prestige']} Prestige ({parts or 'nothing'}), wins {seat['win_share']}"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write all files."""
    for golden in GAMES:
        if "--search" in sys.argv:
            print(f"{golden.name}: game={find(golden)}", flush=True)
        else:
            (FOLDER / f"{golden.name}.txt").write_text(text_of(golden), encoding="utf-8")


if __name__ == "__main__":
    main()
