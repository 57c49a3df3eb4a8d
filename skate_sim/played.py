"""Which games of a run are finished, and what came of them: the same whatever the chunks and their order.

Games belong to parts whose borders are fixed once and for all, so that a part of a run can be played again and
compared by its digest: 8 parts of 4,096 games, then 8 for each doubling of the number of games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

PARTS = 8
SMALLEST_PART = 4096

#: Games ``first`` to ``stop - 1``.
Range = tuple[int, int]


def part_number(game: int) -> int:
    """Number of the part that a game belongs to."""
    octave = (game // (PARTS * SMALLEST_PART)).bit_length()
    first, stop = part_range(PARTS * octave)
    return PARTS * octave + (game - first) // (stop - first)


def part_range(number: int) -> Range:
    """Games of a part."""
    octave, place = divmod(number, PARTS)
    size = SMALLEST_PART << max(0, octave - 1)
    first = (size * PARTS if octave else 0) + place * size
    return first, first + size


def arrays_of(sums: Any) -> dict[str, np.ndarray]:
    """Arrays of integers that a sum over games consists of, by name: its own ``arrays()``, or a dataclass's fields."""
    if not is_dataclass(sums) or hasattr(sums, "arrays"):
        arrays: dict[str, np.ndarray] = sums.arrays()
        return arrays
    return {f.name: getattr(sums, f.name) for f in fields(sums)}


def digest_of_sums(sums: Any) -> str:
    """Digest of a sum over games: names, shapes and numbers of its arrays."""
    digest = hashlib.sha256()
    for name, array in arrays_of(sums).items():
        digest.update(f"{name} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<i8").data if array.size else b"")
    return digest.hexdigest()[:32]


class PartRecord(NamedTuple):
    """What is kept of a part to compare with: which of its games are finished, and the digest of their sum."""

    number: int
    ranges: tuple[Range, ...]
    digest: str

    @property
    def games(self) -> int:
        """How many of its games are finished."""
        return sum(stop - first for first, stop in self.ranges)


@dataclass(frozen=True, eq=False)
class Played:
    """Finished games and the sums over them; ``+`` merges those of different games.

    Attributes
    ----------
    ranges : tuple of (first, stop)
        Finished games: sorted, with gaps between them.
    settled : sums or None
        Sum over all parts that are complete.
    digests : dict of int to str
        Digest of each complete part.
    unsettled : dict of int to sums
        Sum over the finished games of each part that is not.
    """

    ranges: tuple[Range, ...] = ()
    settled: Any = None
    digests: Mapping[int, str] = field(default_factory=dict)
    unsettled: Mapping[int, Any] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games are finished."""
        return sum(stop - first for first, stop in self.ranges)

    @property
    def total(self) -> Any:
        """Sum over all finished games; None when there are none."""
        sums = [self.settled] if self.settled is not None else []
        sums += [self.unsettled[number] for number in sorted(self.unsettled)]
        return reduce(add, sums) if sums else None

    def has(self, first: int, stop: int) -> bool:
        """Whether all these games are finished."""
        return any(low <= first and stop <= high for low, high in self.ranges)

    def missing(self, until: int) -> Iterator[Range]:
        """Games below ``until`` that are not finished."""
        at = 0
        for first, stop in self.ranges:
            if at < min(first, until):
                yield at, min(first, until)
            at = stop
        if at < until:
            yield at, until

    def parts(self) -> list[PartRecord]:
        """All parts that have finished games, with their digests."""
        records = []
        for number in sorted([*self.digests, *self.unsettled]):
            low, high = part_range(number)
            inside = tuple((max(a, low), min(b, high)) for a, b in self.ranges if a < high and b > low)
            digest = self.digests.get(number) or digest_of_sums(self.unsettled[number])
            records.append(PartRecord(number, inside, digest))
        return records

    def __add__(self, other: Played) -> Played:
        ranges = _joined((*self.ranges, *other.ranges))
        settled = [s for s in (self.settled, other.settled) if s is not None]
        digests, unsettled = {**self.digests, **other.digests}, dict(self.unsettled)
        for number, sums in other.unsettled.items():
            if number in unsettled:
                sums = unsettled.pop(number) + sums
            low, high = part_range(number)
            if any(first <= low and high <= stop for first, stop in ranges):
                settled.append(sums)
                digests[number] = digest_of_sums(sums)
            else:
                unsettled[number] = sums
        return Played(ranges, reduce(add, settled) if settled else None, digests, unsettled)


def _joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Ranges in order, those that touch joined.

    Raises
    ------
    ValueError
        A game is in two of them.
    """
    joined: list[Range] = []
    for first, stop in sorted(ranges):
        if joined and first < joined[-1][1]:
            raise ValueError(f"game {first} would be counted twice")
        if joined and first == joined[-1][1]:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((first, stop))
    return tuple(joined)


def played_range(first: int, stop: int, sums: Any) -> Played:
    """Finished games ``first`` to ``stop - 1`` of one part, with the sum over them."""
    number = part_number(first)
    if (first, stop) == part_range(number):
        return Played(((first, stop),), sums, {number: digest_of_sums(sums)}, {})
    return Played(((first, stop),), None, {}, {number: sums})
