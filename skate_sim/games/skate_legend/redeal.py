"""Everything that a seat cannot see, drawn anew."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.piles import ONE
from skate_sim.games.skate_legend.round import BOT_LUCK, SEAT_ROUND
from skate_sim.jit import compiled, entry_point
from skate_sim.rng import draw_remaining, is_in, one_way_key, put_in, stream_key

#: Number of each use of luck in the keys of a redeal.
CARDS, REWARDS, GAME = range(3)

#: ``hidden.hand_slot`` of a place in a hand whose card has gone back to the urn.
EMPTY = 0xFFFF


@entry_point
def redeal(state, seat, key):
    """Draw everything anew that is hidden from ``seat``; see :class:`skate_sim.games.Redeal`.

    Face-down cards of the piles and cards of the other hands that nobody else saw are one urn: every way to lay
    them out is equally likely. So it is with the rewards below the visible one, which may be any Legendary that
    has not been on top yet; the last reward stays the last. All luck to come is drawn anew, this seat's own cards
    included; only the random numbers of its bot stay those of the round, because a bot may look at them.

    After a reshuffle, a perfect memory knows that a card which another seat drew before cannot be one of the cards
    that were discarded at the time. A view does not tell, and neither does this function.
    """
    _redeal_hands(state, seat, stream_key(key, CARDS, 0, 0))
    _redeal_rewards(state, stream_key(key, REWARDS, 0, 0))
    _renew_luck(state, seat, stream_key(key, GAME, 0, 0))


@compiled
def _redeal_hands(state, seat, key):
    """Put the unseen cards of the other hands among the face-down cards, then deal as many."""
    for other in range(state.table.seats):
        if other != seat:
            _put_back(state, np.uint64(other))
    index = np.uint64(0)
    for other in range(state.table.seats):
        if other != seat:
            index = _deal(state, np.uint64(other), key, index)


@compiled
def _put_back(state, seat):
    """Put the unseen cards of a hand into the urn; of equal cards, the oldest count as the unseen ones."""
    hand, hidden = state.hands[seat], state.hidden
    for i in range(hand.count):
        at = np.uint64(i)
        card = np.uint64(hand.cards[at])
        if hand.unseen[card] > 0:
            record = state.setup.deck.cards[card]
            hand.legendaries -= record.legendary
            hand.unseen[card] -= 1
            hand.unseen_class[record.broken] -= record.one
            put_in(hidden.urn, np.uint64(hidden.hand_slot[seat, at]))
            hidden.urn_size += ONE
            hidden.hand_slot[seat, at] = EMPTY


@compiled
def _deal(state, seat, key, index):
    """Fill the empty places of a hand from the urn; returns the number of the stream's next draw."""
    hand, hidden, slots = state.hands[seat], state.hidden, state.setup.slots
    for i in range(hand.count):
        at = np.uint64(i)
        if hidden.hand_slot[seat, at] == EMPTY:
            slot = draw_remaining(hidden.urn, hidden.urn_size, slots.slot_bits, key, index)
            index += ONE
            card = np.uint64(slots.card[slot])
            record = state.setup.deck.cards[card]
            hidden.urn_size -= ONE
            hidden.hand_slot[seat, at] = slot
            hand.cards[at] = card
            hand.legendaries += record.legendary
            hand.unseen[card] += 1
            hand.unseen_class[record.broken] += record.one
    return index


@compiled
def _redeal_rewards(state, key):
    """Draw the rewards below the visible one, the last one aside, from the Legendaries that nobody has seen."""
    hidden, slots = state.hidden, state.setup.slots
    first, last = hidden.reward_index + 1, state.table.rounds - 1
    remaining = slots.legend_urn_size - np.uint64(last)
    for i in range(first, last):
        _put_legend_back(state, hidden.reward_card[np.uint64(i)])
        remaining += ONE
    for i in range(first, last):
        at = np.uint64(i)
        slot = draw_remaining(hidden.reward_urn, remaining, slots.legend_bits, key, at)
        remaining -= ONE
        hidden.reward_card[at] = slots.legend_card[slot]
        slots.card[slots.first_reward + at] = slots.legend_card[slot]


@compiled
def _put_legend_back(state, card):
    """Put a Legendary back among those that are not on the reward pile."""
    slots, urn = state.setup.slots, state.hidden.reward_urn
    slot = np.uint64(0)
    while slots.legend_card[slot] != card or not is_in(slots.legend_urn, slot) or is_in(urn, slot):
        slot += ONE
    put_in(urn, slot)


@compiled
def _renew_luck(state, seat, key):
    """Key all luck to come anew, and make the other bots forget: what they remember may tell their cards."""
    table, hidden = state.table, state.hidden
    hidden.look_again = 1
    state.engine.game_key = key
    for i in range(table.seats):
        other = np.uint64(i)
        seat_key = stream_key(key, SEAT_ROUND, table.round_number, i)
        hidden.trick_luck[other] += seat_key - hidden.seat_key[other]
        hidden.seat_key[other] = seat_key
        if i != seat:
            state.luck[other].key = one_way_key(key, BOT_LUCK, table.round_number, i)
            words = state.memo[other].words
            for at in range(len(words)):
                words[np.uint64(at)] = 0
