"""Records that all games share with the kernel, and how much they hold at most."""

from __future__ import annotations

import numpy as np

#: Most seats any game may have; sizes the part of the state that all games share.
MAX_SEATS = 8
#: Most different bots (file and parameters) in one experiment.
MAX_ENTRIES = 64
#: Most numeric parameters of a bot, and most whole numbers it may remember; both records have 8 bytes each.
MAX_PARAMETERS = 16
MAX_MEMO = 16
#: Most kinds of decision of a game.
MAX_DECISIONS = 16

#: An answer is packed of up to so many parts of so many bits.
MAX_PARTS, PART_BITS = 4, 8

#: Answers that a fault lists as legal or not are below this.
MAX_ANSWERS = 128

#: What a batch of games may end with. Anything but FINISHED stops the run with a message.
FINISHED, GUARD_MET, ILLEGAL_ANSWER, BOT_FAILED, IDENTITY_FAILED = range(5)

#: A bot's parameters as the kernel passes them on; the bot reads them under its own names, 8 bytes each.
PARAMS_DTYPE = np.dtype([("words", np.int64, (MAX_PARAMETERS,))], align=True)

ENTRY_DTYPE = np.dtype(
    [
        ("hooks", np.int64, (MAX_DECISIONS,)),  # address of the compiled hook; 0: ``fixed``, or the game's default
        ("fixed", np.int64, (MAX_DECISIONS,)),  # the only answer it has, if ``is_fixed``
        ("is_fixed", np.uint8, (MAX_DECISIONS,)),
        ("params", PARAMS_DTYPE),
        ("no_luck", np.int64),  # 1: none of its hooks takes the bot's luck, which then need not be made
    ],
    align=True,
)

#: The part of a game's state record that every game has, under the name ``engine``.
ENGINE_DTYPE = np.dtype(
    [
        ("seats", np.int64),
        ("game_key", np.uint64),
        ("seat_entry", np.uint8, (MAX_SEATS,)),
        ("status", np.int64),
        ("fault_seat", np.int64),
        ("fault_decision", np.int64),
        ("fault_answer", np.int64),
        ("fault_question", np.int64),  # number of the question in the game, from 1
        ("fault_legal", np.uint8, (MAX_ANSWERS,)),  # which answers would have been legal
        ("questions", np.int64),
        ("log_on", np.int64),
        ("log_size", np.int64),
        ("entries", ENTRY_DTYPE, (MAX_ENTRIES,)),
    ],
    align=True,
)

#: What one seat remembers during a game: whole numbers, zeroed when a game starts.
MEMO_DTYPE = np.dtype([("words", np.int64, (MAX_MEMO,))], align=True)
