"""Games handed out in chunks to workers, and what they send back merged; a lost worker costs its chunk only."""

from __future__ import annotations

import logging
import pickle
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, NamedTuple, Protocol

import numpy as np

from skate_sim.executors import Crew, ExecutorError, open_crew
from skate_sim.jit import source_digest
from skate_sim.played import Played, Range, part_number, part_range, played_range

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


class PlayError(RuntimeError):
    """A game that could not be finished: a bot that failed or answered illegally, a guard, a broken identity.

    Attributes
    ----------
    game_number : int
        The game to replay.
    events : list of dict
        What happened until then, when the game was being told.
    """

    def __init__(self, message: str, game_number: int) -> None:
        super().__init__(message)
        self.message = message
        self.game_number = game_number
        self.events: list[dict[str, Any]] = []

    def __reduce__(self) -> Any:
        return _play_error, (self.message, self.game_number, self.events)


def _play_error(message: str, game_number: int, events: list[dict[str, Any]]) -> PlayError:
    error = PlayError(message, game_number)
    error.events = events
    return error


class Work(Protocol):
    """Games to be played, and sums over them.

    A sum is a dataclass of arrays of integers, or has ``arrays()`` that returns them by name; ``+`` adds two. It can
    be pickled, and so can the work itself.
    """

    @property
    def games(self) -> int:
        """Games 0 to ``games - 1`` are to be played."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the games, as JSON; what differs is named by its keys."""

    def prepare(self) -> None:
        """Compile what the games need; called once in every process before it plays."""

    def play(self, first: int, count: int) -> tuple[Any, float]:
        """Play games ``first`` to ``first + count - 1`` on this thread; returns their sum and the seconds taken."""

    def empty(self) -> Any:
        """The sum over no games."""

    def from_arrays(self, arrays: dict[str, np.ndarray]) -> Any:
        """A sum from its arrays."""


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
            try:
                future = self._submit(*games)
            except (BrokenExecutor, RuntimeError, OSError) as error:
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
        cut = min(stop, first + (self.chunk or self._sized()))
        if cut < stop:
            self.todo.append((cut, stop))
        return first, cut

    def _sized(self) -> int:
        """Games of a chunk that takes about as long as it should."""
        if self.seconds_per_game is None:
            return FIRST_CHUNK
        seconds = CHUNK_SECONDS if self.crew.shares_memory else REMOTE_CHUNK_SECONDS
        return max(CHUNK_UNIT, int(seconds / self.seconds_per_game) // CHUNK_UNIT * CHUNK_UNIT)

    def _submit(self, first: int, stop: int) -> Future[tuple[Played, float]]:
        if self.crew.shares_memory:
            return self.crew.submit(play_range, self.work, first, stop)
        self.packed = self.packed or pack(self.work)
        return self.crew.submit(play_packed, self.packed, first, stop)

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
            for future in list(self.pending):
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


def play_range(work: Work, first: int, stop: int) -> tuple[Played, float]:
    """Play games ``first`` to ``stop - 1`` on this thread, part by part; returns them with the seconds taken."""
    played, seconds = Played(), 0.0
    while first < stop:
        end = min(stop, part_range(part_number(first))[1])
        sums, taken = work.play(first, end - first)
        played, seconds, first = played + played_range(first, end, sums), seconds + taken, end
    return played, seconds


class Packed(NamedTuple):
    """Work on its way to another process, with what that must have in common with this one."""

    content: bytes
    python: tuple[int, int]
    source: str


class MismatchError(RuntimeError):
    """A worker with another version of Python, of this package, or of what compiles it."""


def pack(work: Work) -> Packed:
    """Work as it is sent to workers."""
    return Packed(pickle.dumps(work), sys.version_info[:2], source_digest())


_unpacked: OrderedDict[bytes, Work] = OrderedDict()
_unpacking = threading.Lock()
#: Works that a worker keeps ready.
_KEPT = 8


def play_packed(packed: Packed, first: int, stop: int) -> tuple[Played, float]:
    """Play games of work that was sent here; it is unpacked and compiled once a process."""
    with _unpacking:
        work = _unpacked.get(packed.content)
        if work is None:
            here = (sys.version_info[:2], source_digest())
            if here != (packed.python, packed.source):
                raise MismatchError(
                    "a worker has another version of Python, skate-sim, numba or numpy, or other flags of numba, than "
                    "the process that it works for; install the same on both"
                )
            work = pickle.loads(packed.content)
            work.prepare()
            _unpacked[packed.content] = work
            while len(_unpacked) > _KEPT:
                _unpacked.popitem(last=False)
    return play_range(work, first, stop)
