"""A whole game by the rulebook, told as the lines of a transcript."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .luck import SeatLuck
from .skater import Skater
from .table import Table
from .turn import stop, take_turn


class Game(Table):
    """One game; ``setup`` holds what luck decided before it, :meth:`play` tells the rest."""

    def play(self) -> list[dict[str, Any]]:
        """Play all rounds; returns the lines after the setup line."""
        for number in range(1, self.rules["rounds"] + 1):
            self.round = number
            ender = self.play_round()
            self.take_reward(ender)
            self.tell("round_end", ender.seat)
            # The next round begins, starting with the skater who ended the previous round.
            self.first = ender
        self.lines.append({"event": "end", "seats": self.results()})
        return self.lines

    def play_round(self) -> Skater:
        """Take turns in clockwise order until the round is over; returns the skater who ended it."""
        for skater in self.skaters:
            skater.start_round(self.empty_combo(), SeatLuck(self.key, self.round, skater.seat))
        skater = self.first
        take_turn(self, skater)
        while not self.round_is_over():
            skater = self.next_standing(skater)
            take_turn(self, skater)
        if len(self.skaters) == 2:
            return skater  # the last skater to have played
        # The last skater still standing immediately ends the round and resolves the "Stop" action.
        (last,) = self.standing()
        stop(self, last)
        return last

    def round_is_over(self) -> bool:
        """Whether one skater is left standing; with two players, whether he has stopped or fallen as well."""
        return len(self.standing()) == (0 if len(self.skaters) == 2 else 1)

    def next_standing(self, skater: Skater) -> Skater:
        """Clockwise, the next skater still standing; the same one if he is alone."""
        after = self.skaters[skater.seat + 1 :] + self.skaters[: skater.seat + 1]
        return next(other for other in after if other.standing)

    def take_reward(self, ender: Skater) -> None:
        """Give the top card of the Reward pile to the skater who ended the round; it is discarded if he fell."""
        card = self.setup["rewards"][self.round - 1]
        if ender.fallen:
            self.discard(self.reward_pile.pop(0)[0])
            self.tell("reward_lost", ender.seat, card=card)
            return
        if self.reward_pile:  # unless Perfect Landing has already joined his combo
            (ender.validated if self.is_last_round() else ender.hand).append(self.reward_pile.pop(0))
        self.tell("reward", ender.seat, card=card)

    def results(self) -> list[dict[str, Any]]:
        """Prestige of each skater and its parts, and the shares of the win."""
        results: list[dict[str, Any]] = []
        for skater in self.skaters:
            parts = {
                "tricks": self.validated_points(skater, "trick"),
                "legendaries": self.validated_points(skater, "legendary"),
                "perfect_landing": self.validated_points(skater, "last_reward"),
                "helmets": self.rules["helmet_points"] * skater.helmets,
            }
            prestige = sum(parts.values())
            results.append({"seat": skater.seat, "prestige": prestige, **parts, "helmets_kept": skater.helmets})
        most = max(result["prestige"] for result in results)
        winners = [result for result in results if result["prestige"] == most]
        for result in results:
            result["win_share"] = str(Fraction(result in winners, len(winners)))
        return results

    def validated_points(self, skater: Skater, kind: str) -> int:
        """Points of the validated cards of a kind."""
        cells = [self.cards[card] for _, card in skater.validated]
        return sum(c["points"] for c in cells if c["kind"] == kind)
