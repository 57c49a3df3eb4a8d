"""Processes that do a part of a command's work while the command does another; it must be able to do without them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any


def start_aside(module: str, *arguments: str, errors: IO[bytes] | None = None) -> subprocess.Popen[bytes] | None:
    """Start a module of this package as a process that reads what it is sent; None where that is not possible.

    It has a session of its own, so that Ctrl-C is the command's alone, which ends it with :func:`end_aside`.

    Parameters
    ----------
    errors : file, optional
        Where its error output goes; nowhere by default.
    """
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    with suppress(OSError):
        return subprocess.Popen(
            # -P: what lies in the user's folder is not for it to import
            [sys.executable, "-P", "-m", module, *arguments],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if errors is None else errors,
            **apart,
        )
    return None


def end_aside(process: subprocess.Popen[bytes]) -> None:
    """End such a process, and those that it started, unless it came to its end by itself and well."""
    if process.poll() != 0:
        with suppress(OSError):  # there is none left
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
    if process.stdin:
        with suppress(OSError):  # what was not sent yet cannot be any more
            process.stdin.close()
    process.wait()
