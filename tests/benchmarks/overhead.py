"""What a run of a million games costs besides its games: tallies, chunks, progress, tables, files.

    python -m tests.benchmarks.overhead [--games 1000000] [--threads 1 2] [--json] [--assert]

The same run is timed as a whole and, inside it, every call of the kernel: what the threads did not spend there is
overhead. Start-up and compiling do not count. Figures are left out, and measured by themselves.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from skate_sim import games
from skate_sim.experiment import load_experiment
from skate_sim.run_command import RunOptions, run_experiment
from skate_sim.run_report import print_results
from tests.benchmarks.measure import Measured, report

EXPERIMENT = "push_your_luck"
LIMIT = 15.0


class Watch:
    """Counts the time that all threads spend in a function; the time by the clock, and of processors."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.calls: list[tuple[float, float]] = []

    def __call__(self, *arguments: Any) -> Any:
        start, busy = time.perf_counter(), time.thread_time()
        result = self.function(*arguments)
        self.calls.append((time.perf_counter() - start, time.thread_time() - busy))
        return result


def run_of(folder: Path, count: int, threads: int) -> None:
    """The command ``skate-sim run``, tables only, in this process."""
    options = RunOptions(games=count, threads=threads, out=folder / "out", no_figures=True)
    with contextlib.redirect_stdout(io.StringIO()):
        run_experiment(load_experiment(EXPERIMENT), EXPERIMENT, options)


def overhead(folder: Path, watch: Watch, count: int, threads: int) -> list[Measured]:
    """Share of a run's time, in percent, that is not spent in the kernel."""
    watch.calls.clear()
    start, busy = time.perf_counter(), time.process_time()
    run_of(folder, count, threads)
    whole, processors = time.perf_counter() - start, time.process_time() - busy
    clock, kernel = (sum(call[i] for call in watch.calls) for i in (0, 1))
    name = f"{count:,} games, {threads} thread{'s' * (threads > 1)}: "
    return [
        Measured(name + "time by the clock", [100 * (1 - clock / threads / whole)], LIMIT, "%"),
        Measured(name + "processor time", [100 * (1 - kernel / processors)], LIMIT, "%"),
    ]


def parts(folder: Path, count: int) -> list[Measured]:
    """What the end of a run is made of."""
    results = load_experiment(EXPERIMENT).simulate(games=count)
    steps: dict[str, Callable[[], Any]] = {
        "all tables": results.tables,
        "printing": lambda: print_results(Console(file=io.StringIO(), width=100), results),
        "files of tables": lambda: results.save(folder / "tables", figures=False),
        "files of tables and figures": lambda: results.save(folder / "figures"),
    }
    made = []
    for name, step in steps.items():
        start = time.perf_counter()
        step()
        made.append(Measured(f"end of a run: {name}", [time.perf_counter() - start]))
    return made


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, os.cpu_count() or 1}))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="strict", action="store_true", help="exit code 1 when a limit is missed")
    options = parser.parse_args()
    game = games.load(load_experiment(EXPERIMENT).game)
    watch = Watch(game.play_batch)
    object.__setattr__(game, "play_batch", watch)
    with tempfile.TemporaryDirectory(prefix="overhead-") as name:
        folder = Path(name)
        run_of(folder, 2000, 1)  # imports, compiles
        rows = [row for threads in options.threads for row in overhead(folder, watch, options.games, threads)]
        kept = report("Time outside of the kernel", rows + parts(folder, 2000), as_json=options.json)
    sys.exit(int(options.strict and not kept))


if __name__ == "__main__":
    main()
