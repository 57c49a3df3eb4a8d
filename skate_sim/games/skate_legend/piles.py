"""Draw piles, discard pile and hands: where cards come from and where they go.

Face-down cards are exchangeable, so a pile is a number of face-down cards and, perhaps, a known card on top.
Drawing a face-down card takes one of all the remaining ones out of one urn; the order in which they would have
lain has never been seen by anybody, so the game is the same and no pile is shuffled.
"""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.outcomes import CARDS_DRAWN, CARDS_REVEALED, DRAWN, RESHUFFLES, SPLITS
from skate_sim.games.skate_legend.record import DREW, RESHUFFLED, REVEALED, SPLIT, log_event, note_card
from skate_sim.games.skate_legend.rules import BOX, WHEN_EMPTIED
from skate_sim.games.skate_legend.state import NONE
from skate_sim.jit import compiled, merged
from skate_sim.rng import after, find_remaining, first_remaining, put_in, take_out, word_at

ONE = np.uint64(1)

#: A seat's stream of a round has a part for each use, so that a Draw more or less moves no trick. Tricks take the
#: first part, word by word.
HAND_PART = np.uint64(1 << 32)
REVEAL_PART = np.uint64(2 << 32)


@merged
def pile_is_open(table, pile):
    """Whether a card can be taken from a pile (0 or 1).

    When both piles are empty, the discard pile would be shuffled into them (rulebook, "Card Effects"), the
    first with the extra card.
    """
    if table.pile_size[np.uint64(pile)] > 0:
        return True
    if table.pile_size[np.uint64(1 - pile)] > 0:
        return False
    return table.discard_size > pile


@merged
def pile_can_reveal(table, pile):
    """Whether the top card of a pile can be turned face up."""
    return table.pile_top[np.uint64(pile)] == NONE and pile_is_open(table, pile)


@merged
def next_trick(state, seat):
    """Slot of the face-down card that a seat's next trick from a pile takes; found before the bot is asked.

    Nobody may know it, but the processor: while the bot decides, it already looks at the card.
    """
    hidden = state.hidden
    if hidden.urn_size == 0:
        return np.uint64(0)
    word = word_at(hidden.trick_luck[seat])
    return first_remaining(hidden.urn, hidden.urn_size, state.setup.slots.slot_bits, word)


@merged
def take_for_trick(state, seat, pile, ahead):
    """Take the top card of a pile to play it at once, seen by all.

    Returns its slot, whether it was face up, and whether the pile is empty now. ``ahead`` is ``next_trick``. The
    caller lets the trick be seen before it calls ``renew_piles``.
    """
    table, hidden = state.table, state.hidden
    if hidden.look_again:
        hidden.look_again = 0
        if table.pile_size[np.uint64(pile)] == 0:
            reshuffle(state)
        ahead = next_trick(state, seat)
    face_up = table.pile_top[np.uint64(pile)] != NONE
    if face_up:
        slot = _take_face_up(state, pile)
    else:
        slot = ahead
        take_out(hidden.urn, slot)
        hidden.urn_size -= ONE
        hidden.trick_luck[seat] = after(hidden.trick_luck[seat])
        see(state, state.setup.slots.card[slot])
    left = table.pile_size[np.uint64(pile)] - 1
    table.pile_size[np.uint64(pile)] = left
    return slot, face_up, left == 0


@compiled
def draw_to_hand(state, seat, pile):
    """Obey a Draw: the top card of a pile goes to the hand, hidden unless it lay face up."""
    table, hidden = state.table, state.hidden
    if table.pile_size[np.uint64(pile)] == 0:
        reshuffle(state)
    face_up = table.pile_top[np.uint64(pile)] != NONE
    if face_up:
        slot = _take_face_up(state, pile)
    else:
        slot = _take_face_down(state, seat, HAND_PART + hidden.hand_drawn[seat])
        hidden.hand_drawn[seat] += ONE
    card = state.setup.slots.card[slot]
    add_to_hand(state, seat, slot, card, face_up)
    state.seat_out[seat, CARDS_DRAWN] += 1
    note_card(state, seat, card, DRAWN)
    log_event(state, DREW, seat, card, pile + 1, face_up, 0)
    left = table.pile_size[np.uint64(pile)] - 1
    table.pile_size[np.uint64(pile)] = left
    if left == 0:
        renew_piles(state, pile)


@compiled
def reveal(state, seat, pile):
    """Obey a Reveal: turn the top card of a pile face up."""
    table, hidden = state.table, state.hidden
    if table.pile_size[np.uint64(pile)] == 0:
        reshuffle(state)
    slot = _take_face_down(state, seat, REVEAL_PART + hidden.revealed[seat])
    hidden.revealed[seat] += ONE
    card = state.setup.slots.card[slot]
    see(state, card)
    hidden.top_slot[np.uint64(pile)] = slot
    table.pile_top[np.uint64(pile)] = card
    state.seat_out[seat, CARDS_REVEALED] += 1
    log_event(state, REVEALED, seat, card, pile + 1, 0, 0)


@compiled
def deal_card(state, seat, key):
    """Deal the one card that a skater starts the game with."""
    slot = _draw(state, key, np.uint64(seat))
    add_to_hand(state, seat, slot, state.setup.slots.card[slot], False)


@compiled
def add_to_hand(state, seat, slot, card, known):
    """Put a card into a hand; everybody remembers it if they saw it."""
    hand, skater = state.hands[seat], state.table.skaters[seat]
    at = np.uint64(hand.count)
    hand.cards[at] = card
    state.hidden.hand_slot[seat, at] = slot
    hand.count += 1
    skater.hand_size += 1
    record = state.setup.deck.cards[np.uint64(card)]
    hand.legendaries += record.legendary
    if known:
        skater.known[np.uint64(skater.known_size)] = card
        skater.known_size += 1
        skater.legendaries_held += record.legendary
    else:
        hand.unseen[np.uint64(card)] += 1
        hand.unseen_class[record.broken] += record.one
        hand.unseen_size += 1


@compiled
def take_from_hand(state, seat, card):
    """Take the oldest card of a type out of a hand to play it, seen by all; returns its slot."""
    hand, skater = state.hands[seat], state.table.skaters[seat]
    at = np.uint64(0)
    while hand.cards[at] != card:
        at += ONE
    slot = np.uint64(state.hidden.hand_slot[seat, at])
    hand.count -= 1
    skater.hand_size -= 1
    while at < np.uint64(hand.count):
        hand.cards[at] = hand.cards[at + ONE]
        state.hidden.hand_slot[seat, at] = state.hidden.hand_slot[seat, at + ONE]
        at += ONE
    record = state.setup.deck.cards[np.uint64(card)]
    hand.legendaries -= record.legendary
    if _forget_known(skater, card):
        skater.legendaries_held -= record.legendary
    else:
        see(state, card)
        hand.unseen[np.uint64(card)] -= 1
        hand.unseen_class[record.broken] -= record.one
        hand.unseen_size -= 1
    return slot


@merged
def _forget_known(skater, card):
    """Take a card type off the list of known cards of a hand; False if it is not on it."""
    at = np.uint64(0)
    size = np.uint64(skater.known_size)
    while at < size and skater.known[at] != card:
        at += ONE
    if at == size:
        return False
    skater.known_size -= 1
    while at < np.uint64(skater.known_size):
        skater.known[at] = skater.known[at + ONE]
        at += ONE
    return True


@merged
def discard(state, slot, card):
    """Put a card on the discard pile; a Legendary goes to the box unless the rules say otherwise."""
    if state.setup.deck.cards[np.uint64(card)].legendary and state.setup.rules.discarded_legendaries == BOX:
        return
    put_in(state.hidden.discard, np.uint64(slot))
    state.table.discard[np.uint64(card)] += 1
    state.table.discard_size += 1


@merged
def see(state, card):
    """Everybody sees a card that was hidden in a pile or in a hand."""
    table, record = state.table, state.setup.deck.cards[np.uint64(card)]
    table.unseen[np.uint64(card)] -= 1
    table.unseen_class[record.broken] -= record.one
    table.unseen_size -= 1


@compiled
def reshuffle(state):
    """Shuffle the discard pile into two face-down piles; the first has the extra card."""
    table, hidden = state.table, state.hidden
    for i in range(len(hidden.urn)):
        at = np.uint64(i)
        hidden.urn[at] |= hidden.discard[at]
        hidden.discard[at] = np.uint64(0)
    hidden.urn_size += np.uint64(table.discard_size)
    for i in range(state.setup.deck.card_types):
        at = np.uint64(i)
        count = table.discard[at]
        record = state.setup.deck.cards[at]
        table.unseen[at] += count
        table.unseen_class[record.broken] += record.one * np.uint64(count)
        table.discard[at] = 0
    table.unseen_size += table.discard_size
    table.pile_size[0] = (table.discard_size + 1) // 2
    table.pile_size[1] = table.discard_size // 2
    table.discard_size = 0
    hidden.reshuffles += 1
    state.game_out[RESHUFFLES] += 1
    log_event(state, RESHUFFLED, NONE, table.pile_size[0], table.pile_size[1], 0, 0)


@merged
def _take_face_up(state, pile):
    state.table.pile_top[np.uint64(pile)] = NONE
    return np.uint64(state.hidden.top_slot[np.uint64(pile)])


@merged
def _take_face_down(state, seat, index):
    return _draw(state, state.hidden.seat_key[seat], index)


@merged
def _draw(state, key, index):
    hidden = state.hidden
    slot = _find(state, key, index)
    take_out(hidden.urn, slot)
    hidden.urn_size -= ONE
    return slot


@merged
def _find(state, key, index):
    hidden = state.hidden
    return find_remaining(hidden.urn, hidden.urn_size, state.setup.slots.slot_bits, key, index)


@compiled
def renew_piles(state, pile):
    """The last card has left a pile: split the other pile, or reshuffle at once."""
    table = state.table
    here, other = np.uint64(pile), np.uint64(1 - pile)
    size = table.pile_size[other]
    if size >= 2:
        # The top part, rounded down, stays with its face-up card; the bottom part becomes the empty pile.
        table.pile_size[other] = size // 2
        table.pile_size[here] = size - size // 2
        state.game_out[SPLITS] += 1
        log_event(state, SPLIT, NONE, pile + 1, table.pile_size[0], table.pile_size[1], 0)
    elif size == 0 and table.discard_size > 0 and state.setup.rules.reshuffle == WHEN_EMPTIED:
        reshuffle(state)
