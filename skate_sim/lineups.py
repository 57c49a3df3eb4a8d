"""Who sits where: a fixed table, or a pool that is rotated so that every bot sits in every seat equally often."""

from __future__ import annotations

from itertools import combinations, islice, product
from math import comb

import numpy as np

#: Above this many, a pool plays a balanced part of its possible tables.
MAX_LINEUPS = 1024


class SeatingError(ValueError):
    """Bots and seats that do not fit together."""


def fixed_lineup(entries: list[int]) -> np.ndarray:
    """The one lineup of a fixed table, an array of one row."""
    return np.array([entries], np.uint8)


def rotated_lineups(bots: int, seats: int) -> np.ndarray:
    """Lineups of a pool of different bots.

    Every choice of bots for the table, in each of its cyclic rotations, so that every bot sits in every seat,
    and next to every other bot, equally often. When these are more than MAX_LINEUPS, a part of them is used in
    which every bot still sits in every seat equally often. A pool smaller than the table fills it several times.

    Raises
    ------
    SeatingError
        The table is larger than the pool and not a multiple of it.
    """
    if bots < seats:
        if seats % bots:
            raise SeatingError(
                f"{bots} bots cannot fill {seats} seats equally often; a pool has as many bots as seats, more, or "
                f"a number that divides the seats"
            )
        table = [entry for entry in range(bots) for _ in range(seats // bots)]
        return np.array([table[i:] + table[:i] for i in range(seats)], np.uint8)
    if comb(bots, seats) * seats <= MAX_LINEUPS:
        tables = [list(table) for table in combinations(range(bots), seats)]
        return np.array([t[i:] + t[:i] for t in tables for i in range(seats)], np.uint8)
    return _cyclic_lineups(bots, seats)


def _cyclic_lineups(bots: int, seats: int) -> np.ndarray:
    """Tables ``i, i + d1, i + d1 + d2, ...`` around the circle of bots, for every ``i`` and some steps ``d``."""
    steps = (d for d in product(range(1, bots), repeat=seats - 1) if _distinct(d, bots))
    patterns = [np.cumsum((0, *d)) % bots for d in islice(_spread(list(islice(steps, 200_000))), MAX_LINEUPS // bots)]
    return np.array([(pattern + i) % bots for pattern in patterns for i in range(bots)], np.uint8)


def _distinct(steps: tuple[int, ...], bots: int) -> bool:
    places = np.cumsum((0, *steps)) % bots
    return len(set(places.tolist())) == len(places)


def _spread(items: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The items in an order that visits the whole list early (steps of the golden ratio)."""
    order = sorted(range(len(items)), key=lambda i: (i * 0.6180339887498949) % 1.0)
    return [items[i] for i in order]
