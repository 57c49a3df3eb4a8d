"""Games played elsewhere: the same bits on every executor, and a lost worker costs its chunk, not the run."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from skate_sim import executors, work
from skate_sim.api import plan_games, simulate
from skate_sim.dispatch import play
from skate_sim.executors import Crew, ExecutorError, check_executor, open_crew
from skate_sim.simulation import Plan, PlayError, play_chunk
from skate_sim.work import MismatchError, pack, play_packed
from tests.commands import enter, invoke
from tests.faults import broken, finishes
from tests.runs import POOL
from tests.test_saving import contents

GAMES = 12_000


def enough(view: Any, n: int) -> bool:
    return view.me.combo_size >= n


def cell(view, n=4):  # type: ignore[no-untyped-def]
    """As written in a cell of a notebook, with a helper of its own."""
    return 0 if view.table.may_stop and enough(view, n) else 1


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Bots from files, one of which is gone when the games begin, and from Python."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "gone_helper.py").write_text("LIMIT = 3\n\n\ndef full(n):\n    return n >= LIMIT\n")
    file = folder / "gone.py"
    file.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "from gone_helper import full\n"
        "sys.path.pop(0)\n\n\n"
        "def act(view):\n"
        "    return 0 if view.table.may_stop and full(view.me.combo_size) else 1\n"
    )
    [loaded] = plan_games([file], players=2).bots
    for path in folder.iterdir():
        path.unlink()
    return [loaded, cell, "risk_threshold"]


@pytest.fixture(scope="module")
def home(bots: list[Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run on threads leaves in its folder."""
    return saved(bots, tmp_path_factory.mktemp("home"))


def saved(bots: list[Any], folder: Path, **words: Any) -> dict[str, bytes]:
    return contents(simulate(bots, games=GAMES, seed=9, **words).save(folder / "run", figures=False))


@pytest.fixture(scope="module")
def processes() -> Iterator[Crew]:
    with open_crew("processes", 2) as crew:
        yield crew


@pytest.fixture(scope="module")
def dask() -> Iterator[Crew]:
    """On a machine where another cluster has the usual port for its pages."""
    pytest.importorskip("distributed")
    with socket.socket() as other:
        with suppress(OSError):
            other.bind(("", 8787))
            other.listen()
        with open_crew("dask", 2) as crew:
            yield crew


def client(crew: Crew) -> Any:
    return crew._opened.executor._client  # type: ignore[attr-defined]


def test_processes_play_the_same(bots: list[Any], home: dict[str, bytes], tmp_path: Path, processes: Crew) -> None:
    assert saved(bots, tmp_path, executor=processes) == home


def test_dask_plays_the_same(bots: list[Any], home: dict[str, bytes], tmp_path: Path, dask: Crew) -> None:
    calls: list[int] = []
    words = {"chunk": 1000, "progress": lambda finished, games, seconds: calls.append(finished)}
    assert saved(bots, tmp_path, executor=dask, **words) == home
    assert calls[-1] == GAMES


def test_a_cluster_is_joined_by_its_address(
    bots: list[Any], home: dict[str, bytes], tmp_path: Path, dask: Crew
) -> None:
    assert saved(bots, tmp_path, executor=client(dask).scheduler.address) == home
    assert client(dask).scheduler_info()["workers"], "the cluster lives on"


def test_any_executor_plays_the_same(
    bots: list[Any], home: dict[str, bytes], tmp_path: Path, processes: Crew, dask: Crew
) -> None:
    pool = processes._opened.executor
    assert isinstance(pool, ProcessPoolExecutor)
    assert saved(bots, tmp_path / "pool", executor=pool, chunk=5000) == home
    assert saved(bots, tmp_path / "client", executor=client(dask).get_executor()) == home


def test_a_bot_is_the_same_bot_elsewhere_and_compiled_once(bots: list[Any], processes: Crew) -> None:
    plan = plan_games(bots, games=GAMES)
    there = processes.submit(identities, plan).result()
    assert there == identities(plan)
    copy = pickle.loads(pickle.dumps(plan))
    assert copy.game is plan.game
    assert copy.identity == plan.identity
    assert copy.bots[0].code.where == plan.bots[0].code.where
    assert play_chunk(copy, 5, 100)[0].equals(play_chunk(plan, 5, 100)[0])
    packed = pack(plan)
    assert processes.submit(compilations, packed).result() <= len(plan.bots), "in two chunks"


def identities(plan: Plan) -> tuple[list[Any], dict[str, Any]]:
    return [bot.identity for bot in plan.bots], plan.identity


def compilations(packed: work.Packed) -> int:
    """How many bots a worker compiles for two chunks."""
    from skate_sim import bot_code

    count, compile_hook = 0, bot_code._compile_hook

    def counting(*words: Any) -> Any:
        nonlocal count
        count += 1
        return compile_hook(*words)

    bot_code._compile_hook = counting
    try:
        for first in (0, 500):
            play_packed(packed, first, first + 500)
    finally:
        bot_code._compile_hook = compile_hook
    return count


def test_what_differs_between_processes_is_refused() -> None:
    packed = pack(plan_games(POOL, games=40))
    with pytest.raises(MismatchError, match="install the same on both"):
        play_packed(packed._replace(content=packed.content + b" ", source="other"), 0, 40)


def killing(kill: Callable[[], None], after: int = 1) -> Callable[[int, int, float], None]:
    """Progress that kills a worker when so many chunks are finished."""
    calls = 0

    def progress(finished: int, games: int, seconds: float) -> None:
        nonlocal calls
        calls += 1
        if calls == after:
            kill()

    return progress


def test_a_killed_process_costs_its_chunk(
    bots: list[Any], home: dict[str, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture, processes: Crew
) -> None:
    def kill() -> None:
        pool: Any = processes._opened.executor
        os.kill(next(iter(pool._processes)), signal.SIGKILL)

    assert saved(bots, tmp_path, executor=processes, chunk=500, progress=killing(kill)) == home
    assert "The workers were lost (BrokenProcessPool" in caplog.text


def test_a_killed_dask_worker_costs_its_chunk(
    bots: list[Any], home: dict[str, bytes], tmp_path: Path, dask: Crew
) -> None:
    before = client(dask).run(os.getpid)

    def kill() -> None:
        os.kill(next(iter(before.values())), signal.SIGKILL)

    assert saved(bots, tmp_path, executor=dask, chunk=500, progress=killing(kill)) == home


class Noting(ThreadPoolExecutor):
    """Notes the games that it is given."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.given: list[tuple[int, int]] = []

    def submit(self, function: Any, /, *args: Any, **words: Any) -> Future[Any]:
        self.given.append(args[-2:])
        return super().submit(function, *args, **words)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_no_worker_has_much_left_when_the_others_are_done(workers: int) -> None:
    plan = plan_games(POOL, games=40_000)
    with Noting(workers) as executor:
        play(plan, executor=executor)
    assert executor.given[-1][1] == plan.games
    for first, stop in executor.given:
        assert stop - first <= max(1024, (plan.games - first) / workers), "more than its part of what is left"


@pytest.mark.parametrize("chunk", [100, 1000])
def test_a_bot_that_fails_elsewhere_is_told_as_at_home(chunk: int, processes: Crew) -> None:
    plan = plan_games([broken, "stop_at_n:n=2"], games=4000)
    messages = set()
    for executor in ("threads", processes):
        with pytest.raises(PlayError) as error:
            play(plan, executor=executor, chunk=chunk)
        messages.add((error.value.message, error.value.game_number))
    first = next(n for n in range(4000) if not finishes(plan, n))
    assert [number for _, number in messages] == [first], "the same first game"
    assert "bot broken answered" in next(iter(messages))[0]


def test_executors_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*executors.NAMES, "tcp://host:8786", "tls://host:1"):
        assert check_executor(name) == name
    with pytest.raises(ExecutorError, match="no executor 'thread'; valid: threads, processes, dask, or the address"):
        simulate(POOL, executor="thread", games=4)
    with pytest.raises(ExecutorError, match=r"an executor is a name or a concurrent\.futures\.Executor"):
        simulate(POOL, executor=7, games=4)  # type: ignore[arg-type]
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    with pytest.raises(ExecutorError, match=r"needs Dask: pip install 'skate-sim\[dask\]'"):
        check_executor("dask")


def test_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "CLUSTER_SECONDS", 0.2)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with pytest.raises(ExecutorError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        simulate(POOL, executor="tcp://127.0.0.1:9", games=4)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    enter(tmp_path, monkeypatch)
    done = invoke(capsys, "run", "who.yaml", "--executor", "proceses")
    assert (done.code, done.out) == (2, "")
    assert "no executor 'proceses'; valid: threads, processes, dask" in done.err
    one = invoke(capsys, "run", "both.yaml", "--csv", "--no-files").out
    assert invoke(capsys, "run", "both.yaml", "--csv", "--no-files", "-x", "processes", "-t", "1").out == one


def test_a_notebook_without_a_file_plays_on_processes() -> None:
    """As in a kernel: ``__main__`` has no file that a worker could import."""
    code = (
        "import skate_sim\n"
        "def half(view):\n    return 0 if view.table.may_stop and view.me.combo_size > 2 else 1\n"
        "found = [skate_sim.simulate([half, 'stop_at_n'], games=3000, executor=x, threads=1)"
        " for x in ('threads', 'processes')]\n"
        "print(found[0].tallies.equals(found[1].tallies))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr
