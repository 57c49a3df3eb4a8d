"""Takes the least risky card and stops when even that one is too likely to make it fall."""

from skate_sim import parameter
from skate_sim.games.skate_legend import STOP, helmet_lowers_risk, least_risky, paying_legendary

limit = parameter(0.3, low=0.0, high=1.0, help="highest chance of a fall that it accepts")

traits = {"deterministic": True, "stops_at_zero_risk": False}


def act(view, params):
    legendary = paying_legendary(view)
    if legendary != STOP:
        return legendary
    answer, risk = least_risky(view)
    if risk > params.limit and view.table.may_stop:
        return STOP
    return answer


def helmet(view):
    return helmet_lowers_risk(view)
