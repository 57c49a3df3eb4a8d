"""Games of Skate Legend worth telling."""

from __future__ import annotations

import numpy as np

from skate_sim.games.skate_legend.faces import face
from skate_sim.games.skate_legend.position import position
from skate_sim.games.skate_legend.transcript import told_so_far
from skate_sim.games.telling import Notable, Searched, Telling, nearest_to_median, upset


def _typical(seen: Searched) -> np.ndarray:
    return (
        nearest_to_median(seen.game_columns["winning_prestige"]) + nearest_to_median(seen.game_columns["turns"]) / 100
    )


def _longest_combo(seen: Searched) -> np.ndarray:
    return np.asarray(seen.along("round_cards", "round").max(axis=(1, 2)), float)


def _kick_flip_lost(seen: Searched) -> np.ndarray:
    """Games in which Kick Flip was in a combo that fell; worst where the one who played it ended with least."""
    lost = seen.seen("legendaries", "kick_flip", "lost")
    owner = np.take_along_axis(lost, seen.entries, axis=1) > 0
    least = np.where(owner, seen.seat_columns["prestige"], 999).min(axis=1)
    return np.where(owner.any(axis=1), 1000.0 * lost.max(axis=1) - least, -np.inf)


TELLING = Telling(
    face,
    position,
    told_so_far,
    risk_label="Fall risk",
    mishap="fall",
    notables=(
        Notable("median", "The median game", "nearest to the median of winning Prestige, then of turns", _typical),
        Notable("upset", "The biggest upset", "won alone by the bot that wins most seldom", upset),
        Notable(
            "longest_combo", "The longest combo", "most cards validated in one round by one skater", _longest_combo
        ),
        Notable(
            "kick_flip", "Kick Flip's worst day", "lost in a fall by the skater that ended lowest", _kick_flip_lost
        ),
    ),
)
