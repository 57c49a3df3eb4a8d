"""Plays like risk_threshold but never wears a helmet: it keeps them for the Prestige that they bring."""

from skate_sim import parameter
from skate_sim.games.skate_legend import STOP, least_risky, paying_legendary

limit = parameter(0.3, low=0.0, high=1.0, help="highest chance of a fall that it accepts")

traits = {"deterministic": True, "stops_at_zero_risk": False, "wears_helmets": False}


def act(view, params):
    legendary = paying_legendary(view)
    if legendary != STOP:
        return legendary
    answer, risk = least_risky(view)
    if view.table.may_stop and risk > params.limit:
        return STOP
    return answer


def helmet(view):
    return False
