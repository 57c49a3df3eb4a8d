"""The table: all that lies on it, its setup, and the writing down of events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .bots import Bot
from .combo import Combo
from .deck import card_order, numbered
from .luck import DEAL, FIRST_SKATER, REWARD_PILE, Stream, below, game_key
from .piles import Piles
from .skater import Skater


class Table:
    """A table made ready for a game.

    Parameters
    ----------
    cards, rules : mapping
        The cards table and the value of every switch.
    bots : sequence of callable
        The bot of each seat; see ``bots.py``.
    seed, game_number : int
        Together they decide all luck.
    watch : callable, optional
        Called with the table after every event, for checks.
    """

    def __init__(
        self,
        cards: Mapping[str, Mapping[str, Any]],
        rules: Mapping[str, Any],
        bots: Sequence[Bot],
        seed: int,
        game_number: int,
        watch: Callable[[Any], None] | None = None,
    ) -> None:
        self.cards = cards
        self.rules = rules
        self.bots = bots
        self.watch = watch
        self.key = game_key(seed, game_number)
        self.order = card_order(cards)
        self.lines: list[dict[str, Any]] = []
        self.round = 0
        self.supply = float("inf") if rules["helmet_supply"] == "unlimited" else rules["helmet_supply"]
        self.box: list[int] = []  # Legendaries out of the game
        self.skaters = [Skater(seat) for seat in range(len(bots))]
        self._set_up()

    def _set_up(self) -> None:
        """Form the Reward pile, deal a card to each skater, form the draw piles, determine who plays first."""
        self.card_of, first_reward = numbered(self.cards, "trick")
        urn = set(self.card_of)
        self.reward_pile = list(enumerate(self._rewards(), first_reward))
        self.card_of |= dict(self.reward_pile)
        self.slot_bits = max(7, (first_reward + self.rules["rounds"] - 1).bit_length())
        deal = Stream(self.key, DEAL)
        for skater in self.skaters:
            slot = deal.draw(urn, self.slot_bits, skater.seat)
            skater.hand.append((slot, self.card_of[slot]))
        self.piles = Piles(urn, self.rules["reshuffle"], lambda event, **fields: self.tell(event, None, **fields))
        self.first = self.skaters[below(Stream(self.key, FIRST_SKATER).word(0), len(self.skaters))]
        self.setup: dict[str, Any] = {
            "dealt": [skater.hand[0][1] for skater in self.skaters],
            "piles": self.piles.sizes,
            "first_seat": self.first.seat,
            "rewards": [card for _, card in self.reward_pile],
        }

    def _rewards(self) -> list[str]:
        """Legendaries chosen at random, one fewer than rounds, on top of the Perfect Landing card."""
        legends, end = numbered(self.cards, "legendary")
        slot_bits = max(4, (end - 1).bit_length())
        stream, urn = Stream(self.key, REWARD_PILE), set(legends)
        chosen = [legends[stream.draw(urn, slot_bits, i)] for i in range(self.rules["rounds"] - 1)]
        (last,) = (card for card, c in self.cards.items() if c["kind"] == "last_reward" and c["copies"])
        return [*chosen, last]

    def tell(self, event: str, seat: int | None, **fields: Any) -> None:
        """Write down an event."""
        self.lines.append({"event": event, "round": self.round, "seat": seat, **fields})
        if self.watch:
            self.watch(self)

    def empty_combo(self) -> Combo:
        """Space for a combo in front of a skater."""
        return Combo(self.cards, self.rules)

    def standing(self) -> list[Skater]:
        """Skaters who have neither fallen nor stopped in this round."""
        return [skater for skater in self.skaters if skater.standing]

    def is_last_round(self) -> bool:
        """Whether Perfect Landing is the visible reward."""
        return bool(self.round == self.rules["rounds"])

    def discard(self, slot: int) -> None:
        """Put a card on the discard pile; a Legendary into the box, if the switch says so."""
        if self.cards[self.card_of[slot]]["kind"] == "trick" or self.rules["discarded_legendaries"] == "discard_pile":
            self.piles.discard.add(slot)
        else:
            self.box.append(slot)

    def ask(self, skater: Skater, question: str, answers: Sequence[int]) -> int:
        """Ask the bot of a skater."""
        answer = self.bots[skater.seat](question, answers, len(skater.combo.cards), skater.luck)
        if answer not in answers:
            raise ValueError(f"seat {skater.seat} answers {question!r} with {answer}, not one of {answers}")
        return answer
