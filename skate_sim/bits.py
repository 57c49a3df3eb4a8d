"""What the kernel does with bits and vectors and numba has no name for: a machine instruction or two each."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from skate_sim.jit import INTERPRETED

#: Numbers that one vector instruction takes at once, 32 bits each.
LANES = 8

#: Bits of a number from 0 to 127.
SEVEN = 7

if INTERPRETED:

    def lowest_bit(word: Any) -> Any:
        """Number of the lowest set bit of a word that has one."""
        word = int(word)
        return np.uint64((word & -word).bit_length() - 1)

    def members(low: Any, high: Any, numbers: Any) -> Any:
        """Which of eight 7-bit numbers, the lowest bits of a word first, are in a set of two words: a bit each."""
        both, packed = int(low) | int(high) << 64, int(numbers)
        return np.uint64(sum((both >> (packed >> SEVEN * i & 127) & 1) << i for i in range(LANES)))

    def _lanes(record: Any, field: str) -> Any:
        """The eight numbers of a record that begin with a field; they may go on in the fields behind it."""
        address = record.__array_interface__["data"][0] + record.dtype.fields[field][1]
        return np.ctypeslib.as_array((ctypes.c_int32 * LANES).from_address(address))

    def lanes_clearer(field: str) -> Any:
        """A function that sets a record's eight 32-bit numbers from a field on to zero."""

        def clear(record: Any) -> None:
            _lanes(record, field)[:] = 0

        return clear

    def lanes_adder(field: str, other_field: str) -> Any:
        """A function that adds eight 32-bit numbers of another record to those of a record."""

        def add(record: Any, other: Any) -> None:
            _lanes(record, field)[:] += _lanes(other, other_field)

        return add

    def lanes_above(field: str, limit: int) -> Any:
        """A function that tells which of a record's eight 32-bit numbers exceed a limit, a bit each."""

        def above(record: Any) -> int:
            return sum(1 << lane for lane, number in enumerate(_lanes(record, field)) if number > limit)

        return above

else:

    @intrinsic
    def lowest_bit(typing_context, word):  # type: ignore[no-untyped-def]
        """Number (uint64) of the lowest set bit of a word (uint64) that has one."""
        signature = types.uint64(types.uint64)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return signature, generate

    @intrinsic
    def members(typing_context, low, high, numbers):  # type: ignore[no-untyped-def]
        """Which of eight 7-bit numbers, the lowest bits of a word first, are in a set of two words: a bit each."""
        signature = types.uint64(types.uint64, types.uint64, types.uint64)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            kind = ir.VectorType(ir.IntType(64), LANES)
            first, second, packed = (_in_each_lane(builder, value, kind) for value in args)
            number = builder.lshr(packed, ir.Constant(kind, [SEVEN * lane for lane in range(LANES)]))
            in_second = builder.icmp_unsigned("!=", builder.and_(number, _each(kind, 64)), _each(kind, 0))
            half = builder.select(in_second, second, first)
            found = builder.lshr(half, builder.and_(number, _each(kind, 63)))
            is_in = builder.icmp_unsigned("!=", builder.and_(found, _each(kind, 1)), _each(kind, 0))
            return builder.zext(builder.bitcast(is_in, ir.IntType(LANES)), ir.IntType(64))

        return signature, generate

    def _each(kind: Any, value: int) -> Any:
        """The same number in each lane."""
        return ir.Constant(kind, [value] * kind.count)

    def _in_each_lane(builder: Any, value: Any, kind: Any) -> Any:
        """A word in each lane of a vector."""
        nothing, first = ir.Constant(kind, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(nothing, value, first)
        return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(first.type, kind.count), None))

    _VECTOR = ir.VectorType(ir.IntType(32), LANES)
    #: Records are aligned to their widest number, not to a vector.
    _ALIGNED = 4

    def _lane_address(builder: Any, kind: Any, record: Any, field: str) -> Any:
        """Address of a record's eight 32-bit numbers that begin with a field; they may go on in those behind it."""
        start = builder.bitcast(record, ir.IntType(8).as_pointer())
        place = builder.gep(start, [ir.Constant(ir.IntType(64), kind.offset(field))])
        return builder.bitcast(place, _VECTOR.as_pointer())

    def lanes_clearer(field: str) -> Any:
        """A function that sets a record's eight 32-bit numbers from a field on to zero."""

        @intrinsic
        def clear(typing_context, record):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
                place = _lane_address(builder, record, args[0], field)
                builder.store(ir.Constant(_VECTOR, None), place, align=_ALIGNED)
                return context.get_dummy_value()

            return types.void(record), generate

        return clear

    def lanes_adder(field: str, other_field: str) -> Any:
        """A function that adds eight 32-bit numbers of another record to those of a record."""

        @intrinsic
        def add(typing_context, record, other):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
                place = _lane_address(builder, record, args[0], field)
                more = builder.load(_lane_address(builder, other, args[1], other_field), align=_ALIGNED)
                builder.store(builder.add(builder.load(place, align=_ALIGNED), more), place, align=_ALIGNED)
                return context.get_dummy_value()

            return types.void(record, other), generate

        return add

    def lanes_above(field: str, limit: int) -> Any:
        """A function that tells which of a record's eight 32-bit numbers exceed a limit, a bit each."""

        @intrinsic
        def above(typing_context, record):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
                numbers = builder.load(_lane_address(builder, record, args[0], field), align=_ALIGNED)
                exceeds = builder.icmp_signed(">", numbers, ir.Constant(_VECTOR, [limit] * LANES))
                return builder.zext(builder.bitcast(exceeds, ir.IntType(LANES)), ir.IntType(64))

            return types.int64(record), generate

        return above
