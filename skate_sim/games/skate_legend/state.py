"""The state of a game, in one aligned record: what everybody sees, what one seat sees, and what nobody sees."""

from __future__ import annotations

import numpy as np

from skate_sim.cache_lines import record_of_lines
from skate_sim.games import ENGINE_DTYPE, MEMO_DTYPE
from skate_sim.games.skate_legend.cards import COLOURS, MAX_CARDS, MAX_SLOTS, SLOT_WORDS
from skate_sim.games.skate_legend.outcomes import GAME_COLUMNS, SEAT_CAPACITY
from skate_sim.games.skate_legend.rules import MAX_ROUNDS, SETUP_DTYPE
from skate_sim.rng import LUCK_DTYPE

SEATS = 5


#: ``skater.condition``: where a skater stands in the round.
STANDING, STOPPED, FALLEN = range(3)

#: ``table.pile_top`` of a pile without a face-up card, ``skater.helmet_colour`` of a combo without a helmet, ...
NONE = -1

#: A combo, a hand or a pile can never hold more cards than there are.
_CARD_LIST = (np.uint8, (MAX_SLOTS,))

SKATER_DTYPE = record_of_lines(
    [
        # Eight numbers in the order of a card's ``adds``, which one instruction adds to them.
        ("colours", np.int32, (COLOURS,)),  # cards of each colour in the combo
        ("broken", np.int32),  # broken skateboards in the combo
        ("combo_points", np.int32),  # of all its cards, conditions aside
        ("special", np.int32),  # cards in the combo that are Legendaries or have a condition
        ("condition", np.int32),  # 0 standing, 1 stopped, 2 fallen
        ("combo_size", np.int32),  # cards in the combo
        ("helmet_colour", np.int32),  # colour that the placed helmet neutralises; -1 without one
        ("dangers", np.int32),  # what one more of makes it fall: bit c for colour c, BROKEN_BIT for broken boards
        ("exposed", np.int32),  # what can make it fall at all: the deck's dangers without its helmet's colour
        ("helmets", np.int32),  # not placed
        ("validated_points", np.int32),  # Prestige of the cards validated so far
        ("validated_cards", np.int32),  # how many they are
        ("hand_size", np.int32),  # cards in the hand
        ("legendaries_held", np.int32),  # in the hand, taken as rewards
        ("known_size", np.int32),  # cards of the hand that everybody saw entering it
        ("known", *_CARD_LIST),  # the first known_size of this list
        ("combo", *_CARD_LIST),  # card types in the order played, combo_size of them
    ],
)

TABLE_DTYPE = record_of_lines(
    [
        ("seats", np.int32),  # skaters at the table
        ("round_number", np.int32),  # from 1
        ("rounds", np.int32),  # rounds of the game
        ("turn_seat", np.int32),  # seat whose turn it is
        ("standing", np.int32),  # skaters still standing
        ("may_stop", np.int32),  # whether the skater asked to act may stop
        ("forced", np.int32),  # a Replay is being obeyed: Stop is not allowed
        ("pending_replays", np.int32),  # forced tricks still to come after this one
        ("just_played", np.int32),  # card type, while a helmet is offered
        ("pile_size", np.int32, (2,)),  # cards of pile 1 and pile 2
        ("pile_top", np.int32, (2,)),  # card type of the face-up top card; -1 if it lies face down
        ("reward_top", np.int32),  # card type of the visible reward
        ("rewards_left", np.int32),  # cards of the reward pile
        ("helmet_supply", np.int32),  # helmets left in the supply; -1 without limit
        ("discard_size", np.int32),  # cards of the discard pile
        ("unseen_size", np.int32),  # cards of the piles and hands that not everybody has seen
        ("unseen_class", np.uint64, (2,)),  # the same by colour, packed: [0] whole, [1] broken skateboards
        ("unseen", np.int16, (MAX_CARDS,)),  # the same by card type
        ("discard", np.int16, (MAX_CARDS,)),  # cards of the discard pile by type
        ("skaters", SKATER_DTYPE, (SEATS,)),  # the skater of each seat, with the fields of ``me``
    ],
)

HAND_DTYPE = record_of_lines(
    [
        ("seat", np.int32),  # number of this seat, from 0
        ("count", np.int32),  # cards in this hand
        ("legendaries", np.int32),  # Legendaries among them
        ("unseen_size", np.int32),  # cards of this hand that the others have not seen
        ("unseen_class", np.uint64, (2,)),  # the same by colour, packed: [0] whole, [1] broken skateboards
        ("unseen", np.int16, (MAX_CARDS,)),  # the same by card type
        ("cards", *_CARD_LIST),  # card types, oldest first, count of them
    ],
)

#: Where every physical card is that somebody holds, and the keys of the streams: for the kernel alone.
HIDDEN_DTYPE = np.dtype(
    [
        ("urn", np.uint64, (SLOT_WORDS,)),  # face-down cards of the piles
        ("urn_size", np.uint64),
        ("discard", np.uint64, (SLOT_WORDS,)),
        ("top_slot", np.uint16, (2,)),
        ("reward_card", np.uint8, (MAX_ROUNDS,)),  # card types, first reward first
        ("seat_key", np.uint64, (SEATS,)),  # this round's stream of each seat
        ("trick_luck", np.uint64, (SEATS,)),  # where its next trick's luck is in the seat's stream
        ("hand_drawn", np.uint64, (SEATS,)),  # how far the seat is in its stream, by other uses
        ("revealed", np.uint64, (SEATS,)),
        ("reward_urn", np.uint64, (1,)),
        ("reward_index", np.int32),
        ("standing", np.uint64),  # bit of each seat that is still standing
        ("empty_stop", np.int64),  # whether a skater without a combo may stop
        ("reshuffles", np.int32),
        ("look_again", np.int32),  # the next trick found may be no more: a pile is empty, or a bot has redealt
        ("hand_slot", np.uint16, (SEATS, MAX_SLOTS)),
        ("combo_slot", np.uint16, (SEATS, MAX_SLOTS)),
    ],
    align=True,
)

#: What a skater did to Legendaries: the row (card type) and the event, flushed when the game ends.
LEDGER_LOG_SIZE = 1024
LEDGER_LOG_DTYPE = np.dtype(
    [
        ("count", np.int32),
        ("seat", np.uint8, (LEDGER_LOG_SIZE,)),
        ("card", np.uint8, (LEDGER_LOG_SIZE,)),
        ("event", np.uint8, (LEDGER_LOG_SIZE,)),
    ],
    align=True,
)

#: One event of a game, when it is told: kind, round, seat, and four numbers that the kind explains.
LOG_SIZE = 32768
EVENT_DTYPE = np.dtype(
    [
        ("kind", np.int16),
        ("round_number", np.int16),
        ("seat", np.int16),
        ("a", np.int16),
        ("b", np.int16),
        ("c", np.int16),
        ("d", np.int16),
    ],
    align=True,
)

STATE_DTYPE = record_of_lines(
    [
        ("engine", ENGINE_DTYPE),
        ("setup", SETUP_DTYPE),
        ("table", TABLE_DTYPE),
        ("hands", HAND_DTYPE, (SEATS,)),
        ("luck", LUCK_DTYPE, (SEATS,)),
        ("memo", MEMO_DTYPE, (SEATS,)),
        ("hidden", HIDDEN_DTYPE),
        ("starter", np.int32),  # seat that begins the round
        ("first_starter", np.int32),
        ("ledger_log", LEDGER_LOG_DTYPE),
        ("combo_ends", np.uint8, (SEATS, MAX_ROUNDS)),  # cell of the ledger of combos, by round
        ("game_out", np.int32, (GAME_COLUMNS,)),
        ("seat_out", np.int32, (SEATS, SEAT_CAPACITY)),
        ("events", EVENT_DTYPE, (LOG_SIZE,)),
    ],
)
