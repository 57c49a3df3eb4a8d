"""Where chunks of games are played: threads, processes, a Dask cluster, or any ``concurrent.futures.Executor``."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

log = logging.getLogger("skate_sim")

#: Executors by name; besides these, the address of a Dask scheduler.
NAMES = ("threads", "processes", "dask")
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "ucx://")

#: Seconds to wait for a cluster to answer, and for its first worker.
CLUSTER_SECONDS = 60.0


class ExecutorError(RuntimeError):
    """An executor that does not exist, cannot be reached, or lost the same games again and again."""


def default_threads() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Opened:
    """An executor, how many chunks it plays at once, and how it is closed (and whether it may be waited for)."""

    executor: Executor
    size: Callable[[], int]
    close: Callable[[bool], None]


class Crew:
    """Workers for chunks: an executor that is replaced when it breaks.

    Attributes
    ----------
    shares_memory : bool
        Whether the workers are threads of this process; to all others the games' plan is sent.
    abandoned : bool
        Set when chunks were left behind unfinished: threads that cannot be stopped may still be playing.
    """

    def __init__(self, make: Callable[[], _Opened], *, shares_memory: bool, renewable: bool = True) -> None:
        self._make, self._opened = make, make()
        self.shares_memory, self._renewable = shares_memory, renewable
        self.abandoned = False
        self._size = 1

    @property
    def size(self) -> int:
        """Chunks that it plays at once; what was last known when a cluster does not answer."""
        with suppress(Exception):  # whatever a lost client raises
            self._size = max(1, self._opened.size())
        return self._size

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Have a function called by a worker."""
        return self._opened.executor.submit(function, *args)

    def renew(self) -> None:
        """Replace an executor that broke; one that we were given is replaced by threads.

        Raises
        ------
        ExecutorError
            The cluster cannot be reached any more.
        """
        with suppress(Exception):
            self._opened.close(False)
        if not self._renewable:
            log.warning("The executor is broken; the rest of the games are played on threads here.")
            self._make, self.shares_memory, self._renewable = _threads(None), True, True
        self._opened = self._make()

    def close(self) -> None:
        """Close what was opened here; an executor that we were given stays open."""
        self._opened.close(not self.abandoned)


@contextmanager
def open_crew(executor: Executor | Crew | str | None = None, workers: int | None = None) -> Iterator[Crew]:
    """Open an executor for as long as the block lasts.

    Parameters
    ----------
    executor : str, Executor or Crew, optional
        ``"threads"`` (default), ``"processes"``, ``"dask"`` (a cluster on this machine), the address of a Dask
        scheduler as ``"tcp://host:8786"``, any executor, or a crew that is open already. Only what is named is
        closed afterwards.
    workers : int, optional
        Threads or processes; all processors when left out. A cluster that is joined has its own number.

    Raises
    ------
    ExecutorError
        No such executor, or it cannot be reached.
    """
    if isinstance(executor, Crew):
        yield executor
        return
    crew = _crew(executor, workers)
    try:
        yield crew
    finally:
        crew.close()


def check_executor(name: str) -> str:
    """The name, if there is such an executor.

    Raises
    ------
    ExecutorError
        There is none, or it needs something that is not installed.
    """
    if name not in NAMES and not name.startswith(SCHEMES):
        valid = f"{', '.join(NAMES)}, or the address of a Dask scheduler as tcp://host:8786"
        raise ExecutorError(f"no executor {name!r}; valid: {valid}")
    if name not in ("threads", "processes") and find_spec("distributed") is None:
        raise ExecutorError(f"executor {name} needs Dask: pip install 'skate-sim[dask]'")
    return name


def _crew(executor: Executor | str | None, workers: int | None) -> Crew:
    if executor is None or executor == "threads":
        return Crew(_threads(workers), shares_memory=True)
    if isinstance(executor, Executor):
        opened = _Opened(executor, lambda: workers or _size_of(executor), lambda wait: None)
        return Crew(lambda: opened, shares_memory=isinstance(executor, ThreadPoolExecutor), renewable=False)
    if not isinstance(executor, str):
        raise ExecutorError(f"found {executor!r}; an executor is a name or a concurrent.futures.Executor")
    check_executor(executor)
    if executor == "processes":
        return Crew(lambda: _processes(workers or default_threads()), shares_memory=False)
    if executor == "dask":
        return Crew(lambda: _local_cluster(workers or default_threads()), shares_memory=False)
    return Crew(lambda: _joined_cluster(executor), shares_memory=False)


def _threads(workers: int | None) -> Callable[[], _Opened]:
    count = workers or default_threads()

    def make() -> _Opened:
        pool = ThreadPoolExecutor(count, thread_name_prefix="skate-sim")
        return _Opened(pool, lambda: count, lambda wait: pool.shutdown(wait=wait, cancel_futures=True))

    return make


def _processes(count: int) -> _Opened:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A fork of a process with threads may hang.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_begin_worker)

    def close(wait: bool) -> None:
        workers = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=wait, cancel_futures=True)
        if not wait:  # a worker in an endless game would keep this process from ending
            for worker in workers:
                worker.kill()

    return _Opened(pool, lambda: count, close)


def _begin_worker() -> None:
    """Prepare a worker process: it takes no notice of Ctrl-C, and ends with the process that it works for."""
    import multiprocessing

    ignore_interrupts()
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent:
            parent.join()
            os._exit(1)  # nobody waits for what it does, and nobody else would end it

    threading.Thread(target=watch, daemon=True).start()


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to workers too, to the process that they work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


#: The same for a worker of Dask, as text that it runs when it starts.
_PRELOAD = "import skate_sim.executors\nskate_sim.executors.ignore_interrupts()\n"


def _local_cluster(count: int) -> _Opened:
    dask: Any = importlib.import_module("distributed")
    # Without a port the scheduler takes the usual one for its pages, and complains where another cluster has it.
    pages = {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}
    cluster = dask.LocalCluster(n_workers=count, threads_per_worker=1, preload=[_PRELOAD], **pages)
    client = dask.Client(cluster)

    def close(wait: bool) -> None:
        client.close(timeout=5)
        cluster.close(timeout=10)

    return _Opened(client.get_executor(pure=False), lambda: count, close)


def _joined_cluster(address: str) -> _Opened:
    dask: Any = importlib.import_module("distributed")
    try:
        client = dask.Client(address, timeout=CLUSTER_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
    except TimeoutError:
        client.close()
        raise ExecutorError(f"the Dask cluster at {address} has no workers") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a lost cluster is told by our own message
    executor = client.get_executor(pure=False)
    return _Opened(executor, lambda: _size_of(executor), lambda wait: client.close())


def _size_of(executor: Executor) -> int:
    """Chunks that an executor plays at once, as far as it says so."""
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        return sum(client.nthreads().values())
    size = getattr(executor, "_max_workers", None)
    return size if isinstance(size, int) else default_threads()
