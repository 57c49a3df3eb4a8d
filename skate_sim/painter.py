"""Figures drawn to files: by a process of its own, if one was started in time, while this one does all else.

That process imports what drawing needs while games are played, and on Linux then splits itself, a part a processor.
Where there is none, or it fails, figures are drawn here: they are the same.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, TYPE_CHECKING

from skate_sim.aside import end_aside, start_aside
from skate_sim.executors import default_threads

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from matplotlib.figure import Figure

#: More processes than these have no more than a figure or two to draw each.
_MOST_PROCESSES = 4
#: ``PR_SET_PDEATHSIG`` of Linux: the signal that a process gets when its parent ends.
_END_WITH_PARENT = 1


class Painter:
    """Draws figures to files; they are there after :meth:`finish`.

    Parameters
    ----------
    process : Popen, optional
        What :func:`draw_what_comes` runs in; without it, figures are drawn in this process.
    errors : file, optional
        What that process has to say.

    Attributes
    ----------
    wanted : dict
        Functions that each draw a figure, by path without ending.
    """

    def __init__(self, process: subprocess.Popen[bytes] | None = None, errors: IO[bytes] | None = None) -> None:
        self._process, self._errors = process, errors
        self._open: dict[Path, Callable[[], Figure]] = {}
        self.wanted: dict[Path, Callable[[], Figure]] = {}

    def paint(self, path: Path, make: Callable[[], Figure]) -> None:
        """Ask for a figure as PNG and SVG; ``path`` has no ending, or is that of an SVG file alone."""
        self.wanted[path] = self._open[path] = make
        if self._process and self._process.stdin:
            with suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
                self._process.stdin.write(pickle.dumps((path, make)))
                self._process.stdin.flush()
                return
            self.close()

    def finish(self) -> None:
        """Wait until all figures are there that were asked for; draw here what another process did not."""
        if self._open and not self._drawn_aside():
            from skate_sim import plots

            for path, make in self._open.items():
                plots.write(make, path)
        self._open = {}

    def _drawn_aside(self) -> bool:
        """Wait for the other process, and say what it had to say; whether it drew all figures."""
        if self._process is None or self._process.stdin is None:
            return False
        with suppress(OSError):
            self._process.stdin.close()  # there are no more
        drawn = self._process.wait() == 0
        if drawn and self._errors:
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace")
            if said and sys.stderr:
                with suppress(OSError, ValueError):  # nobody hears it: no reason to lose a result
                    sys.stderr.write(said)
        self.close()
        return drawn

    def close(self) -> None:
        """End the other process at once; what it has not drawn is drawn here."""
        if self._process:
            end_aside(self._process)
        self._process = None


@contextmanager
def painter_aside(wanted: bool) -> Iterator[Painter]:
    """A painter with a process of its own, if that is wanted and there is a processor for it."""
    with ExitStack() as stack:
        process, errors = None, None
        if wanted and default_threads() > 1:
            with suppress(OSError):  # no room for a temporary file
                errors = stack.enter_context(TemporaryFile())
                process = start_aside(__name__, errors=errors)
        painter = Painter(process, errors)
        stack.callback(painter.close)
        yield painter


def draw_what_comes(source: IO[bytes]) -> None:
    """Draw figures as they come, each a pickled path and function, until there are no more.

    Raises
    ------
    Exception
        That of the first figure that could not be drawn.
    """
    from skate_sim import answer_figures, plots

    assert answer_figures.KINDS  # imported here and now, for all processes
    with TemporaryDirectory() as folder:  # the first figure loads fonts and more
        plots.write(lambda: plots.figure(lambda ax: ax, height=1.0), Path(folder) / "first")
    gc.freeze()  # garbage is looked for in what comes only
    gc.enable()
    asked = []
    with _pool() as pool, suppress(EOFError):
        while True:
            path, make = pickle.load(source)
            asked.append(pool.submit(plots.write, make, path))
    for drawn in asked:
        drawn.result()


def _pool() -> Executor:
    """Processes with all that was imported here. Only Linux splits a process that has threads without danger."""
    if sys.platform == "linux":
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        count = min(_MOST_PROCESSES, default_threads())
        return ProcessPoolExecutor(count, get_context("fork"), initializer=_end_with, initargs=(os.getpid(),))
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1)


def _end_with(parent: int) -> None:
    """Let Linux end this process as soon as its parent is no more, however that ended."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


if __name__ == "__main__":
    gc.disable()  # what is imported is none
    draw_what_comes(sys.stdin.buffer)
    atexit._run_exitfuncs()  # matplotlib's, which removes a folder that it made
    sys.stderr.flush()
    os._exit(0)  # at once: to take apart all that was imported takes as long as to draw a figure
