"""From the rows of finished games to exact, mergeable sums and histograms.

Everything is a sum of whole numbers, so that tallies of any split of the games, merged in any order, are the
same to the last bit. Counts are 64-bit: at 10**12 games the sum of squares of a number up to 1,000 is 10**18.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any

import numpy as np

from skate_sim.games import MAX_SEATS, Resolved, RowColumn, row_columns
from skate_sim.jit import compiled, entry_point, make_ready, merged


@dataclass(frozen=True, eq=False)
class Layout:
    """What a tally keeps for a variant and its lineups.

    Attributes
    ----------
    lineups : uint8 array, (lineups, MAX_SEATS)
        Entry by seat; game ``g`` is played by lineup ``g % lineups``.
    groups : int64 array, (groups, 2 + seats)
        Entries with several seats in a lineup: lineup, entry, and 1 for each of its seats. The unit of
        observation of such an entry is the game, so their rows are added up before they are squared.
    """

    resolved: Resolved
    entries: int
    lineups: np.ndarray
    groups: np.ndarray
    seat_columns: tuple[RowColumn, ...]
    game_columns: tuple[RowColumn, ...]
    seat_histograms: np.ndarray  # (histograms, 4): column, lowest value, number of values, first bin
    game_histograms: np.ndarray
    crossed: np.ndarray  # seat columns whose products between seats are kept: win share and score

    @property
    def ledger_cells(self) -> int:
        """Numbers that all ledgers of the game keep for an entry."""
        return sum(ledger.cells for ledger in self.resolved.game.every_ledger)


def make_layout(resolved: Resolved, entries: int, lineups: np.ndarray) -> Layout:
    """The layout of the tallies of a variant; ``lineups`` has a row of entry numbers by seat for each lineup."""
    padded = np.zeros((len(lineups), MAX_SEATS), np.uint8)
    padded[:, : resolved.seats] = lineups
    seat_columns, game_columns = row_columns(resolved, "seat"), row_columns(resolved, "game")
    return Layout(
        resolved,
        entries,
        padded,
        _groups(lineups),
        seat_columns,
        game_columns,
        _histograms(seat_columns),
        _histograms(game_columns),
        _crossed(resolved, seat_columns),
    )


def _crossed(resolved: Resolved, columns: tuple[RowColumn, ...]) -> np.ndarray:
    names = [c.name for c in columns]
    wanted = dict.fromkeys([resolved.game.headlines[resolved.seats], resolved.game.score])
    return np.array([names.index(n) for n in wanted if n in names], np.int64)


def _groups(lineups: np.ndarray) -> np.ndarray:
    rows = []
    ordered = np.sort(lineups, axis=1)
    for number in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)).tolist():
        lineup = lineups[number]
        for entry in sorted(set(lineup.tolist())):
            seats = (lineup == entry).astype(int).tolist()
            if sum(seats) > 1:
                rows.append([number, entry, *seats])
    return np.array(rows, np.int64).reshape(len(rows), 2 + lineups.shape[1])


def _histograms(columns: tuple[RowColumn, ...]) -> np.ndarray:
    rows, first = [], 0
    for number, column in enumerate(columns):
        outcome = column.outcome
        if outcome.histogram:
            values = outcome.high - outcome.low + 1
            rows.append([number, outcome.low, values, first])
            first += values + 2
    return np.array(rows, np.int64).reshape(len(rows), 4)


@dataclass(eq=False)
class Tallies:
    """Sums over games; ``+`` merges the tallies of disjoint sets of games.

    Attributes
    ----------
    games : int64 array, (lineups,)
    seat_sums, seat_squares : int64 array, (lineups, seats, seat columns)
    group_sums, group_squares : int64 array, (groups, seat columns)
    game_sums, game_squares : int64 array, (lineups, game columns)
    seat_bins : int64 array, (entries, bins)
        Histograms side by side; the first and last bin of each are underflow and overflow.
    game_bins : int64 array, (bins,)
    ledger : int64 array, (entries, ledger cells)
    products : int64 array, (crossed columns, lineups, seats, seats)
        Sums over games of the products of what two seats have: how far one bot's luck is another's bad luck.
    """

    games: np.ndarray
    seat_sums: np.ndarray
    seat_squares: np.ndarray
    group_sums: np.ndarray
    group_squares: np.ndarray
    game_sums: np.ndarray
    game_squares: np.ndarray
    seat_bins: np.ndarray
    game_bins: np.ndarray
    ledger: np.ndarray
    products: np.ndarray

    def __add__(self, other: Tallies) -> Tallies:
        """Both together.

        Raises
        ------
        OverflowError
            A sum of squares left 64 bits.
        """
        total = Tallies(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))
        # A chunk of games stays far below 2**63, so that a sum that wraps around turns negative first.
        if any(sums.min(initial=0) < 0 for sums in (total.seat_squares, total.group_squares, total.game_squares)):
            raise OverflowError(
                "a sum of squares left 64 bits: numbers this large cannot be tallied over so many games"
            )
        return total

    def equals(self, other: Tallies) -> bool:
        """Whether every number is the same."""
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))


def empty_tallies(layout: Layout) -> Tallies:
    """Tallies of no game."""

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    lineups, seats = len(layout.lineups), layout.resolved.seats
    columns, game_columns = len(layout.seat_columns), len(layout.game_columns)
    return Tallies(
        zeros(lineups),
        zeros(lineups, seats, columns),
        zeros(lineups, seats, columns),
        zeros(len(layout.groups), columns),
        zeros(len(layout.groups), columns),
        zeros(lineups, game_columns),
        zeros(lineups, game_columns),
        zeros(layout.entries, _bins(layout.seat_histograms)),
        zeros(_bins(layout.game_histograms)),
        zeros(layout.entries, layout.ledger_cells),
        zeros(len(layout.crossed), lineups, seats, seats),
    )


def _bins(histograms: np.ndarray) -> int:
    return int(histograms[-1, 2] + histograms[-1, 3] + 2) if len(histograms) else 0


def merge(parts: Iterable[Tallies]) -> Tallies:
    """All tallies added up; at least one."""
    return reduce(Tallies.__add__, parts)


def tally_rows(tallies: Tallies, layout: Layout, first: int, seat_rows: np.ndarray, game_rows: np.ndarray) -> None:
    """Add the rows of games ``first``, ``first + 1``, ... to tallies."""
    _tally(*_arguments(tallies, layout, first, seat_rows, game_rows))


def compile_tally(layout: Layout, seat_rows: np.ndarray, game_rows: np.ndarray) -> None:
    """Compile what adds up rows like these."""
    make_ready(_tally, *_arguments(empty_tallies(layout), layout, 0, seat_rows, game_rows))


def _arguments(
    tallies: Tallies, layout: Layout, first: int, seat_rows: np.ndarray, game_rows: np.ndarray
) -> tuple[Any, ...]:
    return (
        first,
        len(seat_rows),
        layout.lineups,
        layout.groups,
        layout.seat_histograms,
        layout.game_histograms,
        seat_rows,
        game_rows,
        tallies.games,
        tallies.seat_sums,
        tallies.seat_squares,
        tallies.group_sums,
        tallies.group_squares,
        tallies.game_sums,
        tallies.game_squares,
        tallies.seat_bins,
        tallies.game_bins,
        layout.crossed,
        tallies.products,
    )


@entry_point
def _tally(
    first,
    count,
    lineups,
    groups,
    seat_histograms,
    game_histograms,
    seat_rows,
    game_rows,
    games,
    seat_sums,
    seat_squares,
    group_sums,
    group_squares,
    game_sums,
    game_squares,
    seat_bins,
    game_bins,
    crossed,
    products,
):
    seats, columns = seat_rows.shape[1], seat_rows.shape[2]
    # A game's seats lie side by side, so one loop without a branch adds them all: it becomes vector instructions.
    rows = seat_rows.reshape(seat_rows.shape[0], seats * columns)
    sums = seat_sums.reshape(len(lineups), seats * columns)
    squares = seat_squares.reshape(len(lineups), seats * columns)
    start = first % len(lineups)
    lineup = start
    for i in range(count):
        games[lineup] += 1
        _add_row(sums, squares, lineup, rows, i)
        _add_row(game_sums, game_squares, lineup, game_rows, i)
        lineup = lineup + 1 if lineup + 1 < len(lineups) else 0
    for h in range(len(seat_histograms)):
        column, low, values, bin0 = seat_histograms[h]
        lineup = start
        for i in range(count):
            for s in range(seats):
                seat = np.uint64(s)
                value = np.int64(seat_rows[np.uint64(i), seat, np.uint64(column)])
                seat_bins[np.uint64(lineups[np.uint64(lineup), seat]), _bin(low, values, bin0, value)] += 1
            lineup = lineup + 1 if lineup + 1 < len(lineups) else 0
    for h in range(len(game_histograms)):
        column, low, values, bin0 = game_histograms[h]
        for i in range(count):
            game_bins[_bin(low, values, bin0, np.int64(game_rows[np.uint64(i), np.uint64(column)]))] += 1
    for c in range(len(crossed)):
        _add_products(products[c], seat_squares, seat_rows, crossed[c], count, start)
    together = np.zeros((1, columns), np.int64)
    for g in range(len(groups)):
        for i in range((groups[g, 0] - start) % len(lineups), count, len(lineups)):
            together[:] = 0
            for seat in range(seats):
                if groups[g, 2 + seat]:
                    for column in range(columns):
                        together[0, np.uint64(column)] += seat_rows[i, seat, np.uint64(column)]
            _add_row(group_sums, group_squares, g, together, 0)


@merged
def _add_row(sums, squares, line, rows, i):
    """Add a row of numbers, and their squares, to a line of sums."""
    to, row = np.uint64(line), np.uint64(i)
    for c in range(rows.shape[1]):
        column = np.uint64(c)
        value = np.int64(rows[row, column])
        sums[to, column] += value
        squares[to, column] += value * value


@compiled
def _add_products(products, squares, seat_rows, column, count, lineup):
    """Add the products of every two seats' numbers in a column; the matrices are symmetric."""
    lineups, seats = products.shape[0], products.shape[1]
    at = np.uint64(column)
    for i in range(count):
        row, line = np.uint64(i), np.uint64(lineup)
        for s in range(seats):
            seat = np.uint64(s)
            value = np.int64(seat_rows[row, seat, at])
            for t in range(s):
                other = np.uint64(t)
                products[line, seat, other] += value * seat_rows[row, other, at]
        lineup = lineup + 1 if lineup + 1 < lineups else 0
    for line in range(lineups):
        for seat in range(seats):
            products[line, seat, seat] = squares[line, seat, column]
            for other in range(seat):
                products[line, other, seat] = products[line, seat, other]


@merged
def _bin(low, values, first, value):
    """Bin of a value in a histogram that begins at bin ``first``: one below and one above the values it covers."""
    return np.uint64(first + min(max(value - low + 1, 0), values + 1))
