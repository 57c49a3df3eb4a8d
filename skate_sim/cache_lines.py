"""Records that begin where a line of the processor's cache begins.

A number, or a vector of numbers, that lies across two lines costs several times as much: what was just stored there
cannot be read again before both lines have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

#: Bytes of a line of the cache.
LINE = 64


def record_of_lines(fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """A record type of whole lines, in which records of whole lines begin with a line.

    Parameters
    ----------
    fields : sequence of (name, type) or (name, type, shape)
        As for ``numpy.dtype``.
    """
    offsets, end = [], 0
    kinds = [np.dtype(field[1]) for field in fields]
    whole = [np.dtype((kind, field[2])) if len(field) > 2 else kind for kind, field in zip(kinds, fields, strict=True)]
    for kind, one in zip(kinds, whole, strict=True):
        unit = LINE if kind.names and kind.itemsize % LINE == 0 else kind.alignment
        offsets.append(_rounded(end, unit))
        end = offsets[-1] + one.itemsize
    layout: Any = {
        "names": [field[0] for field in fields],
        "formats": whole,
        "offsets": offsets,
        "itemsize": _rounded(end, LINE),
    }
    dtype: np.dtype = np.dtype(layout, align=True)
    return dtype


def zero_record(dtype: np.dtype) -> np.ndarray:
    """An array of one record of zeros that begins with a line."""
    room = np.zeros(dtype.itemsize + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + dtype.itemsize].view(dtype)


def _rounded(size: int, unit: int) -> int:
    """The least multiple of a unit that is not smaller than a size."""
    return -(-size // unit) * unit
