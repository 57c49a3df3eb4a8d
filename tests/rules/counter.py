"""A small counter of cards and helmets, moved by the events of a transcript and by nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


class CardCounter:
    """Where every card is. An event that moves a card from where it is not fails.

    Parameters
    ----------
    setup : mapping
        The first line of a transcript.
    """

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self.cards: Mapping[str, Any] = setup["cards"]
        self.rules: Mapping[str, Any] = setup["rules"]
        seats = len(setup["seats"])
        self.face_down = Counter({c: cells["copies"] for c, cells in self.cards.items() if cells["kind"] == "trick"})
        self.sizes = list(setup["piles"])
        self.face_up: list[str | None] = [None, None]
        self.rewards = list(setup["rewards"])
        self.hands: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.combos: list[list[str]] = [[] for _ in range(seats)]
        self.validated: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.discard_pile: Counter[str] = Counter()
        self.box: Counter[str] = Counter()
        for hand, card in zip(self.hands, setup["dealt"], strict=True):
            _take(self.face_down, card)
            hand[card] += 1
        self.total = self.census()

    def follow(self, event: Mapping[str, Any]) -> None:
        """Move the cards of an event."""
        getattr(self, f"_{event['event']}", lambda _: None)(event)

    def census(self) -> Counter[str]:
        """All cards there are, by type; nothing may change it."""
        everywhere = self.face_down + self.discard_pile + self.box + Counter(self.rewards)
        everywhere += Counter(card for card in self.face_up if card)
        for hand, combo, validated in zip(self.hands, self.combos, self.validated, strict=True):
            everywhere += hand + Counter(combo) + validated
        return everywhere

    def in_piles(self) -> int:
        """Cards in both draw piles."""
        return self.face_down.total() + sum(card is not None for card in self.face_up)

    def _trick(self, event: Mapping[str, Any]) -> None:
        seat, card = event["seat"], event["card"]
        if event["source"] == "hand":
            _take(self.hands[seat], card)
        else:
            self._take_top(int(event["source"][-1]) - 1, card, event["face_up"])
        self.combos[seat].append(card)

    def _draw(self, event: Mapping[str, Any]) -> None:
        self._take_top(event["pile"] - 1, event["card"], event["face_up"])
        self.hands[event["seat"]][event["card"]] += 1

    def _reveal(self, event: Mapping[str, Any]) -> None:
        pile = event["pile"] - 1
        assert self.face_up[pile] is None
        assert self.sizes[pile] > 0
        _take(self.face_down, event["card"])
        self.face_up[pile] = event["card"]

    def _take_top(self, pile: int, card: str, face_up: bool) -> None:
        assert self.sizes[pile] > 0, "a card from an empty pile"
        assert face_up == (self.face_up[pile] is not None)
        self.sizes[pile] -= 1
        if face_up:
            assert self.face_up[pile] == card, "the face-up top is another card"
            self.face_up[pile] = None
        else:
            _take(self.face_down, card)

    def _split(self, event: Mapping[str, Any]) -> None:
        assert self.sizes[event["pile"] - 1] == 0, "a pile was split although the other was not empty"
        assert sum(event["sizes"]) == sum(self.sizes)
        self.sizes = list(event["sizes"])

    def _reshuffle(self, event: Mapping[str, Any]) -> None:
        assert self.sizes == [0, 0], "a reshuffle although a pile has cards"
        assert sum(event["sizes"]) == self.discard_pile.total()
        self.sizes, self.face_down, self.discard_pile = list(event["sizes"]), self.discard_pile, Counter()

    def _fall(self, event: Mapping[str, Any]) -> None:
        seat = event["seat"]
        assert event["cards"] == self.combos[seat]
        self._discard(self.combos[seat])
        self.combos[seat] = []

    def _stop(self, event: Mapping[str, Any]) -> None:
        seat, cards = event["seat"], Counter(event["validated"]) + Counter(event["discarded"])
        extra = cards - Counter(self.combos[seat])
        if extra:  # Perfect Landing joins the combo
            assert list(extra) == self.rewards[:1] == ["perfect_landing"]
            self.rewards.clear()
        assert cards == Counter(self.combos[seat]) + extra
        self.validated[seat] += Counter(event["validated"])
        self._discard(event["discarded"])
        self.combos[seat] = []

    def _reward(self, event: Mapping[str, Any]) -> None:
        if not self.rewards:  # Perfect Landing was in the combo that has just been validated
            assert event["card"] == "perfect_landing"
            return
        assert self.rewards.pop(0) == event["card"]
        place = self.hands if self.rewards else self.validated
        place[event["seat"]][event["card"]] += 1

    def _reward_lost(self, event: Mapping[str, Any]) -> None:
        assert self.rewards.pop(0) == event["card"]
        self._discard([event["card"]])

    def _discard(self, cards: list[str]) -> None:
        for card in cards:
            to_box = self.cards[card]["kind"] != "trick" and self.rules["discarded_legendaries"] == "box"
            (self.box if to_box else self.discard_pile)[card] += 1


def _take(place: Counter[str], card: str) -> None:
    assert place[card] > 0, f"{card} is not where it was taken from"
    place[card] -= 1
