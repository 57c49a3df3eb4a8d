"""Stops once its combo holds n cards; takes the piles only, never wears a helmet, ignores face-up cards.

The bot of the exact tables: without helmets, hand and looking, its chance to stand is known by fractions.
"""

from skate_sim import parameter
from skate_sim.games.skate_legend import PILE_1, PILE_2, STOP, can_take, play_card

n = parameter(4, low=1, high=20, help="cards in the combo at which it stops")

traits = {"deterministic": True, "wears_helmets": False}


def act(view, params):
    if view.me.combo_size >= params.n and view.table.may_stop:
        return STOP
    if can_take(view, PILE_1):
        return PILE_1
    if can_take(view, PILE_2):
        return PILE_2
    return STOP if view.table.may_stop else play_card(view.hand.cards[0])


def helmet(view):
    return False


def draw(view):
    return PILE_1


def reveal(view):
    return PILE_1
