"""``expect:`` lines of an experiment: where numbers should be. Their form, and what they may name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skate_sim.yaml_source import shown

#: Ends a sentence.
DESCRIPTION = "a list of lines such as {outcome: win_share, bot: name, above: 24, below: 26}"
_KEYS = ("outcome", "bot", "versus", "variant", "seat", "difference", "above", "below", "between")


class ExpectationError(ValueError):
    """An expectation that cannot be meant."""


@dataclass(frozen=True)
class Expectation:
    """Where a number should be.

    Attributes
    ----------
    outcome : str
        Of seats (then with a bot or a seat) or of the game, without axis.
    bot : str
        Name as in the tables; empty: any bot.
    versus : str
        Another bot of the section ``pairs``: the number is what the first one's share is above the fair one.
    variant : str
        Of an experiment with variants.
    seat : int or None
        From 1; only games in which the bot sits there.
    difference : bool
        Of the variant to its baseline, instead of the variant's own number.
    low, high : float or None
        Ends of where it should be; of shares in percent.
    """

    outcome: str
    bot: str = ""
    variant: str = ""
    seat: int | None = None
    difference: bool = False
    low: float | None = None
    high: float | None = None
    versus: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As an experiment file has it."""
        words: dict[str, Any] = {"bot": self.bot, "versus": self.versus, "variant": self.variant}
        words |= {"seat": self.seat, "difference": self.difference}
        ends = {"above": self.low, "below": self.high}
        given = {key: value for key, value in words.items() if value} | {k: v for k, v in ends.items() if v is not None}
        return {"outcome": self.outcome, **given}

    @property
    def place(self) -> str:
        """Where the number should be, in words."""
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        return f"above {self.low:g}" if self.low is not None else f"below {self.high:g}"


def as_expectation(value: Any) -> Expectation:
    """An expectation as an experiment file has it.

    Raises
    ------
    ExpectationError
        It has not the form.
    """
    if isinstance(value, Expectation):
        return value
    if not isinstance(value, Mapping):
        raise ExpectationError(f"found {shown(value)}; expect is {DESCRIPTION}")
    for key in value:
        if key not in _KEYS:
            raise ExpectationError(f"found the key {key!r}; an expectation has {', '.join(_KEYS)}")
    words = {key: value.get(key, "") for key in ("outcome", "bot", "versus", "variant")}
    for key, word in words.items():
        if not isinstance(word, str) or (key == "outcome" and not word):
            raise ExpectationError(f"found {shown(value.get(key))} for {key}; it is a name")
    seat, difference = value.get("seat"), value.get("difference", False)
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int) or seat < 1):
        raise ExpectationError(f"found {shown(seat)} for seat; seats count from 1")
    if not isinstance(difference, bool):
        raise ExpectationError(f"found {shown(difference)} for difference; it is true or false")
    low, high = _ends(value)
    return Expectation(**words, seat=seat, difference=difference, low=low, high=high)


def _ends(value: Mapping[str, Any]) -> tuple[float | None, float | None]:
    if "between" in value:
        ends = value["between"]
        if not isinstance(ends, list | tuple) or len(ends) != 2 or "above" in value or "below" in value:
            raise ExpectationError(f"found {shown(ends)} for between; it is [low, high], without above and below")
        low, high = ends
    else:
        low, high = value.get("above"), value.get("below")
        if low is None and high is None:
            raise ExpectationError("found neither above, below nor between; one says where the number should be")
    for end in (low, high):
        is_number = isinstance(end, int | float) and not isinstance(end, bool) and math.isfinite(end)
        if end is not None and not is_number:
            raise ExpectationError(f"found {shown(end)}; above, below and between are numbers, of shares in percent")
    if low is not None and high is not None and low > high:
        raise ExpectationError(f"found {low:g} to {high:g}; the low end comes first")
    return low, high
