"""Whether a Legendary's condition can still be met."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.cards import COLOURS, FALL_AT, GREY
from skate_sim.games.skate_legend.state import NONE
from skate_sim.games.skate_legend.view import card_index, condition_met, unseen_of_class
from skate_sim.jit import shared

_NO_LIMIT = 1 << 20


@shared
def condition_reachable(view, card):
    """Whether some cards that this seat may still get would meet a card's condition without a fall.

    Counts the cards in its hand, the face-up tops and all cards that it has not seen; a helmet only if it is
    placed already. Each part of the condition is looked at by itself.
    """
    if condition_met(view, card):
        return True
    record, me = view.deck.cards[card_index(card)], view.me
    in_combo = 0
    for i in range(me.combo_size):
        in_combo |= me.combo[np.uint64(i)] == card
    plus = 0 if in_combo else 1
    broken = me.broken + plus * record.broken
    broken_room = FALL_AT - 1 - broken
    if broken_room < 0:
        return False
    total = 0
    different = 0
    most = 0
    broken_supply = 0
    for colour in range(COLOURS):
        count = me.colours[np.uint64(colour)] + (plus if record.colour == colour else 0)
        free = me.helmet_colour == colour or (colour == GREY and not view.rules.grey_can_fall)
        room = _NO_LIMIT if free else FALL_AT - 1 - count
        if room < 0:
            return False
        whole = _supply(view, card, colour, 0)
        damaged = _supply(view, card, colour, 1)
        broken_supply += min(room, damaged)
        reach = count + min(room, whole + min(damaged, broken_room))
        if colour < GREY and reach < record.needs_colour[np.uint64(colour)]:
            return False
        if colour < GREY or view.rules.grey_counts_as_color:
            different += reach > 0
            most = max(most, reach)
        if colour < GREY or view.rules.grey_counts_in_card_total:
            total += reach
    return (
        total >= record.needs_cards
        and different >= record.needs_colours
        and most >= record.needs_same_colour
        and broken + min(broken_room, broken_supply) >= record.needs_broken
    )


@shared
def _supply(view, card, colour, broken):
    """Cards of a colour, with or without a broken skateboard, that this seat may still get, ``card`` aside."""
    table, hand = view.table, view.hand
    count = unseen_of_class(view, colour, broken)
    for pile in range(2):
        top = table.pile_top[np.uint64(pile)]
        if top != NONE:
            record = view.deck.cards[np.uint64(top)]
            count += record.colour == colour and record.broken == broken
    for i in range(hand.count):
        held = hand.cards[np.uint64(i)]
        record = view.deck.cards[np.uint64(held)]
        count += record.colour == colour and record.broken == broken and held != card
    return count
