"""What options of the command line take: whole numbers as people write them, and names that Tab completes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

#: Set by the shell that asks what Tab completes.
COMPLETE = "_SKATE_SIM_COMPLETE"


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number as people write it: 1000000, 1_000_000, 1,000,000 or 1e6."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that is meant."""
        text = str(value).replace(",", "").replace("_", "")
        try:
            whole = text.lstrip("-").isdigit()
            number = int(text) if whole else int(float(text))
            if not whole and number != float(text):
                raise ValueError
        except (ValueError, OverflowError):
            self.fail(f"found {value!r}; it is {self._range()}", param, ctx)
        if not self.low <= number <= self.high:
            self.fail(f"found {value}; it is {self._range()}", param, ctx)
        return number

    def _range(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


def completing(kind: str) -> Callable[..., list[Any]]:
    """Completes what is typed; see :mod:`skate_sim.completions`."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from skate_sim import completions

        found: list[Any] = getattr(completions, f"complete_{kind}")(ctx, param, incomplete)
        return found

    return complete
