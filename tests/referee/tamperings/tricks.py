"""Cheating with tricks: whose turn it is, where a card comes from, Replays."""

from __future__ import annotations

from collections import Counter

from .. import readings
from .tools import Line, Lines, cards_of_kind, changed, event, ever_held, inserted, other_seat, tampering, without

# Tricks


@tampering(
    "trick",
    readings.UNSEEN,
    readings.FACE_UP,
    readings.SOURCE,
    readings.FALL,
    readings.HELMET,
    readings.CONDITIONS,
)
def another_card_played(lines: Lines, at: int) -> Lines | None:
    """Another card with the same colour, broken skateboard and effect: the combo will not add up."""
    cards, card = lines[0]["cards"], lines[at]["card"]
    for other in cards_of_kind(lines, "trick"):
        if other != card and all(cards[other][c] == cards[card][c] for c in ("colour", "broken", "effect", "times")):
            return changed(lines, at, card=other)
    return None


@tampering("trick", readings.SOURCE, readings.RESHUFFLE)
def legendary_from_nowhere(lines: Lines, at: int) -> Lines | None:
    seat = lines[at]["seat"]
    for card in cards_of_kind(lines, "legendary"):
        if card not in ever_held(lines, at, seat) and not lines[at]["forced"]:
            return changed(lines, at, card=card, source="hand", face_up=False)
    return None


@tampering("trick", readings.UNSEEN)
def legendary_from_a_pile(lines: Lines, at: int) -> Lines | None:
    boxed = lines[0]["rules"]["discarded_legendaries"] == "box"
    if lines[at]["source"] == "hand" or lines[at]["face_up"] or not boxed:
        return None
    return changed(lines, at, card=lines[0]["rewards"][0])


@tampering("trick", readings.SOURCE, readings.RESHUFFLE, readings.REPLAY_FROM_HAND)
def card_not_in_hand(lines: Lines, at: int) -> Lines | None:
    trick = lines[at]
    if trick["source"] == "hand" or trick["card"] in ever_held(lines, at, trick["seat"]):
        return None
    return changed(lines, at, source="hand", face_up=False)


@tampering("trick", readings.SOURCE)
def hand_card_played_twice(lines: Lines, at: int) -> Lines | None:
    trick, seat = lines[at], lines[at]["seat"]
    played = Counter(line["card"] for line in lines[1:at] if line.get("source") == "hand" and line["seat"] == seat)
    for card, times in played.items():
        if ever_held(lines, at, seat)[card] == times and not trick["forced"] and lines[at - 1]["event"] != "reshuffle":
            return changed(lines, at, card=card, source="hand", face_up=False)
    return None


@tampering("trick", readings.SOURCE)
def third_pile(lines: Lines, at: int) -> Lines | None:
    return None if lines[at]["source"] == "hand" else changed(lines, at, source="pile 3")


@tampering("trick", readings.FACE_UP)
def wrong_face_up(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, face_up=not lines[at]["face_up"])


@tampering("trick", readings.FACE_UP)
def another_face_up_card(lines: Lines, at: int) -> Lines | None:
    others = [card for card in cards_of_kind(lines, "trick") if card != lines[at]["card"]]
    return changed(lines, at, card=others[0]) if lines[at]["face_up"] and others else None


@tampering("trick", readings.CLOCKWISE, readings.SOURCE, readings.REPLAY)
def trick_of_another_seat(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("trick", readings.CLOCKWISE, readings.REPLAY)
def two_seats_swapped(lines: Lines, at: int) -> Lines | None:
    first, second = lines[at], lines[at + 1]
    if second["event"] != "trick" or first["seat"] == second["seat"] or lines[at - 1]["event"] == "reshuffle":
        return None
    return changed(changed(lines, at, seat=second["seat"]), at + 1, seat=first["seat"])


@tampering("trick", readings.CLOCKWISE)
def turn_left_out(lines: Lines, at: int) -> Lines | None:
    trick, following = lines[at], lines[at + 1]
    goes_on = following["event"] in ("trick", "stop") and following["seat"] != trick["seat"] and not trick["forced"]
    return without(lines, at) if goes_on and lines[at - 1]["event"] != "reshuffle" else None


@tampering("fall", readings.CLOCKWISE, readings.LAST_STANDING, readings.LONE_SKATER, readings.SPLIT)
def trick_after_falling(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at + 1, _trick(lines, lines[at]))


@tampering("stop", readings.CLOCKWISE, readings.LAST_STANDING, readings.PERFECT_LANDING)
def trick_after_stopping(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at + 1, _trick(lines, lines[at]))


@tampering("stop", readings.LAST_STANDING)
def last_skater_plays_on(lines: Lines, at: int) -> Lines | None:
    ends_round = lines[at + 1]["event"] == "reward" and len(lines[0]["seats"]) > 2
    return inserted(lines, at, _trick(lines, lines[at])) if ends_round else None


# Replay


@tampering("trick", readings.REPLAY)
def forced_flag_wrong(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, forced=not lines[at]["forced"])


@tampering("trick", readings.REPLAY)
def stop_while_forced(lines: Lines, at: int) -> Lines | None:
    stop = event("stop", lines[at], validated=[], discarded=[], points=0)
    alone = lines[at - 1]["event"] != "reshuffle"
    return inserted(lines, at, stop) if lines[at]["forced"] and alone else None


@tampering("trick", readings.REPLAY)
def replay_not_obeyed(lines: Lines, at: int) -> Lines | None:
    following = lines[at + 1]
    goes_on = following["event"] in ("trick", "stop") and following["seat"] != lines[at]["seat"]
    alone = lines[at - 1]["event"] != "reshuffle"
    return without(lines, at) if lines[at]["forced"] and goes_on and alone else None


@tampering("trick", readings.REPLAY)
def lapse_with_cards_left(lines: Lines, at: int) -> Lines | None:
    alone = lines[at - 1]["event"] != "reshuffle"
    return inserted(lines, at, event("lapse", lines[at], replays=1)) if lines[at]["forced"] and alone else None


@tampering("lapse", readings.REPLAY)
def wrong_number_of_lapsed_replays(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, replays=lines[at]["replays"] + 1)


@tampering("lapse", readings.REPLAY)
def lapse_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


def _trick(lines: Lines, like: Line) -> Line:
    card = cards_of_kind(lines, "trick")[0]
    return event("trick", like, card=card, source="pile 1", forced=False, face_up=False)
