"""Decks for tests: which Trick cards there are, and which Legendaries are the rewards."""

from __future__ import annotations

from typing import Any

from skate_sim.games.skate_legend.cards import TABLE

#: Cards that are not printed, for decks that need them: grey ones never fall by colour.
EXTRA: dict[str, dict[str, Any]] = {
    "fog": {"name": "Fog", "colour": "grey", "points": 1},
    "fog_broken": {"name": "Broken fog", "colour": "grey", "points": 1, "broken": True},
    "fog_draw": {"name": "Drawing fog", "colour": "grey", "points": 1, "effect": "draw"},
    "fog_reveal": {"name": "Revealing fog", "colour": "grey", "points": 1, "effect": "reveal"},
    "fog_replay": {"name": "Replaying fog", "colour": "grey", "points": 1, "effect": "replay"},
    "fog_crash": {"name": "Crashing fog", "colour": "grey", "points": 1, "effect": "replay", "broken": True},
    "fog_crash_draw": {"name": "Crashing draw", "colour": "grey", "points": 1, "effect": "draw", "broken": True},
    "fog_crash_reveal": {"name": "Crashing reveal", "colour": "grey", "points": 1, "effect": "reveal", "broken": True},
    "fog_kick": {"name": "Kicking fog", "colour": "grey", "points": 1, "effect": "replay", "times": 3},
}

#: Copies of a card that a deck names without a number: more than any test plays.
PLENTY = 40


def of_kind(kind: str) -> list[str]:
    """Ids of the printed cards of a kind."""
    return [card for card, cells in TABLE.rows.items() if cells["kind"] == kind]


def deck_edits(deck: str) -> dict[str, Any]:
    """Edits that leave only these Trick cards: ``"ollie=3 manual"``."""
    copies = {card: int(count or PLENTY) for card, _, count in (part.partition("=") for part in deck.split())}
    edits: dict[str, Any] = {f"cards.{card}.copies": copies.pop(card, 0) for card in of_kind("trick")}
    return edits | {f"cards.{card}": EXTRA[card] | {"copies": count} for card, count in copies.items()}


def reward_edits(rewards: str) -> dict[str, Any]:
    """Edits that leave only these Legendaries, each as often as it is named."""
    names = rewards.split()
    assert set(names) <= set(of_kind("legendary")), rewards
    return {f"cards.{card}.copies": names.count(card) for card in of_kind("legendary")}
