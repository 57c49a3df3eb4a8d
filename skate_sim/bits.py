"""What the kernel does with bits and numba has no name for: one machine instruction each."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from skate_sim.jit import INTERPRETED

if INTERPRETED:

    def lowest_bit(word: Any) -> Any:
        """Number of the lowest set bit of a word that has one."""
        word = int(word)
        return np.uint64((word & -word).bit_length() - 1)

else:

    @intrinsic
    def lowest_bit(typing_context, word):  # type: ignore[no-untyped-def]
        """Number (uint64) of the lowest set bit of a word (uint64) that has one."""
        signature = types.uint64(types.uint64)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return signature, generate
