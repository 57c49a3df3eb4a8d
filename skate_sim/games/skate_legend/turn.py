"""One skater's turn: Do a Trick, with its helmet, effect and Replays, or Stop (rulebook, "Taking Your Turn")."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.ask import ask
from skate_sim.games.skate_legend.cards import BROKEN_BIT, DRAW, GREY, REPLAY, REVEAL
from skate_sim.games.skate_legend.combo import add_to_combo, fall, validate
from skate_sim.games.skate_legend.outcomes import (
    HELMETS_WORN,
    REPLAYS_LAPSED,
    TRICKS_FORCED,
    TRICKS_FROM_HAND,
    TURNS,
)
from skate_sim.games.skate_legend.piles import (
    draw_to_hand,
    next_trick,
    pile_can_reveal,
    pile_is_open,
    renew_piles,
    reveal,
    take_for_trick,
    take_from_hand,
)
from skate_sim.games.skate_legend.record import BY_BOTH, BY_BROKEN, BY_COLOUR, HELMET, LAPSED, TRICK, log_event
from skate_sim.games.skate_legend.rules import AFTER_EFFECT, BEFORE_EFFECT
from skate_sim.games.skate_legend.state import NONE
from skate_sim.games.skate_legend.view import (
    ACT,
    DRAW_FROM,
    HAND,
    PILE_1,
    PILE_2,
    REVEAL_TOP,
    STOP,
    WEAR_HELMET,
)
from skate_sim.jit import compiled, inlined, merged

#: No source is left for a forced trick: below every answer of a bot.
NOTHING = STOP - 1


@inlined
def take_turn(state, seat):
    """Let a standing skater act until its turn is over."""
    table = state.table
    table.turn_seat = seat
    table.pending_replays = 0
    state.game_out[TURNS] += 1
    forced = False
    while True:
        ahead = next_trick(state, seat)
        answer = _choose(state, seat, forced)
        if answer <= STOP:
            if answer == STOP:
                validate(state, seat, _takes_perfect_landing(state))
            else:
                state.seat_out[seat, REPLAYS_LAPSED] += table.pending_replays + 1
                log_event(state, LAPSED, seat, table.pending_replays + 1, 0, 0, 0)
            return
        if not _do_trick(state, seat, answer, forced, ahead):
            return
        if table.pending_replays == 0:
            return
        table.pending_replays -= 1
        forced = True


@merged
def _takes_perfect_landing(state):
    """Whether stopping now puts Perfect Landing into the combo: the lone skater of two, in the last round."""
    table, rules = state.table, state.setup.rules
    if table.seats > 2 or table.standing > 1 or table.round_number < table.rounds:
        return False
    return rules.perfect_landing_in_combo != 0


@merged
def _choose(state, seat, forced):
    """What the skater does next; a bot is asked only where it has a choice."""
    table = state.table
    table.forced = forced
    may_stop = (table.skaters[seat].combo_size > 0) | (state.hidden.empty_stop != 0)
    table.may_stop = may_stop & (not forced)
    if table.pile_size[0] > 0 and table.pile_size[1] > 0:
        return np.int64(ask(state, seat, np.int64(ACT)))
    return _choose_scarce(state, seat, forced)


@compiled
def _choose_scarce(state, seat, forced):
    """The same, where a pile is empty: there may be one source, or none."""
    table = state.table
    state.hidden.look_again = 1
    open_1, open_2 = pile_is_open(table, 0), pile_is_open(table, 1)
    hand = table.skaters[seat].hand_size
    if forced and not state.setup.rules.replay_from_hand:
        hand = 0
    sources = np.int64(open_1) + np.int64(open_2) + hand  # numpy adds flags with a logical or
    if sources == 0 and not forced:
        table.may_stop = 1
    if sources == 0:
        return np.int64(NOTHING) if forced else np.int64(STOP)
    if sources == 1 and not table.may_stop:
        if open_1:
            return np.int64(PILE_1)
        if open_2:
            return np.int64(PILE_2)
        return HAND + np.int64(state.hands[seat].cards[0])
    return np.int64(ask(state, seat, np.int64(ACT)))


@merged
def _do_trick(state, seat, answer, forced, ahead):
    """Play a card from where the answer says, and resolve it; False if the skater fell."""
    out = state.seat_out
    face_up, emptied = False, False
    if answer >= HAND:
        card = np.uint64(answer - HAND)
        slot = take_from_hand(state, seat, card)
        source = HAND
        out[seat, TRICKS_FROM_HAND] += 1
    else:
        slot, face_up, emptied = take_for_trick(state, seat, answer - PILE_1, ahead)
        card = np.uint64(state.setup.slots.card[slot])
        source = answer
    if forced:
        out[seat, TRICKS_FORCED] += 1
    fatal = state.table.skaters[seat].dangers & state.setup.deck.cards[card].dangers
    add_to_combo(state, seat, slot, card)
    log_event(state, TRICK, seat, card, source, forced, face_up)
    if emptied:
        renew_piles(state, answer - PILE_1)
    if fatal:
        fall(state, seat, _fall_reason(fatal))
        return False
    _resolve(state, seat, card)
    return True


@merged
def _fall_reason(fatal):
    """Why a skater falls, from the dangers that the card just played met."""
    if fatal == BROKEN_BIT:
        return BY_BROKEN
    return BY_BOTH if fatal & BROKEN_BIT else BY_COLOUR


@merged
def _resolve(state, seat, card):
    """Helmet and effect of a card that did not make the skater fall."""
    record, rules = state.setup.deck.cards[card], state.setup.rules
    helmet = state.table.skaters[seat].helmets > 0 and _may_wear_helmet(state, seat, record)
    if helmet and rules.helmet_timing == BEFORE_EFFECT:
        _offer_helmet(state, seat, card)
    state.table.pending_replays += record.times * np.int64(record.effect == REPLAY)
    if record.effect == DRAW:
        for _ in range(record.times):
            _draw_one(state, seat)
    elif record.effect == REVEAL:
        for _ in range(record.times):
            _reveal_one(state, seat)
    if helmet and rules.helmet_timing == AFTER_EFFECT:
        _offer_helmet(state, seat, card)


@merged
def _may_wear_helmet(state, seat, record):
    """Whether one of its helmets can be placed on the card just played (rulebook, "Helmet Token")."""
    skater, rules = state.table.skaters[seat], state.setup.rules
    usable = (record.colour != GREY) | (rules.grey_can_fall != 0)
    enough = skater.colours[record.colour] >= rules.helmet_min_same_color
    return (skater.helmet_colour == NONE) & usable & enough


@merged
def _offer_helmet(state, seat, card):
    """Let the skater place a helmet on the card just played."""
    table = state.table
    skater = table.skaters[seat]
    colour = np.int64(state.setup.deck.cards[card].colour)
    table.just_played = card
    if ask(state, seat, np.int64(WEAR_HELMET)) == 1:
        skater.helmets -= 1
        skater.helmet_colour = colour
        skater.dangers &= ~(1 << colour)
        skater.exposed &= ~(1 << colour)
        state.seat_out[seat, HELMETS_WORN] += 1
        log_event(state, HELMET, seat, card, colour, 0, 0)


@merged
def _draw_one(state, seat):
    """Obey one Draw, if a card is left."""
    open_1, open_2 = pile_is_open(state.table, 0), pile_is_open(state.table, 1)
    if open_1 and open_2:
        draw_to_hand(state, seat, ask(state, seat, np.int64(DRAW_FROM)) - PILE_1)
    elif open_1:
        draw_to_hand(state, seat, np.int64(0))
    elif open_2:
        draw_to_hand(state, seat, np.int64(1))


@merged
def _reveal_one(state, seat):
    """Obey one Reveal, if a pile has a face-down top."""
    open_1, open_2 = pile_can_reveal(state.table, 0), pile_can_reveal(state.table, 1)
    if open_1 and open_2:
        reveal(state, seat, ask(state, seat, np.int64(REVEAL_TOP)) - PILE_1)
    elif open_1:
        reveal(state, seat, np.int64(0))
    elif open_2:
        reveal(state, seat, np.int64(1))
