"""What a bot sees and what it may answer; the helpers that bots share.

A view has five parts, all read-only: ``me`` (this seat's skater), ``hand`` (this seat's cards), ``table`` (all
that is public; ``table.skaters[i]`` is the skater of seat ``i``), ``rules`` (every switch) and ``deck``. A card is
a number ``c``: ``deck.cards[c]`` describes it (``points``, ``colour``, ``broken``, ``effect``, ``legendary``, ...).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skate_sim.games import AnswerPart, Decision
from skate_sim.games.skate_legend.cards import BROKEN_BIT, COLOURS, MAX_CARDS, PACKED_BITS, REPLAY
from skate_sim.games.skate_legend.piles import pile_can_reveal, pile_is_open
from skate_sim.games.skate_legend.rules import KNOWN_SETUP_DTYPE
from skate_sim.games.skate_legend.scoring import condition_holds
from skate_sim.games.skate_legend.state import HAND_DTYPE, NONE, SKATER_DTYPE, TABLE_DTYPE
from skate_sim.jit import inlined, merged, shared

#: Answers to ``act``: stop, take the top card of a pile, or play card ``c`` of the hand (``HAND + c``).
#: ``PILE_1`` and ``PILE_2`` answer ``draw`` and ``reveal`` as well.
STOP, PILE_1, PILE_2, HAND = range(4)

ACT, WEAR_HELMET, DRAW_FROM, REVEAL_TOP = range(4)

_PILE = AnswerPart("pile", "1 or 2", 2)

DECISIONS = (
    Decision(
        "act",
        "stop, or take the top card of pile 1 or 2, or play a card of the hand",
        "the least risky source; stops when its risk is above 0.3",
        (AnswerPart("source", "0 stop, 1 or 2 a pile, 3 and more the cards by number", HAND + MAX_CARDS - 1),),
    ),
    Decision(
        "helmet",
        "wear a helmet on the card just played or not",
        "worn when two cards of that colour are in the combo already",
        (AnswerPart("worn", "0 no, 1 yes", 1),),
    ),
    Decision(
        "draw",
        "pile to draw a card from",
        "a face-up card that would not make it fall, else a face-down one",
        (_PILE,),
    ),
    Decision("reveal", "pile whose top card to turn face up", "the first that is face down", (_PILE,)),
)


#: For counts packed by colour: a field, a one in each field, where the last one begins; and the number that copies
#: bit c of five bits to the beginning of field c.
_FIELD = np.uint64((1 << PACKED_BITS) - 1)
_EACH_FIELD = np.uint64(sum(1 << (PACKED_BITS * colour) for colour in range(COLOURS)))
_LAST_FIELD = np.uint64(PACKED_BITS * (COLOURS - 1))
_SPREAD = np.uint64(sum(1 << ((PACKED_BITS - 1) * colour) for colour in range(COLOURS)))
_COLOUR_BITS = np.uint64(BROKEN_BIT - 1)


class View(NamedTuple):
    """What a seat sees."""

    me: Any
    hand: Any
    table: Any
    rules: Any
    deck: Any


VIEW_PARTS = {"table": TABLE_DTYPE, "me": SKATER_DTYPE, "hand": HAND_DTYPE, "setup": KNOWN_SETUP_DTYPE}


@inlined
def make_view(table, me, hand, setup):
    """The view made of its records."""
    return View(me, hand, table, setup.rules, setup.deck)


@merged
def play_card(card):
    """The answer to ``act`` that plays a card of the hand."""
    return HAND + np.int64(card)


@merged
def holds_card(view, card):
    """Whether the hand holds a card."""
    for i in range(view.hand.count):
        if view.hand.cards[np.uint64(i)] == card:
            return True
    return False


@merged
def can_take(view, answer):
    """Whether ``PILE_1`` or ``PILE_2`` has a card to take."""
    return PILE_1 <= answer <= PILE_2 and pile_is_open(view.table, answer - PILE_1)


@merged
def card_index(card):
    """A card's number as an index that stays inside the tables of cards, whatever it is."""
    return np.uint64(card) & np.uint64(MAX_CARDS - 1)


@merged
def is_legal(view, decision, answer):
    """Whether an answer to a decision is allowed."""
    if decision == WEAR_HELMET:
        return 0 <= answer <= 1
    if PILE_1 <= answer <= PILE_2:
        if decision == REVEAL_TOP:
            return pile_can_reveal(view.table, answer - PILE_1)
        return pile_is_open(view.table, answer - PILE_1)
    if decision != ACT:
        return False
    if answer == STOP:
        return view.table.may_stop != 0
    if answer < HAND or answer >= HAND + view.deck.card_types:
        return False
    if view.table.forced and not view.rules.replay_from_hand:
        return False
    return holds_card(view, answer - HAND)


@merged
def colour_is_dangerous(view, colour):
    """Whether one more card of a colour makes this seat fall."""
    return (view.me.dangers >> np.int64(colour)) & 1 != 0


@merged
def card_falls(view, card):
    """Whether playing a card now makes this seat fall."""
    return view.me.dangers & view.deck.cards[card_index(card)].dangers != 0


@merged
def unseen_cards(view):
    """How many cards this seat has not seen: those in the piles, and those that the others drew face down."""
    return view.table.unseen_size - view.hand.unseen_size


@merged
def unseen_of(view, card):
    """How many cards of a type this seat has not seen."""
    return view.table.unseen[card_index(card)] - view.hand.unseen[card_index(card)]


@shared
def face_down_risk(view):
    """Exact chance that a face-down card makes this seat fall, from all the cards that it has not seen.

    When the piles are empty, from the discard pile, which would be shuffled into them.
    """
    table, hand = view.table, view.hand
    if table.pile_size[0] + table.pile_size[1] == 0:
        return _reshuffle_risk(view)
    total = unseen_cards(view)
    if total <= 0:
        return 0.0
    # The counts of the five colours at once: a mask keeps the fields of the colours that make fall.
    dangers = np.uint64(view.me.dangers)
    by_colour = (((dangers & _COLOUR_BITS) * _SPREAD) & _EACH_FIELD) * _FIELD
    by_either = by_colour | (np.uint64(0) - ((dangers >> np.uint64(COLOURS)) & np.uint64(1)))
    bad = (table.unseen_class[0] - hand.unseen_class[0]) & by_colour
    bad += (table.unseen_class[1] - hand.unseen_class[1]) & by_either
    return np.float64((bad * _EACH_FIELD >> _LAST_FIELD) & _FIELD) / total


@merged
def unseen_of_class(view, colour, broken):
    """How many cards of a colour, with or without a broken skateboard, this seat has not seen."""
    kind = np.uint64(broken)
    counts = view.table.unseen_class[kind] - view.hand.unseen_class[kind]
    return np.int64((counts >> np.uint64(PACKED_BITS * colour)) & _FIELD)


@shared
def _reshuffle_risk(view):
    """Chance of a fall by a card of the discard pile, which would be shuffled into the empty piles."""
    table = view.table
    if table.discard_size == 0:
        return 0.0
    bad = 0
    for card in range(view.deck.card_types):
        count = table.discard[np.uint64(card)]
        if count > 0 and card_falls(view, card):
            bad += count
    return bad / table.discard_size


@merged
def fall_risk(view, answer):
    """Exact chance that an answer to ``act`` makes this seat fall at once; 0 for ``STOP``.

    Face-up tops and own cards are known; a face-down card is any of the cards that this seat has not seen.
    """
    if answer <= STOP:
        return 0.0
    if answer >= HAND:
        return 1.0 if card_falls(view, answer - HAND) else 0.0
    table = view.table
    top = table.pile_top[np.uint64(answer - PILE_1)]
    if top != NONE:
        return 1.0 if card_falls(view, top) else 0.0
    return face_down_risk(view)


@shared
def condition_met(view, card):
    """Whether a card's condition is met by the combo with that card (added to it if it is in the hand)."""
    in_combo = False
    for i in range(view.me.combo_size):
        in_combo = in_combo or view.me.combo[np.uint64(i)] == card
    return condition_holds(view.rules, view.me, view.deck.cards[card_index(card)], 0 if in_combo else 1)


@shared
def card_value(view, card):
    """Prestige that a card would bring if it were played now and the combo validated at once."""
    record = view.deck.cards[card_index(card)]
    return record.points if condition_holds(view.rules, view.me, record, 1) else 0


@merged
def stake(view):
    """Prestige that this seat would validate by stopping now: the points at stake."""
    me = view.me
    if me.special == 0:
        return me.combo_points
    points = 0
    for i in range(me.combo_size):
        record = view.deck.cards[np.uint64(me.combo[np.uint64(i)])]
        if record.conditional == 0 or condition_holds(view.rules, me, record, 0):
            points += record.points
    return points


@merged
def prestige(view, seat):
    """Prestige of a seat if the game ended now: validated cards and helmets; 0 for a seat that is not at the table."""
    if seat < 0 or seat >= view.table.seats:
        return np.int64(0)
    skater = view.table.skaters[np.uint64(seat)]
    return np.int64(skater.validated_points + skater.helmets * view.rules.helmet_points)


@shared
def best_rival(view):
    """Most Prestige among the other seats, combos on the table aside."""
    best = -(1 << 30)
    for seat in range(view.table.seats):
        if seat != view.hand.seat:
            best = max(best, prestige(view, seat))
    return best


@merged
def is_lone(view):
    """Whether this seat is the last one standing, in a two-player game."""
    return view.table.standing == 1


@merged
def is_last_round(view):
    """Whether this is the last round; what stays in the hand is lost."""
    return view.table.round_number == view.table.rounds


@merged
def replays_of(view, card):
    """How many forced tricks a card brings."""
    record = view.deck.cards[card_index(card)]
    return np.int64(record.times) if record.effect == REPLAY else 0
