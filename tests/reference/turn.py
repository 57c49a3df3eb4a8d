"""Taking your turn: Do a Trick or Stop, falls, helmets and card effects."""

from __future__ import annotations

from collections.abc import Sequence

from .bots import HAND, NO, PILE_1, PILE_2, STOP, YES
from .skater import Skater
from .table import Table


def take_turn(table: Table, skater: Skater) -> None:
    """Do a Trick or Stop; then replay the "Do a Trick" action as often as the cards played demand."""
    choose_action(table, skater, forced=False)
    while skater.standing and skater.pending_replays:
        choose_action(table, skater, forced=True)


def choose_action(table: Table, skater: Skater, forced: bool) -> None:
    """Let the skater choose between the piles, the hand and Stop, if there is a choice."""
    piles = table.piles.open()
    hand = [] if forced and not table.rules["replay_from_hand"] else [card for _, card in skater.hand]
    if not piles and not hand:
        if forced:
            lapse(table, skater)
        else:
            stop(table, skater)
        return
    answers = piles + sorted({HAND + table.order.index(card) for card in hand})
    if may_stop(table, skater, forced):
        answers = [STOP, *answers]
    elif len(piles) + len(hand) == 1:
        do_a_trick(table, skater, answers[0], forced)
        return
    answer = table.ask(skater, "act", answers)
    if answer == STOP:
        stop(table, skater)
    else:
        do_a_trick(table, skater, answer, forced)


def may_stop(table: Table, skater: Skater, forced: bool) -> bool:
    """Whether there is a combo to validate, or a switch that allows a Stop without one."""
    alone_of_two = len(table.skaters) == 2 and table.standing() == [skater]
    empty_allowed = table.rules["allow_empty_stop"] or (alone_of_two and table.rules["lone_empty_stop"])
    return not forced and (bool(skater.combo.cards) or empty_allowed)


def lapse(table: Table, skater: Skater) -> None:
    """Forget the pending replays: no card can be played."""
    table.tell("lapse", skater.seat, replays=skater.pending_replays)
    skater.pending_replays = 0


# --- Do a Trick ---


def do_a_trick(table: Table, skater: Skater, answer: int, forced: bool) -> None:
    """Play a card from a pile or from the hand; then fall, or remain standing and apply its effect."""
    if forced:
        skater.pending_replays -= 1
    face_up = False
    if answer in (PILE_1, PILE_2):
        slot, face_up = table.piles.take(answer, skater.luck.trick, table.slot_bits)
        source = f"pile {answer}"
    else:
        slot = skater.take_from_hand(table.order[answer - HAND])
        source = "hand"
    card = table.card_of[slot]
    skater.combo.add(slot, card)
    table.tell("trick", skater.seat, card=card, source=source, forced=forced, face_up=face_up)
    if source != "hand":
        table.piles.after_taking(answer)
    reason = skater.combo.fall_reason()
    if reason:
        fall(table, skater, reason)
        return
    if table.rules["helmet_timing"] == "before_effect":
        offer_helmet(table, skater)
    apply_effect(table, skater, card)
    if table.rules["helmet_timing"] == "after_effect":
        offer_helmet(table, skater)


def fall(table: Table, skater: Skater, reason: str) -> None:
    """Discard all the cards played during this round, take a Helmet token, play no more in this round."""
    combo = skater.combo
    skater.combo = table.empty_combo()
    for slot, _ in combo.cards:
        table.discard(slot)
    if combo.helmet:
        if table.rules["placed_helmet_on_fall"] == "returned":
            skater.helmets += 1
        else:
            table.supply += 1
    if table.supply > 0:
        table.supply -= 1
        skater.helmets += 1
    skater.pending_replays = 0
    skater.standing = False
    skater.fallen = True
    table.tell("fall", skater.seat, reason=reason, cards=combo.ids)


# --- Helmet Token ---


def offer_helmet(table: Table, skater: Skater) -> None:
    """Let the skater place a Helmet token on the card just played."""
    if not skater.helmets or not skater.combo.takes_helmet():
        return
    if table.ask(skater, "helmet", (NO, YES)) == YES:
        card = skater.combo.ids[-1]
        skater.helmets -= 1
        skater.combo.helmet = table.cards[card]["colour"]
        table.tell("helmet", skater.seat, card=card, colour=skater.combo.helmet)


# --- Card Effects ---


def apply_effect(table: Table, skater: Skater, card: str) -> None:
    """Apply the effect of the card just played, as many times as it says."""
    effect, times = table.cards[card]["effect"], table.cards[card]["times"]
    if effect == "replay":
        skater.pending_replays += times
    elif effect == "draw":
        for _ in range(times):
            draw(table, skater)
    elif effect == "reveal":
        for _ in range(times):
            reveal(table, skater)


def draw(table: Table, skater: Skater) -> None:
    """Add a card to the hand from the draw pile of the skater's choice."""
    piles = table.piles.open()
    if piles:
        pile = choose_pile(table, skater, "draw", piles)
        slot, face_up = table.piles.take(pile, skater.luck.drawn, table.slot_bits)
        card = table.card_of[slot]
        skater.hand.append((slot, card))
        table.tell("draw", skater.seat, card=card, pile=pile, face_up=face_up)
        table.piles.after_taking(pile)


def reveal(table: Table, skater: Skater) -> None:
    """Turn face up the top card of one of the draw piles; if both are face up, nothing happens."""
    piles = table.piles.face_down_on_top()
    if piles:
        pile = choose_pile(table, skater, "reveal", piles)
        slot = table.piles.reveal(pile, skater.luck.revealed, table.slot_bits)
        table.tell("reveal", skater.seat, card=table.card_of[slot], pile=pile)


def choose_pile(table: Table, skater: Skater, question: str, piles: Sequence[int]) -> int:
    """Let the skater choose a pile, if there is a choice."""
    return piles[0] if len(piles) == 1 else table.ask(skater, question, piles)


# --- Stop ---


def stop(table: Table, skater: Skater) -> None:
    """Validate the combo, discard Legendaries whose condition is not met, discard the Helmet token played."""
    combo = skater.combo
    ends_the_round = table.standing() == [skater]
    if ends_the_round and table.is_last_round() and table.rules["perfect_landing_in_combo"]:
        combo.add(*table.reward_pile.pop(0))
    met, unmet = combo.sorted_by_condition()
    skater.combo = table.empty_combo()
    skater.validated += met
    for slot, _ in unmet:
        table.discard(slot)
    if combo.helmet:
        table.supply += 1
    skater.standing = False
    points = sum(table.cards[card]["points"] for _, card in met)
    validated, discarded = [card for _, card in met], [card for _, card in unmet]
    table.tell("stop", skater.seat, validated=validated, discarded=discarded, points=points)
