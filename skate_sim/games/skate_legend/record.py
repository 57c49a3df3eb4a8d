"""What a game writes down as it goes: events for a transcript, what befell each Legendary, how combos ended."""

from __future__ import annotations

import numpy as np

from skate_sim.games import FINISHED, GUARD_MET
from skate_sim.games.skate_legend.outcomes import COMBO_ENDINGS, MOST_STEPS
from skate_sim.games.skate_legend.state import LEDGER_LOG_SIZE, LOG_SIZE
from skate_sim.jit import compiled, merged

#: Kinds of event, by number.
(
    DEALT,
    TRICK,
    HELMET,
    FELL,
    DREW,
    REVEALED,
    LAPSED,
    SPLIT,
    RESHUFFLED,
    UNMET_CARD,
    STOPPED_AT,
    REWARD,
    REWARD_GONE,
    GIVEN,
) = range(14)

#: Fall reasons.
BY_COLOUR, BY_BROKEN, BY_BOTH = range(1, 4)


@merged
def log_event(state, kind, seat, a, b, c, d):
    """Write an event down, if the game is being told."""
    if state.engine.log_on:
        _write_event(state, np.int64(kind), np.int64(seat), np.int64(a), np.int64(b), np.int64(c), np.int64(d))


@compiled
def _write_event(state, kind, seat, a, b, c, d):
    engine = state.engine
    if engine.status != FINISHED:
        return  # after a fault the game goes on with default answers, which nobody wants to read
    if engine.log_size >= LOG_SIZE:
        engine.status = GUARD_MET
        return
    event = state.events[np.uint64(engine.log_size)]
    event.kind = kind
    event.round_number = state.table.round_number
    event.seat = seat
    event.a = a
    event.b = b
    event.c = c
    event.d = d
    engine.log_size += 1


@merged
def note_card(state, seat, card, event):
    """Note what a skater did to a card, if it is a Legendary."""
    if state.setup.deck.cards[np.uint64(card)].legendary:
        _write_note(state, np.uint64(seat), np.uint64(card), np.int64(event))


@compiled
def _write_note(state, seat, card, event):
    log = state.ledger_log
    if log.count >= LEDGER_LOG_SIZE:
        state.engine.status = GUARD_MET
        return
    at = np.uint64(log.count)
    log.seat[at] = seat
    log.card[at] = card
    log.event[at] = event
    log.count += 1


@merged
def note_end(state, seat, size, ending):
    """Note how a skater's combo of the round ended, and with how many cards, the fatal one aside."""
    cell = min(np.int64(size), MOST_STEPS) * COMBO_ENDINGS + ending
    state.combo_ends[seat, np.uint64(state.table.round_number - 1)] = cell
