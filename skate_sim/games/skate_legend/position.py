"""What a skater looks at when it must choose: its combo, hand and the piles, with the exact risk of each choice."""

from __future__ import annotations

from typing import Any

from skate_sim.games import Resolved
from skate_sim.games.skate_legend.cards import card_order
from skate_sim.games.skate_legend.view import ACT, HAND, PILE_1, STOP, can_take, fall_risk, is_legal, stake
from skate_sim.games.telling import Option, Position


def position(view: Any, decision: int, resolved: Resolved) -> Position | None:
    """The choice between stopping, the piles and the hand; other questions bear no risk of their own."""
    if decision != ACT:
        return None
    rows = card_order(resolved.tables["cards"])
    combo = tuple(rows[card] for card in view.me.combo[: view.me.combo_size])
    hand = [int(card) for card in view.hand.cards[: view.hand.count]]
    options = [Option(STOP, "stop")] if is_legal(view, ACT, STOP) else []
    for pile in range(2):
        if can_take(view, PILE_1 + pile):
            top = int(view.table.pile_top[pile])
            shown = rows[top] if top >= 0 else ""
            same = next((o.risk for o in options if o.row == ""), None) if top < 0 else None  # as of the other pile
            risk = float(fall_risk(view, PILE_1 + pile)) if same is None else same
            options.append(Option(PILE_1 + pile, f"pile {pile + 1}", shown, risk))
    for card in dict.fromkeys(hand):
        if is_legal(view, ACT, HAND + card):
            options.append(Option(HAND + card, "from the hand", rows[card], float(fall_risk(view, HAND + card))))
    notes = [f"{int(stake(view))} Prestige at stake"]
    helmets = int(view.me.helmets)
    if helmets:
        notes.append(f"{helmets} helmet{'s' if helmets > 1 else ''}")
    if view.table.forced:
        notes.append("Replay: a card must be played")
    return Position("cards", {"Combo": combo}, ", ".join(notes), tuple(options))
