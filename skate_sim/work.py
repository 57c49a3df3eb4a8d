"""Work that is handed out to workers: games, the sums over them, and the way there."""

from __future__ import annotations

import pickle
import sys
import threading
from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

import numpy as np

from skate_sim.jit import source_digest
from skate_sim.played import Played, part_number, part_range, played_range


class PlayError(RuntimeError):
    """A game that could not be finished: a bot that failed or answered illegally, a guard, a broken identity.

    Attributes
    ----------
    game_number : int
        The game to replay.
    events : list of dict
        What happened until then, when the game was being told.
    variant : str
        Which of several variants played it.
    """

    def __init__(self, message: str, game_number: int) -> None:
        super().__init__(message)
        self.message = message
        self.game_number = game_number
        self.events: list[dict[str, Any]] = []
        self.variant = ""

    def __reduce__(self) -> Any:
        return _play_error, (self.message, self.game_number, self.events, self.variant)


def _play_error(message: str, game_number: int, events: list[dict[str, Any]], variant: str) -> PlayError:
    error = PlayError(message, game_number)
    error.events, error.variant = events, variant
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
