"""Hunts Legendaries: goes on for the condition of one in its hand, and to be the last one standing.

While a Legendary waits in the hand for a condition that can still be met, or when one more trick may win the
reward of the round, it accepts a higher risk.
"""

from skate_sim import parameter
from skate_sim.games.skate_legend import STOP, condition_reachable, helmet_lowers_risk, least_risky, paying_legendary

limit = parameter(0.3, low=0.0, high=1.0, help="highest chance of a fall that it accepts as a rule")
eager = parameter(0.1, low=0.0, high=1.0, help="what it adds to the limit when a Legendary is at hand")

traits = {"deterministic": True, "stops_at_zero_risk": False}


def act(view, params):
    legendary = paying_legendary(view)
    if legendary != STOP:
        return legendary
    answer, risk = least_risky(view)
    accepted = params.limit
    if waits_for_condition(view) or view.table.standing == 2:
        accepted += params.eager
    if view.table.may_stop and risk > accepted:
        return STOP
    return answer


def waits_for_condition(view):
    """Whether a Legendary of the hand may still have its condition met."""
    if view.hand.legendaries == 0:
        return False
    for i in range(view.hand.count):
        card = view.hand.cards[i]
        if view.deck.cards[card].legendary and condition_reachable(view, card):
            return True
    return False


def helmet(view):
    return helmet_lowers_risk(view)
