"""How the kernel calls a bot: through the address of compiled code with one fixed form.

A hook takes the records of the game's view, then memory, parameters and luck, each by address, and returns a
64-bit whole number. The kernel is compiled once for all bots; adding a bot compiles that bot alone.

Under ``NUMBA_DISABLE_JIT=1`` an address is the number of a Python function in a list.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import errors
from numba.core.datamodel.models import NestedArrayModel, RecordModel
from numba.core.imputils import lower_setattr_generic
from numba.extending import intrinsic, register_model

from skate_sim.games import choices_text
from skate_sim.jit import INTERPRETED

#: What a hook returns when the bot's code raised an exception.
CRASHED = -(1 << 62)
#: What a hook returns to leave a question to the game's default, as if the bot had no hook for it.
NO_HOOK = -(1 << 61)

_interpreted: list[Callable[..., int]] = [lambda *_: NO_HOOK]


def register_interpreted(function: Callable[..., int]) -> int:
    """Address of a Python function, for the interpreted mode."""
    _interpreted.append(function)
    return len(_interpreted) - 1


if INTERPRETED:

    def call_hook(address: int, records: tuple[Any, ...]) -> int:
        """Call a hook by its address."""
        return _interpreted[address](*records)

else:

    @intrinsic
    def call_hook(typing_context, address, records):  # type: ignore[no-untyped-def]
        """Call a hook by its address with a tuple of records."""
        signature = types.int64(types.int64, records)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            byte_pointer = ir.IntType(8).as_pointer()
            count = len(signature.args[1])
            form = ir.FunctionType(ir.IntType(64), [byte_pointer] * count)
            function = builder.inttoptr(args[0], form.as_pointer())
            values = [builder.bitcast(builder.extract_value(args[1], i), byte_pointer) for i in range(count)]
            return builder.call(function, values)

        return signature, generate


def as_answer(answer: Any) -> int:
    """A bot's answer as the kernel takes it: a whole number, or True and False as 1 and 0."""
    if not isinstance(answer, bool | int | np.bool_ | np.integer):
        raise TypeError(f"a decision answers with a whole number, found {answer!r}")
    return int(answer)


def argument_names(function: FunctionType) -> tuple[str, ...]:
    """Names of what a function wants to be given."""
    return function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]


def plain_answer(function: FunctionType, arguments: tuple[Any, ...]) -> int:
    """What a bot's function answers to its arguments, all of them in order; what it raises comes through."""
    return as_answer(function(**dict(zip(argument_names(function), arguments, strict=True))))


if INTERPRETED:

    def answer_of(function: FunctionType, arguments: tuple[Any, ...]) -> int:
        """What a bot's function answers to its arguments, all of them in order; CRASHED if it raises."""
        try:
            return plain_answer(function, arguments)
        except Exception:
            return CRASHED

else:

    @intrinsic
    def answer_of(typing_context, function, arguments):  # type: ignore[no-untyped-def]
        """What a bot's function answers to its arguments, all of them in order; CRASHED if it raises.

        Like try and except around the call, which take longer to compile than a small bot does.
        """
        names = argument_names(function.dispatcher.py_func)
        inner = function.get_call_type(typing_context, (), dict(zip(names, arguments, strict=True)))
        answer = inner.return_type
        if isinstance(answer, types.NoneType | types.Optional):
            raise errors.NumbaTypeError("a decision answers with a whole number; one of its paths returns nothing")
        if not isinstance(answer, types.Integer | types.Boolean | types.BooleanLiteral):
            raise errors.NumbaTypeError(f"a decision answers with a whole number, found {answer}")

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            compiled = function.dispatcher.get_compile_result(inner)
            context.add_linking_libs([compiled.library])
            callee = context.declare_function(builder.module, compiled.fndesc)
            given = [
                context.cast(builder, builder.extract_value(args[1], i), kind, wanted)
                for i, (kind, wanted) in enumerate(zip(signature.args[1], inner.args, strict=True))
            ]
            status, result = context.call_conv.call_function(builder, callee, answer, inner.args, given)
            number = context.cast(builder, result, answer, types.int64)
            return builder.select(status.is_ok, number, ir.Constant(number.type, CRASHED))

        return types.int64(function, arguments), generate


class ReadOnlyRecord(types.Record):
    """A record that compiled code may read but not change: what a bot sees."""

    def __init__(self, record: types.Record) -> None:
        # The title tells its fields from those of the writable record, which numba would else take for the same.
        fields: Any = [
            (
                name,
                {"type": read_only(f.type), "offset": f.offset, "alignment": f.alignment, "title": f"read-only {name}"},
            )
            for name, f in record.fields.items()
        ]
        super().__init__(fields, record.size, record.aligned)
        self.name = f"ReadOnly{self.name}"

    def typeof(self, key: str) -> Any:
        """Type of a field.

        Raises
        ------
        NumbaTypeError
            There is no such field.
        """
        if key not in self.fields:
            raise errors.NumbaTypeError(f"nothing called {key!r} here; {choices_text(key, self.fields)}")
        return super().typeof(key)


class ReadOnlyArray(types.NestedArray):
    """An array inside a read-only record."""

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        super().__init__(dtype, shape)
        self.mutable = False
        self.name = f"ReadOnly{self.name}"


register_model(ReadOnlyRecord)(RecordModel)
register_model(ReadOnlyArray)(NestedArrayModel)


@lower_setattr_generic(ReadOnlyRecord)
def _refuse_write(context, builder, signature, args, name):  # type: ignore[no-untyped-def]
    raise errors.NumbaTypeError(f"a bot may not change what it sees ({name})")


def read_only(kind: Any) -> Any:
    """The same numba type, with no way to write to it."""
    if isinstance(kind, types.Record):
        return ReadOnlyRecord(kind)
    if isinstance(kind, types.NestedArray):
        return ReadOnlyArray(read_only(kind.dtype), kind.shape)
    return kind
