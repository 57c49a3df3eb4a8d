"""What was observed of a bot: its sums by lineup and its histograms, picked out of the tallies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from skate_sim import stats
from skate_sim.games import Game, Outcome
from skate_sim.policy import Bot
from skate_sim.simulation import Plan
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

    def estimate(self, outcome: Outcome, column: int, game: Game) -> stats.Estimate:
        """Mean for one seat, with the interval that suits the kind of number; lineups are strata."""
        interval = stats.mean_interval
        if outcome.kind in ("share", "flag"):
            interval = stats.share_interval
        elif outcome.kind == "count" and outcome.low >= 0:
            interval = stats.count_interval
        units = self.seats * unit_of(outcome, game)
        return interval(
            self.games, self.sums[:, column], self.squares[:, column], units=units, weights=self.seats.astype(float)
        )


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
    lineups = plan.layout.lineups[:, : plan.resolved.seats]
    groups = {(int(g[0]), int(g[1])): number for number, g in enumerate(plan.layout.groups)}
    rows: list[tuple[int, int, np.ndarray, np.ndarray]] = []
    for number, lineup in enumerate(lineups):
        seats = [s for s, e in enumerate(lineup) if entry in (None, int(e)) and seat in (None, s)]
        if len(seats) == 1:
            at = (number, seats[0])
            rows.append((number, 1, tallies.seat_sums[at], tallies.seat_squares[at]))
        elif entry is not None and seats:
            group = groups[number, entry]
            rows.append((number, len(seats), tallies.group_sums[group], tallies.group_squares[group]))
    columns = len(plan.layout.seat_columns)
    return Observed(
        tallies.games[[r[0] for r in rows]] if rows else np.zeros(0, np.int64),
        np.array([r[1] for r in rows], np.int64),
        np.array([r[2] for r in rows], np.int64).reshape(len(rows), columns),
        np.array([r[3] for r in rows], np.int64).reshape(len(rows), columns),
    )


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
