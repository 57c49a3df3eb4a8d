"""What one waits for: help, a small run, the very first run, a new bot; each as a whole process.

    python -m tests.benchmarks.startup [--times 5] [--no-first] [--json] [--assert]

"First run ever" has empty caches of numba and of matplotlib. A new bot is a file that was never compiled; its time is
that of a run with it less that of the same run again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measure import (
    COMMAND,
    ROOT,
    Measured,
    Spent,
    environment,
    measured,
    output_of,
    report,
    seconds_of,
)

RUN = [*COMMAND, "run", "push_your_luck", "--games", "10000"]
#: A line that changes a bot's fingerprint and nothing else.
MARK = "\n    if view.table.round_number > 100 + {number}:\n        return 0\n"
POOL = "pool: [{bot}, risk_threshold]\nplayers: 2\ngames: 2000\n"


def waits(folder: Path, times: int) -> list[Measured]:
    """Help and small runs, with everything compiled; the runs take turns."""
    env = environment()
    bare, full = [*RUN, "--no-figures", "--out", "bare"], [*RUN, "--out", "full"]
    for command in (bare, full):
        seconds_of(command, folder, env)
    helps, bares, fulls = [], [], []
    for _ in range(times):
        helps.append(seconds_of([*COMMAND, "--help"], folder, env))
        bares.append(seconds_of(bare, folder, env))
        fulls.append(seconds_of(full, folder, env))
    return [
        measured("--help", helps, 0.3),
        measured("10,000 games, tables and figures", fulls, 2.0),
        measured("10,000 games, tables only", bares, 1.2),
    ]


def first_run(folder: Path) -> Measured:
    """The very first run of all, with empty caches."""
    caches = {"NUMBA_CACHE_DIR": str(folder / "numba"), "MPLCONFIGDIR": str(folder / "matplotlib")}
    return measured("first run ever", [seconds_of([*RUN, "--out", "first"], folder, environment(**caches))], 20.0)


def new_bots(folder: Path, times: int) -> list[Measured]:
    """A bot that was never compiled: a small one, and the bundled bot with the most code."""
    sources = sorted((ROOT / "strategies").glob("*/*.py"), key=lambda path: path.stat().st_size)
    small = next(path for path in sources if path.stem == "stop_at_n")
    return [
        measured(f"a new bot, as {source.stem}", [_new_bot(folder, source, number) for number in range(times)], 1.0)
        for source in (small, sources[-1])
    ]


def _new_bot(folder: Path, source: Path, number: int) -> Spent:
    name = f"{source.stem}_{os.getpid()}_{number}"
    head, signature, body = source.read_text(encoding="utf-8").partition("def act(")
    line, end, rest = body.partition(":\n")
    mark = MARK.format(number=os.getpid() * 100 + number)
    (folder / "strategies").mkdir(exist_ok=True)
    (folder / "strategies" / f"{name}.py").write_text(head + signature + line + end + mark + rest, encoding="utf-8")
    (folder / f"{name}.yaml").write_text(POOL.format(bot=name))
    command = [*COMMAND, "run", f"{name}.yaml", "--no-files"]
    first, again = (seconds_of(command, folder, environment()) for _ in range(2))
    return Spent(first.clock - again.clock, first.processor - again.processor)


def slowest_imports(folder: Path) -> str:
    """The modules that take longest to import in a small run, from ``python -X importtime``."""
    command = [sys.executable, "-X", "importtime", *RUN[1:], "--out", "full"]
    lines = output_of(["sh", "-c", '"$@" 2>&1 >/dev/null', "sh", *command], folder, environment()).splitlines()
    rows = [line.removeprefix("import time:").split("|") for line in lines if line.startswith("import time:")][1:]
    heavy = sorted(((int(own), name.strip()) for own, _, name in rows), reverse=True)[:15]
    return "\n".join(f"{microseconds / 1000:7.1f} ms  {name}" for microseconds, name in heavy)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument("--no-first", action="store_true", help="leave out the first run ever")
    parser.add_argument("--imports", action="store_true", help="list the slowest imports of a small run")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--assert", dest="strict", action="store_true", help="exit code 1 when a limit is missed")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="startup-"))
    try:
        rows = waits(folder, options.times) + new_bots(folder, options.times)
        if not options.no_first:
            rows.append(first_run(folder))
        kept = report("What one waits for (whole processes)", rows, as_json=options.json)
        if options.imports:
            print(slowest_imports(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(int(options.strict and not kept))


if __name__ == "__main__":
    main()
