"""Cheating in the rest of a turn: falls, helmets, Draw and Reveal, Stop."""

from __future__ import annotations

from .. import readings
from .tools import (
    Line,
    Lines,
    cards_of_kind,
    changed,
    event,
    inserted,
    other_seat,
    seen,
    starts_round,
    swapped,
    tampering,
    without,
)

# Falls


@tampering("fall", readings.FALL)
def fall_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("trick", readings.FALL, readings.DRAW, readings.REVEAL, readings.SPLIT, readings.RESHUFFLE, readings.REPLAY)
def fall_made_up(lines: Lines, at: int) -> Lines | None:
    fall = event("fall", lines[at], reason="colour", cards=[lines[at]["card"]])
    return None if lines[at + 1]["event"] == "fall" else inserted(lines, at + 1, fall)


@tampering("fall", readings.FALL)
def wrong_reason(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, reason="colour" if lines[at]["reason"] != "colour" else "broken")


@tampering("fall", readings.FALL)
def card_saved_from_the_fall(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, cards=lines[at]["cards"][1:])


@tampering("fall", readings.FALL)
def fallen_combo_in_another_order(lines: Lines, at: int) -> Lines | None:
    order = lines[at]["cards"][::-1]
    return changed(lines, at, cards=order) if order != lines[at]["cards"] else None


@tampering("fall", readings.FALL)
def somebody_else_falls(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


# Helmets


@tampering("trick", readings.HELMET, readings.DRAW, readings.REVEAL, readings.SPLIT, readings.RESHUFFLE)
def helmet_without_having_one(lines: Lines, at: int) -> Lines | None:
    stands = lines[at + 1]["event"] != "fall" and lines[at]["round"] == 1
    return inserted(lines, at + 1, _helmet(lines, lines[at])) if stands else None


@tampering("trick", readings.FALL)
def helmet_in_reaction_to_a_fall(lines: Lines, at: int) -> Lines | None:
    falls = lines[at + 1]["event"] == "fall"
    return inserted(lines, at + 1, _helmet(lines, lines[at])) if falls else None


@tampering("helmet", readings.HELMET, readings.DRAW, readings.REVEAL)
def second_helmet_on_a_card(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at, lines[at])


@tampering("helmet", readings.HELMET)
def helmet_of_another_colour(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, colour="blue" if lines[at]["colour"] != "blue" else "red")


@tampering("helmet", readings.HELMET)
def helmet_on_an_older_card(lines: Lines, at: int) -> Lines | None:
    others = [card for card in lines[0]["cards"] if card != lines[at]["card"]]
    return changed(lines, at, card=others[0])


@tampering("helmet", readings.HELMET)
def helmet_of_another_skater(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("trick", readings.HELMET, readings.DRAW, readings.REVEAL, readings.SPLIT)
def helmet_on_a_grey_card(lines: Lines, at: int) -> Lines | None:
    grey = lines[0]["cards"][lines[at]["card"]]["colour"] == "grey" and not lines[0]["rules"]["grey_can_fall"]
    stands = lines[at + 1]["event"] not in ("fall", "helmet")
    return inserted(lines, at + 1, _helmet(lines, lines[at])) if grey and stands else None


@tampering("helmet", readings.HELMET, readings.DRAW, readings.REVEAL, readings.SPLIT)
def helmet_at_the_wrong_time(lines: Lines, at: int) -> Lines | None:
    """After the effect instead of before it, or before instead of after."""
    if lines[at + 1]["event"] in ("draw", "reveal"):
        return swapped(lines, at)
    return swapped(lines, at - 1) if lines[at - 1]["event"] in ("draw", "reveal") else None


@tampering("helmet", readings.FALL, readings.PRESTIGE, readings.SHARED_VICTORY)
def helmet_used_and_kept(lines: Lines, at: int) -> Lines | None:
    rules = lines[0]["rules"]
    costs = rules["placed_helmet_on_fall"] == "lost" and rules["helmet_supply"] == "unlimited"
    return without(lines, at) if costs else None


# Draw and Reveal


@tampering("draw", readings.DRAW, readings.SPLIT, readings.FACE_UP)
def draw_left_out(lines: Lines, at: int) -> Lines | None:
    alone = lines[at - 1]["event"] != "reshuffle" and lines[at + 1]["event"] not in ("split", "reshuffle")
    return without(lines, at) if alone else None


@tampering("draw", readings.UNSEEN)
def legendary_drawn(lines: Lines, at: int) -> Lines | None:
    boxed = lines[0]["rules"]["discarded_legendaries"] == "box"
    return changed(lines, at, card=lines[0]["rewards"][0]) if boxed and not lines[at]["face_up"] else None


@tampering("draw", readings.FACE_UP)
def wrong_face_up_draw(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, face_up=not lines[at]["face_up"])


@tampering("draw", readings.DRAW)
def somebody_else_draws(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("draw", readings.DRAW, readings.REVEAL, readings.FACE_UP, readings.UNSEEN, readings.SPLIT)
def one_draw_too_many(lines: Lines, at: int) -> Lines | None:
    last = lines[at + 1]["event"] in ("trick", "stop") and lines[at + 1]["seat"] != lines[at]["seat"]
    return inserted(lines, at + 1, lines[at]) if last else None


@tampering("reveal", readings.REVEAL)
def reveal_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at) if lines[at - 1]["event"] != "reshuffle" else None


@tampering("reveal", readings.REVEAL)
def face_up_card_revealed(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at + 1, lines[at])


@tampering("reveal", readings.FACE_UP)
def another_card_revealed(lines: Lines, at: int) -> Lines | None:
    """The card then taken is not the one that was revealed."""
    reveal, following = lines[at], lines[at + 1]
    if following["event"] != "trick" or not following["face_up"] or following["card"] != reveal["card"]:
        return None
    others = [card for card in cards_of_kind(lines, "trick") if card not in {*seen(lines, at), reveal["card"]}]
    return changed(lines, at, card=others[0]) if others and following["source"] == f"pile {reveal['pile']}" else None


# Stop


@tampering("trick", readings.STOP)
def stop_with_an_empty_combo(lines: Lines, at: int) -> Lines | None:
    stop = event("stop", lines[at], validated=[], discarded=[], points=0)
    barred = starts_round(lines, at) and not lines[0]["rules"]["allow_empty_stop"]
    return inserted(lines, at, stop) if barred else None


@tampering("stop", readings.CONDITIONS)
def card_not_validated(lines: Lines, at: int) -> Lines | None:
    validated = lines[at]["validated"]
    return changed(lines, at, validated=validated[:-1]) if validated else None


@tampering("stop", readings.CONDITIONS)
def card_smuggled_in(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, validated=[*lines[at]["validated"], "ollie"])


@tampering("stop", readings.CONDITIONS)
def wrong_points(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, points=lines[at]["points"] + 1)


@tampering("stop", readings.CONDITIONS)
def unmet_legendary_validated(lines: Lines, at: int) -> Lines | None:
    stop = lines[at]
    if not stop["discarded"]:
        return None
    card = stop["discarded"][0]
    points = stop["points"] + lines[0]["cards"][card]["points"]
    return changed(lines, at, validated=[*stop["validated"], card], discarded=stop["discarded"][1:], points=points)


@tampering("stop", readings.CONDITIONS)
def met_legendary_discarded(lines: Lines, at: int) -> Lines | None:
    stop, legendaries = lines[at], cards_of_kind(lines, "legendary")
    for card in stop["validated"]:
        if card in legendaries:
            kept = list(stop["validated"])
            kept.remove(card)
            points = stop["points"] - lines[0]["cards"][card]["points"]
            return changed(lines, at, validated=kept, discarded=[*stop["discarded"], card], points=points)
    return None


@tampering("stop", readings.CLOCKWISE, readings.LAST_STANDING)
def somebody_else_stops(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("stop", readings.CLOCKWISE, readings.LAST_STANDING, readings.SOURCE, readings.RESHUFFLE)
def stop_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


def _helmet(lines: Lines, trick: Line) -> Line:
    return event("helmet", trick, card=trick["card"], colour=lines[0]["cards"][trick["card"]]["colour"])
