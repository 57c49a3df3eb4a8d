"""Sums of differences between variants that play the same games: what paired intervals are made of.

A contrast is a weighted sum of variants, game by game and seat by seat: ``+1`` and ``-1`` for a difference to a
baseline, ``+n - 1`` and ``-1`` for a difference to the average of ``n``. As everywhere, sums are of whole numbers,
so that any split of the games gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from skate_sim.jit import entry_point
from skate_sim.tallies import Layout


@dataclass(eq=False)
class ContrastSums:
    """Sums over games of a number of contrasts; ``+`` merges those of disjoint sets of games.

    Attributes
    ----------
    seat_sums, seat_squares, seat_sizes : int64 array, (contrasts, lineups, seats, seat columns)
        Of the differences, their squares, and their absolute values.
    group_sums, group_squares, group_sizes : int64 array, (contrasts, groups, seat columns)
        The same for bots with several seats: sums over their seats in a game.
    game_sums, game_squares, game_sizes : int64 array, (contrasts, lineups, game columns)
    """

    seat_sums: np.ndarray
    seat_squares: np.ndarray
    seat_sizes: np.ndarray
    group_sums: np.ndarray
    group_squares: np.ndarray
    group_sizes: np.ndarray
    game_sums: np.ndarray
    game_squares: np.ndarray
    game_sizes: np.ndarray

    def __add__(self, other: ContrastSums) -> ContrastSums:
        return ContrastSums(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def empty_contrasts(layout: Layout, contrasts: int) -> ContrastSums:
    """Sums of no game."""
    lineups, seats = len(layout.lineups), layout.resolved.seats
    columns, game_columns = len(layout.seat_columns), len(layout.game_columns)
    shapes = [(lineups, seats, columns), (len(layout.groups), columns), (lineups, game_columns)]
    return ContrastSums(*(np.zeros((contrasts, *shape), np.int64) for shape in shapes for _ in range(3)))


def tally_contrasts(
    sums: ContrastSums, layout: Layout, weights: np.ndarray, first: int, seat_rows: np.ndarray, game_rows: np.ndarray
) -> None:
    """Add the rows of games ``first``, ``first + 1``, ... of all variants.

    Parameters
    ----------
    weights : int64 array, (contrasts, variants)
    seat_rows : int32 array, (variants, games, seats, seat columns)
    game_rows : int32 array, (variants, games, game columns)
    """
    lineups = len(layout.lineups)
    for number, row in enumerate(weights):
        used = np.flatnonzero(row)
        _tally_contrast(
            first,
            lineups,
            layout.groups,
            used,
            row[used],
            seat_rows,
            game_rows,
            sums.seat_sums[number],
            sums.seat_squares[number],
            sums.seat_sizes[number],
            sums.group_sums[number],
            sums.group_squares[number],
            sums.group_sizes[number],
            sums.game_sums[number],
            sums.game_squares[number],
            sums.game_sizes[number],
        )


@entry_point
def _tally_contrast(
    first,
    lineups,
    groups,
    used,
    weights,
    seat_rows,
    game_rows,
    seat_sums,
    seat_squares,
    seat_sizes,
    group_sums,
    group_squares,
    group_sizes,
    game_sums,
    game_squares,
    game_sizes,
):
    count, seats, columns = seat_rows.shape[1], seat_rows.shape[2], seat_rows.shape[3]
    difference = np.zeros((seats, columns), np.int64)
    for i in range(count):
        lineup = (first + i) % lineups
        difference[:] = 0
        for v in range(len(used)):
            for seat in range(seats):
                for column in range(columns):
                    difference[seat, column] += weights[v] * seat_rows[used[v], i, seat, column]
        for seat in range(seats):
            for column in range(columns):
                value = difference[seat, column]
                seat_sums[lineup, seat, column] += value
                seat_squares[lineup, seat, column] += value * value
                seat_sizes[lineup, seat, column] += abs(value)
        for column in range(game_rows.shape[2]):
            value = np.int64(0)
            for v in range(len(used)):
                value += weights[v] * game_rows[used[v], i, column]
            game_sums[lineup, column] += value
            game_squares[lineup, column] += value * value
            game_sizes[lineup, column] += abs(value)
        for g in range(len(groups)):
            if groups[g, 0] == lineup:
                for column in range(columns):
                    value = np.int64(0)
                    for seat in range(seats):
                        value += groups[g, 2 + seat] * difference[seat, column]
                    group_sums[g, column] += value
                    group_squares[g, column] += value * value
                    group_sizes[g, column] += abs(value)
