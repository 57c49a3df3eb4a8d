"""What was observed of a bot: its sums by lineup and its histograms, picked out of the tallies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from skate_sim import stats
from skate_sim.games import Game, Outcome
from skate_sim.policy import Bot
from skate_sim.simulation import Plan
from skate_sim.strata import strata_of_many
from skate_sim.tallies import Tallies

#: Stands for all bots together.
ALL = "all"


@dataclass(frozen=True, eq=False)
class Observed:
    """What a bot (or all) left behind: for each lineup games, seats taken, and sums and squares by column.

    A bot that takes several seats of a lineup is observed once a game: its numbers are the sums over its seats.
    """

    games: np.ndarray
    seats: np.ndarray
    sums: np.ndarray
    squares: np.ndarray

    @property
    def games_played(self) -> int:
        """Games in which it took part."""
        return int(self.games.sum())

    def estimate(self, outcome: Outcome, column: int, game: Game, level: float = stats.LEVEL) -> stats.Estimate:
        """Mean for one seat, with the interval that suits the kind of number; lineups are strata."""
        return self.estimates([(column, outcome)], game, level)[0]

    def estimates(
        self, columns: Sequence[tuple[int, Outcome]], game: Game, level: float = stats.LEVEL
    ) -> list[stats.Estimate]:
        """The same for each of several columns of the tallies."""
        numbers = [number for number, _ in columns]
        units = np.outer([unit_of(outcome, game) for _, outcome in columns], self.seats)
        sums, squares = self.sums.T[numbers], self.squares.T[numbers]
        strata = strata_of_many(self.games, sums, squares, units, self.seats.astype(float))
        if strata is None:
            return [stats.NOTHING] * len(columns)
        found = dict.fromkeys(range(len(columns)), stats.NOTHING)
        places: dict[str, list[int]] = {}
        for place, (_, outcome) in enumerate(columns):
            places.setdefault(_interval_of(outcome), []).append(place)
        for interval, its in places.items():
            chosen = strata.rows(its)
            if interval == "share":
                made = stats.share_intervals(chosen, level)
            elif interval == "count":
                made = stats.count_intervals(chosen, (1 / units[its].mean(axis=1)).tolist(), level)
            else:
                made = stats.mean_intervals(chosen, level)
            found.update(zip(its, made, strict=True))
        return list(found.values())


def _interval_of(outcome: Outcome) -> str:
    """Which interval suits a kind of number."""
    if outcome.kind in ("share", "flag"):
        return "share"
    return "count" if outcome.kind == "count" and outcome.low >= 0 else "mean"


def unit_of(outcome: Outcome, game: Game) -> int:
    """How many stored units make 1."""
    return game.share_units if outcome.kind == "share" else 1


def win_share_of(game: Game) -> Outcome | None:
    """The outcome whose numbers add up to one over the seats of a game, if there is one."""
    return next((o for o in game.outcomes if o.level == "seat" and o.kind == "share" and o.axis is None), None)


def display_names(bots: Iterable[Bot]) -> list[str]:
    """Name of each bot, all different: its name, else with parameters, with the code's fingerprint, with a number."""
    bots = list(bots)
    names = [b.name for b in bots]
    longer = [[b.full_name for b in bots], [f"{b.full_name} [{b.code.digest[:6]}]" for b in bots]]
    longer.append([f"{name} #{number}" for number, name in enumerate(longer[-1], 1)])
    for candidates in longer:
        names = [c if names.count(n) > 1 or n == ALL else n for n, c in zip(names, candidates, strict=True)]
    return names


def observed(plan: Plan, tallies: Tallies, entry: int | None, seat: int | None = None) -> Observed:
    """What an entry left behind in all its seats, or in one seat; an entry of None means any bot in that seat."""
    layout = plan.layout
    at = np.ones((len(layout.lineups), plan.resolved.seats), bool)
    if entry is not None:
        at &= layout.lineups[:, : plan.resolved.seats] == entry
    if seat is not None:
        at[:, :seat] = at[:, seat + 1 :] = False
    seats = at.sum(axis=1)
    sums = np.zeros((len(at), len(layout.seat_columns)), np.int64)
    squares = np.zeros_like(sums)
    alone = seats == 1
    at &= alone[:, np.newaxis]
    sums[alone], squares[alone] = tallies.seat_sums[at], tallies.seat_squares[at]
    seen = alone
    if entry is not None:
        several = (layout.groups[:, 1] == entry) & (seats[layout.groups[:, 0]] > 1)
        there = layout.groups[several, 0]
        sums[there], squares[there] = tallies.group_sums[several], tallies.group_squares[several]
        seen = seats > 0
    return Observed(tallies.games[seen], seats[seen], sums[seen], squares[seen])


def games_of(plan: Plan, tallies: Tallies, entry: int) -> int:
    """Games in which an entry took part."""
    there = (plan.layout.lineups[:, : plan.resolved.seats] == entry).any(axis=1)
    return int(tallies.games[there].sum())


def histogram(plan: Plan, tallies: Tallies, outcome: Outcome, entry: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Stored values and counts of an outcome, an open bin at each end; of an entry, or of the game."""
    layout = plan.layout
    of_seats = outcome.level == "seat"
    columns, table = (
        (layout.seat_columns, layout.seat_histograms) if of_seats else (layout.game_columns, layout.game_histograms)
    )
    bins = tallies.seat_bins[entry] if of_seats else tallies.game_bins
    for column, low, size, first in table.tolist():
        if columns[column].outcome.name == outcome.name:
            return np.arange(low - 1, low + size + 1), bins[first : first + size + 2]
    raise ValueError(f"{outcome.name} has no histogram")
