"""One round, from its first turn to its reward (rulebook, "End of Round" and "Two-Player Game")."""

from __future__ import annotations

import numpy as np

from skate_sim.bits import lowest_bit
from skate_sim.games.skate_legend.combo import take_last_reward, take_perfect_landing, validate
from skate_sim.games.skate_legend.outcomes import (
    ALL_FELL,
    REWARDS_LOST,
    REWARDS_TAKEN,
    ROUND_ENDS,
    ROUNDS_ENDED,
    SEAT_PLAIN,
    TAKEN,
)
from skate_sim.games.skate_legend.piles import add_to_hand, discard
from skate_sim.games.skate_legend.record import GIVEN, REWARD, REWARD_GONE, log_event, note_card
from skate_sim.games.skate_legend.state import NONE, STANDING, STOPPED
from skate_sim.games.skate_legend.turn import take_turn
from skate_sim.jit import compiled, inlined, merged
from skate_sim.rng import first_word, one_way_key, stream_key

#: Number of a source of luck in stream keys.
REWARD_PILE, FIRST_SKATER, DEAL, SEAT_ROUND, BOT_LUCK = range(5)


@inlined
def play_round(state):
    """Play the round ``state.table.round_number``; the skater who ended it begins the next."""
    table = state.table
    _begin(state)
    seat = np.uint64(state.starter)
    while True:
        take_turn(state, seat)
        if table.seats > 2:
            if table.standing == 1:
                seat = _next_standing(state, seat)
                break
        elif table.standing == 0:
            break
        seat = _next_standing(state, seat)
    _end(state, seat)


@compiled
def _begin(state):
    table, hidden = state.table, state.hidden
    zero = np.uint64(0)
    for s in range(table.seats):
        seat = np.uint64(s)
        table.skaters[seat].condition = STANDING
        key = stream_key(state.engine.game_key, SEAT_ROUND, table.round_number, s)
        hidden.seat_key[seat] = key
        hidden.trick_luck[seat] = first_word(key)
        hidden.hand_drawn[seat] = zero
        hidden.revealed[seat] = zero
        if not state.engine.entries[np.uint64(state.engine.seat_entry[seat])].no_luck:
            luck = state.luck[seat]
            luck.key = one_way_key(state.engine.game_key, BOT_LUCK, table.round_number, s)
            luck.next_word = zero
    table.standing = table.seats
    if state.setup.gift.round_number == table.round_number:
        _give(state)
    hidden.empty_stop = state.setup.rules.allow_empty_stop
    hidden.standing = (np.uint64(1) << np.uint64(table.seats)) - np.uint64(1)


@compiled
def _give(state):
    """Give a seat the Legendary whose value is measured; everybody sees it, as if it were taken as a reward."""
    gift = state.setup.gift
    seat, card = np.uint64(gift.seat), np.uint64(gift.card)
    slot = state.setup.slots.first_reward + np.uint64(state.table.rounds)
    state.setup.slots.card[slot] = card
    add_to_hand(state, seat, slot, card, True)
    note_card(state, seat, card, TAKEN)
    log_event(state, GIVEN, seat, card, 0, 0, 0)


@merged
def _next_standing(state, seat):
    """The next skater clockwise who is still standing; the same one if it is alone."""
    standing = state.hidden.standing
    after = standing & ~((np.uint64(2) << seat) - np.uint64(1))
    return lowest_bit(after if after != 0 else standing)


@compiled
def _end(state, seat):
    """The round is ended by ``seat``: the last one standing of three or more, or the last of two to play."""
    table, out = state.table, state.seat_out
    last = table.round_number == table.rounds
    in_combo = last and state.setup.rules.perfect_landing_in_combo
    if table.seats > 2:
        validate(state, seat, in_combo)
    out[seat, ROUNDS_ENDED] += 1
    out[seat, np.uint64(SEAT_PLAIN + ROUND_ENDS * table.rounds + table.round_number - 1)] = 1
    if table.skaters[seat].condition == STOPPED:
        if last:
            take_last_reward(state, seat)
            if not in_combo:
                take_perfect_landing(state, seat)
            log_event(state, REWARD, seat, table.reward_top, 0, 0, 0)
        else:
            _take_reward(state, seat)
    else:
        _lose_reward(state, seat)
    state.starter = seat
    _uncover_reward(state)


@compiled
def _take_reward(state, seat):
    """The visible Legendary goes to the hand; everybody sees it."""
    card = np.uint64(state.table.reward_top)
    slot = state.setup.slots.first_reward + np.uint64(state.hidden.reward_index)
    add_to_hand(state, seat, slot, card, True)
    state.seat_out[seat, REWARDS_TAKEN] += 1
    note_card(state, seat, card, TAKEN)
    log_event(state, REWARD, seat, card, 0, 0, 0)


@compiled
def _lose_reward(state, seat):
    """The lone skater of a two-player game fell: the visible reward is discarded."""
    card = np.uint64(state.table.reward_top)
    discard(state, state.setup.slots.first_reward + np.uint64(state.hidden.reward_index), card)
    state.seat_out[seat, REWARDS_LOST] += 1
    state.game_out[ALL_FELL] += 1
    log_event(state, REWARD_GONE, seat, card, 0, 0, 0)


@compiled
def _uncover_reward(state):
    """Turn to the next card of the reward pile."""
    table, hidden = state.table, state.hidden
    hidden.reward_index += 1
    table.rewards_left -= 1
    table.reward_top = NONE
    if hidden.reward_index < table.rounds:
        table.reward_top = hidden.reward_card[np.uint64(hidden.reward_index)]
