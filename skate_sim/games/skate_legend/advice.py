"""Judgements that several bots share: the least risky source, and Legendaries that pay."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.piles import pile_is_open
from skate_sim.games.skate_legend.state import NONE
from skate_sim.games.skate_legend.view import (
    HAND,
    PILE_1,
    STOP,
    card_falls,
    card_value,
    colour_is_dangerous,
    face_down_risk,
    fall_risk,
    is_last_round,
    play_card,
    replays_of,
    stake,
)
from skate_sim.jit import merged, shared


@merged
def may_play_hand(view):
    """Whether a card of the hand may be played now (not during a Replay, under one of the rule switches)."""
    return view.table.forced == 0 or view.rules.replay_from_hand != 0


@merged
def least_risky(view):
    """The answer to ``act`` with the least chance of a fall, and that chance; ``STOP`` is not considered.

    Among equals pile 1 comes before pile 2, and the piles before the hand, oldest card first. A Legendary of the
    hand is considered only in the last round, or when the piles are a certain fall or gone: it waits for the
    moment that it pays (see ``paying_legendary``). When there is nothing to play at all: (``STOP``, 2.0).
    """
    if view.me.dangers == 0 and pile_is_open(view.table, 0):
        return np.int64(PILE_1), 0.0
    return _compare_sources(view)


@shared
def _compare_sources(view):
    best, least = np.int64(STOP), 2.0
    for answer in range(PILE_1, HAND):
        if pile_is_open(view.table, answer - PILE_1):
            risk = fall_risk(view, answer)
            if risk < least:
                best, least = np.int64(answer), risk
    if least > 0.0 and may_play_hand(view):
        any_card = least >= 1.0 or is_last_round(view)
        for i in range(view.hand.count):
            card = view.hand.cards[np.uint64(i)]
            if any_card or not view.deck.cards[np.uint64(card)].legendary:
                risk = 1.0 if card_falls(view, card) else 0.0
                if risk < least:
                    best, least = play_card(card), risk
    return best, least


@merged
def paying_legendary(view):
    """The answer that plays the Legendary of the hand that pays best now; ``STOP`` if none pays.

    A Legendary pays when playing it is safe, its condition is met with the combo and itself, and, if it brings
    forced tricks, its points times the chance to survive them exceed the points at stake times the chance to
    fall (each of them as risky as a face-down card is now).
    """
    if view.hand.legendaries == 0 or not may_play_hand(view):
        return np.int64(STOP)
    return _compare_legendaries(view)


@shared
def _compare_legendaries(view):
    best, most = np.int64(STOP), 0.0
    for i in range(view.hand.count):
        card = view.hand.cards[np.uint64(i)]
        if view.deck.cards[np.uint64(card)].legendary and not card_falls(view, card):
            gain = np.float64(card_value(view, card))
            replays = replays_of(view, card)
            if replays > 0 and gain > 0.0:
                survive = (1.0 - face_down_risk(view)) ** replays
                gain = gain * survive - stake(view) * (1.0 - survive)
            if gain > most:
                best, most = play_card(card), gain
    return best


@merged
def helmet_lowers_risk(view):
    """Whether a helmet on the card just played prevents a fall: the next card of its colour would be one."""
    return colour_is_dangerous(view, view.deck.cards[np.uint64(view.table.just_played)].colour)


@merged
def has_face_up(view, answer):
    """Whether the top card of ``PILE_1`` or ``PILE_2`` lies face up."""
    return view.table.pile_top[np.uint64(answer - PILE_1)] != NONE
