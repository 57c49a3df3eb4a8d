"""A stored result that a run would replace by a smaller one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from skate_sim.checkpoint import TALLIES, CheckpointError, differences
from skate_sim.comparison import Comparison
from skate_sim.saving import FolderError, manifest_of
from skate_sim.work import Work

#: Most differences that are told.
_MOST = 3


class Stored(NamedTuple):
    """A stored result with more games than a run.

    Attributes
    ----------
    games : int
    differences : list of str
        How its games differ from those of the run, in words; none: the run would play some of them again.
    """

    games: int
    differences: list[str]


def larger_result(folder: Path, work: Work, games: int) -> Stored | None:
    """The result in a folder, if it has more than so many games; None also where nothing can be read."""
    try:
        manifest = manifest_of(folder)
        stored = int(manifest["games"])
    except (FolderError, KeyError, TypeError, ValueError):
        return None
    if stored <= games:
        return None
    compares = manifest.get("kind") == "comparison"
    if compares != isinstance(work, Comparison):
        return Stored(stored, ["it compares variants" if compares else "it compares no variants"])
    try:
        return Stored(stored, differences(folder / TALLIES, work))
    except CheckpointError:
        return Stored(stored, ["its games were not kept"])


def paired_replaced(folder: Path, games: int) -> str:
    """What to say of a larger comparison that variants played each by itself will replace."""
    try:
        manifest = manifest_of(folder)
        stored = int(manifest["games"])
    except (FolderError, KeyError, TypeError, ValueError):
        return ""
    if stored <= games or not manifest.get("comparable"):
        return ""
    return (
        f"{folder} has {stored:,} games of each variant of another run (its variants play the same games), which this "
        f"one of {games:,} replaces."
    )


def check_replaced(folder: Path, work: Work, games: int) -> str:
    """What to say of a larger result that will be replaced, one of other games; nothing when there is none.

    Raises
    ------
    FolderError
        It has these very games, and more.
    """
    stored = larger_result(folder, work, games)
    if stored is None:
        return ""
    if not stored.differences:
        raise FolderError(
            f"{folder} has {stored.games:,} games of this experiment, and this run {games:,} of the same ones; "
            "--out names another folder, --no-files writes none, and --overwrite replaces them"
        )
    text = "; ".join(stored.differences[:_MOST])
    return f"{folder} has {stored.games:,} games of another run ({text}), which this one of {games:,} replaces."
