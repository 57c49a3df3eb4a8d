"""Transcripts written by hand, in a shorthand that reads aloud.

A game is a text file. ``#`` starts a comment, and the setup comes first::

    rules rulebook rounds=1
    deck manual=4 ollie=3          the only Trick cards; any field of a card can be edited with
    edit ollie points=3 broken=true
    setup dealt: ollie manual manual | piles 2 2 | first 1 | rewards perfect_landing

Then the events, a line each, as in `PATTERNS` below. A line ``! rule | event`` is an event that would be a foul
at that place, and the rule which the referee must quote; the game then goes on as if it were not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.reference.printed import PRESETS, PRINTED, edited_cards

Line = dict[str, Any]


def words(text: str) -> list[str]:
    return text.split()


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


#: Shorthand of each event, and its fields from the parts of the pattern. Every pattern but the seatless ones starts
#: with the seat.
PATTERNS: list[tuple[str, str, Callable[..., Line]]] = [
    (
        r"(plays|replays) (the face-up )?(\S+) from (pile \S+|hand)",
        "trick",
        lambda verb, up, card, source: {
            "card": card,
            "source": source,
            "forced": verb == "replays",
            "face_up": bool(up),
        },
    ),
    (r"wears (\S+) helmet on (\S+)", "helmet", lambda colour, card: {"card": card, "colour": colour}),
    (r"falls by (\S+): (.*)", "fall", lambda reason, cards: {"reason": reason, "cards": words(cards)}),
    (
        r"draws (the face-up )?(\S+) from pile (\d)",
        "draw",
        lambda up, card, pile: {"card": card, "pile": int(pile), "face_up": bool(up)},
    ),
    (r"reveals (\S+) on pile (\d)", "reveal", lambda card, pile: {"card": card, "pile": int(pile)}),
    (r"cannot obey (\d+) Replays?", "lapse", lambda count: {"replays": int(count)}),
    (
        r"stops: ([^/]*)(?:/ ([^=]*))?= (-?\d+)",
        "stop",
        lambda met, unmet, points: {"validated": words(met), "discarded": words(unmet or ""), "points": int(points)},
    ),
    (r"takes (\S+)", "reward", lambda card: {"card": card}),
    (r"loses (\S+)", "reward_lost", lambda card: {"card": card}),
    (r"ends the round", "round_end", dict),
]

SEATLESS: list[tuple[str, str, Callable[..., Line]]] = [
    (r"pile (\d) is split: (.*)", "split", lambda pile, sizes: {"pile": int(pile), "sizes": numbers(sizes)}),
    (r"reshuffle: (.*)", "reshuffle", lambda sizes: {"sizes": numbers(sizes)}),
]

#: Prestige of a seat: tricks + Legendaries + Perfect Landing + helmets, how many of these, and the win share.
SCORE = r"(-?\d+) = (-?\d+) \+ (-?\d+) \+ (-?\d+) \+ (-?\d+) \((\d+)\) wins (\S+)"


def read_shorthand(text: str) -> tuple[list[Line], list[tuple[list[Line], str]]]:
    """The transcript, and the fouls: each a transcript whose last line is not allowed, with the rule to quote."""
    heading: dict[str, list[str]] = {}
    lines: list[Line] = []
    fouls: list[tuple[list[Line], str]] = []
    round_number = 1
    for line in _without_comments(text):
        keyword, _, rest = line.partition(" ")
        if keyword in ("rules", "deck", "edit"):
            heading.setdefault(keyword, []).append(rest)
        elif keyword == "setup":
            lines.append(_setup(heading, rest))
        elif keyword == "!":
            rule, _, event = rest.partition(" | ")
            fouls.append(([*lines, _event(event, round_number)], rule))
        else:
            lines.append(_event(line, round_number))
            round_number += lines[-1]["event"] == "round_end"
    return lines, fouls


def _without_comments(text: str) -> Iterator[str]:
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content:
            yield content


def _setup(heading: dict[str, list[str]], rest: str) -> Line:
    preset, *changes = words(heading["rules"][0])
    rules = PRESETS[preset] | _cells(changes)
    copies = _cells(words(heading["deck"][0]))
    edits: dict[str, Any] = {
        f"cards.{card}": {"copies": copies.get(card, 0)} for card, cells in PRINTED.items() if cells["kind"] == "trick"
    }
    for edit in heading.get("edit", []):
        card, *changes = words(edit)
        edits[f"cards.{card}"] = edits.get(f"cards.{card}", {}) | _cells(changes)
    dealt, piles, first, rewards = (part.split(maxsplit=1)[1] for part in rest.split(" | "))
    return {
        "event": "setup",
        "game": "skate_legend",
        "behaviour_version": 1,
        "seed": 0,
        "game_number": 0,
        "preset": preset,
        "rules": rules,
        "cards": edited_cards(edits, rules),
        "seats": [{"seat": seat, "bot": "by_hand", "parameters": {}} for seat in range(len(words(dealt)))],
        "dealt": words(dealt),
        "piles": numbers(piles),
        "first_seat": int(first),
        "rewards": words(rewards),
    }


def _cells(changes: list[str]) -> dict[str, Any]:
    """``name=value`` pairs; what is not a number, true or false is a text."""
    pairs = (change.split("=") for change in changes)
    return {name: json.loads(value) if re.fullmatch(r"-?\d+|true|false", value) else value for name, value in pairs}


def _event(line: str, round_number: int) -> Line:
    if line.startswith("end: "):
        return {
            "event": "end",
            "seats": [_score(*entry) for entry in enumerate(line.removeprefix("end: ").split(", "))],
        }
    for pattern, kind, fields in SEATLESS:
        if found := re.fullmatch(pattern, line):
            return {"event": kind, "round": round_number, "seat": None, **fields(*found.groups())}
    seat, _, rest = line.partition(" ")
    for pattern, kind, fields in PATTERNS:
        if found := re.fullmatch(pattern, rest):
            return {"event": kind, "round": round_number, "seat": int(seat), **fields(*found.groups())}
    raise ValueError(f"not in the shorthand: {line}")


def _score(seat: int, text: str) -> Line:
    found = re.fullmatch(SCORE, text.strip())
    if found is None:
        raise ValueError(f"not a score: {text}")
    names = ("prestige", "tricks", "legendaries", "perfect_landing", "helmets", "helmets_kept")
    return {"seat": seat, **dict(zip(names, map(int, found.groups()), strict=False)), "win_share": found[7]}
