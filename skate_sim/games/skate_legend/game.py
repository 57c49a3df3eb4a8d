"""Skate Legend's declaration: the one object that the rest of the package reads."""

from __future__ import annotations

from skate_sim.games import Game, Luck
from skate_sim.games.skate_legend import rules
from skate_sim.games.skate_legend.cards import PIECES, TABLE
from skate_sim.games.skate_legend.display import DISPLAY
from skate_sim.games.skate_legend.notables import TELLING
from skate_sim.games.skate_legend.outcomes import LEDGERS, OUTCOMES, SHARE_UNITS, STEP_LEDGERS
from skate_sim.games.skate_legend.play import play_batch
from skate_sim.games.skate_legend.redeal import redeal
from skate_sim.games.skate_legend.state import STATE_DTYPE
from skate_sim.games.skate_legend.traits import TRAITS
from skate_sim.games.skate_legend.transcript import EVENTS, answer_text, sentence, tell
from skate_sim.games.skate_legend.view import DECISIONS, VIEW_PARTS, View, is_legal, make_view

LUCK = (
    Luck("reward_pile", "which Legendaries are on the reward pile, and in which order"),
    Luck("first_skater", "who begins the first round"),
    Luck("deal", "the card that each skater is dealt", ("seat",)),
    Luck(
        "cards",
        "face-down cards that a skater plays, draws or reveals, each use by itself",
        ("round", "seat"),
        private=True,
    ),
    Luck("bot", "random numbers for a skater's bot", ("round", "seat"), private=True),
)


def _game() -> Game:
    return Game(
        name="skate_legend",
        title="Skate Legend",
        description="Chain tricks over four rounds, stop in time, or fall on three of a colour or three broken "
        "skateboards.",
        behaviour_version=1,
        notice="",
        seats=frozenset({2, 3, 4, 5}),
        default_seats=4,
        symmetric_seats=True,
        share_units=SHARE_UNITS,
        headlines=dict.fromkeys(range(2, 6), "win_share"),
        score="prestige",
        seat_word="skater",
        score_word="Prestige",
        presets=rules.PRESETS,
        default_preset="rulebook",
        switches=rules.SWITCHES,
        tables=(TABLE,),
        luck=LUCK,
        decisions=DECISIONS,
        traits=TRAITS,
        outcomes=OUTCOMES,
        ledgers=LEDGERS,
        events=EVENTS,
        axes={"round": "Round"},
        resolve=rules.resolve,
        state_dtype=STATE_DTYPE,
        view_parts=VIEW_PARTS,
        make_view=make_view,
        view_fields=View._fields,
        is_legal=is_legal,
        play_batch=play_batch,
        redeal=redeal,
        tell=tell,
        sentence=sentence,
        answer_text=answer_text,
        step_ledgers=STEP_LEDGERS,
        pieces=PIECES,
        telling=TELLING,
        display=DISPLAY,
    )


GAME = _game()
