"""A comparison together with the games that some answers need for themselves, as one piece of work."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skate_sim.comparison import Comparison, ComparisonTallies
from skate_sim.played import arrays_of
from skate_sim.work import Work

_OWN = "own:"


@dataclass(eq=False)
class StudyTallies(ComparisonTallies):
    """Tallies of a comparison, and the sums of other works by name."""

    own: dict[str, Any] = field(default_factory=dict)

    def __add__(self, other: ComparisonTallies) -> StudyTallies:
        assert isinstance(other, StudyTallies)
        both = super().__add__(other)
        own = {name: sums + other.own[name] for name, sums in self.own.items()}
        return StudyTallies(both.variants, both.contrasts, own)

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by name; ``own:NAME.array`` for those of other works."""
        arrays = super().arrays()
        for name, sums in self.own.items():
            arrays |= {f"{_OWN}{name}.{key}": array for key, array in arrays_of(sums).items()}
        return arrays


@dataclass(frozen=True, eq=False)
class StudyWork(Comparison):
    """A comparison that plays other works as it goes.

    With game ``g`` of the comparison goes game ``g`` of another work, or, if each of its games is ``games_each`` games
    (an attribute of the work), its game ``g / games_each`` where that is a whole number: so any split of the games
    gives the same sums, and more games may be added later.
    """

    own: Mapping[str, Work] = field(default_factory=dict)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the games."""
        return super().identity | {"own": {name: work.identity for name, work in self.own.items()}}

    def prepare(self) -> None:
        """Compile what all games need."""
        super().prepare()
        for work in self.own.values():
            work.prepare()

    def empty(self) -> StudyTallies:
        """Tallies of no game."""
        plain = super().empty()
        return StudyTallies(plain.variants, plain.contrasts, {name: work.empty() for name, work in self.own.items()})

    def from_arrays(self, arrays: dict[str, np.ndarray]) -> StudyTallies:
        """Tallies from their arrays."""
        plain = super().from_arrays({key: array for key, array in arrays.items() if not key.startswith(_OWN)})
        own = {}
        for name, work in self.own.items():
            start = f"{_OWN}{name}."
            own[name] = work.from_arrays({k.removeprefix(start): a for k, a in arrays.items() if k.startswith(start)})
        return StudyTallies(plain.variants, plain.contrasts, own)

    def play(self, first: int, count: int) -> tuple[StudyTallies, float]:
        """Play games ``first`` to ``first + count - 1``, and those of the other works that go with them."""
        start = time.perf_counter()
        plain, _ = super().play(first, count)
        own = {}
        for name, work in self.own.items():
            each = getattr(work, "games_each", 1)
            begin, end = -(-first // each), -(-(first + count) // each)
            own[name] = work.play(begin, end - begin)[0] if end > begin else work.empty()
        return StudyTallies(plain.variants, plain.contrasts, own), time.perf_counter() - start


def with_own(comparison: Comparison, own: Mapping[str, Work]) -> Comparison:
    """The comparison with other works that are played as it goes, if there are any."""
    return StudyWork(comparison.plans, comparison.contrasts, dict(own)) if own else comparison
