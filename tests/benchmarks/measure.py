"""Whole processes and their time, medians, and tables of what was measured against limits."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "skate_sim"]


@dataclass(frozen=True)
class Measured:
    """Numbers measured of one thing (seconds when nothing else is said), and the limit to keep.

    ``processor`` has seconds of processor time: about those by the clock on a machine that does nothing else.
    """

    name: str
    values: Sequence[float]
    limit: float | None = None
    unit: str = "s"
    processor: Sequence[float] = ()

    @property
    def middle(self) -> float:
        """Median."""
        return median(self.values)

    @property
    def kept(self) -> bool:
        """Whether the median keeps the limit; true when there is none."""
        return self.limit is None or self.middle <= self.limit


def environment(**changes: str) -> dict[str, str]:
    """The environment of a user's process: byte code is kept, this source is imported, a terminal of 100."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME")}
    return kept | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"} | changes


class Spent(NamedTuple):
    """Seconds that a process took, by the clock and of processors."""

    clock: float
    processor: float


def seconds_of(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> Spent:
    """Time of a whole process; its output is dropped unless it fails."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    output_of(command, folder, env)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measured(name: str, spent: Sequence[Spent], limit: float) -> Measured:
    """Times of processes, with the limit of the time by the clock."""
    return Measured(name, [s.clock for s in spent], limit, processor=[s.processor for s in spent])


def output_of(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> str:
    """What a process prints."""
    done = subprocess.run(command, cwd=folder, env=dict(env), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}{done.stdout}")
    return done.stdout


def report(title: str, rows: Sequence[Measured], *, as_json: bool, extra: Mapping[str, Any] | None = None) -> bool:
    """Print what was measured, with limits; returns whether all are kept."""
    kept = all(row.kept for row in rows)
    if as_json:
        found = [asdict(row) | {"median": row.middle, "kept": row.kept} for row in rows]
        print(json.dumps({"title": title, "measured": found, "kept": kept, **(extra or {})}, indent=1))
        return kept
    table = Table("", "median", "fastest", "slowest", "processor", "limit", "", title=title, title_justify="left")
    for column in table.columns[1:6]:
        column.justify = "right"
    for row in rows:
        numbers = [f"{number:.3g} {row.unit}" for number in (row.middle, min(row.values), max(row.values))]
        processor = f"{median(row.processor):.3g} s" if row.processor else ""
        limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
        verdict = "" if row.limit is None else "kept" if row.kept else "MISSED"
        table.add_row(row.name, *numbers, processor, limit, verdict)
    Console(width=110).print(table)
    return kept
