"""What all ways to cheat share.

A tampering is a small function of a game and the position of an event in it. It gives the game with that place
tampered with, or None where it does not apply. It must be a foul wherever it applies, whatever the game: a card
that could just as well have been drawn is no tampering.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Line = dict[str, Any]
Lines = list[Line]


@dataclass(frozen=True)
class Tampering:
    """A way to cheat: where it applies, and the rules that may catch it."""

    name: str
    kind: str
    rules: tuple[str, ...]
    tamper: Callable[[Lines, int], Lines | None]


#: All of them, in the order of their definition.
TAMPERINGS: list[Tampering] = []


def tampering(kind: str, *rules: str) -> Callable[[Callable[[Lines, int], Lines | None]], None]:
    """Add a tampering with events of a kind (or ``any``) that one of these rules must catch."""

    def add(tamper: Callable[[Lines, int], Lines | None]) -> None:
        TAMPERINGS.append(Tampering(tamper.__name__, kind, rules, tamper))

    return add


def changed(lines: Lines, at: int, **fields: Any) -> Lines:
    """The game with other fields in one event."""
    return [*lines[:at], {**lines[at], **fields}, *lines[at + 1 :]]


def without(lines: Lines, at: int) -> Lines:
    """The game without one event."""
    return lines[:at] + lines[at + 1 :]


def inserted(lines: Lines, at: int, event: Line) -> Lines:
    """The game with one more event, before the one at a position."""
    return [*lines[:at], event, *lines[at:]]


def swapped(lines: Lines, at: int) -> Lines:
    """The game with an event after the one that followed it."""
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def event(kind: str, like: Line, **fields: Any) -> Line:
    """An event of the same round and seat as another one."""
    return {"event": kind, "round": like["round"], "seat": like["seat"], **fields}


def other_seat(lines: Lines, seat: int) -> int:
    """The next seat, whatever its state."""
    return (seat + 1) % len(lines[0]["seats"])


def cards_of_kind(lines: Lines, kind: str) -> list[str]:
    """Ids of Trick cards, Legendaries or last rewards."""
    return [id for id, cells in lines[0]["cards"].items() if cells["kind"] == kind]


def ever_held(lines: Lines, at: int, seat: int) -> Counter[str]:
    """All cards that a seat has had in its hand before an event."""
    taken = [line["card"] for line in lines[1:at] if line["event"] in ("draw", "reward") and line["seat"] == seat]
    return Counter([lines[0]["dealt"][seat], *taken])


def starts_round(lines: Lines, at: int) -> bool:
    """Whether an event is the first of its round."""
    return lines[at - 1]["event"] in ("setup", "round_end")


def seen(lines: Lines, at: int) -> set[str]:
    """Cards seen before an event; those not among them may still be anywhere."""
    return {line["card"] for line in lines[1:at] if "card" in line} | set(lines[0]["dealt"])
