"""Exact chances of a skater who only takes face-down cards, and never stops: what bots' falls are compared with.

No hand and no helmet. Cards that nobody has seen are exchangeable, so the skater's first k cards are any k of the
deck's Trick cards with equal chance, whatever the others do, and whether a Replay forced them or not. A combo
that has not fallen has at most two cards of each colour that can fall and at most two broken skateboards,
in whatever order they came: so it is sets of cards that are counted, colour by colour, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

from skate_sim.games import Resolved
from skate_sim.games.skate_legend.cards import COLOUR_NAMES, FALL_AT, GREY

#: Number of sets of cards, by how many cards and how many broken skateboards they have.
_Ways = dict[tuple[int, int], int]


def standing(rows: Mapping[str, Mapping[str, Any]], grey_can_fall: bool) -> tuple[Fraction, ...]:
    """Chance that a combo of 0, 1, 2, ... blind draws has not fallen, up to the first that surely has.

    Parameters
    ----------
    rows : mapping
        The table of cards, as resolved: id to cells.
    grey_can_fall : bool
        Whether three grey cards are a fall.
    """
    deck = [cells for cells in rows.values() if cells["kind"] == "trick"]
    ways: _Ways = {(0, 0): 1}
    for number, colour in enumerate(COLOUR_NAMES):
        whole, broken = (
            sum(c["copies"] for c in deck if c["colour"] == colour and bool(c["broken"]) == is_broken)
            for is_broken in (False, True)
        )
        most = FALL_AT - 1 if number != GREY or grey_can_fall else whole + broken
        ways = _with_colour(ways, whole, broken, most)
    size = sum(c["copies"] for c in deck)
    sets = [0] * (size + 1)
    for (cards, _), count in ways.items():
        sets[cards] += count
    chances = tuple(Fraction(count, comb(size, cards)) for cards, count in enumerate(sets))
    return chances[: next((n + 1 for n, chance in enumerate(chances) if chance == 0), len(chances))]


def _with_colour(ways: _Ways, whole: int, broken: int, most: int) -> _Ways:
    """Ways with up to ``most`` cards of one more colour, of which so many whole and broken ones are in the deck."""
    after: _Ways = {}
    for (cards, boards), count in ways.items():
        for more in range(min(broken, most, FALL_AT - 1 - boards) + 1):
            for others in range(min(whole, most - more) + 1):
                key = cards + more + others, boards + more
                after[key] = after.get(key, 0) + count * comb(broken, more) * comb(whole, others)
    return after


def blind_hazards(resolved: Resolved) -> tuple[float, ...]:
    """Chance that the next blind draw makes a combo of 0, 1, 2, ... blind draws fall, as long as one can stand."""
    chances = standing(resolved.tables["cards"], bool(resolved.rules["grey_can_fall"]))
    return tuple(float(1 - after / before) for before, after in pairwise(chances))
