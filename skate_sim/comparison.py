"""Several variants on the same games: one piece of work, in which every game is played once by each variant."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from skate_sim.contrasts import ContrastSums, empty_contrasts, tally_contrasts
from skate_sim.simulation import Plan, check_identities, fault, make_plan, playing_state, prepare
from skate_sim.tallies import Tallies, empty_tallies, tally_rows

#: Rows of so many games and variants are kept at once.
_ROWS = 512


class NotComparableError(ValueError):
    """Variants that cannot play the same games seat by seat."""


@dataclass(frozen=True)
class Contrast:
    """A variant less its baseline: weights by variant name, over ``divisor``.

    The weights add up to 0; the positive ones are the variant, the negative ones the baseline.
    """

    name: str
    baseline: str
    weights: Mapping[str, int]
    divisor: int = 1


def to_baseline(names: Sequence[str], baseline: str) -> list[Contrast]:
    """Every other variant less the baseline."""
    return [Contrast(name, baseline, {name: 1, baseline: -1}) for name in names if name != baseline]


def to_average(names: Sequence[str]) -> list[Contrast]:
    """Every variant less the average of all of them."""
    n = len(names)
    return [
        Contrast(name, "the average", {other: n - 1 if other == name else -1 for other in names}, n) for name in names
    ]


@dataclass(eq=False)
class ComparisonTallies:
    """Tallies of each variant in order, and the sums of their contrasts; ``+`` merges disjoint sets of games."""

    variants: tuple[Tallies, ...]
    contrasts: ContrastSums

    def __add__(self, other: ComparisonTallies) -> ComparisonTallies:
        pairs = zip(self.variants, other.variants, strict=True)
        return ComparisonTallies(tuple(a + b for a, b in pairs), self.contrasts + other.contrasts)

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by name: ``variant.field`` with the variant's number, and ``contrasts.field``."""
        parts: dict[str, Any] = {
            **{str(n): tallies for n, tallies in enumerate(self.variants)},
            "contrasts": self.contrasts,
        }
        return {f"{name}.{f.name}": getattr(part, f.name) for name, part in parts.items() for f in fields(part)}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Plans of the same games, and what is compared.

    Attributes
    ----------
    plans : dict of name to Plan
        With the same lineups, seed and number of games; see :func:`compare_plans`.
    contrasts : tuple of Contrast
    """

    plans: Mapping[str, Plan]
    contrasts: tuple[Contrast, ...]

    @property
    def games(self) -> int:
        """Games that each variant plays."""
        return next(iter(self.plans.values())).games

    @property
    def first_plan(self) -> Plan:
        """The first variant's plan; all have its layout."""
        return next(iter(self.plans.values()))

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the games and what is kept of them; see :class:`skate_sim.work.Work`."""
        contrasts = [{"weights": dict(c.weights)} for c in self.contrasts]
        return {"variants": {name: plan.identity for name, plan in self.plans.items()}, "contrasts": contrasts}

    @cached_property
    def weights(self) -> np.ndarray:
        """Weights of the contrasts, an int64 array (contrasts, variants)."""
        rows = [[c.weights.get(name, 0) for name in self.plans] for c in self.contrasts]
        return np.array(rows, np.int64).reshape(len(rows), len(self.plans))

    @cached_property
    def distinct(self) -> list[int]:
        """For each variant the number of the first one that plays the very same games; those are played once."""
        known = [
            (plan.resolved.preset, dict(plan.resolved.rules), _cells(plan), [b.identity for b in plan.bots])
            for plan in self.plans.values()
        ]
        return [known.index(what) for what in known]

    def prepare(self) -> None:
        """Compile what all variants need."""
        for plan in self.plans.values():
            prepare(plan)
        layout, count = self.first_plan.layout, len(self.plans)
        seat_rows = np.zeros((count, 0, layout.resolved.seats, len(layout.seat_columns)), np.int32)
        game_rows = np.zeros((count, 0, len(layout.game_columns)), np.int32)
        tally_contrasts(empty_contrasts(layout, len(self.contrasts)), layout, self.weights, 0, seat_rows, game_rows)

    def empty(self) -> ComparisonTallies:
        """Tallies of no game."""
        variants = tuple(empty_tallies(plan.layout) for plan in self.plans.values())
        return ComparisonTallies(variants, empty_contrasts(self.first_plan.layout, len(self.contrasts)))

    def from_arrays(self, arrays: dict[str, np.ndarray]) -> ComparisonTallies:
        """Tallies from their arrays."""

        def part(name: str) -> dict[str, np.ndarray]:
            return {key.partition(".")[2]: a for key, a in arrays.items() if key.partition(".")[0] == name}

        variants = tuple(Tallies(**part(str(number))) for number in range(len(self.plans)))
        return ComparisonTallies(variants, ContrastSums(**part("contrasts")))

    def play(self, first: int, count: int) -> tuple[ComparisonTallies, float]:
        """Play games ``first`` to ``first + count - 1`` with every variant; returns tallies and the seconds taken.

        Raises
        ------
        PlayError
            A game could not be finished.
        """
        start = time.perf_counter()
        result, plans = self.empty(), list(self.plans.values())
        states = [playing_state(plan) for plan in plans]
        block = max(1, min(_ROWS // len(plans), count))
        layout = self.first_plan.layout
        seat_rows = np.zeros((len(plans), block, layout.resolved.seats, len(layout.seat_columns)), np.int32)
        game_rows = np.zeros((len(plans), block, len(layout.game_columns)), np.int32)
        for offset in range(0, count, block):
            size = min(block, count - offset)
            for number, plan in enumerate(plans):
                self._play_block(number, plan, states, result, first + offset, seat_rows[:, :size], game_rows[:, :size])
            tally_contrasts(
                result.contrasts, layout, self.weights, first + offset, seat_rows[:, :size], game_rows[:, :size]
            )
        return result, time.perf_counter() - start

    def _play_block(
        self,
        number: int,
        plan: Plan,
        states: list[np.ndarray],
        result: ComparisonTallies,
        first: int,
        seat_rows: np.ndarray,
        game_rows: np.ndarray,
    ) -> None:
        size, tallies = seat_rows.shape[1], result.variants[number]
        same = self.distinct[number]
        if same != number:
            seat_rows[number], game_rows[number] = seat_rows[same], game_rows[same]
            for field in fields(tallies):
                getattr(tallies, field.name)[:] = getattr(result.variants[same], field.name)
            return
        layout = plan.layout
        played = plan.game.play_batch(
            states[number],
            np.uint64(plan.seed),
            first,
            size,
            layout.lineups,
            seat_rows[number],
            game_rows[number],
            tallies.ledger,
        )
        if played < size:
            error = fault(plan, states[number][0], first + played)
            error.variant = list(self.plans)[number]
            raise error
        check_identities(layout, seat_rows[number], first)
        tally_rows(tallies, layout, first, seat_rows[number], game_rows[number])


def _cells(plan: Plan) -> dict[str, Any]:
    return {name: {row: dict(cells) for row, cells in rows.items()} for name, rows in plan.resolved.tables.items()}


def compare_plans(plans: Mapping[str, Plan], contrasts: Sequence[Contrast]) -> Comparison:
    """A comparison of plans whose tables have the same shape.

    Where variants seat different bots, an entry is a place that has the same bot in the same variant: so each
    variant's bot is paired with the one that takes its place in the others.

    Raises
    ------
    NotComparableError
        Different games, table sizes, seeds or numbers of lineups or games.
    """
    first = next(iter(plans.values()))
    for name, plan in plans.items():
        for what, here, there in (
            ("game", plan.game.name, first.game.name),
            ("seats", plan.resolved.seats, first.resolved.seats),
            ("seed", plan.seed, first.seed),
            ("number of lineups", len(plan.layout.lineups), len(first.layout.lineups)),
            ("number of rounds or other axis", plan.resolved.axes, first.resolved.axes),
        ):
            if here != there:
                raise NotComparableError(f"{name} has another {what} than {next(iter(plans))}: {here} and {there}")
    seats = first.resolved.seats
    tables = np.stack([plan.layout.lineups[:, :seats] for plan in plans.values()], axis=-1)
    places, entries = np.unique(tables.reshape(-1, len(plans)), axis=0, return_inverse=True)
    order = _in_order_of_appearance(entries.ravel())
    lineups = order[entries.ravel()].reshape(tables.shape[:2])
    places = places[np.argsort(order)]
    aligned = {}
    for number, (name, plan) in enumerate(plans.items()):
        bots = [plan.bots[entry] for entry in places[:, number]]
        aligned[name] = make_plan(plan.resolved, bots, lineups, plan.games, plan.seed)
    return Comparison(aligned, tuple(contrasts))


def _in_order_of_appearance(numbers: np.ndarray) -> np.ndarray:
    """New number of each number, so that they first appear in ascending order."""
    values, first = np.unique(numbers, return_index=True)
    order = np.empty(len(values), np.int64)
    order[np.argsort(first)] = np.arange(len(values))
    return order
