"""The physical cards: which number (slot) each bears, so that luck finds the same card in both engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .printed import PRINTED


def numbered(cards: Mapping[str, Mapping[str, Any]], kind: str) -> tuple[dict[int, str], int]:
    """Card id of each physical card of a kind, by number, and the first number after all of them.

    Printed copies come first and keep their numbers (a copy taken away leaves a hole), then copies beyond the
    printed ones, then cards that are not printed as this kind.
    """
    numbers: dict[int, str] = {}
    beyond: list[str] = []
    end = 0
    for card, printed in PRINTED.items():
        if printed["kind"] == kind:
            copies = cards[card]["copies"] if card in cards and cards[card]["kind"] == kind else 0
            numbers.update((end + i, card) for i in range(min(copies, printed["copies"])))
            beyond += [card] * (copies - printed["copies"])
            end += printed["copies"]
    for card, cells in cards.items():
        if cells["kind"] == kind and PRINTED.get(card, {}).get("kind") != kind:
            beyond += [card] * cells["copies"]
    return numbers | dict(enumerate(beyond, end)), end + len(beyond)


def card_order(cards: Mapping[str, Any]) -> list[str]:
    """Card ids in the order of their numbers as an answer: printed ones first, then added ones."""
    return [card for card in PRINTED if card in cards] + [card for card in cards if card not in PRINTED]
