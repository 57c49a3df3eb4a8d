"""Stored results played again: a sample of their parts, or all games, compared bit by bit."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from skate_sim import games
from skate_sim.api import as_bots
from skate_sim.checkpoint import TALLIES, differences, is_source, read
from skate_sim.dispatch import Progress, play
from skate_sim.executors import Crew
from skate_sim.games import ContentError, Game
from skate_sim.played import PartRecord, Played, digest_of_sums
from skate_sim.policy import Bot, BotError, find_code, load_file, make_bot
from skate_sim.results import Results
from skate_sim.saving import FolderError, changed_files, digest_of_file, manifest_of, write_tables
from skate_sim.simulation import Plan, PlayError
from skate_sim.tallies import make_layout

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


@dataclass
class _Findings:
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


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
    if TALLIES not in manifest["files"]:
        raise FolderError(f"{folder} has no {TALLIES} to compare with; run the experiment again")
    found = _Findings()
    found.problems += [f"{name} is not as it was saved" for name in changed_files(path, manifest)]
    plan = _plan_of(manifest, path, dict(bots or {}), found)
    if plan is None or f"{TALLIES} is not as it was saved" in found.problems:
        return Verdict(manifest["name"], problems=tuple(found.problems), notes=tuple(found.notes))
    for difference in differences(path / TALLIES, plan):
        (found.notes if is_source(difference) else found.problems).append(difference)
    if found.problems:
        return Verdict(manifest["name"], problems=tuple(found.problems), notes=tuple(found.notes))
    stored = read(path / TALLIES, plan, any_source=True)
    records = stored.parts()
    chosen = records if everything else _sampled(records, sample, seed)
    again = _again(plan, chosen, found, executor=executor, workers=threads, progress=progress)
    digests = {record.number: record.digest for record in again.parts()} if again else {}
    parts = tuple((record, digests.get(record.number) == record.digest) for record in chosen) if again else ()
    found.problems += [
        f"games {first:,} to {stop - 1:,} come out otherwise"
        for record, same in parts
        if not same
        for first, stop in record.ranges
    ]
    tables = _compare_all(plan, stored, again, manifest, found) if everything and again else None
    return Verdict(
        manifest["name"],
        parts,
        len(records),
        stored.games,
        tables,
        tuple(found.problems),
        tuple(found.notes),
    )


def stored_plan(folder: str | Path) -> tuple[Plan | None, list[str]]:
    """The plan that stored results were made by; None, with the problems in words, when it cannot be had any more.

    Raises
    ------
    FolderError
        The folder holds no results, or does not say how they were made.
    BotError
        A bot cannot be found any more.
    """
    found = _Findings()
    path = Path(folder).expanduser()
    return _plan_of(manifest_of(path), path, {}, found), found.problems


def _plan_of(manifest: Mapping[str, Any], folder: Path, bots: Mapping[str, Any], found: _Findings) -> Plan | None:
    """The plan that results were made by; None, with the problem noted, when it cannot be had any more."""
    game, experiment = games.load(manifest["game"]), manifest["experiment"]
    if experiment is None:
        raise FolderError(f"{folder} does not say by which experiment it was made; it cannot be played again")
    if manifest["behaviour_version"] != game.behaviour_version:
        then, now = manifest["behaviour_version"], game.behaviour_version
        found.problems.append(
            f"the games were played by behaviour version {then} of {game.title}, and this is version {now}: the same "
            f"seeds have other games"
        )
        return None
    try:
        resolved = game.resolve(game, manifest["seats"], manifest["preset"], experiment["rules"], experiment["edits"])
    except ContentError as error:
        found.problems.append(f"the rules or edits cannot be played any more: {error}")
        return None
    entries = tuple(_bot(entry, game, bots, found) for entry in manifest["bots"])
    if found.problems and any("changed since" in problem for problem in found.problems):
        return None
    layout = make_layout(resolved, len(entries), np.array(manifest["lineups"], np.uint8))
    return Plan(resolved, entries, layout, manifest["games_planned"], manifest["seed"])


def _bot(entry: Mapping[str, Any], game: Game, bots: Mapping[str, Any], found: _Findings) -> Bot:
    """A bot of the results, from where it was, or by its name."""
    name, path = entry["name"], entry["path"]
    if name in bots:
        [given] = as_bots([bots[name]], game)
        code = given.code
    elif path and Path(path).is_file():
        code = load_file(Path(path), game)
    elif path:
        try:
            code = find_code(entry["bot"], game)
        except BotError as error:
            raise BotError(f"bot {name}: its file {path} is gone, and there is {error}") from error
    else:
        advice = f"give it as verify(folder, bots={{{name!r}: ...}})"
        raise BotError(f"bot {name} came from Python, not from a file; {advice}")
    if code.digest != entry["fingerprint"]:
        then, now = entry["fingerprint"], code.digest
        found.problems.append(f"bot {name} has changed since: its fingerprint was {then} and is {now} ({code.where})")
        return Bot(code, {}, name)
    return make_bot(code, entry["parameters"], name)


def _sampled(records: list[PartRecord], sample: int, seed: int) -> list[PartRecord]:
    """Different parts at random, each as likely as it has games."""
    draw, left = random.Random(seed), list(records)
    chosen: list[PartRecord] = []
    while left and len(chosen) < sample:
        [record] = draw.choices(left, [r.games for r in left])
        left.remove(record)
        chosen.append(record)
    return sorted(chosen)


def _again(plan: Plan, chosen: list[PartRecord], found: _Findings, **words: Any) -> Played | None:
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
    plan: Plan, stored: Played, again: Played, manifest: Mapping[str, Any], found: _Findings
) -> tuple[str, ...]:
    """Names of the tables that come out otherwise when all games are played again."""
    if digest_of_sums(stored.total) != digest_of_sums(again.total):
        found.problems.append("the sums over all games come out otherwise")
    differ = tuple(_differing_tables(Results(plan, again.total, again.games, 0.0), manifest))
    found.problems += [f"{name} comes out otherwise" for name in differ]
    made_with = manifest["versions"]
    if differ and made_with["pandas"] != pd.__version__:
        found.notes.append(f"the tables were written by pandas {made_with['pandas']}, this is {pd.__version__}")
    return differ


def _differing_tables(results: Results, manifest: Mapping[str, Any]) -> Iterator[str]:
    stored = {name: digest for name, digest in manifest["files"].items() if name.startswith("tables/")}
    with tempfile.TemporaryDirectory() as folder:
        write_tables(Path(folder) / "tables", results.tables())
        made = {p.relative_to(folder).as_posix(): digest_of_file(p) for p in Path(folder).rglob("*") if p.is_file()}
    for name in sorted({*stored, *made}):
        if stored.get(name) != made.get(name):
            yield name
