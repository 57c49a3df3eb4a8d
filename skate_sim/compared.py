"""Differences between variants, out of the sums of a comparison: estimates with paired intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skate_sim.comparison import Comparison, ComparisonTallies, Contrast
from skate_sim.games import Outcome, choices_text
from skate_sim.observed import display_names, observed, unit_of
from skate_sim.paired import Difference, agreement, paired_difference
from skate_sim.simulation import Plan
from skate_sim.stats import LEVEL
from skate_sim.strata import strata_of, variance_of_mean


@dataclass(frozen=True, eq=False)
class _Sums:
    """By lineup: games, seats that are added up, and for one column the sums of a contrast."""

    games: np.ndarray
    seats: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    sizes: np.ndarray


class Compared:
    """What was found of a comparison.

    Parameters
    ----------
    comparison : Comparison
    tallies : ComparisonTallies
        Of the same games for all variants.
    """

    def __init__(self, comparison: Comparison, tallies: ComparisonTallies) -> None:
        self.comparison, self.tallies = comparison, tallies
        self.plans = comparison.plans
        self.by_variant = dict(zip(comparison.plans, tallies.variants, strict=True))

    @property
    def plan(self) -> Plan:
        """Plan of the first variant; all have its lineups."""
        return self.comparison.first_plan

    def contrast(self, name: str, baseline: str | None = None) -> Contrast:
        """The contrast of a variant, to a baseline when it has several.

        Raises
        ------
        ValueError
            There is no such contrast.
        """
        for contrast in self.comparison.contrasts:
            if contrast.name == name and baseline in (None, contrast.baseline):
                return contrast
        raise ValueError(f"no contrast {name!r}; {choices_text(name, [c.name for c in self.comparison.contrasts])}")

    def bot_names(self) -> list[str]:
        """Name of each bot, by number; where variants differ, what their bots have in common."""
        shown = [display_names(plan.bots) for plan in self.plans.values()]
        names = []
        for entry, column in enumerate(zip(*shown, strict=True)):
            different = list(dict.fromkeys(column))
            codes = list(dict.fromkeys(plan.bots[entry].code.name for plan in self.plans.values()))
            names.append(different[0] if len(different) == 1 else " / ".join(codes))
        return [f"{n} #{i}" if names.count(n) > 1 else n for i, n in enumerate(names, 1)]

    def difference(
        self,
        contrast: Contrast,
        outcome: Outcome,
        *,
        entry: int | None = None,
        seat: int | None = None,
        place: int | None = None,
        level: float = LEVEL,
    ) -> Difference:
        """A contrast's mean of an outcome, for one seat of a bot (or for the game), with its paired interval.

        Parameters
        ----------
        entry : int, optional
            Number of the bot; any bot when left out (then ``seat`` is needed). Not for outcomes of the game.
        seat : int, optional
            Only games in which the bot sits there, from 0.
        place : int, optional
            Place along the outcome's axis, from 1.
        """
        number = self.comparison.contrasts.index(contrast)
        if outcome.level == "game":
            return self._game_difference(number, outcome, level)
        column = self._column(self.plan.layout.seat_columns, outcome, place)
        sums = self._sums(number, column, entry, seat)
        unit = sums.seats * unit_of(outcome, self.plan.game)
        return self._estimate(contrast, outcome, sums, unit, sums.seats.astype(float), (entry, seat, column), level)

    def variance(
        self, contrast: Contrast, outcome: Outcome, *, entry: int | None = None, seat: int | None = None
    ) -> tuple[float, float]:
        """A contrast's mean of a seat's outcome, and the variance of this mean; parameters as of :meth:`difference`."""
        number = self.comparison.contrasts.index(contrast)
        sums = self._sums(number, self._column(self.plan.layout.seat_columns, outcome, None), entry, seat)
        unit = sums.seats * unit_of(outcome, self.plan.game) * contrast.divisor
        strata = strata_of(sums.games, sums.sums, sums.squares, unit, sums.seats.astype(float))
        return (float("nan"), float("nan")) if strata is None else (strata.mean, variance_of_mean(strata)[0])

    def _game_difference(self, number: int, outcome: Outcome, level: float) -> Difference:
        layout, contrasts = self.plan.layout, self.tallies.contrasts
        column = self._column(layout.game_columns, outcome, None)
        games = self.tallies.variants[0].games
        at = (number, slice(None), column)
        ones = np.ones_like(games)
        sums = _Sums(games, ones, contrasts.game_sums[at], contrasts.game_squares[at], contrasts.game_sizes[at])
        contrast = self.comparison.contrasts[number]
        return self._estimate(
            contrast, outcome, sums, ones * unit_of(outcome, self.plan.game), None, (None, None, column), level
        )

    @staticmethod
    def _column(columns: Any, outcome: Outcome, place: int | None) -> int:
        return next(n for n, c in enumerate(columns) if c.outcome.name == outcome.name and c.index == place)

    def _sums(self, number: int, column: int, entry: int | None, seat: int | None) -> _Sums:
        """Like :func:`skate_sim.observed.observed`, of a contrast and one column."""
        layout, contrasts = self.plan.layout, self.tallies.contrasts
        at = np.ones((len(layout.lineups), self.plan.resolved.seats), bool)
        if entry is not None:
            at &= layout.lineups[:, : self.plan.resolved.seats] == entry
        if seat is not None:
            at[:, :seat] = at[:, seat + 1 :] = False
        seats = at.sum(axis=1)
        alone, found = seats == 1, []
        several = (layout.groups[:, 1] == entry) & (seats[layout.groups[:, 0]] > 1)
        for of_seats, of_groups in (
            (contrasts.seat_sums, contrasts.group_sums),
            (contrasts.seat_squares, contrasts.group_squares),
            (contrasts.seat_sizes, contrasts.group_sizes),
        ):
            sums = np.zeros(len(at), np.int64)
            sums[alone] = of_seats[number, :, :, column][at & alone[:, np.newaxis]]
            sums[layout.groups[several, 0]] = of_groups[number, several, column]
            found.append(sums)
        seen = seats > 0
        sums, squares, sizes = (f[seen] for f in found)
        return _Sums(self.tallies.variants[0].games[seen], seats[seen], sums, squares, sizes)

    def _estimate(
        self, contrast: Contrast, outcome: Outcome, sums: _Sums, units: Any, weights: Any, of: Any, level: float
    ) -> Difference:
        sides = [self._side(contrast, outcome, sign, of) for sign in (1, -1)]
        identical = self._is_identical(contrast)
        plain = contrast.divisor == 1 and len(contrast.weights) == 2
        if plain:
            (games_a, sums_a, squares_a), (_, sums_b, squares_b) = sides[0][0], sides[1][0]
            return paired_difference(
                games_a,
                sums_a,
                squares_a,
                sums_b,
                squares_b,
                sums.squares,
                sums.sizes,
                units=units,
                weights=weights,
                share=outcome.kind in ("share", "flag"),
                identical=identical,
                level=level,
            )
        zero = np.zeros_like(sums.sums)
        result = paired_difference(
            sums.games,
            sums.sums,
            sums.squares,
            zero,
            zero,
            sums.squares,
            sums.sizes,
            units=units * contrast.divisor,
            weights=weights,
            identical=identical,
            level=level,
        )
        strata = strata_of(sums.games, sums.sums, sums.squares, units * contrast.divisor, weights)
        if strata is None:
            return result
        apart = 0.0
        for side, weight in zip([*sides[0], *sides[1]], self._weights(contrast), strict=True):
            games, sums_of, squares_of = side
            own = strata_of(games, sums_of, squares_of, units, weights)
            apart += 0.0 if own is None else (weight / contrast.divisor) ** 2 * variance_of_mean(own)[0]
        _, worth = agreement(apart, 0.0, variance_of_mean(strata)[0])
        return Difference(result.estimate, float("nan"), worth)

    @staticmethod
    def _weights(contrast: Contrast) -> list[int]:
        weights = list(contrast.weights.values())
        return [w for w in weights if w > 0] + [w for w in weights if w < 0]

    def _side(self, contrast: Contrast, outcome: Outcome, sign: int, of: Any) -> list[Any]:
        """Games, sums and squares of each variant with a weight of this sign."""
        entry, seat, column = of
        found = []
        for name, weight in contrast.weights.items():
            if weight * sign > 0:
                plan, tallies = self.plans[name], self.by_variant[name]
                if outcome.level == "game":
                    found.append((tallies.games, tallies.game_sums[:, column], tallies.game_squares[:, column]))
                else:
                    its = observed(plan, tallies, entry, seat)
                    found.append((its.games, its.sums[:, column], its.squares[:, column]))
        return found

    def _is_identical(self, contrast: Contrast) -> bool:
        """Whether all variants of a contrast play the very same games."""
        names = list(self.plans)
        return len({self.comparison.distinct[names.index(name)] for name in contrast.weights}) == 1
