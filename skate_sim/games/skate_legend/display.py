"""What a person at the table is shown: the position in words, the risk of each answer, and no card that is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skate_sim.games import Display, Resolved
from skate_sim.games.skate_legend.ask import default_answer
from skate_sim.games.skate_legend.cards import COLOUR_NAMES, card_order, conditions
from skate_sim.games.skate_legend.state import FALLEN, NONE, STOPPED
from skate_sim.games.skate_legend.transcript import card_words, sentence
from skate_sim.games.skate_legend.view import (
    ACT,
    DRAW_FROM,
    HAND,
    PILE_1,
    STOP,
    WEAR_HELMET,
    fall_risk,
    prestige,
    stake,
)

#: Styles of the colours of cards on a terminal.
_STYLES = {"red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "grey": "bright_black"}


def risk(view: Any, decision: int, answer: int) -> float:
    """Exact chance that an answer to ``act`` makes this seat fall at once; not a number for other decisions."""
    return float(fall_risk(view, np.int64(answer))) if decision == ACT else float("nan")


def position(view: Any, names: list[str], resolved: Resolved) -> list[tuple[str, str]]:
    """What lies on the table and in this seat's hand, as headings with a line each."""
    table = view.table
    cards = [resolved.tables["cards"][card] for card in card_order(resolved.tables["cards"])]
    lines = [(f"Round {table.round_number} of {table.rounds}", _reward(view, cards))]
    for pile in range(2):
        top = int(table.pile_top[pile])
        face = "face down" if top == NONE else f"{card_words(cards[top])}, face up"
        size = int(table.pile_size[pile])
        lines.append((f"Pile {pile + 1}", f"{size} card{'s' * int(size != 1)}, top {face}" if size else "empty"))
    for seat in range(int(table.seats)):
        if seat != view.hand.seat:
            lines.append((names[seat], _skater(view, table.skaters[seat], seat, cards)))
    mine = f"{_skater(view, view.me, int(view.hand.seat), cards)}; {int(stake(view))} at stake"
    lines.append((names[int(view.hand.seat)], mine))
    held = "; ".join(_held(cards[card]) for card in view.hand.cards[: view.hand.count])
    lines.append(("Hand", held or "empty"))
    return lines


def _reward(view: Any, cards: list[Any]) -> str:
    if view.table.rewards_left <= 0:
        return ""
    return f"reward {_held(cards[int(view.table.reward_top)])}"


def _skater(view: Any, skater: Any, seat: int, cards: list[Any]) -> str:
    """A skater's Prestige, condition and combo."""
    parts = [f"{int(prestige(view, seat))} Prestige"]
    if skater.helmets:
        parts.append(f"{int(skater.helmets)} helmet{'s' * int(skater.helmets > 1)}")
    if skater.condition == STOPPED:
        parts.append("stopped")
    elif skater.condition == FALLEN:
        parts.append("fallen")
    else:
        combo = [cards[int(card)]["name"] for card in skater.combo[: skater.combo_size]]
        colours = [f"{int(n)} {name}" for name, n in zip(COLOUR_NAMES, skater.colours, strict=True) if n]
        if skater.broken:
            colours.append(f"{int(skater.broken)} broken")
        if skater.helmet_colour != NONE:
            colours.append(f"{COLOUR_NAMES[int(skater.helmet_colour)]} safe")
        parts.append(f"combo {', '.join(combo)} ({', '.join(colours)})" if combo else "no combo")
    if seat != view.hand.seat:
        parts.append(f"{int(skater.hand_size)} in hand")
    return "; ".join(parts)


def _held(card: Mapping[str, Any]) -> str:
    """A card with its points and condition."""
    needs = conditions(card)
    condition = f" with {' and '.join(needs)}" if needs else ""
    effect = "" if card["effect"] == "none" else f", {card['effect']}"
    times = f" x{card['times']}" if card["times"] > 1 else ""
    return f"{card_words(card)}, {card['points']} Prestige{condition}{effect}{times}"


def question(view: Any, decision: int, resolved: Resolved) -> str:
    """What this seat is asked."""
    names = card_order(resolved.tables["cards"])
    if decision == WEAR_HELMET:
        card = resolved.tables["cards"][names[int(view.table.just_played)]]
        return f"Wear a helmet on {card_words(card)}?"
    if decision == ACT:
        more = int(view.table.pending_replays)
        forced = f"Replay: play a card ({more} more to come)." if more else "Replay: play a card."
        if view.table.forced:
            return forced
        return "Stop, or play a card?" if view.table.may_stop else "Play a card."
    return "Draw from which pile?" if decision == DRAW_FROM else "Turn up the top of which pile?"


def answer(view: Any, decision: int, chosen: int, resolved: Resolved) -> str:
    """An answer in the words that a player would use."""
    if decision == WEAR_HELMET:
        return "yes" if chosen else "no"
    if decision == ACT and chosen == STOP:
        return f"stop and validate {int(stake(view))} Prestige"
    if chosen >= HAND:
        names = card_order(resolved.tables["cards"])
        return f"hand: {_held(resolved.tables['cards'][names[chosen - HAND]])}"
    top = int(view.table.pile_top[chosen - PILE_1])
    names = card_order(resolved.tables["cards"])
    face = "face down" if top == NONE else card_words(resolved.tables["cards"][names[top]])
    return f"pile {chosen}: {face}"


def keys(view: Any, decision: int, chosen: int) -> tuple[str, ...]:
    """What is typed for an answer: 0 or s to stop, 1 and 2 for the piles, then the hand as it lies."""
    if decision == WEAR_HELMET:
        return ("1", "y") if chosen else ("0", "n")
    if decision == ACT and chosen == STOP:
        return "0", "s"
    if decision == ACT and chosen >= HAND:
        held = [int(card) for card in view.hand.cards[: view.hand.count]]
        return (str(HAND + held.index(chosen - HAND)),)
    return (str(chosen),)


def heard(event: dict[str, Any], who: str, seat: int, resolved: Resolved) -> str:
    """An event as a seat takes it in: cards dealt and drawn face down by others stay hidden."""
    cards = resolved.tables["cards"]
    if event["event"] == "setup":
        piles = " and ".join(str(size) for size in event["piles"])
        return f"In hand: {card_words(cards[event['dealt'][seat]])}. Piles of {piles} cards."
    if event["event"] == "draw" and event["seat"] != seat and not event["face_up"]:
        return f"{who} draws a face-down card from pile {event['pile']}."
    return sentence(event, who, resolved)


def styles(resolved: Resolved) -> dict[str, str]:
    """The style in which each card's name is written: its colour; bold for a Legendary."""
    found = {}
    for card in resolved.tables["cards"].values():
        style = _STYLES[card["colour"]]
        found[card["name"]] = f"bold {style}" if card["kind"] == "legendary" else style
    return found


DISPLAY = Display(
    risk=risk,
    risk_word="risk of a fall",
    score=prestige,
    position=position,
    question=question,
    answer=answer,
    heard=heard,
    keys=keys,
    styles=styles,
    default=default_answer,
)
