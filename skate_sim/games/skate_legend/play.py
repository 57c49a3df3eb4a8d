"""Whole games: set up, four rounds, scores; one after the other in a batch."""

from __future__ import annotations

import numpy as np

from skate_sim.games import FINISHED
from skate_sim.games.skate_legend.combo import clear_combo
from skate_sim.games.skate_legend.outcomes import GAME_COLUMNS, SEAT_CAPACITY, SEAT_PLAIN
from skate_sim.games.skate_legend.piles import ONE, deal_card
from skate_sim.games.skate_legend.record import DEALT, log_event
from skate_sim.games.skate_legend.round import DEAL, FIRST_SKATER, REWARD_PILE, play_round
from skate_sim.games.skate_legend.scoring import flush_combos, flush_ledger, score_game
from skate_sim.games.skate_legend.state import NONE
from skate_sim.jit import compiled, entry_point, inlined
from skate_sim.rng import below, draw_remaining, game_key, stream_key, word

ZERO = np.uint64(0)
#: Columns of a row by round, beside the plain ones.
_ROUND_COLUMNS = (SEAT_CAPACITY - SEAT_PLAIN) // 10


@inlined
def play_game(state):
    """Play the game that ``state.engine.game_key`` names, from the shuffle to the scores."""
    _clear(state)
    _set_up(state)
    table = state.table
    for number in range(1, table.rounds + 1):
        table.round_number = number
        play_round(state)
    score_game(state)


@compiled
def _clear(state):
    """Empty hands, combos, discard pile and counters of the last game."""
    table, deck, slots, hidden = state.table, state.setup.deck, state.setup.slots, state.hidden
    state.engine.status = FINISHED
    state.engine.questions = 0
    state.engine.log_size = 0
    state.ledger_log.count = 0
    table.round_number = 0
    table.discard_size = 0
    for card in range(deck.card_types):
        at = np.uint64(card)
        table.discard[at] = 0
        table.unseen[at] = deck.copies[at]
    for kind in range(len(deck.classes)):
        table.unseen_class[np.uint64(kind)] = deck.classes[np.uint64(kind)]
    table.unseen_size = np.int64(slots.urn_size)
    for i in range(len(hidden.urn)):
        hidden.urn[np.uint64(i)] = slots.urn[np.uint64(i)]
        hidden.discard[np.uint64(i)] = ZERO
    hidden.urn_size = slots.urn_size
    hidden.reshuffles = 0
    hidden.look_again = 0
    for column in range(GAME_COLUMNS):
        state.game_out[np.uint64(column)] = 0
    columns = SEAT_PLAIN + _ROUND_COLUMNS * state.setup.rules.rounds
    for s in range(state.engine.seats):
        seat = np.uint64(s)
        _clear_skater(state, seat)
        for column in range(columns):
            state.seat_out[seat, np.uint64(column)] = 0


@compiled
def _clear_skater(state, seat):
    skater, hand, memo = state.table.skaters[seat], state.hands[seat], state.memo[seat]
    clear_combo(skater, state.setup.deck)
    skater.helmets = 0
    skater.validated_points = 0
    skater.validated_cards = 0
    skater.hand_size = 0
    skater.legendaries_held = 0
    skater.known_size = 0
    hand.seat = seat
    hand.count = 0
    hand.legendaries = 0
    hand.unseen_size = 0
    for kind in range(len(hand.unseen_class)):
        hand.unseen_class[np.uint64(kind)] = 0
    for card in range(state.setup.deck.card_types):
        hand.unseen[np.uint64(card)] = 0
    for i in range(len(memo.words)):
        memo.words[np.uint64(i)] = 0


@compiled
def _set_up(state):
    """Reward pile, first skater, one card each, two piles (rulebook, "Setup")."""
    table, rules = state.table, state.setup.rules
    key = state.engine.game_key
    table.seats = rules.seats
    table.rounds = rules.rounds
    table.helmet_supply = rules.helmet_supply
    _make_reward_pile(state, stream_key(key, REWARD_PILE, 0, 0))
    starter = np.int64(below(word(stream_key(key, FIRST_SKATER, 0, 0), ZERO), np.uint64(rules.seats)))
    state.starter = starter
    state.first_starter = starter
    deal = stream_key(key, DEAL, 0, 0)
    for seat in range(rules.seats):
        deal_card(state, np.uint64(seat), deal)
        log_event(state, DEALT, seat, state.hands[np.uint64(seat)].cards[0], 0, 0, 0)
    rest = np.int64(state.hidden.urn_size)
    table.pile_size[0] = rest - rest // 2
    table.pile_size[1] = rest // 2
    table.pile_top[0] = NONE
    table.pile_top[1] = NONE


@compiled
def _make_reward_pile(state, key):
    """Legendaries at random on top of the last reward."""
    table, slots, hidden = state.table, state.setup.slots, state.hidden
    last_reward = state.setup.deck.last_reward
    urn = hidden.reward_urn
    urn[0] = slots.legend_urn[0]
    remaining = slots.legend_urn_size
    last = table.rounds - 1
    for i in range(last):
        slot = draw_remaining(urn, remaining, slots.legend_bits, key, np.uint64(i))
        remaining -= ONE
        hidden.reward_card[np.uint64(i)] = slots.legend_card[slot]
    hidden.reward_card[np.uint64(last)] = last_reward
    for i in range(table.rounds):
        slots.card[slots.first_reward + np.uint64(i)] = hidden.reward_card[np.uint64(i)]
    hidden.reward_index = 0
    table.rewards_left = table.rounds
    table.reward_top = hidden.reward_card[0]


@entry_point
def play_batch(states, seed, first, count, lineups, seat_rows, game_rows, ledger):
    """Play games one after the other; see :class:`skate_sim.games.PlayBatch`."""
    state = states[0]
    engine = state.engine
    seats = engine.seats
    columns = SEAT_PLAIN + _ROUND_COLUMNS * state.setup.rules.rounds
    for i in range(count):
        row = np.uint64(i)
        game = np.uint64(first + i)
        lineup = np.uint64(game % np.uint64(len(lineups)))
        for s in range(seats):
            engine.seat_entry[np.uint64(s)] = lineups[lineup, np.uint64(s)]
        engine.game_key = game_key(seed, game)
        play_game(state)
        if engine.status != FINISHED:
            return i
        for s in range(seats):
            seat = np.uint64(s)
            for column in range(columns):
                seat_rows[row, seat, np.uint64(column)] = state.seat_out[seat, np.uint64(column)]
        for column in range(GAME_COLUMNS):
            game_rows[row, np.uint64(column)] = state.game_out[np.uint64(column)]
        flush_ledger(state, ledger)
        flush_combos(state, ledger)
    return count
