"""The end of the game: Prestige and its parts, and who wins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import readings
from .script import Event
from .table import Skater, Table

#: Part of the final Prestige to which the points of a validated card belong.
PARTS = {"trick": "tricks", "legendary": "legendaries", "last_reward": "perfect_landing"}


def check_end(event: Event, table: Table) -> None:
    """Rulebook, "End of the Game", and reading 20."""
    scores = [score(skater, table.rules.helmet_points) for skater in table.skaters]
    share = win_shares([entry["prestige"] for entry in scores])
    expected = [{"seat": seat, **entry, "win_share": share[seat]} for seat, entry in enumerate(scores)]
    event.insist(len(event["seats"]) == len(expected), readings.PRESTIGE, "one entry for each seat")
    for given, due in zip(event["seats"], expected, strict=True):
        fields_fit = set(given) == set(due)
        event.insist(fields_fit, readings.FORMAT, f"fields of a seat are {sorted(due)}")
        for name, value in due.items():
            same = type(given[name]) is type(value) and given[name] == value
            rule = readings.SHARED_VICTORY if name == "win_share" else readings.PRESTIGE
            event.insist(same, rule, f"{name} of seat {due['seat']} is {value!r}, not {given[name]!r}")


def score(skater: Skater, helmet_points: int) -> dict[str, Any]:
    """Prestige of a skater by its parts. The hand scores nothing (reading 1)."""
    parts = dict.fromkeys(PARTS.values(), 0)
    for card in skater.validated:
        parts[PARTS[card.kind]] += card.points
    parts["helmets"] = helmet_points * skater.helmets
    return {"prestige": sum(parts.values()), **parts, "helmets_kept": skater.helmets}


def win_shares(prestige: list[int]) -> list[str]:
    """One divided by the number of winners for each of them, 0 for the others."""
    best = max(prestige)
    share = str(Fraction(1, prestige.count(best)))
    return [share if points == best else "0" for points in prestige]
