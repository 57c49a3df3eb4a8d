"""What a finished game leaves behind: its outcomes and ledgers, each described once."""

from __future__ import annotations

from skate_sim.games import Ledger, Outcome, Resolved, StepLedger
from skate_sim.games.skate_legend.blind import blind_hazards
from skate_sim.games.skate_legend.cards import MAX_CARDS, card_order

#: Win shares are counted in sixtieths: two to five tied winners divide it.
SHARE_UNITS = 60
_MAX_ROUNDS = 10

OUTCOMES = (
    Outcome(
        "win_share",
        "seat",
        "share",
        "Win share",
        "1 for the only winner, 1/k for each of k tied winners",
        high=SHARE_UNITS,
        histogram=True,
        shown=True,
    ),
    Outcome(
        "place",
        "seat",
        "count",
        "Place",
        "1 for the most Prestige; tied skaters have the same",
        low=1,
        high=5,
        histogram=True,
    ),
    Outcome(
        "prestige",
        "seat",
        "points",
        "Prestige",
        "Prestige at the end of the game",
        "Prestige",
        high=120,
        histogram=True,
        shown=True,
    ),
    Outcome(
        "trick_points", "seat", "points", "Tricks", "Prestige of validated Trick cards", "Prestige", part_of="prestige"
    ),
    Outcome(
        "legendary_points",
        "seat",
        "points",
        "Legendaries",
        "Prestige of validated Legendaries, Perfect Landing aside",
        "Prestige",
        part_of="prestige",
    ),
    Outcome(
        "perfect_landing_points",
        "seat",
        "points",
        "Perfect Landing",
        "Prestige of Perfect Landing",
        "Prestige",
        part_of="prestige",
    ),
    Outcome(
        "helmet_points",
        "seat",
        "points",
        "Helmets",
        "Prestige of helmets kept to the end",
        "Prestige",
        part_of="prestige",
    ),
    Outcome(
        "falls",
        "seat",
        "count",
        "Falls",
        "rounds that ended with a fall",
        "falls",
        high=_MAX_ROUNDS,
        histogram=True,
        shown=True,
    ),
    Outcome(
        "falls_by_colour", "seat", "count", "Falls by colour", "three cards of a colour only", "falls", part_of="falls"
    ),
    Outcome(
        "falls_by_broken",
        "seat",
        "count",
        "Falls by broken boards",
        "three broken skateboards only",
        "falls",
        part_of="falls",
    ),
    Outcome("falls_by_both", "seat", "count", "Falls by both", "both at once", "falls", part_of="falls"),
    Outcome("helmets_gained", "seat", "count", "Helmets gained", "helmets taken after a fall", "helmets", shown=True),
    Outcome("helmets_worn", "seat", "count", "Helmets worn", "helmets placed on a card", "helmets", shown=True),
    Outcome("helmets_kept", "seat", "count", "Helmets kept", "helmets left at the end", "helmets", shown=True),
    Outcome(
        "rounds_ended",
        "seat",
        "count",
        "Rounds ended",
        "rounds that this skater was the last to play",
        "rounds",
        high=_MAX_ROUNDS,
        histogram=True,
        shown=True,
    ),
    Outcome(
        "rewards_taken",
        "seat",
        "count",
        "Rewards taken",
        "cards taken from the reward pile, Perfect Landing included",
        "cards",
    ),
    Outcome("rewards_lost", "seat", "count", "Rewards lost", "rewards discarded because the lone skater fell", "cards"),
    Outcome("tricks", "seat", "count", "Tricks", "cards played", "cards", high=100, histogram=True),
    Outcome("tricks_from_hand", "seat", "count", "Tricks from the hand", "cards played from the hand", "cards"),
    Outcome("tricks_forced", "seat", "count", "Forced tricks", "cards played to obey a Replay", "cards"),
    Outcome("replays_lapsed", "seat", "count", "Replays lapsed", "Replays with no card left to play", "replays"),
    Outcome("cards_drawn", "seat", "count", "Cards drawn", "cards drawn into the hand", "cards"),
    Outcome("cards_revealed", "seat", "count", "Cards revealed", "pile tops turned face up", "cards"),
    Outcome(
        "cards_validated", "seat", "count", "Cards validated", "cards that scored, Perfect Landing included", "cards"
    ),
    Outcome("legendaries_played", "seat", "count", "Legendaries played", "Legendaries put into a combo", "cards"),
    Outcome("hand_left", "seat", "count", "Cards left in hand", "cards in the hand at the end", "cards"),
    Outcome(
        "round_falls", "seat", "flag", "Fall rate", "whether the skater fell in the round", axis="round", shown=True
    ),
    Outcome("round_tricks", "seat", "count", "Tricks", "cards played in the round", "cards", axis="round", shown=True),
    Outcome("round_cards", "seat", "count", "Cards validated", "cards validated in the round", "cards", axis="round"),
    Outcome(
        "round_points",
        "seat",
        "points",
        "Prestige validated",
        "Prestige validated in the round, Perfect Landing aside",
        "Prestige",
        axis="round",
    ),
    Outcome(
        "round_ends",
        "seat",
        "flag",
        "Rounds ended",
        "whether the skater was the last to play in the round",
        axis="round",
    ),
    Outcome(
        "turns", "game", "count", "Turns", "turns taken by all skaters", "turns", high=200, histogram=True, shown=True
    ),
    Outcome(
        "winners", "game", "count", "Winners", "skaters who share the victory", "skaters", low=1, high=5, histogram=True
    ),
    Outcome(
        "winning_prestige", "game", "points", "Winning Prestige", "most Prestige", "Prestige", high=120, histogram=True
    ),
    Outcome(
        "margin", "game", "points", "Margin", "most Prestige less second most", "Prestige", high=60, histogram=True
    ),
    Outcome(
        "starter_share",
        "game",
        "share",
        "First skater's win share",
        "win share of the skater who began",
        high=SHARE_UNITS,
    ),
    Outcome("reshuffles", "game", "count", "Reshuffles", "times the discard pile became the draw piles", "times"),
    Outcome("splits", "game", "count", "Splits", "times a draw pile was split in two", "times"),
    Outcome("all_fell", "game", "count", "Rewards lost", "rounds whose reward nobody got", "rounds"),
)

LEDGER_EVENTS = {
    "taken": "into the hand as a reward, or Perfect Landing as the last reward",
    "drawn": "into the hand from a pile",
    "played": "put into a combo",
    "scored": "validated",
    "lost": "in a combo that fell",
    "unmet": "discarded because its condition was not met",
    "left": "in the hand at the end of the game",
}
TAKEN, DRAWN, PLAYED, SCORED, LOST, UNMET, LEFT = range(7)
EVENTS = len(LEDGER_EVENTS)


def legendary_rows(resolved: Resolved) -> dict[str, int]:
    """Id of every card that is not a Trick card, and its number: the kernel keeps a row for each card type."""
    rows = resolved.tables["cards"]
    return {row: number for number, row in enumerate(card_order(rows)) if rows[row]["kind"] != "trick"}


LEDGERS = (
    Ledger(
        "legendaries",
        "Legendaries",
        "cards",
        MAX_CARDS,
        legendary_rows,
        LEDGER_EVENTS,
        value=("scored", "points"),
        first_event="taken",
    ),
)

#: How a combo ends, and the legend of each; the last row of the ledger is of so many cards or more.
COMBO_EVENTS = {
    "stopped": "stopped",
    "fell": "fell with the next card",
    "last": "last one standing",
}
STOPPED_BY_CHOICE, FELL_NEXT, LAST_STANDING = range(3)
COMBO_ENDINGS = len(COMBO_EVENTS)
MOST_STEPS = 63

STEP_LEDGERS = (
    StepLedger(
        "combos",
        "Combos",
        sequence="combo",
        steps="cards in the combo",
        step="trick",
        hazard="fall risk",
        capacity=MOST_STEPS + 1,
        endings=COMBO_EVENTS,
        failure="fell",
        axis="round",
        failures_in="falls",
        steps_in="tricks",
        reference=blind_hazards,
        reference_label="blind draws from the full deck (exact)",
    ),
)

#: The ledgers lie side by side: where that of combos begins.
COMBO_CELLS = sum(ledger.cells for ledger in LEDGERS)

# Numbers of the columns in the kernel's rows. A column by round stands at ``number + round - 1`` after the
# plain ones, the axes one after the other: see ``round_column``.
_PLAIN = {level: [o.name for o in OUTCOMES if o.level == level and o.axis is None] for level in ("seat", "game")}
_BY_ROUND = [o.name for o in OUTCOMES if o.level == "seat" and o.axis == "round"]

SEAT_PLAIN = len(_PLAIN["seat"])
SEAT_CAPACITY = SEAT_PLAIN + len(_BY_ROUND) * _MAX_ROUNDS
GAME_COLUMNS = len(_PLAIN["game"])

(
    WIN_SHARE,
    PLACE,
    PRESTIGE,
    TRICK_POINTS,
    LEGENDARY_POINTS,
    PERFECT_LANDING_POINTS,
    HELMET_POINTS,
    FALLS,
    FALLS_BY_COLOUR,
    FALLS_BY_BROKEN,
    FALLS_BY_BOTH,
    HELMETS_GAINED,
    HELMETS_WORN,
    HELMETS_KEPT,
    ROUNDS_ENDED,
    REWARDS_TAKEN,
    REWARDS_LOST,
    TRICKS,
    TRICKS_FROM_HAND,
    TRICKS_FORCED,
    REPLAYS_LAPSED,
    CARDS_DRAWN,
    CARDS_REVEALED,
    CARDS_VALIDATED,
    LEGENDARIES_PLAYED,
    HAND_LEFT,
) = range(SEAT_PLAIN)
ROUND_FALLS, ROUND_TRICKS, ROUND_CARDS, ROUND_POINTS, ROUND_ENDS = range(len(_BY_ROUND))
TURNS, WINNERS, WINNING_PRESTIGE, MARGIN, STARTER_SHARE, RESHUFFLES, SPLITS, ALL_FELL = range(GAME_COLUMNS)
