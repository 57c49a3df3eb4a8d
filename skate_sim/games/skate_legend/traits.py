"""What a bot may be seen to do, for reports on bots and for what their files declare."""

from __future__ import annotations

from skate_sim.games import Trait
from skate_sim.games.skate_legend.advice import least_risky
from skate_sim.games.skate_legend.view import ACT, HAND, STOP, WEAR_HELMET, fall_risk


def stops_at_zero_risk(view, decision, answer):
    """Stops although the next card could not make it fall."""
    return decision == ACT and answer == STOP and least_risky(view)[1] == 0.0


def takes_sure_falls(view, decision, answer):
    """Takes a card that is sure to make it fall, although there was something else to do."""
    if decision != ACT or answer == STOP or fall_risk(view, answer) < 1.0:
        return False
    return view.table.may_stop != 0 or least_risky(view)[1] < 1.0


def plays_hand(view, decision, answer):
    """Plays cards of its hand."""
    return decision == ACT and answer >= HAND


def wears_helmets(view, decision, answer):
    """Wears helmets."""
    return decision == WEAR_HELMET and answer == 1


TRAITS = tuple(
    Trait(shows.__name__, (shows.__doc__ or "").rstrip("."), shows)
    for shows in (stops_at_zero_risk, takes_sure_falls, plays_hand, wears_helmets)
)
