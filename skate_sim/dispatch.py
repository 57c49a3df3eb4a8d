"""Games handed out in chunks to workers, and what they send back merged; a lost worker costs its chunk only."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, NamedTuple

from skate_sim.executors import Crew, ExecutorError, open_crew
from skate_sim.played import Played, Range
from skate_sim.work import Packed, PlayError, Work, pack, play_packed, play_range

log = logging.getLogger("skate_sim")

#: Seconds that a chunk is meant to take on a thread: short enough for smooth progress, long enough to cost nothing;
#: and elsewhere, where each is sent for.
CHUNK_SECONDS, REMOTE_CHUNK_SECONDS = 0.25, 1.0
#: Games of the first chunks, and of what chunks are multiples of.
FIRST_CHUNK, CHUNK_UNIT = 1024, 512
#: Times that a chunk may be lost with its worker before the run gives up.
TRIES = 3
#: Seconds after Ctrl-C before saying what is waited for.
PATIENCE = 1.0

#: Called with (games finished, games in all, seconds since the start).
Progress = Callable[[int, int, float], None]


def play(
    work: Work,
    *,
    done: Played | None = None,
    until: int | None = None,
    ranges: Iterable[Range] | None = None,
    executor: Executor | Crew | str | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    save: Callable[[Played], None] | None = None,
) -> Played:
    """Play games on an executor.

    Parameters
    ----------
    done : Played, optional
        Games that are finished already; they are part of what is returned.
    until : int, optional
        Games 0 to ``until - 1`` are wanted; all of the work's games when left out.
    ranges : iterable of (first, stop), optional
        Only these games are wanted, instead of all below ``until``.
    executor, workers
        See :func:`skate_sim.executors.open_crew`.
    chunk : int, optional
        Games in a chunk; by default sized by time. The result does not depend on it.
    progress : callable, optional
        Called with (games finished, games wanted, seconds since the start).
    save : callable, optional
        Called with all that is finished whenever that is more.

    Returns
    -------
    Played
        Fewer games than wanted after Ctrl-C, which lets the chunks in hand finish; a second Ctrl-C leaves them.

    Raises
    ------
    PlayError
        A game could not be finished; of several the one with the lowest number.
    ExecutorError
        There is no such executor, or a chunk was lost time and again.
    KeyboardInterrupt
        Ctrl-C before any game was finished.
    """
    done, until = done or Played(), work.games if until is None else until
    todo = list(ranges) if ranges is not None else list(done.missing(until))
    if not todo:
        return done
    work.prepare()
    with open_crew(executor, workers) as crew:
        run = _Run(work, crew, done, todo, chunk)
        run.play(progress, save)
    if run.interrupted and not run.played.games:
        raise KeyboardInterrupt
    return run.played


class _Chunk(NamedTuple):
    first: int
    stop: int
    pool: int  # number of the executor that it was given to


class _Run:
    """The state of one call of :func:`play`.

    ``played`` is replaced as a whole, so that an interrupt between any two steps neither loses nor repeats a chunk.
    """

    def __init__(self, work: Work, crew: Crew, done: Played, todo: list[Range], chunk: int | None) -> None:
        self.work, self.crew, self.played, self.chunk = work, crew, done, chunk
        self.todo = todo[::-1]
        self.wanted = done.games + sum(stop - first for first, stop in todo)
        self.pending: dict[Future[tuple[Played, float]], _Chunk] = {}
        self.lost: list[Range] = []
        self.tries: dict[int, int] = {}
        self.pool, self.renewals = 0, 0
        self.seconds_per_game: float | None = None
        self.fault: PlayError | None = None
        self.interrupted = False
        self.packed: Packed | None = None

    def play(self, progress: Progress | None, save: Callable[[Played], None] | None) -> None:
        start = time.perf_counter()
        try:
            if progress and self.played.games:  # kept from before; not to be counted as speed
                progress(self.played.games, self.wanted, 0.0)
            self._hand_out()
            while self.pending:
                finished, _ = wait(self.pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    self._take(future)
                if save:
                    save(self.played)
                if progress:
                    progress(self.played.games, self.wanted, time.perf_counter() - start)
                self._hand_out()
        except KeyboardInterrupt:
            self.interrupted = True
            self._wind_down()
        finally:
            for future in self.pending:
                future.cancel()
        if self.fault:
            raise self.fault

    def _hand_out(self) -> None:
        """Give the workers two chunks each: one in hand, and the next."""
        while len(self.pending) < 2 * self.crew.size and (games := self._next()):
            call = self._call(*games)
            try:
                future = self.crew.submit(*call)
            except Exception as error:  # an executor that is closed or has lost its cluster raises what it likes
                self.lost.append(games)
                self._renew(error)
            else:
                self.pending[future] = _Chunk(*games, self.pool)

    def _next(self) -> Range | None:
        """The next chunk: one that was lost, or new games."""
        if self.fault:
            self.lost = [games for games in self.lost if games[0] < self.fault.game_number]
        if self.lost:
            return self.lost.pop()
        if not self.todo or self.fault:
            return None
        first, stop = self.todo.pop()
        cut = min(stop, first + (self.chunk or self._sized(stop - first)))
        if cut < stop:
            self.todo.append((cut, stop))
        return first, cut

    def _sized(self, left: int) -> int:
        """Games of a chunk that takes about as long as it should; smaller ones at the end, so that nobody waits."""
        if self.seconds_per_game is None:
            return FIRST_CHUNK
        seconds = CHUNK_SECONDS if self.crew.shares_memory else REMOTE_CHUNK_SECONDS
        games = min(seconds / self.seconds_per_game, max(FIRST_CHUNK, left / self.crew.size))
        return max(CHUNK_UNIT, int(games) // CHUNK_UNIT * CHUNK_UNIT)

    def _call(self, first: int, stop: int) -> tuple[Any, ...]:
        """Function and arguments that play a chunk where the crew is."""
        if self.crew.shares_memory:
            return play_range, self.work, first, stop
        self.packed = self.packed or pack(self.work)
        return play_packed, self.packed, first, stop

    def _take(self, future: Future[tuple[Played, float]]) -> None:
        """Merge a chunk that is finished, or see to it that it is played again, or note its fault."""
        chunk = self.pending[future]
        try:
            played, seconds = future.result()
        except PlayError as fault:
            self._note(fault)
        except (BrokenExecutor, CancelledError, OSError, EOFError) as error:
            self._play_again(chunk, error)
        except Exception as error:
            if not type(error).__module__.startswith("distributed"):
                raise
            self._play_again(chunk, error)
        else:
            self.played = self.played + played
            self.seconds_per_game = seconds / (chunk.stop - chunk.first)
            self.renewals = 0
        del self.pending[future]

    def _note(self, fault: PlayError) -> None:
        """Keep the fault of the lowest game; what comes after it need not be played."""
        if self.fault is None or fault.game_number < self.fault.game_number:
            self.fault = fault
            for future, chunk in list(self.pending.items()):
                if chunk.first > fault.game_number and future.cancel():
                    del self.pending[future]

    def _play_again(self, chunk: _Chunk, error: BaseException) -> None:
        """Put a chunk that was lost with its worker back, on a new executor if the old one broke."""
        self.tries[chunk.first] = self.tries.get(chunk.first, 0) + 1
        if self.tries[chunk.first] >= TRIES:
            raise ExecutorError(
                f"games {chunk.first:,} to {chunk.stop - 1:,} were lost {TRIES} times, with the worker that played "
                f"them: {_told(error)}"
            ) from error
        self.lost.append((chunk.first, chunk.stop))
        if chunk.pool == self.pool:
            if isinstance(error, BrokenExecutor):
                self._renew(error)
            else:
                log.warning("A worker was lost (%s); its games are played again.", _told(error))

    def _renew(self, error: BaseException) -> None:
        """Go on with a new executor; chunks that the old one has not finished are handed out again."""
        for future, chunk in list(self.pending.items()):
            if not future.done():
                del self.pending[future]
                self.lost.append((chunk.first, chunk.stop))
        self.renewals += 1
        if self.renewals > TRIES:
            raise ExecutorError(f"the workers cannot be used: {_told(error)}") from error
        log.warning("The workers were lost (%s); others go on with their games.", _told(error))
        self.pool += 1
        self.crew.renew()

    def _wind_down(self) -> None:
        """After Ctrl-C: let the chunks in hand finish, and keep them; after a second one, leave them."""
        patience: float | None = PATIENCE
        try:
            for future in list(self.pending)[self.crew.size :]:  # the first ones are in hand, or about to be
                if future.cancel():
                    del self.pending[future]
            while self.pending:
                finished, _ = wait(self.pending, timeout=patience, return_when=FIRST_COMPLETED)
                if not finished:
                    log.warning("Stopping after the games in hand; Ctrl-C again leaves them unfinished.")
                    patience = None
                for future in finished:
                    self._keep(future)
        except KeyboardInterrupt:
            self.crew.abandoned = True

    def _keep(self, future: Future[tuple[Played, float]]) -> None:
        chunk = self.pending[future]
        error = None if future.cancelled() else future.exception()
        if isinstance(error, PlayError):
            self._note(error)
        elif error is None and not future.cancelled() and not self.played.has(chunk.first, chunk.stop):
            self.played = self.played + future.result()[0]
        self.pending.pop(future, None)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
