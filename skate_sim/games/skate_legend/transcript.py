"""One game, told: the kernel's events as records with names, for people and for referees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from skate_sim.games import YOU, EventKind, Resolved
from skate_sim.games.skate_legend import record
from skate_sim.games.skate_legend.cards import COLOUR_NAMES, card_order
from skate_sim.games.skate_legend.outcomes import (
    HELMET_POINTS,
    HELMETS_KEPT,
    LEGENDARY_POINTS,
    PERFECT_LANDING_POINTS,
    PRESTIGE,
    SHARE_UNITS,
    TRICK_POINTS,
    WIN_SHARE,
)
from skate_sim.games.skate_legend.view import HAND

_VERB = re.compile(r"\[(\w+)\|(\w+)\]")
_SOURCES = {1: "pile 1", 2: "pile 2", 3: "hand"}
_REASONS = {record.BY_COLOUR: "colour", record.BY_BROKEN: "broken", record.BY_BOTH: "both"}

EVENTS = (
    EventKind(
        "trick",
        "a card is played",
        {
            "card": "card id",
            "source": "pile 1, pile 2 or hand",
            "forced": "whether it obeys a Replay",
            "face_up": "whether it lay face up on its pile",
        },
        "{who} [plays|play] {card} from {source}{how}.",
    ),
    EventKind(
        "helmet",
        "a helmet is placed on the card just played",
        {"card": "card id", "colour": "colour that can no longer make the skater fall"},
        "{who} [wears|wear] a helmet on {card}: {colour} is safe.",
    ),
    EventKind(
        "fall",
        "the skater falls",
        {"reason": "colour, broken or both", "cards": "the combo that is lost, in order"},
        "{who} [FALLS|FALL] ({why}) and [loses|lose] {cards}.",
    ),
    EventKind(
        "draw",
        "a Draw is obeyed",
        {"card": "card id", "pile": "1 or 2", "face_up": "whether it lay face up"},
        "{who} [draws|draw] {card} from pile {pile}.",
    ),
    EventKind(
        "reveal",
        "a Reveal is obeyed",
        {"card": "card id", "pile": "1 or 2"},
        "{who} [turns|turn] up {card} on pile {pile}.",
    ),
    EventKind(
        "lapse", "Replays lapse: no card can be played", {"replays": "how many"}, "{who} [has|have] no card to replay."
    ),
    EventKind(
        "split",
        "an empty pile is formed anew from the other",
        {"pile": "the pile that was empty", "sizes": "cards of pile 1 and pile 2"},
        "Pile {pile} is empty; the other is split ({sizes}).",
    ),
    EventKind(
        "reshuffle",
        "the discard pile is shuffled into two piles",
        {"sizes": "cards of pile 1 and pile 2"},
        "The discard pile is shuffled into two piles ({sizes}).",
    ),
    EventKind(
        "stop",
        "a combo is validated",
        {
            "validated": "cards that will score",
            "discarded": "Legendaries whose condition was not met",
            "points": "Prestige validated",
        },
        "{who} {stops} [validates|validate] {validated} for {points} Prestige{discarded}.",
    ),
    EventKind(
        "reward",
        "the reward of the round is taken",
        {"card": "card id"},
        "{who} [takes|take] {card} from the reward pile.",
    ),
    EventKind(
        "reward_lost",
        "nobody gets the reward of the round",
        {"card": "card id"},
        "{card} is lost: the lone skater fell.",
    ),
    EventKind(
        "given",
        "a Legendary whose value is measured is given to a seat (columns given_to and given_in of the cards)",
        {"card": "card id"},
        "{who} [is|are] given {card}.",
    ),
    EventKind("round_end", "the round ends", {}, "{who} ended round {round}."),
)


class Logged(NamedTuple):
    """An event as the kernel writes it; see ``EVENT_DTYPE``."""

    kind: int
    round_number: int
    seat: int
    a: int
    b: int
    c: int
    d: int


def tell(state: Any, resolved: Resolved) -> Iterator[dict[str, Any]]:
    """Events of the game that was just played with ``state.engine.log_on`` set, one dict each.

    First a ``setup`` with cards dealt, piles, first seat and rewards, last an ``end`` with the scores.
    """
    names = card_order(resolved.tables["cards"])
    log = [Logged(*row) for row in state.events[: state.engine.log_size].tolist()]
    yield _setup(state, resolved, names, log)
    combos: dict[int, list[str]] = {seat: [] for seat in range(resolved.seats)}
    unmet: list[str] = []
    for event in log:
        kind, seat = event.kind, event.seat
        if kind == record.DEALT:
            continue
        if kind == record.UNMET_CARD:
            unmet.append(names[event.a])
            continue
        told = _TELL[kind](event, names)
        told = {"event": told.pop("event"), "round": event.round_number, "seat": None if seat < 0 else seat} | told
        if kind == record.TRICK:
            combos[seat].append(told["card"])
        elif kind == record.FELL:
            told["cards"], combos[seat] = combos[seat], []
        elif kind == record.STOPPED_AT:
            cards = combos[seat] + ([names[state.setup.deck.last_reward]] if event.c else [])
            told |= {"validated": _without(cards, unmet), "discarded": unmet, "points": event.a}
            combos[seat], unmet = [], []
        yield told
        if kind in (record.REWARD, record.REWARD_GONE):
            yield {"event": "round_end", "round": event.round_number, "seat": seat}
    yield _end(state, resolved)


#: Events told for one of the kernel's; one for any other.
_NUMBER_TOLD = {record.DEALT: 0, record.UNMET_CARD: 0, record.REWARD: 2, record.REWARD_GONE: 2}


def told_so_far(state: Any) -> int:
    """How many events :func:`tell` has for a game so far, the setup with them and the end not."""
    kinds = state.events["kind"][: state.engine.log_size].tolist()
    return 1 + sum(_NUMBER_TOLD.get(kind, 1) for kind in kinds)


def _setup(state: Any, resolved: Resolved, names: list[str], log: Any) -> dict[str, Any]:
    dealt = [names[e.a] for e in log if e.kind == record.DEALT]
    rest = int(sum(state.setup.deck.copies)) - resolved.seats
    rewards = [names[c] for c in state.hidden.reward_card[: resolved.rules["rounds"]]]
    return {
        "event": "setup",
        "dealt": dealt,
        "piles": [rest - rest // 2, rest // 2],
        "first_seat": int(state.first_starter),
        "rewards": rewards,
    }


def _end(state: Any, resolved: Resolved) -> dict[str, Any]:
    seats = []
    for seat in range(resolved.seats):
        out = state.seat_out[seat]
        parts = {
            "prestige": PRESTIGE,
            "tricks": TRICK_POINTS,
            "legendaries": LEGENDARY_POINTS,
            "perfect_landing": PERFECT_LANDING_POINTS,
            "helmets": HELMET_POINTS,
            "helmets_kept": HELMETS_KEPT,
        }
        share = str(Fraction(int(out[WIN_SHARE]), SHARE_UNITS))
        seats.append({"seat": seat, **{k: int(out[c]) for k, c in parts.items()}, "win_share": share})
    return {"event": "end", "seats": seats}


def _without(cards: list[str], unmet: list[str]) -> list[str]:
    """The cards that stay, when each of ``unmet`` leaves once."""
    rest = list(cards)
    for card in unmet:
        rest.remove(card)
    return rest


_TELL = {
    record.TRICK: lambda e, n: {
        "event": "trick",
        "card": n[e.a],
        "source": _SOURCES[e.b],
        "forced": bool(e.c),
        "face_up": bool(e.d),
    },
    record.HELMET: lambda e, n: {"event": "helmet", "card": n[e.a], "colour": COLOUR_NAMES[e.b]},
    record.FELL: lambda e, n: {"event": "fall", "reason": _REASONS[e.a]},
    record.DREW: lambda e, n: {"event": "draw", "card": n[e.a], "pile": e.b, "face_up": bool(e.c)},
    record.REVEALED: lambda e, n: {"event": "reveal", "card": n[e.a], "pile": e.b},
    record.LAPSED: lambda e, n: {"event": "lapse", "replays": e.a},
    record.SPLIT: lambda e, n: {"event": "split", "pile": e.a, "sizes": [e.b, e.c]},
    record.RESHUFFLED: lambda e, n: {"event": "reshuffle", "sizes": [e.a, e.b]},
    record.STOPPED_AT: lambda e, n: {"event": "stop"},
    record.REWARD: lambda e, n: {"event": "reward", "card": n[e.a]},
    record.GIVEN: lambda e, n: {"event": "given", "card": n[e.a]},
    record.REWARD_GONE: lambda e, n: {"event": "reward_lost", "card": n[e.a]},
}


def sentence(event: dict[str, Any], who: str, resolved: Resolved) -> str:
    """An event in plain words, with the sentence template of its kind.

    In it, ``[third person|second person]`` are a verb's two forms; the second is for ``YOU``.
    """
    cards = resolved.tables["cards"]
    template = next(kind.sentence for kind in EVENTS if kind.name == event["event"])
    words: dict[str, Any] = {"who": who, "round": event["round"]}
    for key, value in event.items():
        if key == "card":
            words[key] = card_words(cards[value])
        elif key in ("cards", "validated"):
            words[key] = ", ".join(cards[c]["name"] for c in value) or "nothing"
        elif key == "sizes":
            words[key] = f"{value[0]} and {value[1]} cards"
        elif key == "discarded":
            lost = ", ".join(cards[c]["name"] for c in value)
            words[key] = f"; condition not met: {lost}" if lost else ""
        elif key not in ("event", "round", "seat"):
            words[key] = value
    if event["event"] == "trick":
        words["how"] = ", face up" if event["face_up"] else ""
        words["how"] += " (Replay)" if event["forced"] else ""
    if event["event"] == "fall":
        reasons = {"colour": "three of a colour", "broken": "three broken skateboards"}
        words["why"] = reasons.get(event["reason"], "three of a colour and three broken skateboards")
    if event["event"] == "stop":
        stops = "[is|are] the last one standing and" if _is_automatic(event, resolved) else "[stops|stop] and"
        template = template.replace("{stops}", stops)
    template = _VERB.sub(r"\2" if who == YOU else r"\1", template)
    return template.format(**words)


def _is_automatic(event: dict[str, Any], resolved: Resolved) -> bool:
    """Whether a combo was validated unasked: of three or more, the last one standing has its reward at once."""
    return resolved.seats > 2 and event.get("followed_by") == "reward"


def card_words(cells: Any) -> str:
    """A card as people say it: name, colour, broken skateboard."""
    return f"{cells['name']} ({cells['colour']}{', broken board' if cells['broken'] else ''})"


def answer_text(decision: str, answer: int, resolved: Resolved) -> str:
    """An answer to a decision in plain words, with its number."""
    if decision == "helmet":
        words = {0: "no helmet", 1: "wear a helmet"}
    else:
        names = card_order(resolved.tables["cards"])
        words = {0: "stop", 1: "pile 1", 2: "pile 2"}
        words |= {HAND + i: f"play {resolved.tables['cards'][card]['name']}" for i, card in enumerate(names)}
    return f"{answer} ({words[answer]})" if answer in words else str(answer)
