"""Sections of an experiment file: which keys each has, and what they may hold.

The descriptions finish the sentence "found x; it is ..." and make the table in ``docs/experiments.md``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from skate_sim.ranges import values_of


class Form(BaseModel):
    """Keys of a mapping; none but these."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _word(value: Any) -> Any:
    """``180`` is a name, too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _names(value: Any) -> Any:
    """A single name is a list of one."""
    return [_word(v) for v in value] if isinstance(value, list) else [_word(value)]


def _whole_numbers(value: Any) -> Any:
    return None if value is None else values_of(value)


def _flat(value: Any) -> Any:
    """Places by their whole path, whether they are written in one piece or nested."""
    if not isinstance(value, dict):
        return value
    flat: dict[str, Any] = {}
    for key, inner in value.items():
        nested = _flat(inner) if isinstance(inner, dict) and inner else {}
        pairs = {f"{key}.{k}": v for k, v in nested.items()} if nested else {key: inner}
        for path, values in pairs.items():
            if path in flat:
                raise ValueError(f"found {path} twice")
            flat[path] = values
    return flat


Names = Annotated[list[str], BeforeValidator(_names), Field(min_length=1)]
Name = Annotated[str, BeforeValidator(_word)]
Places = Annotated[list[Annotated[int, Field(ge=1)]] | None, BeforeValidator(_whole_numbers)]
Grid = Annotated[dict[str, Any], BeforeValidator(_flat), Field(min_length=1)]


class Holding(Form):
    """What it is worth to hold a card: the same games with each card given to one seat, at the start of a round."""

    cards: Names | None = Field(None, description="a list of rows that can be given; all of them when left out")
    against: Name = Field(
        "average", description="average (of the cards listed), none (nothing is given), or the name of a row"
    )
    rounds: Places = Field(None, description="rounds in which it is given, as 1, [1, 2] or 2..4; all when left out")
    seat: int = Field(1, ge=1, description="the seat that holds it, a whole number from 1")


class KnockOut(Form):
    """What each card does to the game: the same games without it, or with a blank in its place."""

    rows: Names = Field(["all"], description="all, or a list of rows")
    how: Literal["removed", "blank"] = Field("removed", description="removed or blank")
    table: Name | None = Field(None, description="the name of the table; needed only where a game has several")


class BreakEven(Form):
    """At which value of a number a difference is zero, with an interval."""

    number: str = Field(description="the number to vary, as a sweep names it: table.row.column, players.0.parameter")
    between: Annotated[list[float | int], Field(min_length=2, max_length=2)] | None = Field(
        None, description="the lowest and the highest value, as [0, 10]"
    )
    values: Any = Field(None, description="the values to play, as [0, 2, 4] or 0..1 step 0.1; chosen when left out")
    equal: dict[str, Any] = Field(
        description="what is to be equal: {holding: [row, row], round: 2}, {bots: [bot, bot]}, {variants: [name, name]}"
    )
    outcome: str | None = Field(None, description="the name of a seat's outcome; the one that ranks when left out")
    bot: str | None = Field(None, description="the name of the bot to look at; all together when left out")


class Pairs(Form):
    """Which bot beats which: every pair of the pool alone at a table, or among the others."""

    size: int | None = Field(None, ge=2, description="seats at the table; as many as the experiment's when left out")
    against: Literal["each other", "field"] = Field(
        "each other", description="each other (the two fill the table) or field (both sit at the pool's tables)"
    )


#: Sections with keys of their own.
FORMS: dict[str, type[Form]] = {
    "holding": Holding,
    "knock_out": KnockOut,
    "break_even": BreakEven,
    "pairs": Pairs,
}
