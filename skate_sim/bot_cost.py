"""What a decision of a bot costs: its compiled code, called over and over in positions of real games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from skate_sim.jit import INTERPRETED, entry_point

#: Seconds that a measurement takes, and in how many parts; the fastest part counts.
SECONDS, PARTS = 0.05, 5


@intrinsic
def _call_at(typing_context, address, columns, row):  # type: ignore[no-untyped-def]
    """Call a hook with the addresses in a row of several columns."""
    signature = types.int64(types.int64, columns, types.int64)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        byte_pointer = ir.IntType(8).as_pointer()
        array_type, count = columns.dtype, columns.count
        form = ir.FunctionType(ir.IntType(64), [byte_pointer] * count)
        places = []
        for i in range(count):
            array = context.make_array(array_type)(context, builder, builder.extract_value(args[1], i))
            item = cgutils.get_item_pointer(context, builder, array_type, array, [args[2]])  # type: ignore[no-untyped-call]
            places.append(builder.inttoptr(builder.load(item), byte_pointer))
        return builder.call(builder.inttoptr(args[0], form.as_pointer()), places)

    return signature, generate


@entry_point
def _call_often(address: int, columns: Any, changing: Any, kept: Any, rounds: int) -> int:
    """Call a hook in every position, ``rounds`` times; what it changes is put back before each call."""
    total = 0
    for _ in range(rounds):
        for row in range(len(kept)):
            for i in range(kept.shape[1]):
                changing[row, i] = kept[row, i]
            total += _call_at(address, columns, row)  # type: ignore[call-arg]
    return total


def nanoseconds(address: int, positions: Sequence[Sequence[bytes]]) -> float | None:
    """Mean time of a call of a hook, in ns; None when there is nothing to measure.

    Parameters
    ----------
    address : int
        Of the hook.
    positions : list of list of bytes
        The records of each call, in the order of the call: those of the view, then memory, parameters and luck.
    """
    if INTERPRETED or not positions:
        return None
    memory, luck = len(positions[0]) - 3, len(positions[0]) - 1
    columns, arrays = [], []
    for number, records in enumerate(zip(*positions, strict=True)):
        if number not in (memory, luck):
            arrays.append(_rows(records))
            columns.append(_addresses(arrays[-1]))
    kept = np.array([np.frombuffer(p[memory] + p[luck], np.int64) for p in positions])
    changing = kept.copy()
    columns.insert(memory, _addresses(changing))
    columns.insert(luck, columns[memory] + len(positions[0][memory]))
    return _fastest(address, tuple(columns), changing, kept)


def _rows(records: Sequence[bytes]) -> np.ndarray:
    """Records of one kind as the rows of an array, each aligned."""
    size = len(records[0])
    rows = np.zeros((len(records), -(-size // 16) * 16), np.uint8)
    for row, record in zip(rows, records, strict=True):
        row[:size] = np.frombuffer(record, np.uint8)
    return rows


def _addresses(rows: np.ndarray) -> np.ndarray:
    """Address of each row of an array."""
    return rows.ctypes.data + np.arange(len(rows), dtype=np.int64) * rows.strides[0]


def _fastest(address: int, columns: Any, changing: np.ndarray, kept: np.ndarray) -> float:
    rounds, seconds = 1, 0.0
    _call_often(address, columns, changing, kept, 1)
    while seconds < SECONDS / PARTS:  # find how many rounds a part takes
        rounds *= 2
        seconds = _time(address, columns, changing, kept, rounds)
    fastest = min(_time(address, columns, changing, kept, rounds) for _ in range(PARTS))
    return fastest * 1e9 / (rounds * len(kept))


def _time(*arguments: Any) -> float:
    start = time.perf_counter()
    _call_often(*arguments)
    return time.perf_counter() - start
