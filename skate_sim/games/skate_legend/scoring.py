"""Conditions of Legendary Tricks, and who wins."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.cards import GREY
from skate_sim.games.skate_legend.outcomes import (
    COMBO_CELLS,
    EVENTS,
    HAND_LEFT,
    HELMET_POINTS,
    HELMETS_KEPT,
    LEFT,
    MARGIN,
    PLACE,
    PRESTIGE,
    SHARE_UNITS,
    STARTER_SHARE,
    WIN_SHARE,
    WINNERS,
    WINNING_PRESTIGE,
)
from skate_sim.games.skate_legend.record import note_card
from skate_sim.jit import compiled


@compiled
def condition_holds(rules, skater, card, plus):
    """Whether a card's condition is met by a skater's combo (rulebook, "Legendary Tricks").

    A card contributes to its own condition: ``plus`` is 1 when it is still to be added to the combo, else 0.
    A card without a condition is always met.
    """
    greys = skater.colours[np.uint64(GREY)]
    if card.colour == GREY:
        greys += plus
    total = skater.combo_size + plus
    if not rules.grey_counts_in_card_total:
        total -= greys
    if total < card.needs_cards:
        return False
    broken = skater.broken
    if card.broken:
        broken += plus
    if broken < card.needs_broken:
        return False
    different = 0
    most = 0
    for colour in range(GREY):
        count = skater.colours[np.uint64(colour)]
        if card.colour == colour:
            count += plus
        if count < card.needs_colour[np.uint64(colour)]:
            return False
        different += count > 0
        most = max(most, count)
    if rules.grey_counts_as_color:
        different += greys > 0
        most = max(most, greys)
    return different >= card.needs_colours and most >= card.needs_same_colour


@compiled
def score_game(state):
    """Prestige, places and win shares (rulebook, "End of the Game"): k tied winners have 1/k each."""
    seats = state.engine.seats
    best = -(1 << 30)
    second = best
    for s in range(seats):
        seat = np.uint64(s)
        _score_skater(state, seat)
        prestige = state.seat_out[seat, PRESTIGE]
        if prestige > best:
            second = best
            best = prestige
        elif prestige > second:
            second = prestige
    winners = 0
    for s in range(seats):
        winners += state.seat_out[np.uint64(s), PRESTIGE] == best
    for s in range(seats):
        seat = np.uint64(s)
        prestige = state.seat_out[seat, PRESTIGE]
        place = 1
        for other in range(seats):
            place += state.seat_out[np.uint64(other), PRESTIGE] > prestige
        state.seat_out[seat, PLACE] = place
        state.seat_out[seat, WIN_SHARE] = SHARE_UNITS // winners if prestige == best else 0
    out = state.game_out
    out[WINNERS] = winners
    out[WINNING_PRESTIGE] = best
    out[MARGIN] = best - second
    out[STARTER_SHARE] = state.seat_out[np.uint64(state.first_starter), WIN_SHARE]


@compiled
def _score_skater(state, seat):
    skater = state.table.skaters[seat]
    out = state.seat_out
    helmet_points = skater.helmets * state.setup.rules.helmet_points
    out[seat, HELMETS_KEPT] = skater.helmets
    out[seat, HELMET_POINTS] = helmet_points
    out[seat, PRESTIGE] = skater.validated_points + helmet_points
    hand = state.hands[seat]
    out[seat, HAND_LEFT] = hand.count
    if hand.legendaries:
        for i in range(hand.count):
            note_card(state, seat, hand.cards[np.uint64(i)], LEFT)


@compiled
def flush_ledger(state, ledger):
    """Add the game's Legendary events to the bots' ledgers, each with the win share of the skater it befell."""
    log = state.ledger_log
    for i in range(log.count):
        at = np.uint64(i)
        seat = np.uint64(log.seat[at])
        entry = np.uint64(state.engine.seat_entry[seat])
        cell = np.uint64(log.card[at]) * np.uint64(2 * EVENTS) + np.uint64(log.event[at])
        ledger[entry, cell] += 1
        ledger[entry, cell + np.uint64(EVENTS)] += state.seat_out[seat, WIN_SHARE]


@compiled
def flush_combos(state, ledger):
    """Add how the game's combos ended, one a seat and round, to the bots' ledgers."""
    for s in range(state.engine.seats):
        seat = np.uint64(s)
        entry = np.uint64(state.engine.seat_entry[seat])
        for r in range(state.table.rounds):
            ledger[entry, np.uint64(COMBO_CELLS) + np.uint64(state.combo_ends[seat, np.uint64(r)])] += 1
