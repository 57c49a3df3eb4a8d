"""Stored results played again: a sample of their parts, or all games, compared bit by bit."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from skate_sim.checkpoint import TALLIES, differences, is_source, read
from skate_sim.comparison import Comparison
from skate_sim.dispatch import Progress, play
from skate_sim.executors import Crew
from skate_sim.expectations import as_expectation
from skate_sim.played import PartRecord, Played, digest_of_sums
from skate_sim.results import Results
from skate_sim.saving import FolderError, apart_in, changed_files, digest_of_file, manifest_of, write_tables
from skate_sim.simulation import Plan, PlayError
from skate_sim.stats import LEVEL
from skate_sim.stored_work import Findings, work_of
from skate_sim.work import Work

#: Parts that are played again when nothing is said.
SAMPLE = 5


@dataclass(frozen=True)
class Verdict:
    """Whether stored results reproduce.

    Attributes
    ----------
    name : str
        Of the results.
    parts : tuple of (PartRecord, bool)
        Parts that were played again, and whether each came out as it was stored.
    of_parts, of_games : int
        Parts and games that there are.
    tables : tuple of str or None
        Files of tables that came out otherwise; None when they were not made again.
    problems : tuple of str
        Why the results do not reproduce, in words.
    notes : tuple of str
        What differs from then, although it should change nothing.
    """

    name: str
    parts: tuple[tuple[PartRecord, bool], ...] = ()
    of_parts: int = 0
    of_games: int = 0
    tables: tuple[str, ...] | None = None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def reproduces(self) -> bool:
        """Whether everything that was played again came out as it was stored."""
        return not self.problems

    @property
    def games(self) -> int:
        """Games that were played again."""
        return sum(part.games for part, _ in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "name": self.name,
            "reproduces": self.reproduces,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "games_played_again": self.games,
            "games": self.of_games,
            "parts": [{"games": part.ranges, "digest": part.digest, "reproduces": same} for part, same in self.parts],
            "tables_that_differ": None if self.tables is None else list(self.tables),
        }


def verify(
    folder: str | Path,
    *,
    sample: int = SAMPLE,
    everything: bool = False,
    seed: int = 1,
    bots: Mapping[str, Any] | None = None,
    executor: Executor | Crew | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Play parts of stored results again, and compare.

    Parameters
    ----------
    folder : str or Path
        Of the results.
    sample : int
        How many parts to play again, drawn at random, each as likely as it has games.
    everything : bool
        Play all games again instead, make every table anew, and compare the files byte by byte.
    seed : int
        Of the sample.
    bots : mapping of str to source, optional
        Bots by the name in the results; needed for those that came from Python, and for files that have moved.
    executor, threads, progress
        As in :func:`skate_sim.simulate`.

    Raises
    ------
    FolderError
        The folder holds no results, or none with sums to compare with.
    BotError
        A bot cannot be found any more.
    """
    path = Path(folder).expanduser()
    manifest = manifest_of(path)
    if "variant_of" in manifest:
        raise FolderError(
            f"{folder} is one of the variants of {manifest['variant_of']}, which were played together; verify "
            f"{path.parent} instead"
        )
    if apart := apart_in(path):
        raise FolderError(
            f"the variants of {folder} were played one after the other; verify each: {', '.join(map(str, apart))}"
        )
    if TALLIES not in manifest["files"]:
        raise FolderError(f"{folder} has no {TALLIES} to compare with; run the experiment again")
    found = Findings()
    found.problems += [f"{name} is not as it was saved" for name in changed_files(path, manifest)]
    work = work_of(manifest, path, dict(bots or {}), found)
    if work is None or f"{TALLIES} is not as it was saved" in found.problems:
        return Verdict(manifest["name"], problems=tuple(found.problems), notes=tuple(found.notes))
    for difference in differences(path / TALLIES, work):
        (found.notes if is_source(difference) else found.problems).append(difference)
    if found.problems:
        return Verdict(manifest["name"], problems=tuple(found.problems), notes=tuple(found.notes))
    stored = read(path / TALLIES, work, any_source=True)
    records = stored.parts()
    chosen = records if everything else _sampled(records, sample, seed)
    again = _again(work, chosen, found, executor=executor, workers=threads, progress=progress)
    digests = {record.number: record.digest for record in again.parts()} if again else {}
    parts = tuple((record, digests.get(record.number) == record.digest) for record in chosen) if again else ()
    found.problems += [
        f"games {first:,} to {stop - 1:,} come out otherwise"
        for record, same in parts
        if not same
        for first, stop in record.ranges
    ]
    tables = _compare_all(work, stored, again, manifest, found) if everything and again else None
    return Verdict(
        manifest["name"],
        parts,
        len(records),
        stored.games,
        tables,
        tuple(found.problems),
        tuple(found.notes),
    )


def _sampled(records: list[PartRecord], sample: int, seed: int) -> list[PartRecord]:
    """Different parts at random, each as likely as it has games."""
    draw, left = random.Random(seed), list(records)
    chosen: list[PartRecord] = []
    while left and len(chosen) < sample:
        [record] = draw.choices(left, [r.games for r in left])
        left.remove(record)
        chosen.append(record)
    return sorted(chosen)


def _again(plan: Work, chosen: list[PartRecord], found: Findings, **words: Any) -> Played | None:
    """The games of some parts, played again; None, with the problem noted, when one cannot be finished."""
    ranges = [games for record in chosen for games in record.ranges]
    try:
        again = play(plan, ranges=ranges, **words)
    except PlayError as error:
        found.problems.append(f"a game that was finished then is not now: {error.message}")
        return None
    if again.games < sum(record.games for record in chosen):
        raise KeyboardInterrupt
    return again


def _compare_all(
    work: Plan | Comparison, stored: Played, again: Played, manifest: Mapping[str, Any], found: Findings
) -> tuple[str, ...]:
    """Names of the tables that come out otherwise when all games are played again."""
    if digest_of_sums(stored.total) != digest_of_sums(again.total):
        found.problems.append("the sums over all games come out otherwise")
    tables, left_out = _tables_again(work, again, manifest)
    differ = tuple(_differing_tables(tables, manifest, left_out))
    found.problems += [f"{name} comes out otherwise" for name in differ]
    if left_out:
        found.notes.append(
            f"tables of {', '.join(sorted(left_out))} were not made again, as {manifest['experiment_file']} has changed"
        )
    made_with = manifest["versions"]
    if differ and made_with["pandas"] != pd.__version__:
        found.notes.append(f"the tables were written by pandas {made_with['pandas']}, this is {pd.__version__}")
    return differ


def _tables_again(
    work: Plan | Comparison, again: Played, manifest: Mapping[str, Any]
) -> tuple[dict[str, Mapping[str, pd.DataFrame]], set[str]]:
    """Tables by the folder that they are in; and names of those of sections that cannot be made again."""
    if isinstance(work, Plan):
        results = Results(work, again.total, again.games, 0.0, level=manifest.get("level", LEVEL))
        results.expectations = [as_expectation(line) for line in manifest.get("expect", ())]
        return {"": results.tables()}, set()
    from skate_sim.comparison_again import comparison_again

    found, left_out = comparison_again(work, again, manifest)
    saved = manifest.get("shown", manifest["variants"])
    folders = {name: its["folder"] for name, its in manifest["variants"].items() if name in saved}
    variants = {folder: found.variant(name).tables() for name, folder in folders.items()}
    return {"": found.tables(), **variants}, left_out


def _differing_tables(
    tables: Mapping[str, Mapping[str, pd.DataFrame]], manifest: Mapping[str, Any], left_out: set[str]
) -> Iterator[str]:
    stored = {name: digest for name, digest in manifest["files"].items() if "tables" in name.split("/")[:-1]}
    with tempfile.TemporaryDirectory() as folder:
        for name, its in tables.items():
            (Path(folder) / name).mkdir(exist_ok=True)
            write_tables(Path(folder) / name / "tables", its)
        made = {p.relative_to(folder).as_posix(): digest_of_file(p) for p in Path(folder).rglob("*") if p.is_file()}
    for name in sorted({*stored, *made}):
        if stored.get(name) != made.get(name) and Path(name).stem not in left_out:
            yield name
