"""A folder that takes the place of another in one step, and what processes left next to it that were killed meanwhile.

What lies there for a moment is named after its process, ``.NAME.HOST-PROCESS-RANDOM.new`` and ``.old``. So the next one
can tell what belongs to nobody any more from what another process, here or on another machine, is still writing.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

_NEW, _OLD = ".new", ".old"


def next_to(target: Path) -> Path:
    """Where a folder is written that is to take the place of another."""
    return target.with_name(f".{target.name}.{_host()}-{os.getpid()}-{secrets.token_hex(4)}{_NEW}")


def swap(new: Path, target: Path) -> None:
    """Put a folder into the place of another, or leave that one where it is."""
    if not target.exists():
        new.rename(target)
        return
    old = new.with_suffix(_OLD)
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def mend(target: Path) -> None:
    """Finish what a killed process left half done: nothing that is whole is lost, and nothing is left next to it.

    Only what processes of this machine left that are no more; nothing where the system does not tell (Windows).
    """
    if os.name != "posix" or not target.parent.is_dir():
        return
    left = re.compile(rf"\.{re.escape(target.name)}\.{_host()}-(\d+)-[0-9a-f]{{8}}(?:{_NEW}|{_OLD})")
    for path in sorted(target.parent.iterdir()):
        named = left.fullmatch(path.name)
        if named and path.is_dir() and not _is_alive(int(named[1])):
            _mend_one(path, target)


def _mend_one(path: Path, target: Path) -> None:
    """Put a folder where it belongs, or remove it."""
    new, old = path.with_suffix(_NEW), path.with_suffix(_OLD)
    if old.is_dir() and not target.exists():  # killed between the two renames: the new one was whole by then
        with suppress(OSError):
            (new if new.is_dir() else old).rename(target)
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)
    if not old.is_dir():
        shutil.rmtree(new, ignore_errors=True)


def _host() -> str:
    """The name of the machine as a part of a file's name."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
