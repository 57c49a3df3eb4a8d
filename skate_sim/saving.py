"""A result as a folder of files, written whole or not at all.

``manifest.json`` says what the run was and lists every file with its SHA-256; ``tables/`` has each table as CSV for
people and spreadsheets and as Parquet for programs; ``figures/`` has each figure as PNG and SVG; ``report.html``
tells it all to people (see :mod:`skate_sim.report`); ``tallies.npz`` has the sums that the tables are made of (see
:mod:`skate_sim.checkpoint`). Equal tallies give equal bytes, the manifest's ``time`` and paths aside.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim.checkpoint import CHECKPOINT, reason
from skate_sim.manifest import FORMAT, MADE_BY, as_json
from skate_sim.painter import Painter
from skate_sim.swap import mend, next_to, swap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANIFEST = "manifest.json"
REPORT = "report.html"
FIGURES = "figures"
#: Of a folder's name; the one next to it, while it is written, has a longer one.
MOST_BYTES = 200
#: Results in a folder that are named in a message.
_MOST_NAMED = 8


class FolderError(ValueError):
    """A folder that a result must not be written to, or that does not hold one."""


@dataclass(frozen=True)
class Content:
    """What a result's folder has in it.

    Attributes
    ----------
    manifest : mapping
        All of it but the list of files.
    tables : callable
        Gives tables by name; called when figures are being drawn already.
    figures : iterable
        Names of figures, with functions that draw them; gone through once.
    others : mapping
        Files by name, each with the function that writes it; they may need the figures.
    """

    manifest: Mapping[str, Any]
    tables: Callable[[], Mapping[str, pd.DataFrame]]
    figures: Iterable[tuple[str, Callable[[], Figure]]]
    others: Mapping[str, Callable[[Path], None]]


def check_folder(folder: str | Path, inside: Iterable[str] = ()) -> Path:
    """The folder, if a result can be written there: not there yet, empty, or holding an older result.

    ``inside`` are names of results in the folder, which may be there already. Call it before a long run, so that the
    run does not end in this error.

    Raises
    ------
    FolderError
        It is something else, which is not to be overwritten, or files cannot be written to it.
    """
    path = Path(folder).expanduser().resolve()
    try:
        if len(str(path.name).encode()) > MOST_BYTES:
            raise FolderError(
                f"{folder} cannot be written: the folder's name has more than {MOST_BYTES} bytes; name another"
            )
    except UnicodeEncodeError as error:
        raise FolderError(f"{str(folder)!r} is not written in letters that this terminal and UTF-8 know") from error
    try:
        if path.exists() and not path.is_dir():
            raise FolderError(f"{folder} is a file; a result is written to a folder")
        names = set(inside)
        if path.is_dir() and not _manifest_in(path) and not all(_is_ours(p, names) for p in path.iterdir()):
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


def _is_ours(path: Path, inside: Container[str]) -> bool:
    """Whether what is in a folder is of a run that was stopped, or the result of a variant."""
    if path.name in inside and path.is_dir():
        return _manifest_in(path) is not None or all(_is_unfinished(p) for p in path.iterdir())
    return _is_unfinished(path)


def _is_unfinished(path: Path) -> bool:
    """Whether a file belongs to a run that was stopped."""
    return path.name == CHECKPOINT or (path.name.startswith(f".{CHECKPOINT}.") and path.suffix == ".tmp")


def save(folder: str | Path, content: Content, painter: Painter, inside: Mapping[str, Content] | None = None) -> Path:
    """Write a result to a folder; what was there before stays as it was when anything fails.

    Everything is written to a folder next to it, which then takes its place. Files in an older result's folder
    that the result did not write itself, such as notes, are kept. ``inside`` are results in folders of their own
    within it.

    Raises
    ------
    FolderError
        See :func:`check_folder`.
    """
    inside = inside or {}
    target = check_folder(folder, inside)
    target.parent.mkdir(parents=True, exist_ok=True)
    mend(target)
    new = next_to(target)
    new.mkdir()
    try:
        contents = {new / name: its for name, its in inside.items()} | {new: content}
        for path, its in contents.items():
            path.mkdir(exist_ok=True)
            _ask_for_figures(path / FIGURES, its.figures, painter)
        for path, its in contents.items():
            write_tables(path / "tables", its.tables())
            for name, write in its.others.items():
                write(path / name)
        painter.finish()
        for path, its in contents.items():
            _write_manifest(path, its, inside if path == new else ())
        _keep_others(target, new, inside)
        swap(new, target)
    except BaseException:
        painter.close()
        shutil.rmtree(new, ignore_errors=True)
        raise
    return target


def _ask_for_figures(folder: Path, figures: Iterable[tuple[str, Callable[[], Figure]]], painter: Painter) -> None:
    for name, make in figures:
        folder.mkdir(exist_ok=True)
        painter.paint(folder / name, make)


def _write_manifest(folder: Path, content: Content, inside: Container[str]) -> None:
    """Write a result's manifest, which lists its files; those inside have their own."""
    paths = {p.relative_to(folder): p for p in sorted(folder.rglob("*")) if p.is_file()}
    # Manifests inside are left out: they tell the time.
    listed = {name: p for name, p in paths.items() if p.name != MANIFEST or str(name.parent) not in inside}
    files = {name.as_posix(): digest_of_file(p) for name, p in listed.items()}
    text = as_json({**content.manifest, "files": files})
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")


def is_result(folder: Path) -> bool:
    """Whether a folder holds a result."""
    return _manifest_in(folder.expanduser()) is not None


def manifest_of(folder: str | Path) -> dict[str, Any]:
    """Manifest of a saved result.

    Raises
    ------
    FolderError
        The folder holds none, or one that was written by a later version.
    """
    path = Path(folder).expanduser()
    manifest = _manifest_in(path)
    if manifest is None and (path / MANIFEST).is_file():
        raise FolderError(
            f"{folder} holds no whole result of {MADE_BY}: its {MANIFEST} is damaged or of another program"
        )
    if manifest is None:
        raise FolderError(
            f"{folder} holds no result of {MADE_BY}: there is no {MANIFEST} of its own in it{_inside(folder)}"
        )
    if manifest["format"] > FORMAT:
        raise FolderError(f"{folder} has format {manifest['format']}; this version reads up to {FORMAT}")
    return manifest


def _inside(folder: str | Path) -> str:
    """End of a message: what else is in a folder without a result, finished games or folders of results."""
    path = Path(folder).expanduser()
    if (path / CHECKPOINT).is_file():
        return "; it has the finished games of a run that was stopped, and --resume goes on from them"
    names = sorted(p.parent.name for p in path.glob(f"*/{MANIFEST}") if _manifest_in(p.parent)) if path.is_dir() else []
    if not names:
        return ""
    listed = ", ".join(str(Path(folder) / name) for name in names[:_MOST_NAMED])
    return f"; in it there are {listed}" + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")


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
        if file.suffix == ".parquet" and name.startswith("tables/"):
            if not file.is_file() or digest_of_file(file) != digest:
                raise FolderError(f"{file} is not as it was saved; run the experiment again")
            tables[file.stem] = pd.read_parquet(file)
    return manifest, tables


def places(folder: Path) -> list[Path]:
    """The folder, or those in it; in place of variants that were played one after the other, each of these."""
    if (folder / MANIFEST).is_file():
        return apart_in(folder) or [folder]
    inner = [path.parent for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    return [place for one in inner for place in apart_in(one) or [one]] or [folder]


def apart_in(folder: Path) -> list[Path]:
    """Folders of the variants of a comparison that were played one after the other; none of any other result."""
    manifest = _manifest_in(folder) or {}
    if manifest.get("kind") != "comparison" or manifest["comparable"]:
        return []
    return [folder / its["folder"] for its in manifest["variants"].values()]


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame]) -> None:
    """Write tables to a new folder, each as CSV and Parquet."""
    folder.mkdir()
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n", encoding="utf-8")
        table.to_parquet(folder / f"{name}.parquet", index=False)


def _keep_others(old: Path, new: Path, inside: Iterable[str]) -> None:
    """Copy what somebody else put into an older result's folder."""
    manifest = _manifest_in(old) or {}
    own = _own_files(old)
    for name in {*inside, *(its["folder"] for its in manifest.get("variants", {}).values())}:
        own |= {f"{name}/{file}" for file in _own_files(old / name)}
    for path in sorted(old.rglob("*")) if old.is_dir() else ():
        name = path.relative_to(old)
        if path.is_file() and not _is_unfinished(name) and name.as_posix() not in own and not (new / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, new / name)


def _own_files(folder: Path) -> set[str]:
    """Files that a result in a folder wrote itself; none when there is no result."""
    manifest = _manifest_in(folder)
    return {MANIFEST, *manifest["files"]} if manifest else set()


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
