"""A combo: how it grows, falls, and is validated."""

from __future__ import annotations

import numpy as np

from skate_sim.bits import lanes_above, lanes_adder, lanes_clearer
from skate_sim.games.skate_legend.cards import FALL_AT
from skate_sim.games.skate_legend.outcomes import (
    CARDS_VALIDATED,
    FALLS,
    FALLS_BY_COLOUR,
    FELL_NEXT,
    HELMETS_GAINED,
    LAST_STANDING,
    LEGENDARIES_PLAYED,
    LEGENDARY_POINTS,
    LOST,
    PERFECT_LANDING_POINTS,
    PLAYED,
    REWARDS_TAKEN,
    ROUND_CARDS,
    ROUND_FALLS,
    ROUND_POINTS,
    ROUND_TRICKS,
    SCORED,
    SEAT_PLAIN,
    STOPPED_BY_CHOICE,
    TAKEN,
    TRICK_POINTS,
    TRICKS,
    UNMET,
)
from skate_sim.games.skate_legend.piles import discard
from skate_sim.games.skate_legend.record import FELL, STOPPED_AT, UNMET_CARD, log_event, note_card, note_end
from skate_sim.games.skate_legend.rules import NO_LIMIT, RETURNED
from skate_sim.games.skate_legend.scoring import condition_holds
from skate_sim.games.skate_legend.state import FALLEN, NONE, STOPPED
from skate_sim.jit import compiled, merged
from skate_sim.rng import put_in

_clear_counts = lanes_clearer("colours")
_add_counts = lanes_adder("colours", "adds")
#: Of what one more makes fall, or would if the skater were exposed to it.
_one_short = lanes_above("colours", FALL_AT - 2)


@merged
def clear_combo(skater, deck):
    """Leave a skater without cards in front of it."""
    skater.combo_size = 0
    skater.helmet_colour = NONE
    skater.dangers = 0
    skater.exposed = deck.dangers
    _clear_counts(skater)


@merged
def add_to_combo(state, seat, slot, card):
    """Put a card at the end of a combo."""
    skater, record = state.table.skaters[seat], state.setup.deck.cards[card]
    size = np.uint64(skater.combo_size)
    # Without a branch: how many of a colour there are cannot be predicted.
    _add_counts(skater, record)
    skater.dangers = _one_short(skater) & skater.exposed
    skater.combo_size = size + np.uint64(1)
    skater.combo[size] = card
    state.hidden.combo_slot[seat, size] = slot
    if record.legendary and card != state.setup.deck.last_reward:
        state.seat_out[seat, LEGENDARIES_PLAYED] += 1
        note_card(state, seat, card, PLAYED)


@merged
def _note_tricks(state, seat):
    """Note how many tricks a skater did in the round, as it leaves it."""
    tricks = state.table.skaters[seat].combo_size
    state.seat_out[seat, TRICKS] += tricks
    state.seat_out[seat, _by_round(state, ROUND_TRICKS)] = tricks


@merged
def _by_round(state, column):
    """Place in a row of a column by round, in the round that is played."""
    return np.uint64(SEAT_PLAIN + column * state.table.rounds + state.table.round_number - 1)


@compiled
def fall(state, seat, reason):
    """The combo is discarded, the skater takes a helmet and is out of the round (rulebook, "Do a Trick")."""
    table, rules, out = state.table, state.setup.rules, state.seat_out
    skater = table.skaters[seat]
    log_event(state, FELL, seat, reason, skater.combo_size, 0, 0)
    _note_tricks(state, seat)
    note_end(state, seat, skater.combo_size - 1, FELL_NEXT)
    out[seat, FALLS] += 1
    out[seat, np.uint64(FALLS_BY_COLOUR + reason - 1)] += 1
    out[seat, _by_round(state, ROUND_FALLS)] = 1
    if skater.special:
        _discard_special(state, seat)
    else:
        for i in range(skater.combo_size):
            at = np.uint64(i)
            put_in(state.hidden.discard, np.uint64(state.hidden.combo_slot[seat, at]))
            table.discard[np.uint64(skater.combo[at])] += 1
        table.discard_size += skater.combo_size
    if skater.helmet_colour != NONE:
        if rules.placed_helmet_on_fall == RETURNED:
            skater.helmets += 1
        else:
            _return_helmet(table)
    if table.helmet_supply != 0:
        skater.helmets += 1
        table.helmet_supply -= table.helmet_supply != NO_LIMIT
        out[seat, HELMETS_GAINED] += 1
    _leave_round(state, seat, FALLEN)


@compiled
def _discard_special(state, seat):
    """Discard a fallen combo that has Legendaries or cards with a condition."""
    skater = state.table.skaters[seat]
    for i in range(skater.combo_size):
        at = np.uint64(i)
        card = np.uint64(skater.combo[at])
        discard(state, np.uint64(state.hidden.combo_slot[seat, at]), card)
        note_card(state, seat, card, LOST)


@compiled
def validate(state, seat, with_perfect_landing):
    """Stop: the combo's cards will score, unmet Legendaries leave (rulebook, "Stop").

    All conditions are checked on the whole combo, also one that an edit gave to a Trick card.
    ``with_perfect_landing`` puts the last reward into it first.
    """
    table, rules, out = state.table, state.setup.rules, state.seat_out
    skater = table.skaters[seat]
    _note_tricks(state, seat)
    alone = table.seats > 2 and table.standing == 1  # it has no turn any more: the round is over
    note_end(state, seat, skater.combo_size, LAST_STANDING if alone else STOPPED_BY_CHOICE)
    if with_perfect_landing:
        slot = state.setup.slots.first_reward + np.uint64(rules.rounds - 1)
        add_to_combo(state, seat, slot, np.uint64(state.setup.deck.last_reward))
    if skater.special:
        points, cards = _validate_each(state, seat)
    else:
        points, cards = skater.combo_points, skater.combo_size
        out[seat, TRICK_POINTS] += points
    skater.validated_points += points
    skater.validated_cards += cards
    out[seat, CARDS_VALIDATED] += cards
    out[seat, _by_round(state, ROUND_CARDS)] += cards
    out[seat, _by_round(state, ROUND_POINTS)] += points
    log_event(state, STOPPED_AT, seat, points, cards, with_perfect_landing, 0)
    if skater.helmet_colour != NONE:
        _return_helmet(table)
    _leave_round(state, seat, STOPPED)


@compiled
def _validate_each(state, seat):
    """Validate a combo card by card, for Legendaries and conditions; returns points and number of what scores."""
    skater, out = state.table.skaters[seat], state.seat_out
    points = 0
    cards = 0
    for i in range(skater.combo_size):
        at = np.uint64(i)
        card = np.uint64(skater.combo[at])
        record = state.setup.deck.cards[card]
        if record.conditional and not condition_holds(state.setup.rules, skater, record, 0):
            note_card(state, seat, card, UNMET)
            discard(state, np.uint64(state.hidden.combo_slot[seat, at]), card)
            log_event(state, UNMET_CARD, seat, card, 0, 0, 0)
            continue
        points += record.points
        cards += 1
        note_card(state, seat, card, SCORED)
        if card == state.setup.deck.last_reward:
            out[seat, PERFECT_LANDING_POINTS] += record.points
        elif record.legendary:
            out[seat, LEGENDARY_POINTS] += record.points
        else:
            out[seat, TRICK_POINTS] += record.points
    return points, cards


@compiled
def take_perfect_landing(state, seat):
    """The last reward goes straight to the validated cards (rulebook, "End of the Game")."""
    skater, out = state.table.skaters[seat], state.seat_out
    card = np.uint64(state.setup.deck.last_reward)
    points = state.setup.deck.cards[card].points
    skater.validated_points += points
    skater.validated_cards += 1
    out[seat, PERFECT_LANDING_POINTS] += points
    out[seat, CARDS_VALIDATED] += 1
    note_card(state, seat, card, SCORED)


@compiled
def take_last_reward(state, seat):
    """Note who took Perfect Landing."""
    state.seat_out[seat, REWARDS_TAKEN] += 1
    note_card(state, seat, np.uint64(state.setup.deck.last_reward), TAKEN)


@merged
def _return_helmet(table):
    """A placed helmet goes back to the supply."""
    table.helmet_supply += table.helmet_supply != NO_LIMIT


@merged
def _leave_round(state, seat, condition):
    table, rules, skater = state.table, state.setup.rules, state.table.skaters[seat]
    clear_combo(skater, state.setup.deck)
    state.hidden.standing &= ~(np.uint64(1) << seat)
    skater.condition = condition
    table.standing -= 1
    if table.standing == 1 and table.seats == 2 and rules.lone_empty_stop:
        state.hidden.empty_stop = 1
