"""Names of the rules that a foul can quote: readings of the rules as played, by their numbers."""

FORMAT = "transcript: format"
ROUND = "transcript: round"
COMPLETE = "transcript: complete"
CARDS = "rules page 1 and 2: cards"
PLAYERS = "rules page 2: 2 to 5 players"
SWITCHES = "rules page 3: switches"
AIRWALK_REVEAL = "switch airwalk_reveal"
REPLAY_FROM_HAND = "switch replay_from_hand"
DEAL = "reading 1: one Trick to each skater"
TWO_PILES = "reading 2: two piles"
UNSEEN = "reading 2: cards of the piles"
REWARD_PILE = "reading 3: reward pile"
FIRST_SKATER = "reading 4: first skater"
SOURCE = "reading 5: pile or hand"
FALL = "reading 6: fall"
HELMET = "reading 8: helmet"
DRAW = "reading 9: Draw"
REVEAL = "reading 9: Reveal"
FACE_UP = "reading 9: face-up top"
REPLAY = "reading 9: Replay"
CLOCKWISE = "reading 10: clockwise"
STOP = "reading 11: Stop"
CONDITIONS = "reading 12: conditions"
LAST_STANDING = "reading 13: last skater standing"
LONE_SKATER = "reading 14: lone skater"
NEXT_STARTER = "reading 15: next round"
PERFECT_LANDING = "reading 16: Perfect Landing"
SPLIT = "reading 17: split"
RESHUFFLE = "reading 18: reshuffle"
NOTHING_LEFT = "reading 19: nothing left"
PRESTIGE = "reading 20: Prestige"
SHARED_VICTORY = "reading 20: shared victory"
END_OF_GAME = "rulebook: End of the Game"

#: The rule that an event breaks if it happens where a skater must do a trick.
OUT_OF_PLACE = {
    "fall": FALL,
    "helmet": HELMET,
    "draw": DRAW,
    "reveal": REVEAL,
    "lapse": REPLAY,
    "split": SPLIT,
    "stop": REPLAY,
    "reward": LAST_STANDING,
    "reward_lost": LONE_SKATER,
    "round_end": LAST_STANDING,
    "end": END_OF_GAME,
    "setup": FORMAT,
}
