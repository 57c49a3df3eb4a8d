"""The one decorator for compiled code, with the reason for every flag.

Numba's own on-disk cache watches only the file that holds a function: after an edit in another file it would
serve stale machine code. Here the cache folder is keyed by a digest of all source that compiled code is made of,
and of the flags that change it, so that an edit to any of it starts with an empty cache.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core import sigutils
from numba.core.caching import FunctionCache
from numba.core.ccallback import CFunc
from numba.core.runtime.nrt import rtsys

log = logging.getLogger("skate_sim")

config: Any = numba_config
_njit: Any = numba.njit

#: True when numba runs everything as plain Python (``NUMBA_DISABLE_JIT=1``), as the coverage run does.
INTERPRETED: bool = bool(config.DISABLE_JIT)

#: Environment switches of numba that change machine code but not numba's own cache key.
_CODE_FLAGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_FASTMATH", "NUMBA_LOOP_VECTORIZE")

_UNUSED_CACHE_DAYS = 30

_FLAGS: dict[str, Any] = {
    "nogil": True,  # chunks of games run on threads
    "error_model": "numpy",  # no hidden branch (and no exception) for a division by zero
}

#: For functions that only compiled code calls: no wrapper for Python is made, which halves the time to compile.
_ONLY_CALLED: dict[str, Any] = {"no_cpython_wrapper": not INTERPRETED, "no_cfunc_wrapper": not INTERPRETED}


def compiled_sources() -> list[Path]:
    """Files whose functions or constants may end up in machine code: the games, and the engine below them."""
    root = Path(__file__).parent
    names = ("bits", "bot_code", "cache_lines", "contrasts", "jit", "pointers", "rng", "tallies")
    engine = [root / f"{name}.py" for name in names]
    return engine + sorted(p for p in (root / "games").rglob("*") if p.suffix in {".py", ".yaml"})


@cache
def source_digest() -> str:
    """Hex digest of all source that compiled code can depend on, and of the flags that change compiled code."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in compiled_sources():
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    for flag in _CODE_FLAGS:
        digest.update(f"{flag}={os.environ.get(flag, '')}".encode())
    digest.update(f"numba {numba.__version__} numpy {np.__version__}".encode())
    return digest.hexdigest()[:20]


@cache
def cache_folder() -> Path:
    """Folder for compiled code of exactly this source; made on first use.

    ``NUMBA_CACHE_DIR`` names the base folder when set, else ``XDG_CACHE_HOME`` or ``~/.cache``.
    """
    user = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    base = Path(user).expanduser() / "skate-sim"
    folder = base / source_digest()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _remove_unused(base, keep=folder)
        usable = os.access(folder, os.R_OK | os.X_OK) and (os.access(folder, os.W_OK) or any(folder.rglob("*.nbi")))
    except OSError:
        usable = False
    if not usable:
        log.warning("%s cannot be written: all is compiled anew. NUMBA_CACHE_DIR may name another folder", base)
        temporary = tempfile.mkdtemp(prefix="skate-sim-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)
    with suppress(OSError):
        os.utime(folder)
    return folder


def is_warm() -> bool:
    """Whether compiled code of this source is already on disk (if not, a first run compiles)."""
    return INTERPRETED or any(cache_folder().rglob("*.nbi"))


def _remove_unused(base: Path, keep: Path) -> None:
    """Delete caches of other versions of the source that nobody used for a month."""
    oldest = time.time() - _UNUSED_CACHE_DAYS * 86400
    for folder in base.iterdir():
        with suppress(OSError):
            if folder != keep and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of machine code, which is read without registering everything that numba can compile.

    That takes a fifth of a second, and only compiling needs it: numba does it again before it compiles anything.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Machine code from disk; None when there is none."""
        rtsys.initialize(target_context)  # what machine code calls to allocate
        with self._guard_against_spurious_io_errors():
            try:
                return self._load_overload(sig, target_context)
            except OSError:
                raise
            except Exception:  # whatever is wrong with a file that was damaged, or cut short by a full disk
                self._cache_file.flush()  # forget what is kept of this function: it is compiled anew
        return None


@contextmanager
def _own_cache_folder() -> Any:
    """Point numba's cache at our folder while a function is declared; other users keep theirs."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        config.CACHE_DIR = before


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function that compiled code calls; it is cached with its callers."""
    return _njit(**_ONLY_CALLED, **_FLAGS)(function)


def shared(function: Callable[..., Any]) -> Any:
    """Compile a function that bots call; its machine code is kept on disk, so that the next bot need not make it."""
    if INTERPRETED:
        return _njit(**_FLAGS)(function)
    return _kept(_njit(forceinline=False, **_ONLY_CALLED, **_FLAGS)(function))


def merged(function: Callable[..., Any]) -> Any:
    """Compile a function into the machine code of each of its callers.

    For what is small or called once for every card: numba's calling convention (a status, and a result by
    reference) costs more than such a function does. Each use adds to the time to compile.
    """
    return _njit(forceinline=True, **_ONLY_CALLED, **_FLAGS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Write a function out in each of its callers before types are known; only so can records be returned."""
    return _njit(inline="always", **_FLAGS)(function)


def entry_point(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls; its machine code is kept on disk."""
    if INTERPRETED:
        return _without_overflow_warnings(function)
    return _kept(_njit(**_FLAGS)(function))


def make_ready(function: Any, *arguments: Any) -> None:
    """Compile a function that Python calls for arguments like these, or load it.

    A first call does the same, after it looked through all installed packages for some that extend numba.
    """
    compile_for = getattr(function, "compile", None)
    if compile_for is None:  # interpreted
        function(*arguments)
    else:
        compile_for(tuple(numba.typeof(argument) for argument in arguments))


def _kept(function: Any) -> Any:
    """Keep the machine code of a function that numba compiles on disk."""
    with _own_cache_folder():
        function._cache = _Cache(function.__wrapped__)
    return function


def _without_overflow_warnings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Integers wrap around silently in compiled code; numpy warns about it when interpreted."""

    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


def bot_function(function: Callable[..., Any], *, whole: bool) -> Any:
    """Compile a function of a bot; ``whole`` if it is the answer itself, which becomes one with the call.

    A division by zero is an error that its author wants to hear of; a read beyond the end of an array would see
    what the bot may not know.
    """
    return _njit(boundscheck=True, forceinline=whole, **_ONLY_CALLED, **{**_FLAGS, "error_model": "python"})(function)


def c_callback(signature: Any, *, cached: bool) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with a fixed C signature, so that its address can be called from the kernel."""

    def declare(function: Callable[..., Any]) -> Any:
        options = {"nopython": True, "forceinline": True}
        callback: Any = CFunc(function, sigutils.normalize_signature(signature), locals={}, options=options)
        if cached:
            _kept(callback)
        callback.compile()
        return callback

    return declare
