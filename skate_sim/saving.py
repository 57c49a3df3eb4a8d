"""A result as a folder of files, written whole or not at all.

``manifest.json`` says what the run was and lists every file with its SHA-256; ``tables/`` has each table as CSV for
people and spreadsheets and as Parquet for programs; ``figures/`` has each figure as PNG and SVG; ``tallies.npz`` has
the sums that the tables are made of (see :mod:`skate_sim.checkpoint`). Equal tallies give equal bytes, the entry
``time`` of the manifest aside.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim.checkpoint import CHECKPOINT, reason
from skate_sim.manifest import FORMAT, MADE_BY, as_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANIFEST = "manifest.json"


class FolderError(ValueError):
    """A folder that a result must not be written to, or that does not hold one."""


def check_folder(folder: str | Path) -> Path:
    """The folder, if a result can be written there: not there yet, empty, or holding an older result.

    Call it before a long run, so that the run does not end in this error.

    Raises
    ------
    FolderError
        It is something else, which is not to be overwritten, or files cannot be written to it.
    """
    path = Path(folder).expanduser().resolve()
    try:
        if path.exists() and not path.is_dir():
            raise FolderError(f"{folder} is a file; a result is written to a folder")
        if path.is_dir() and not all(_is_unfinished(p) for p in path.iterdir()) and _manifest_in(path) is None:
            raise FolderError(
                f"{folder} is not empty and holds no result of {MADE_BY}; it is left as it is, name another"
            )
        for place in {_nearest(path), _nearest(path.parent)}:
            with tempfile.TemporaryFile(dir=place):
                pass
    except OSError as error:
        raise FolderError(f"{folder} cannot be written: {reason(error)}; name another") from error
    return path


def _nearest(path: Path) -> Path:
    """The path, or the folder above it that is there already."""
    return next(place for place in (path, *path.parents) if place.exists())


def _is_unfinished(path: Path) -> bool:
    """Whether a file belongs to a run that was stopped."""
    return path.name == CHECKPOINT or (path.name.startswith(f".{CHECKPOINT}.") and path.suffix == ".tmp")


def save(
    folder: str | Path,
    manifest: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, Callable[[], Figure]],
    others: Mapping[str, Callable[[Path], None]] | None = None,
) -> Path:
    """Write a result to a folder; what was there before stays as it was when anything fails.

    Everything is written to a folder next to it, which then takes its place. Files in an older result's folder
    that the result did not write itself, such as notes, are kept. ``others`` are files by name, each with the function
    that writes it.

    Raises
    ------
    FolderError
        See :func:`check_folder`.
    """
    target = check_folder(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    new.mkdir()
    try:
        write_tables(new / "tables", tables)
        _write_figures(new / "figures", figures)
        for name, write in (others or {}).items():
            write(new / name)
        files = {str(p.relative_to(new).as_posix()): digest_of_file(p) for p in sorted(new.rglob("*")) if p.is_file()}
        text = as_json({**manifest, "files": files})
        (new / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")
        _keep_others(target, new)
        _swap(new, target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return target


def manifest_of(folder: str | Path) -> dict[str, Any]:
    """Manifest of a saved result.

    Raises
    ------
    FolderError
        The folder holds none, or one that was written by a later version.
    """
    manifest = _manifest_in(Path(folder).expanduser())
    if manifest is None:
        raise FolderError(f"{folder} holds no result of {MADE_BY}: there is no {MANIFEST} of its own in it")
    if manifest["format"] > FORMAT:
        raise FolderError(f"{folder} has format {manifest['format']}; this version reads up to {FORMAT}")
    return manifest


def changed_files(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Files of a result that are gone or not as they were saved."""
    return [
        name
        for name, digest in manifest["files"].items()
        if not (folder / name).is_file() or digest_of_file(folder / name) != digest
    ]


def load(folder: str | Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """Manifest and tables of a saved result.

    Raises
    ------
    FolderError
        It holds none, was written by a later version, or a table was changed since.
    """
    path = Path(folder).expanduser()
    manifest = manifest_of(path)
    tables = {}
    for name, digest in manifest["files"].items():
        file = path / name
        if file.suffix == ".parquet":
            if not file.is_file() or digest_of_file(file) != digest:
                raise FolderError(f"{file} is not as it was saved; run the experiment again")
            tables[file.stem] = pd.read_parquet(file)
    return manifest, tables


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame]) -> None:
    """Write tables to a new folder, each as CSV and Parquet."""
    folder.mkdir()
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n", encoding="utf-8")
        table.to_parquet(folder / f"{name}.parquet", index=False)


def _write_figures(folder: Path, figures: Mapping[str, Callable[[], Figure]]) -> None:
    if figures:
        from skate_sim.plots import write

        folder.mkdir()
        for name, make in figures.items():
            write(make, folder / name)


def _keep_others(old: Path, new: Path) -> None:
    """Copy what somebody else put into an older result's folder."""
    manifest = _manifest_in(old)
    own = {MANIFEST, *manifest["files"]} if manifest else set()
    for path in sorted(old.rglob("*")) if old.is_dir() else ():
        name = path.relative_to(old)
        if path.is_file() and not _is_unfinished(name) and name.as_posix() not in own and not (new / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, new / name)


def _swap(new: Path, target: Path) -> None:
    """Put a folder into the place of another, or leave that one where it is."""
    if not target.exists():
        new.rename(target)
        return
    old = new.with_suffix(".old")
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _manifest_in(folder: Path) -> dict[str, Any] | None:
    """The manifest of a result in a folder; None when there is none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_ours = isinstance(manifest, dict) and manifest.get("made_by") == MADE_BY and "files" in manifest
    return manifest if is_ours else None


def digest_of_file(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
