"""A run from its first game to its last: finished games are kept and come back, and it may stop by precision."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skate_sim.checkpoint import CHECKPOINT, CheckpointError, Saver, resumed
from skate_sim.comparison import Comparison
from skate_sim.dispatch import Progress, play
from skate_sim.executors import Crew, open_crew
from skate_sim.played import Played
from skate_sim.precision import Precision, Reached, Watch, as_precision, play_until_precise
from skate_sim.simulation import Plan


@dataclass(frozen=True)
class Finished:
    """What came of a run.

    Attributes
    ----------
    played : Played
    seconds : float
        What it took, without the games that were there before.
    started : datetime
    kept : int
        Games that were there before.
    reached : Reached or None
        How tight the intervals came out, of a run that stops by precision.
    """

    played: Played
    seconds: float
    started: datetime
    kept: int
    reached: Reached | None = None


def play_kept(
    work: Plan | Comparison,
    *,
    threads: int | None = None,
    executor: Executor | Crew | str | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    precision: Precision | float | Mapping[str, Any] | None = None,
) -> Finished:
    """Play work; see :func:`skate_sim.api.simulate` for parameters and errors."""
    if resume and checkpoint is None:
        raise CheckpointError("resume needs checkpoint, the folder that the finished games are in")
    folder = None if checkpoint is None else Path(checkpoint).expanduser()
    before = resumed(folder, work) if folder and resume else Played()
    saver = Saver(folder / CHECKPOINT, work) if folder else None
    wanted = as_precision(precision)
    watch = Watch(work, wanted) if wanted else None
    work.prepare()
    started, start = datetime.now(UTC), time.perf_counter()
    words: dict[str, Any] = {"workers": threads, "chunk": chunk, "save": saver}
    with open_crew(executor, threads) as crew:

        def stage(done: Played, until: int) -> Played:
            offset = time.perf_counter() - start if done is not before else 0.0
            told = _shifted(progress, offset, work.games) if progress else None
            return play(work, done=done, until=until, executor=crew, progress=told, **words)

        if watch is None:
            played, reached = stage(before, work.games), None
        else:
            played, reached = play_until_precise(watch, before, stage, getattr(progress, "look", None))
    seconds = time.perf_counter() - start
    stopped = reached.stopped if reached else played.games < work.games
    if saver and (saver.kept or stopped) and played.games > before.games:
        saver.write(played)  # before tables are made, which may fail or be interrupted
    return Finished(played, seconds, started, before.games, reached)


def _shifted(progress: Progress, offset: float, games: int) -> Progress:
    """Progress of a stage as that of the whole run."""
    return lambda finished, _, seconds: progress(finished, games, offset + seconds)
