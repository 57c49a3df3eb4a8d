"""Chunks that get lost, with the worker that played them or without: the run goes on, or ends with one message."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Timer
from typing import Any

import pytest

from skate_sim.api import plan_games
from skate_sim.dispatch import play
from skate_sim.executors import ExecutorError
from skate_sim.simulation import PlayError
from tests.faults import broken, finishes
from tests.runs import POOL


class Lossy(Executor):
    """Plays on threads, and loses the chunks that it is told to, so many times."""

    def __init__(self, first: int, times: int, error: Exception, delay: float = 0.0) -> None:
        self.pool, self.first, self.times, self.error = ThreadPoolExecutor(1), first, times, error
        self.lost, self.delay = 0, delay

    def submit(self, function: Any, /, *args: Any, **_: Any) -> Future[Any]:
        if args[-2] == self.first and self.lost < self.times:
            self.lost += 1
            future: Future[Any] = Future()
            Timer(self.delay, future.set_exception, [self.error]).start()
            return future
        return self.pool.submit(function, *args)


#: As Dask has it, when several workers died of a chunk.
KILLED = type("KilledWorker", (Exception,), {"__module__": "distributed.scheduler"})


@pytest.mark.parametrize("error", [CancelledError(), ConnectionResetError("gone"), EOFError(), KILLED("x")])
def test_a_lost_chunk_is_played_again(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    plan = plan_games(POOL, games=2000)
    lossy = Lossy(500, 2, error)
    assert play(plan, executor=lossy, chunk=250).total.equals(play(plan).total)
    assert lossy.lost == 2
    assert "A worker was lost" in caplog.text


def test_a_chunk_that_is_lost_again_and_again_ends_the_run() -> None:
    plan = plan_games(POOL, games=2000)
    with pytest.raises(ExecutorError, match=r"games 500 to 749 were lost 3 times.*ConnectionResetError: gone"):
        play(plan, executor=Lossy(500, 99, ConnectionResetError("gone")), chunk=250)


def test_a_broken_executor_of_the_users_is_replaced_by_threads(caplog: pytest.LogCaptureFixture) -> None:
    plan = plan_games(POOL, games=2000)
    assert play(plan, executor=Lossy(500, 99, BrokenProcessPool("dead")), chunk=250).total.equals(play(plan).total)
    assert "the rest of the games are played on threads here" in caplog.text
    with ProcessPoolExecutor(1) as closed:
        pass
    assert play(plan, executor=closed).games == 2000


def test_an_error_of_ours_is_not_taken_for_a_lost_worker() -> None:
    with pytest.raises(ZeroDivisionError):
        play(plan_games(POOL, games=2000), executor=Lossy(500, 1, ZeroDivisionError()), chunk=250)


def test_the_lowest_game_at_fault_is_named_although_its_chunk_was_lost() -> None:
    plan = plan_games([broken, "stop_at_n:n=2"], games=4000)
    first = next(n for n in range(4000) if not finishes(plan, n))
    lossy = Lossy(first // 10 * 10, 1, CancelledError(), delay=1.0)  # games after it fail before it is known
    with pytest.raises(PlayError) as error:
        play(plan, executor=lossy, chunk=10)
    assert error.value.game_number == first


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_workers_end_with_a_run_that_was_killed() -> None:
    """They hold its output, too: whoever reads that would wait for ever."""
    code = (
        "import os\n"
        "from skate_sim.executors import open_crew\n"
        "if __name__ == '__main__':\n"
        "    with open_crew('processes', 1) as crew:\n"
        "        print(crew.submit(os.getpid).result(), flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert int(done.stdout)
