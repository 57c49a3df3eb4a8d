"""Peak memory and time of a short and a long run: neither memory nor time a game may grow with the games.

    python -m tests.benchmarks.memory [--games 1000000 100000000] [--json] [--assert]

Each is ``skate-sim run push_your_luck`` with tables and figures, in a process of its own; the peak is the resident
set's, as the system counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measure import COMMAND, Measured, environment, report, seconds_of

MOST_MEGABYTES, MOST_GROWTH = 400.0, 10.0
#: ``ru_maxrss`` is in kilobytes, on macOS in bytes.
UNIT = 1e6 if sys.platform == "darwin" else 1000 / 1.024


def peak_and_speed(folder: Path, count: int) -> tuple[float, float]:
    """Peak memory in megabytes, and microseconds a game, of a run."""
    out = folder / str(count)
    command = [*COMMAND, "run", "push_your_luck", "--games", str(count), "--out", str(out), "--quiet"]
    process = subprocess.Popen(command, cwd=folder, env=environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    return usage.ru_maxrss / UNIT, 1e6 * manifest["time"]["seconds"] / manifest["games"]


def compare(folder: Path, sizes: Sequence[int]) -> list[Measured]:
    """Peaks of all sizes, and how much the largest needs more than the smallest."""
    seconds_of([*COMMAND, "run", "push_your_luck", "--games", "2000", "--out", "warm"], folder, environment())
    found = {count: peak_and_speed(folder, count) for count in sorted(sizes)}
    rows = [Measured(f"{n:,} games: peak memory", [peak], MOST_MEGABYTES, "MB") for n, (peak, _) in found.items()]
    rows += [Measured(f"{n:,} games: time a game", [speed], None, "us") for n, (_, speed) in found.items()]
    (first_peak, first_speed), (last_peak, last_speed) = found[min(found)], found[max(found)]
    more = {"memory": last_peak / first_peak, "time a game": last_speed / first_speed}
    return rows + [Measured(f"growth: {name}", [100 * (x - 1)], MOST_GROWTH, "%") for name, x in more.items()]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[1_000_000, 100_000_000])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="strict", action="store_true", help="exit code 1 when a limit is missed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memory-") as name:
        kept = report("Memory and time", compare(Path(name), options.games), as_json=options.json)
    sys.exit(int(options.strict and not kept))


if __name__ == "__main__":
    main()
