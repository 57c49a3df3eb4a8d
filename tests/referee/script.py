"""A transcript as a script: its lines, read one event at a time, each with exactly the fields it must have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import readings
from .foul import Foul

#: Fields of each kind of event, with their types; ``[str]`` is a list of texts.
FIELDS: dict[str, dict[str, Any]] = {
    "setup": {
        "game": str,
        "behaviour_version": int,
        "seed": int,
        "game_number": int,
        "preset": str,
        "rules": dict,
        "cards": dict,
        "seats": [dict],
        "dealt": [str],
        "piles": [int],
        "first_seat": int,
        "rewards": [str],
    },
    "trick": {"card": str, "source": str, "forced": bool, "face_up": bool},
    "helmet": {"card": str, "colour": str},
    "fall": {"reason": str, "cards": [str]},
    "draw": {"card": str, "pile": int, "face_up": bool},
    "reveal": {"card": str, "pile": int},
    "lapse": {"replays": int},
    "split": {"pile": int, "sizes": [int]},
    "reshuffle": {"sizes": [int]},
    "stop": {"validated": [str], "discarded": [str], "points": int},
    "reward": {"card": str},
    "reward_lost": {"card": str},
    "round_end": {},
    "end": {"seats": [dict]},
}

#: Nobody splits or reshuffles: these events have no seat.
SEATLESS = ("split", "reshuffle")


def all_fields(kind: str) -> dict[str, Any]:
    """Fields of a kind of event, with those that it has in common with others."""
    fields = {"event": str, **FIELDS[kind]}
    if kind not in ("setup", "end"):
        fields |= {"round": int, "seat": type(None) if kind in SEATLESS else int}
    return fields


ALL_FIELDS = {kind: all_fields(kind) for kind in FIELDS}


@dataclass(frozen=True)
class Event:
    """One line of a transcript, with the field ``name`` under ``event["name"]``."""

    line: int
    fields: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """What happens: ``trick``, ``fall``, ..."""
        return str(self.fields["event"])

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def foul(self, rule: str, message: str) -> Foul:
        """The foul that this event is."""
        return Foul(self.line, rule, message)

    def insist(self, condition: bool, rule: str, message: str) -> None:
        """Call a foul unless the condition holds."""
        if not condition:
            raise self.foul(rule, message)


class Script:
    """The events of a transcript in their order; `peek` looks at the next one, `take` goes past it, `due` checks it."""

    def __init__(self, lines: Iterable[str | Mapping[str, Any]]) -> None:
        self._lines: Iterator[tuple[int, str | Mapping[str, Any]]] = enumerate(lines, start=1)
        self._last_line = 0
        self.round = 0
        self._next: Event | None = None

    def peek(self) -> Event:
        """The next event; a foul if there is none."""
        if self._next is None:
            line, content = next(self._lines, (self._last_line + 1, None))
            if content is None:
                raise Foul(line, readings.COMPLETE, "the transcript stops before the game has ended")
            self._next = read_event(line, content)
            self._last_line = line
        return self._next

    def take(self) -> Event:
        """The next event, which is now past."""
        event = self.peek()
        self._next = None
        return event

    def due(self, kind: str, seat: int | None, rule: str) -> Event:
        """The next event, which can only be this one, in the round that is being played."""
        event = self.take()
        if event.kind != kind:
            whose = "" if kind in SEATLESS else f" of seat {seat}"
            raise event.foul(rule, f"{event.kind} where the {kind}{whose} is due")
        if event["round"] != self.round:
            raise event.foul(readings.ROUND, f"this is round {self.round}")
        if event["seat"] != seat:
            raise event.foul(rule, f"{kind} of seat {event['seat']}, must be of seat {seat}")
        return event

    def finish(self) -> None:
        """Call a foul if anything follows."""
        for line, _ in self._lines:
            raise Foul(line, readings.COMPLETE, "something follows the end of the game")


def read_event(line: int, content: str | Mapping[str, Any]) -> Event:
    """The event on a line, once its fields are known to be those of its kind."""
    rule = readings.FORMAT
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except json.JSONDecodeError as error:
            raise Foul(line, rule, f"not JSON: {error}") from error
    if not isinstance(content, Mapping) or content.get("event") not in FIELDS:
        raise Foul(line, rule, f"not an event: {content}")
    event = Event(line, content)
    fields = ALL_FIELDS[event.kind]
    if content.keys() != fields.keys():
        raise event.foul(rule, f"fields of a {event.kind} are {sorted(fields)}")
    for name, kind in fields.items():
        if not _has_type(content[name], kind):
            raise event.foul(rule, f"{name} is {content[name]!r}")
    return event


def _has_type(value: Any, kind: Any) -> bool:
    """Whether a value is exactly of a type (true is not the number 1)."""
    if isinstance(kind, list):
        return type(value) is list and all(type(item) is kind[0] for item in value)
    return type(value) is kind
