"""Two transcripts of the same game: where they first differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

Lines = Sequence[Mapping[str, Any]]


def first_difference(reference: Lines, kernel: Lines, before: int = 8, after: int = 2) -> str | None:
    """Describe the first line that differs, with the lines before it and a few after it; None if all agree."""
    for i, (ours, theirs) in enumerate(zip_longest(reference, kernel)):
        if ours != theirs:
            context = [f"  both      {i - n}: {reference[i - n]}" for n in range(min(before, i), 0, -1)]
            sides = [("reference", reference), ("kernel   ", kernel)]
            found = [f"> {name} {i + n}: {line}" for name, side in sides for n, line in enumerate(side[i : i + after])]
            return "\n".join([f"line {i} differs{_fields(ours, theirs)}", *context, *found])
    return None


def _fields(ours: Mapping[str, Any] | None, theirs: Mapping[str, Any] | None) -> str:
    """Name the fields in which two lines differ."""
    if ours is None or theirs is None:
        return ": the kernel tells more" if ours is None else ": the kernel tells less"
    names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    return f" in {', '.join(names)}"
