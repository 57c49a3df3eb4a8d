"""Finished games kept in a file, so that a run that was stopped goes on where it was.

The file is a NumPy archive with the sums over finished games, which games these are, the digest of each part of them,
and everything that decides the games. It is written to a temporary file first: there is always a whole one.
"""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from skate_sim.played import Played, arrays_of
from skate_sim.work import Work

#: Of a run in a result's folder: while it lasts, and next to its tables.
CHECKPOINT = "checkpoint.npz"
TALLIES = "tallies.npz"
#: Seconds between two savings.
EVERY = 5.0
#: 2: the sums hold how sequences ended, too.
FORMAT = 2
_COMPRESSION = 2


class CheckpointError(RuntimeError):
    """Finished games that cannot be kept, or that belong to another run."""


class Saver:
    """Keeps the finished games of a run in a file; to be called with all of them whenever there are more."""

    def __init__(self, path: Path, work: Work) -> None:
        self.path, self.work = path, work
        self.last, self.kept = time.monotonic(), 0

    def __call__(self, played: Played) -> None:
        """Write the file if the last time is long enough ago."""
        if time.monotonic() - self.last >= EVERY:
            self.write(played)

    def write(self, played: Played) -> None:
        """Write the file.

        Raises
        ------
        CheckpointError
            It cannot be written, as on a full disk; the older one stays.
        """
        try:
            write(self.path, self.work, played)
        except OSError as error:
            kept = f"{self.kept:,} games are kept there" if self.kept else "nothing is kept of this run"
            if self.path.is_file() and not self.kept:
                kept = "the file that was there before is kept"
            advice = "; once it can, --resume goes on from them" if self.path.is_file() else ""
            raise CheckpointError(f"{self.path} cannot be written: {reason(error)}; {kept}{advice}") from error
        self.last, self.kept = time.monotonic(), played.games


def reason(error: OSError) -> str:
    """What went wrong with a file, in the system's words."""
    return error.strerror or str(error)


def write(path: Path, work: Work, played: Played) -> None:
    """Write finished games to a file, whole or not at all."""
    _write(path, packed(work, played))


def packed(work: Work, played: Played) -> bytes:
    """Finished games as the content of a file."""
    file = io.BytesIO()
    _write_arrays(file, _arrays(work, played))
    return file.getvalue()


def writer(work: Work, played: Played) -> Callable[[Path], None]:
    """Begins to pack finished games, which goes on while tables are made; what is returned writes the file."""
    aside = ThreadPoolExecutor(1, thread_name_prefix="skate-sim")
    content = aside.submit(packed, work, played)
    aside.shutdown(wait=False)
    return lambda path: _write(path, content.result())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _write_arrays(file: IO[bytes], arrays: Mapping[str, Any]) -> None:
    """What ``numpy.savez_compressed`` writes, in a quarter of the time for a file a fifth larger."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


def _arrays(work: Work, played: Played) -> dict[str, Any]:
    meta = {
        "format": FORMAT,
        "identity": work.identity,
        "ranges": played.ranges,
        "digests": {str(n): played.digests[n] for n in sorted(played.digests)},
    }
    text = json.dumps(meta, ensure_ascii=False, default=str).encode()
    arrays: dict[str, Any] = {"meta": np.frombuffer(text, np.uint8)}
    sums = {"settled": played.settled} if played.settled is not None else {}
    sums |= {str(number): played.unsettled[number] for number in sorted(played.unsettled)}
    for where, part in sums.items():
        arrays |= {f"{where}/{name}": array for name, array in arrays_of(part).items()}
    return arrays


def read(path: Path, work: Work, *, any_source: bool = False) -> Played:
    """Finished games from a file.

    Parameters
    ----------
    any_source : bool
        Take games of another version of the source, too, to compare with.

    Raises
    ------
    CheckpointError
        It is of a run of other games (the message says what differs), or cannot be read.
    """
    meta, groups = _contents(path)
    found = _differing(meta, work)
    if any_source:
        found = [text for text in found if not is_source(text)]
    if found:
        shown = "; ".join(found[:3]) + (f"; and {len(found) - 3} more" if len(found) > 3 else "")
        raise CheckpointError(f"{path} is of a run of other games, and is left as it is: {shown}")
    settled = groups.pop("settled", None)
    return Played(
        tuple((first, stop) for first, stop in meta["ranges"]),
        work.from_arrays(settled) if settled else None,
        {int(number): digest for number, digest in meta["digests"].items()},
        {int(number): work.from_arrays(arrays) for number, arrays in sorted(groups.items(), key=lambda g: int(g[0]))},
    )


def differences(path: Path, work: Work) -> list[str]:
    """How what decides a file's games differs from the work, in words.

    Raises
    ------
    CheckpointError
        The file cannot be read.
    """
    return _differing(_contents(path)[0], work)


def is_source(difference: str) -> bool:
    """Whether a difference is that of the source, which is meant to change no game within a behaviour version."""
    return difference.startswith("source is ") or ".source is " in difference


def _differing(meta: Mapping[str, Any], work: Work) -> list[str]:
    there, here = meta["identity"], json.loads(json.dumps(work.identity, default=str))
    return list(_differences(there, here, "")) if _deciding(there) != _deciding(here) else []


def _deciding(identity: Mapping[str, Any]) -> dict[str, Any]:
    """An identity without the bots' names, which are there for messages."""
    if "variants" in identity:
        return {**identity, "variants": {name: _deciding(its) for name, its in identity["variants"].items()}}
    bots = [{key: value for key, value in bot.items() if key != "bot"} for bot in identity.get("bots", ())]
    return {**identity, "bots": bots}


def _contents(path: Path) -> tuple[dict[str, Any], dict[str, dict[str, np.ndarray]]]:
    """What a file says of itself, and its arrays by the group that they belong to."""
    try:
        with np.load(io.BytesIO(path.read_bytes())) as archive:
            meta = json.loads(archive["meta"].tobytes())
            groups: dict[str, dict[str, np.ndarray]] = {}
            for name in archive.files:
                group, slash, array = name.partition("/")
                if slash:
                    groups.setdefault(group, {})[array] = archive[name]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise CheckpointError(f"{path} cannot be read; without it, the run starts from its first game") from error
    if meta["format"] > FORMAT:
        raise CheckpointError(f"{path} has format {meta['format']}; this version reads up to {FORMAT}")
    if meta["format"] < FORMAT:
        raise CheckpointError(
            f"{path} has format {meta['format']}, with fewer counts than format {FORMAT} of this version; run the "
            "experiment again"
        )
    return meta, groups


def _differences(there: Any, here: Any, where: str) -> Iterator[str]:
    """What differs, as sentences for people."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for key in dict.fromkeys([*there, *here]):
            if there.get(key) != here.get(key):
                yield from _differences(there.get(key), here.get(key), f"{where}.{key}" if where else key)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for number, (old, new) in enumerate(zip(there, here, strict=True), 1):
            if old != new:
                yield from _differences(old, new, f"{where} {number}")
    else:
        place = where if where.startswith("variants.") else where.replace("_", " ")
        yield f"{place} is {_shown(there)} there and {_shown(here)} here"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(v.get("bot", v)) if isinstance(v, Mapping) else str(v) for v in value)
    return "missing" if value is None else "there" if isinstance(value, Mapping) else str(value)


def kept_in(folder: Path) -> Path | None:
    """The file of finished games in a result's folder: of a run that was stopped, else of the result; None if none."""
    return next((folder / name for name in (CHECKPOINT, TALLIES) if (folder / name).is_file()), None)


def resumed(folder: Path, work: Work) -> Played:
    """Finished games of a run, from its folder; none when nothing was kept there.

    Raises
    ------
    CheckpointError
        They are of other games, or more than the run has; see :func:`read`.
    """
    path = kept_in(folder)
    if path is None:
        return Played()
    played = read(path, work)
    if any(stop > work.games for _, stop in played.ranges):
        raise CheckpointError(f"{path} has {played.games:,} games, more than the {work.games:,} of this run")
    if path.name == CHECKPOINT and (folder / TALLIES).is_file():  # of a result that has more, perhaps
        with suppress(CheckpointError):  # or of other games
            stored = read(folder / TALLIES, work)
            if stored.games > played.games and all(stop <= work.games for _, stop in stored.ranges):
                return stored
    return played
