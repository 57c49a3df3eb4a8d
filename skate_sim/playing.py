"""A run from its first game to its last: finished games are kept and come back, and it may stop by precision."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skate_sim.checkpoint import CHECKPOINT, CheckpointError, Saver, resumed
from skate_sim.dispatch import Progress, play
from skate_sim.executors import Crew
from skate_sim.played import Played
from skate_sim.work import Work


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
    """

    played: Played
    seconds: float
    started: datetime
    kept: int


def play_kept(
    work: Work,
    *,
    threads: int | None = None,
    executor: Executor | Crew | str | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
) -> Finished:
    """Play work; see :func:`skate_sim.api.simulate` for parameters and errors."""
    if resume and checkpoint is None:
        raise CheckpointError("resume needs checkpoint, the folder that the finished games are in")
    folder = None if checkpoint is None else Path(checkpoint).expanduser()
    before = resumed(folder, work) if folder and resume else Played()
    saver = Saver(folder / CHECKPOINT, work) if folder else None
    work.prepare()
    started, start = datetime.now(UTC), time.perf_counter()
    words: dict[str, Any] = {"executor": executor, "workers": threads, "chunk": chunk, "progress": progress}
    played = play(work, done=before, save=saver, **words)
    seconds = time.perf_counter() - start
    if saver and (saver.kept or played.games < work.games) and played.games > before.games:
        saver.write(played)  # before tables are made, which may fail or be interrupted
    return Finished(played, seconds, started, before.games)
