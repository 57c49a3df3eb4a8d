"""Plays like risk_threshold, but to the score in the last round: chases when behind, stops when ahead."""

from skate_sim import parameter
from skate_sim.games.skate_legend import (
    STOP,
    helmet_lowers_risk,
    is_last_round,
    least_risky,
    paying_legendary,
    prestige,
    stake,
)

limit = parameter(0.3, low=0.0, high=1.0, help="highest chance of a fall that it accepts before the last round")
behind = parameter(0.5, low=0.0, high=1.0, help="the same in the last round, while stopping would not win")
ahead = parameter(0.2, low=0.0, high=1.0, help="the same in the last round, while stopping would win")

traits = {"deterministic": True, "stops_at_zero_risk": False}


def act(view, params):
    legendary = paying_legendary(view)
    if legendary != STOP:
        return legendary
    answer, risk = least_risky(view)
    if view.table.may_stop and risk > accepted_risk(view, params):
        return STOP
    return answer


def accepted_risk(view, params):
    if not is_last_round(view):
        return params.limit
    mine = prestige(view, view.hand.seat) + stake(view)
    return params.ahead if mine > best_of_others(view) else params.behind


def best_of_others(view):
    """Most Prestige that another seat would have if everybody stopped now."""
    best = -1000
    for seat in range(view.table.seats):
        if seat != view.hand.seat:
            best = max(best, prestige(view, seat) + view.table.skaters[seat].combo_points)
    return best


def helmet(view):
    return helmet_lowers_risk(view)
