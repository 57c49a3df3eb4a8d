"""The game, in the order of the rulebook: the referee plays it again and compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import readings
from .cards import Card
from .combo import Combo, meets_condition
from .scoring import check_end
from .script import Script
from .table import Skater, lay_table


class Game:
    """A game under the referee's eyes.

    Parameters
    ----------
    lines
        The lines of its transcript.
    """

    def __init__(self, lines: Iterable[str | Mapping[str, Any]]) -> None:
        self.script = Script(lines)
        setup = self.script.take()
        self.table = lay_table(setup, self.script)
        self.rules = self.table.rules
        self.piles = self.table.draw_piles
        self.two_players = len(self.table.skaters) == 2
        self.starter: int = setup["first_seat"]

    def play(self) -> None:
        """All rounds, then the Prestige."""
        all_cards = self.table.census()
        for number in range(1, self.rules.rounds + 1):
            self.script.round = number
            self.starter = self.play_round()
            assert self.table.census() == all_cards, "the referee lost a card"
        end = self.script.take()
        end.insist(end.kind == "end", readings.END_OF_GAME, f"{end.kind} after the last round")
        check_end(end, self.table)
        self.script.finish()

    # Rulebook, "Taking Your Turn"

    def play_round(self) -> int:
        """Turns clockwise until the round ends; the seat that starts the next one."""
        self.reward = self.table.rewards.pop(0)
        for skater in self.table.skaters:
            skater.status = "standing"
        standing_at_end = 0 if self.two_players else 1
        seat = self.starter
        self.take_turn(seat)
        while len(self.table.standing) > standing_at_end:
            seat = self.next_standing(seat)
            self.take_turn(seat)
        ender = seat if self.two_players else self.table.standing[0]
        self.end_round(ender)
        return ender

    def next_standing(self, seat: int) -> int:
        """The next skater clockwise who is still standing (reading 10)."""
        seats = len(self.table.skaters)
        clockwise = [(seat + step) % seats for step in range(1, seats + 1)]
        return next(other for other in clockwise if other in self.table.standing)

    def take_turn(self, seat: int) -> None:
        """Stop, or a trick and everything that it brings."""
        choice = self.script.peek()
        if choice.kind in ("stop", "trick"):
            choice.insist(choice["seat"] == seat, readings.CLOCKWISE, f"it is the turn of seat {seat}")
        if choice.kind == "stop":
            self.stop(seat)
            return
        replays = self.do_a_trick(seat)
        while replays:
            if not self.can_play(seat, forced=True):
                self.lapse(seat, replays)
                return
            replays = self.do_a_trick(seat, replays)

    # Rulebook, "Do a Trick"

    def do_a_trick(self, seat: int, replays: int = 0) -> int:
        """One card played, and its effect applied unless it makes the skater fall.

        Takes the number of pending Replays, one of which this trick obeys, and gives the number pending after it
        (readings 6 and 9).
        """
        skater = self.table.skaters[seat]
        has_helmet = skater.helmets > 0
        card = self.play_card(seat, forced=replays > 0)
        reason = skater.combo.fall_reason(self.rules)
        if reason is not None:
            self.fall(seat, reason)
            return 0
        if self.rules.helmet_timing == "before_effect":
            self.offer_helmet(seat, has_helmet)
        brought = self.apply_effect(seat, card)
        if self.rules.helmet_timing == "after_effect":
            self.offer_helmet(seat, has_helmet)
        return max(replays - 1, 0) + brought

    def play_card(self, seat: int, forced: bool) -> Card:
        """A card from a draw pile or from the hand joins the combo (reading 5)."""
        combo = self.table.skaters[seat].combo.cards
        start = self.script.peek()
        if start.kind not in ("trick", "reshuffle"):
            raise start.foul(readings.OUT_OF_PLACE[start.kind], f"{start.kind} where seat {seat} must do a trick")
        if start.kind == "reshuffle":
            self.piles.reshuffle()
        event = self.script.due("trick", seat, readings.REPLAY if forced else readings.SOURCE)
        event.insist(event["forced"] == forced, readings.REPLAY, f"forced is {event['forced']}, must be {forced}")
        if event["source"] in ("pile 1", "pile 2"):
            number = int(event["source"][-1])
            combo.append(self.piles.take_top(event, number))
            self.piles.after_taking(number)
        else:
            event.insist(event["source"] == "hand", readings.SOURCE, f"no such source: {event['source']}")
            event.insist(start is event, readings.RESHUFFLE, "reshuffled for a card of the hand")
            open_hand = self.rules.replay_from_hand or not forced
            event.insist(open_hand, readings.REPLAY_FROM_HAND, "Replay is from the piles only")
            event.insist(not event["face_up"], readings.FACE_UP, "a card of the hand is no face-up top")
            card = self.piles.cards.get(event["card"])
            if card is None or self.table.skaters[seat].hand[card] == 0:
                raise event.foul(readings.SOURCE, f"seat {seat} does not hold {event['card']}")
            self.table.skaters[seat].hand[card] -= 1
            combo.append(card)
        return combo[-1]

    def fall(self, seat: int, reason: str) -> None:
        """The combo is discarded, the skater takes a helmet and is out of the round (reading 7)."""
        skater = self.table.skaters[seat]
        event = self.script.due("fall", seat, readings.FALL)
        event.insist(event["reason"] == reason, readings.FALL, f"the fall is by {reason}, not {event['reason']}")
        combo = [card.id for card in skater.combo.cards]
        event.insist(event["cards"] == combo, readings.FALL, f"the combo that falls is {combo}")
        for card in skater.combo.cards:
            self.table.discard(card)
        if skater.combo.helmet is not None and self.rules.placed_helmet_on_fall == "returned":
            skater.helmets += 1
        elif skater.combo.helmet is not None:
            self.table.supply += 1
        if self.table.supply > 0:
            self.table.supply -= 1
            skater.helmets += 1
        self.leave_round(skater, "fallen")

    def offer_helmet(self, seat: int, has_helmet: bool) -> None:
        """Rulebook, "Helmet Token": the skater may place one on the card just played (reading 8)."""
        if self.script.peek().kind != "helmet":
            return
        skater = self.table.skaters[seat]
        event, card = self.script.due("helmet", seat, readings.HELMET), skater.combo.cards[-1]
        event.insist(has_helmet, readings.HELMET, f"seat {seat} has no helmet")
        event.insist(event["card"] == card.id, readings.HELMET, f"the card just played is {card.id}")
        event.insist(event["colour"] == card.colour, readings.HELMET, f"{card.id} is {card.colour}")
        refusal = skater.combo.helmet_refusal(self.rules)
        event.insist(refusal is None, readings.HELMET, str(refusal))
        skater.helmets -= 1
        skater.combo.helmet = card.colour

    # Rulebook, "Card Effects"

    def apply_effect(self, seat: int, card: Card) -> int:
        """Draw and Reveal at once, as often as the card says; the number of Replays that it brings (reading 9)."""
        for _ in range(card.times):
            if card.effect == "draw":
                self.draw(seat)
            elif card.effect == "reveal":
                self.reveal(seat)
        return card.times if card.effect == "replay" else 0

    def draw(self, seat: int) -> None:
        """A card from the pile of choice into the hand; nothing if no card is left."""
        self.piles.reshuffle_if_needed()
        if not self.piles.are_empty:
            event = self.script.due("draw", seat, readings.DRAW)
            card = self.piles.take_top(event, event["pile"])
            self.table.skaters[seat].hand[card] += 1
            self.piles.after_taking(event["pile"])

    def reveal(self, seat: int) -> None:
        """The top card of a pile is turned face up; nothing if no top card is face down."""
        self.piles.reshuffle_if_needed()
        if self.piles.can_reveal:
            event = self.script.due("reveal", seat, readings.REVEAL)
            self.piles.turn_top(event, event["pile"])

    def lapse(self, seat: int, replays: int) -> None:
        """Pending Replays lapse, because no card can be played."""
        event = self.script.due("lapse", seat, readings.REPLAY)
        event.insist(event["replays"] == replays, readings.REPLAY, f"{replays} Replays lapse")

    def can_play(self, seat: int, forced: bool) -> bool:
        """Whether there is a card to play, from a pile (perhaps after a reshuffle) or from the hand (reading 19)."""
        open_hand = self.rules.replay_from_hand or not forced
        return self.piles.can_give or (open_hand and self.table.skaters[seat].hand.total() > 0)

    # Rulebook, "Stop" and "End of Round"

    def stop(self, seat: int) -> None:
        """The combo is validated but for unmet Legendaries; the helmet in it is gone (readings 8, 11, 12)."""
        skater = self.table.skaters[seat]
        combo = skater.combo.cards
        ends_round = self.table.standing == [seat]
        event = self.script.due("stop", seat, readings.LAST_STANDING if ends_round else readings.STOP)
        allowed = bool(combo) or self.may_stop_empty(seat)
        event.insist(allowed, readings.STOP, f"the combo of seat {seat} is empty")
        if ends_round and self.is_last_round and self.rules.perfect_landing_in_combo:
            combo.append(self.reward)
        unmet = [card for card in combo if not meets_condition(card, combo, self.rules)]
        met = [card for card in combo if card not in unmet]
        points = sum(card.points for card in met)
        for name, cards in (("validated", met), ("discarded", unmet)):
            ids = [card.id for card in cards]
            same = sorted(event[name]) == sorted(ids)
            event.insist(same, readings.CONDITIONS, f"{name} is {event[name]}, must be {ids}")
        event.insist(event["points"] == points, readings.CONDITIONS, f"the combo is worth {points}")
        skater.validated += met
        for card in unmet:
            self.table.discard(card)
        if skater.combo.helmet is not None:
            self.table.supply += 1
        self.leave_round(skater, "stopped")

    def may_stop_empty(self, seat: int) -> bool:
        """Whether a skater may stop without a card in the combo (readings 11, 13 and 19)."""
        if self.table.standing == [seat] and (not self.two_players or self.rules.lone_empty_stop):
            return True
        return self.rules.allow_empty_stop or not self.can_play(seat, forced=False)

    def leave_round(self, skater: Skater, status: str) -> None:
        """A skater will not play again for the rest of this round."""
        skater.combo = Combo()
        skater.status = status

    def end_round(self, ender: int) -> None:
        """The ender takes the reward, and the last of three or more stops; a lone skater who fell loses it (13, 14)."""
        skater = self.table.skaters[ender]
        if not self.two_players:
            self.stop(ender)
        if skater.status == "fallen":
            self.check_reward("reward_lost", ender, readings.LONE_SKATER)
            self.table.discard(self.reward)
        elif not self.is_last_round:
            self.check_reward("reward", ender, readings.LAST_STANDING)
            skater.hand[self.reward] += 1
        else:
            self.check_reward("reward", ender, readings.PERFECT_LANDING)
            if not self.rules.perfect_landing_in_combo:
                skater.validated.append(self.reward)
        self.script.due("round_end", ender, readings.NEXT_STARTER)

    def check_reward(self, kind: str, ender: int, rule: str) -> None:
        """Only the visible card of the reward pile can be taken or lost."""
        event = self.script.due(kind, ender, rule)
        event.insist(event["card"] == self.reward.id, rule, f"the visible reward is {self.reward.id}")

    @property
    def is_last_round(self) -> bool:
        """Whether Perfect Landing is the reward of this round."""
        return self.script.round == self.rules.rounds
