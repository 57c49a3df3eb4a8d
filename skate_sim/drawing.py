"""A figure as data: what is drawn, and how; so that it can be kept with results and drawn again without the games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawing:
    """A figure that is made by calling it.

    Attributes
    ----------
    kind : str
        Name of the function of :mod:`skate_sim.answer_figures` that draws it.
    title : str
        What it is of, in a few words.
    table : DataFrame
        What is drawn.
    words : mapping
        The function's other arguments: texts, numbers, and lists of these.
    footer : str
        A line under it: games, and how sure.
    """

    kind: str
    title: str
    table: pd.DataFrame
    words: Mapping[str, Any] = field(default_factory=dict)
    footer: str = ""

    def __call__(self) -> Figure:
        """Draw it."""
        from skate_sim.answer_figures import drawn

        return drawn(self)

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        columns = {str(name): [_plain(value) for value in self.table[name]] for name in self.table}
        words = {key: _plain(value) for key, value in self.words.items()}
        return {"kind": self.kind, "title": self.title, "footer": self.footer, "words": words, "table": columns}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Drawing:
        """The same from what :meth:`as_dict` made."""
        columns = {name: [_number(value) for value in values] for name, values in stored["table"].items()}
        words = {key: _number(value) for key, value in stored["words"].items()}
        return cls(stored["kind"], stored["title"], pd.DataFrame(columns), words, stored["footer"])


def _plain(value: Any) -> Any:
    """A value as JSON has it; numbers that JSON has not, as ``{"number": "inf"}``."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item"):
        value = value.item()
    return {"number": repr(value)} if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: Any) -> Any:
    if isinstance(value, list):
        return [_number(one) for one in value]
    return float(value["number"]) if isinstance(value, dict) else value
