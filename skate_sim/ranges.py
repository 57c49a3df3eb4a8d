"""Values of a number, as an experiment file lists them: one by one, or as a range such as ``0.1..0.6 step 0.1``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

#: More values than these are taken for a mistake.
MOST_VALUES = 1000

_NUMBER = r"([-+]?(?:\d+(?:\.\d+)?|\.\d+))"
_RANGE = re.compile(rf"{_NUMBER}\s*\.\.\s*{_NUMBER}(?:\s+step\s+{_NUMBER})?")


def values_of(given: Any) -> list[Any]:
    """The values that a list, a range or a single value stands for.

    Parameters
    ----------
    given : list or value
        Text such as ``3..7`` or ``0.1..0.6 step 0.1`` is a range, both ends included; without a step it goes by ones,
        or by ones in the last decimal place that either end is written with. It may also be an item of a list.

    Raises
    ------
    ValueError
        An empty list, a list or mapping inside, a value that comes twice, or a range that is none.
    """
    if isinstance(given, list) and not given:
        raise ValueError("found an empty list; list one value at least")
    values: list[Any] = []
    for item in given if isinstance(given, list) else [given]:
        if isinstance(item, list | dict) or item is None:
            raise ValueError(f"found {item!r}; values are numbers, words, true or false, or a range as 3..7")
        values += _range(item) if isinstance(item, str) and ".." in item else [item]
    for number, value in enumerate(values):
        if any(type(value) is type(other) and value == other for other in values[:number]):
            raise ValueError(f"found {value!r} twice; each value is listed once")
    return values


def _range(text: str) -> list[int] | list[float]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"found {text!r}; a range is written 3..7, or 0.1..0.6 step 0.1")
    start, end = Decimal(match[1]), Decimal(match[2])
    places = max(0, *(-int(number.as_tuple().exponent) for number in (start, end)))
    step = Decimal(match[3]) if match[3] else Decimal(1).scaleb(-places)
    if step <= 0 or end < start:
        raise ValueError(f"found {text!r}; a range goes upwards, with a step above 0")
    count = int((end - start) / step) + 1
    if count > MOST_VALUES:
        raise ValueError(f"found {text!r}, which has {count:,} values; at most {MOST_VALUES:,}")
    values = [start + step * number for number in range(count)]
    if all(number == number.to_integral_value() for number in (start, step)):
        return [int(value) for value in values]
    return [float(value) for value in values]


def value_text(value: Any) -> str:
    """A value as a name shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def listed(words: Iterable[str]) -> str:
    """``a, b and c``."""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
