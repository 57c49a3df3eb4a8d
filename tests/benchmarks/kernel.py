"""Games per second of the kernel against the C++ yardstick, one core each, after both have told the same numbers.

    python -m tests.benchmarks.kernel [--pairs 7] [--seconds 1] [--check-games 5000000] [--profile] [--json]

The yardstick is built with ``g++ -O3 -march=native -std=c++17``. Ours are bots loaded from their files and the full
bookkeeping of a run; start-up and compiling are not counted on either side. Each pair is one thread of ours, two
threads of ours and the yardstick, one after the other; the table has medians, and medians of the ratios by pair.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from skate_sim import Results, simulate
from tests.benchmarks.instructions import per_trick

SOURCE = Path(__file__).parent / "yardstick" / "skate_legend.cpp"
SEATS = (2, 3, 4, 5)
#: Lineups by name: bot and parameter by seat, repeated.
LINEUPS = {
    "stop_at_n": [("stop_at_n", "n", 4)],
    "mixed": [("risk_threshold", "limit", 0.3), ("stop_at_n", "n", 4)],
}
#: Standard errors by which the engines may differ in any one number.
ERRORS = 4


@dataclass
class Case:
    """One lineup at one table, and what was measured of it."""

    lineup: str
    seats: int
    one: list[float] = field(default_factory=list)  # games per second
    two: list[float] = field(default_factory=list)
    yardstick: list[float] = field(default_factory=list)
    tricks: float = 0.0  # a game, all seats
    instructions: dict[str, float] = field(default_factory=dict)

    @property
    def _bots(self) -> list[tuple[str, str, Any]]:
        bots = LINEUPS[self.lineup]
        return [bots[seat % len(bots)] for seat in range(self.seats)]

    @property
    def ours(self) -> list[str]:
        """Bots by seat as skate-sim names them."""
        return [f"{bot}:{parameter}={value}" for bot, parameter, value in self._bots]

    @property
    def theirs(self) -> str:
        """Bots by seat as the yardstick names them."""
        return ",".join(f"{bot}:{value}" for bot, _, value in self._bots)

    def numbers(self) -> dict[str, float]:
        """A row of the table."""
        one = median(self.one)
        return {
            "one_thread": one,
            "two_threads": median(self.two),
            "yardstick": median(self.yardstick),
            "ratio": median(a / b for a, b in zip(self.one, self.yardstick, strict=True)),
            "two_over_one": median(b / a for a, b in zip(self.one, self.two, strict=True)),
            "ns_per_trick": 1e9 / (one * self.tricks),
            **self.instructions,
        }


def build(folder: Path, march: str = "native") -> Path:
    """Compile the yardstick."""
    program = folder / f"yardstick_{march}"
    flags = ["-O3", f"-march={march}", "-std=c++17"]
    subprocess.run([os.environ.get("CXX", "g++"), *flags, str(SOURCE), "-o", str(program)], check=True)
    return program


@contextmanager
def pinned(cores: int) -> Iterator[None]:
    """Keep this process, and threads and processes that it starts, on so many cores, where that can be done."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def play_ours(case: Case, games: int, threads: int, seed: int = 1) -> Results:
    """Our run of a case; its ``seconds`` are those of the games alone."""
    with pinned(threads):
        return simulate(case.ours, rotate=False, games=games, seed=seed, threads=threads)


def play_yardstick(program: Path, case: Case, games: int, seed: int = 1) -> dict[str, Any]:
    """The yardstick's run of a case, as it tells it."""
    words = ["--games", str(games), "--seats", str(case.seats), "--bots", case.theirs, "--seed", str(seed)]
    with pinned(1):
        done = subprocess.run([str(program), *words], check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def check(program: Path, case: Case, games: int) -> tuple[int, float, list[str]]:
    """Compare all seats' win shares, fall rates and points; how many numbers, the widest gap, what is too far apart."""
    ours, theirs = play_ours(case, games, os.cpu_count() or 1, seed=11), play_yardstick(program, case, games, seed=12)
    gaps = {}
    for seat, told in enumerate(theirs["seats"]):
        pairs = {
            "win share": ("win_share", 60, told["win_share"], told["win_share_sd"]),
            "Prestige": ("prestige", 1, told["prestige_mean"], told["prestige_sd"]),
            "tricks": ("tricks", 1, told["tricks"], told["tricks_sd"]),
            "helmets worn": ("helmets_worn", 1, told["helmets_worn"], told["helmets_worn_sd"]),
        }
        for number, rate in enumerate(told["fall_rate_by_round"], 1):
            pairs[f"fall rate in round {number}"] = (f"round_falls_{number}", 1, rate, math.sqrt(rate * (1 - rate)))
        for name, (column, unit, mean, sd) in pairs.items():
            own_mean, own_sd = moments(ours, seat, column, unit)
            error = math.sqrt((sd**2 + own_sd**2) / games)
            gap = abs(mean - own_mean)
            gaps[f"{case.lineup}, seat {seat + 1} of {case.seats}: {name} {own_mean:.6f} and {mean:.6f}"] = (
                gap / error if error else (math.inf if gap > 1e-6 else 0.0)
            )
    return len(gaps), max(gaps.values()), [text for text, gap in gaps.items() if gap > ERRORS]


def moments(results: Results, seat: int, column: str, unit: int) -> tuple[float, float]:
    """Mean and standard deviation of an outcome of a seat."""
    at = [c.name for c in results.plan.layout.seat_columns].index(column)
    total, squares = (int(a[0, seat, at]) for a in (results.tallies.seat_sums, results.tallies.seat_squares))
    n = results.games
    return total / n / unit, math.sqrt((n * squares - total**2) / (n * (n - 1))) / unit


def measure(program: Path, case: Case, pairs: int, seconds: float) -> None:
    """Time a case in pairs, each run taking about so many seconds."""
    trial = play_ours(case, 20_000, 1)
    case.tricks = sum(moments(trial, seat, "tricks", 1)[0] for seat in range(case.seats))
    games = max(1000, int(seconds * trial.games / trial.seconds))
    for number in range(pairs):
        for threads, speeds in ((1, case.one), (2, case.two)):
            run = play_ours(case, games * threads, threads, seed=number)
            speeds.append(run.games / run.seconds)
        case.yardstick.append(play_yardstick(program, case, games, seed=number)["games_per_second"])


def table_of(cases: Sequence[Case]) -> Table:
    """The cases as a table to print."""
    headings = ["Bots", "Seats", "1 thread", "2 threads", "yardstick", "ratio", "2 / 1 threads", "ns a trick"]
    profiled = sorted({name for case in cases for name in case.instructions})
    table = Table(*headings, *profiled, title="Games per second; ratio: 1 thread / yardstick", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for case in cases:
        row = case.numbers()
        speeds = [f"{row[name]:,.0f}" for name in ("one_thread", "two_threads", "yardstick")]
        rest = [f"{row['ratio']:.2f}", f"{row['two_over_one']:.2f}", f"{row['ns_per_trick']:.1f}"]
        table.add_row(case.lineup, str(case.seats), *speeds, *rest, *(f"{row[name]:.0f}" for name in profiled))
    return table


def parsed() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each timed run, about (default 1)")
    parser.add_argument("--check-games", type=int, default=5_000_000, help="0: do not check (default 5000000)")
    parser.add_argument("--seats", type=int, nargs="+", default=SEATS, choices=SEATS)
    parser.add_argument("--lineups", nargs="+", default=list(LINEUPS), choices=list(LINEUPS))
    parser.add_argument("--profile", action="store_true", help="instructions per trick, by valgrind (takes minutes)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="least", type=float, metavar="RATIO", help="exit code 1 below this ratio")
    return parser.parse_args()


def main() -> None:
    """Check, measure and print."""
    options = parsed()
    cases = [Case(lineup, seats) for lineup in options.lineups for seats in options.seats]
    folder = Path(tempfile.mkdtemp(prefix="yardstick-"))
    try:
        program = build(folder)
        if options.check_games:
            found = [check(program, case, options.check_games) for case in cases]
            wrong = [text for _, _, texts in found for text in texts]
            if wrong:
                sys.exit("The engines differ by more than chance:\n" + "\n".join(wrong))
            numbers, widest = sum(n for n, _, _ in found), max(gap for _, gap, _ in found)
            text = f"{numbers} numbers of {options.check_games:,} games agree; widest gap {widest:.1f} standard errors."
            print(text, file=sys.stderr)
        for case in cases:
            measure(program, case, options.pairs, options.seconds)
            if options.profile and shutil.which("valgrind"):
                case.instructions = per_trick(case.ours, build(folder, "x86-64-v3"), case.theirs, case.tricks)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps([{"bots": c.lineup, "seats": c.seats, **c.numbers()} for c in cases], indent=1))
    else:
        Console(width=140).print(table_of(cases))
    sys.exit(int(options.least is not None and any(c.numbers()["ratio"] < options.least for c in cases)))


if __name__ == "__main__":
    main()
