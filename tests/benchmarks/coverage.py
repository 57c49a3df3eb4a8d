"""Coverage of all intervals on made-up games whose truth is known.

``python -m tests.benchmarks.coverage`` prints how often each fixed interval holds the true value, and how often each
confidence sequence does so at all of its looks. Games are drawn from distributions with few possible results, so that a
repetition is a draw of how often each was seen, and its sums are exact.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from skate_sim import stats
from skate_sim.paired import paired_difference
from skate_sim.ratios import ratio_difference, ratio_interval
from skate_sim.sequences import ConfidenceSequence
from skate_sim.stats import Estimate
from tests.benchmarks.laws import Law, counts, pairs, plays, points, two_ratios, win_shares

#: Looks of a confidence sequence, and games between them.
LOOKS, BATCH = 100, 2_000


@dataclass(frozen=True, eq=False)
class Seen:
    """Sums by stratum, as they would be tallied."""

    games: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    sizes: np.ndarray  # of the differences of the first and the last number
    counts: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class Case:
    """A number with its law in each of the strata, and the interval for it."""

    name: str
    games: int
    laws: list[Law]
    interval: Callable[[Seen, float], Estimate]
    truth: float
    sequential: bool = True

    def seen(self, counts: list[np.ndarray]) -> Seen:
        """Sums of results seen this often, in each stratum."""
        pairs = list(zip(counts, self.laws, strict=True))
        return Seen(
            np.array([c.sum() for c in counts]),
            np.array([c @ law.results for c, law in pairs]),
            np.array([(c @ law.products).reshape(law.results.shape[1], -1) for c, law in pairs]),
            np.array([c @ law.sizes for c, law in pairs]),
            counts,
        )

    def generator(self) -> np.random.Generator:
        return np.random.default_rng([20240501, crc32(self.name.encode())])


@dataclass(frozen=True)
class Coverage:
    """How often the true value was below, above, and in the interval."""

    below: float
    above: float
    repetitions: int

    @property
    def held(self) -> float:
        return 1 - self.below - self.above

    @property
    def error(self) -> float:
        """Standard error of a coverage of 95%."""
        return math.sqrt(0.95 * 0.05 / self.repetitions)


def fixed_coverage(case: Case, repetitions: int) -> Coverage:
    """Of an interval after a fixed number of games."""
    rng, below, above = case.generator(), 0, 0
    strata = len(case.laws)
    for _ in range(repetitions):
        counts = [rng.multinomial(case.games // strata, law.chances) for law in case.laws]
        _, low, high = case.interval(case.seen(counts), stats.LEVEL)
        below += case.truth < low
        above += case.truth > high
    return Coverage(below / repetitions, above / repetitions, repetitions)


def sequential_coverage(case: Case, repetitions: int, looks: int = LOOKS) -> Coverage:
    """Of a confidence sequence at all of its looks; the first miss counts."""
    rng, below, above = case.generator(), 0, 0
    sequence = ConfidenceSequence(tightest=BATCH * looks / 10, first=BATCH)
    levels = [sequence.level_at(BATCH * look) for look in range(1, looks + 1)]
    strata = len(case.laws)
    for _ in range(repetitions):
        batches = [rng.multinomial(BATCH // strata, law.chances, size=looks) for law in case.laws]
        for seen, level in zip(zip(*[b.cumsum(axis=0) for b in batches], strict=True), levels, strict=True):
            _, low, high = case.interval(case.seen(list(seen)), level)
            if case.truth < low or case.truth > high:
                below += case.truth < low
                above += case.truth > high
                break
    return Coverage(below / repetitions, above / repetitions, repetitions)


# Cases


def cases() -> Iterator[Case]:
    """Every interval, on numbers of its kind."""
    yield from share_cases()
    yield from number_cases()
    yield from paired_cases()
    yield from ratio_cases()


def _single(interval: Callable[..., Estimate], units: int = 1) -> Callable[[Seen, float], Estimate]:
    def of(seen: Seen, level: float) -> Estimate:
        return interval(seen.games, seen.sums[:, 0], seen.products[:, 0, 0], units=units, level=level)

    return of


def share_cases() -> Iterator[Case]:
    share = _single(stats.share_interval, 60)
    for value, games in ((0.005, 5_000), (0.25, 2_000), (0.99, 5_000)):
        yield Case(f"win share {value:.1%}", games, [win_shares(value)], share, value)
    four = [win_shares(v) for v in (0.1, 0.2, 0.3, 0.4)]
    yield Case("win share 25% in four lineups", 2_000, four, share, 0.25)
    many = [win_shares(v) for v in np.linspace(0.002, 0.008, 40)]
    yield Case("win share 0.5% in 40 lineups", 8_000, many, share, 0.005)
    for value, games in ((0.005, 5_000), (0.99, 5_000)):
        law = Law(np.array([[0], [1]]), np.array([1 - value, value]))
        yield Case(f"flag {value:.1%}", games, [law], _single(stats.share_interval), value)


def number_cases() -> Iterator[Case]:
    law = points(0)
    yield Case("mean of points", 2_000, [law], _single(stats.mean_interval), float(law.means[0]))
    for mean, games in ((0.01, 5_000), (0.8, 2_000)):
        yield Case(f"count of {mean:g} a game", games, [counts(mean)], _single(stats.count_interval), mean)

    def rate(seen: Seen, level: float) -> Estimate:
        return stats.rate_interval(int(seen.sums[0, 0]), int(seen.games[0]), level)

    for value, games in ((0.005, 5_000), (0.25, 2_000), (0.99, 5_000)):
        law = Law(np.array([[0], [1]]), np.array([1 - value, value]))
        yield Case(f"rate {value:.1%} of independent chances", games, [law], rate, value)
    for q in (0.05, 0.5, 0.95):
        yield Case(
            f"quantile {q:.0%} of many values", 10_000, [_fine()], _quantile(q), _true_quantile(_fine(), q), False
        )


def _fine() -> Law:
    """A law of so many values that few games are alike; with few values, ends often fall on the true one."""
    value = np.arange(3_000)
    weight = np.exp(-value / 600.0) * (value + 1)
    return Law(value[:, None], weight / weight.sum())


def _true_quantile(law: Law, q: float) -> float:
    return float(law.results[int(np.searchsorted(law.chances.cumsum(), q)), 0])


def _quantile(q: float) -> Callable[[Seen, float], Estimate]:
    values = _fine().results[:, 0]
    return lambda seen, level: stats.quantile(values, seen.counts[0], q, level=level)


def _paired(share: bool) -> Callable[[Seen, float], Estimate]:
    def of(seen: Seen, level: float) -> Estimate:
        (a, b), p = seen.sums.T, seen.products
        squares = p[:, 0, 0] + p[:, 1, 1] - 2 * p[:, 0, 1]
        given = seen.games, a, p[:, 0, 0], b, p[:, 1, 1], squares, seen.sizes
        return paired_difference(*given, units=60 if share else 1, share=share, level=level).estimate

    return of


def _apart(law: Law, unit: int) -> float:
    return float(law.means[0] - law.means[1]) / unit


def paired_cases() -> Iterator[Case]:
    for differing, games in ((0.001, 10_000), (0.003, 5_000), (0.01, 5_000), (0.3, 2_000)):
        law = pairs(differing)
        yield Case(f"paired win shares, {differing:.1%} differ", games, [law], _paired(True), _apart(law, 60))
    rare = pairs(0.004, 0.005)
    yield Case("paired win shares 0.5%, 0.4% differ", 5_000, [rare], _paired(True), _apart(rare, 60))
    lineups = [pairs(d) for d in (0.002, 0.005, 0.01, 0.02)]
    four = float(np.mean([_apart(law, 60) for law in lineups]))
    yield Case("paired win shares in four lineups", 4_000, lineups, _paired(True), four)
    for differing, games in ((0.01, 5_000), (0.8, 2_000)):
        law = points(differing)
        yield Case(f"paired points, {differing:.0%} differ", games, [law], _paired(False), _apart(law, 1))


def few_cases() -> Iterator[Case]:
    """So few games differ that intervals are as discrete as their number: outside the range that others keep to."""
    for games, differing in ((2_000, 0.001), (2_000, 0.002), (5_000, 0.001), (2_000, 0.003), (5_000, 0.002)):
        for share, law, what in ((True, pairs(differing), "win shares"), (False, points(differing), "points")):
            name = f"paired {what}, about {games * differing:.0f} games differ"
            yield Case(name, games, [law], _paired(share), _apart(law, 60 if share else 1))


def ratio_cases() -> Iterator[Case]:
    def ratio(kind: str) -> Callable[[Seen, float], Estimate]:
        def of(seen: Seen, level: float) -> Estimate:
            return ratio_interval(seen.games, seen.sums, seen.products, kind=kind, level=level)  # type: ignore[arg-type]

        return of

    def difference(seen: Seen, level: float) -> Estimate:
        return ratio_difference(seen.games, seen.sums, seen.products, level=level).estimate

    def truth(law: Law) -> float:
        return float(law.means[0] / law.means[1])

    for events, games in ((0.002, 2_000), (0.25, 2_000)):
        law = plays(events)
        yield Case(f"events {events:.1%} a play, in bunches", games, [law], ratio("share"), truth(law))
        yield Case(f"count {events:g} a play, in bunches", games, [law], ratio("count"), truth(law))
    law = plays(0.25, 7)
    yield Case("points per play", 2_000, [law], ratio("real"), truth(law))
    law = two_ratios()
    apart = float(law.means[0] / law.means[1] - law.means[2] / law.means[3])
    yield Case("difference of points per play", 2_000, [law], difference, apart)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Coverage of all intervals on made-up games whose truth is known.")
    parser.add_argument("--repetitions", type=int, default=20_000, help="of fixed intervals (default: %(default)s)")
    parser.add_argument("--sequences", type=int, default=600, help="of confidence sequences (default: %(default)s)")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--few", action="store_true", help="cases of ten games that differ or fewer instead")
    given = parser.parse_args()
    chosen = [case for case in (few_cases() if given.few else cases()) if given.only in case.name]
    if given.repetitions:
        print(f"\nFixed numbers of games, {given.repetitions:,} repetitions\n")
        print("| Interval of | games | held | too high | too low |\n|---|---:|---:|---:|---:|")
        for case in chosen:
            got = fixed_coverage(case, given.repetitions)
            print(f"| {case.name} | {case.games:,} | {got.held:.1%} | {got.below:.1%} | {got.above:.1%} |", flush=True)
    if given.sequences:
        print(f"\n{LOOKS} looks, each after {BATCH:,} games more, {given.sequences:,} repetitions\n")
        print("| Sequence for | held at all looks | too high | too low |\n|---|---:|---:|---:|")
        for case in chosen:
            if case.sequential:
                got = sequential_coverage(case, given.sequences)
                print(f"| {case.name} | {got.held:.1%} | {got.below:.1%} | {got.above:.1%} |", flush=True)


if __name__ == "__main__":
    main()
