"""The form of an experiment file: which keys there are, and what each may hold.

Only the form is checked here; whether the game knows the switches, cards and bots is for
:mod:`skate_sim.experiment`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from skate_sim import games as games_
from skate_sim.expectations import DESCRIPTION as EXPECTED
from skate_sim.expectations import Expectation, ExpectationError, as_expectation
from skate_sim.games.tables import REMOVE
from skate_sim.precision import DESCRIPTION, Precision, as_precision
from skate_sim.section_forms import FORMS, BreakEven, Grid, Holding, KnockOut, Pairs
from skate_sim.yaml_source import KeyPath, shown

DEFAULT_GAMES = 1_000_000
MAX_GAMES = 10**12
MAX_SEED = 2**64 - 1

#: How an entry of ``seats`` or ``pool`` is written, for messages.
BOT_FORMS = "a bot is a name, a path ending in .py, or {name: {parameter: number}}"

_VARIANT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]*")


def _whole(value: Any) -> Any:
    """``1e6`` is a whole number, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class BotEntry(_Frozen):
    """A bot as an experiment names it."""

    bot: str
    label: str = ""
    parameters: dict[str, Any] = {}


def _bot_entry(value: Any) -> Any:
    """A bot from any of the forms in which it may be written."""
    if isinstance(value, BotEntry):
        return value
    if isinstance(value, str) and value.strip():
        return BotEntry(bot=value.strip())
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"found {shown(value)}; {BOT_FORMS}")
    if "bot" in value:
        rest = {k: v for k, v in value.items() if k not in ("bot", "label")}
        return BotEntry(bot=_text(value, "bot"), label=_text(value, "label"), parameters=rest)
    if len(value) > 1:
        names = ", ".join(value)
        raise ValueError(f"found the keys {names}; {BOT_FORMS}, or {{bot: name, label: text, parameter: number}}")
    [(name, parameters)] = value.items()
    if parameters is not None and not isinstance(parameters, Mapping):
        raise ValueError(f"found {shown(parameters)} for {name}; its parameters are written {{parameter: number}}")
    return BotEntry(bot=name, parameters=dict(parameters or {}))


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str) or (key in entry and not value.strip()):
        raise ValueError(f"found {shown(value)}; {key} is a text")
    return value.strip()


def _given(value: Any) -> Any:
    """Refuse a key with nothing behind it; a key that is left out has its default."""
    if value is None:
        raise PydanticCustomError("nothing", "found nothing")
    return value


Given = BeforeValidator(_given)
Word = Annotated[str | None, Given]
Entries = Annotated[list[Annotated[BotEntry, BeforeValidator(_bot_entry)]], Field(min_length=1)]
Whole = Annotated[int, BeforeValidator(_whole)]


class Settings(_Frozen):
    """What a variant of an experiment may change; the descriptions finish the sentence "found x; it is ..."."""

    preset: Word = Field(None, description="the name of a preset")
    rules: dict[str, Any] = Field({}, description="a mapping of rule switches, as {switch: value}")
    edits: dict[str, Any] = Field({}, description="a mapping of edits, as {table.row.column: value}")
    seats: Annotated[Entries | None, Given] = Field(None, description="a list of bots, one a seat")
    pool: Annotated[Entries | None, Given] = Field(None, description="a list of bots, rotated through the seats")
    players: Annotated[Whole | None, Given] = Field(
        None,
        description="a whole number of seats; left out, as many as bots, of a pool at most the game's usual number",
    )

    @field_validator("edits")
    @classmethod
    def _nest(cls, edits: dict[str, Any]) -> dict[str, Any]:
        return nested_edits(edits)


def _named(variants: Any) -> Any:
    """Refuse names of variants that cannot be folders."""
    for name in variants if isinstance(variants, Mapping) else ():
        if not _VARIANT_NAME.fullmatch(name):
            raise ValueError(f"found the name {name!r}; a variant's name has letters, digits, '_', '-', '.' only")
    return variants if variants != {} else _given(None)


Variant = Annotated[Settings, BeforeValidator(lambda value: {} if value is None else value)]


def _expectations(value: Any) -> tuple[Expectation, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"found {shown(value)}; expect is {EXPECTED}")
    made: list[Expectation] = []
    for line in value:
        try:
            made.append(as_expectation(line))
        except ExpectationError as error:
            raise PydanticCustomError("expectation", "{text}", {"text": str(error), "place": (len(made),)}) from error
    return tuple(made)


class ExperimentFile(Settings):
    """A whole file."""

    question: Word = Field(None, description="a line of text")
    game: str = Field(games_.DEFAULT_GAME, description="the name of a game")
    games: Whole = Field(DEFAULT_GAMES, ge=1, le=MAX_GAMES, description=f"a whole number from 1 to {MAX_GAMES:,}")
    seed: Whole = Field(1, ge=0, le=MAX_SEED, description=f"a whole number from 0 to {MAX_SEED}")
    variants: Annotated[dict[str, Variant] | None, BeforeValidator(_named), Given] = Field(
        None, description="a mapping of names, each with what it changes, as {name: {preset: ...}}"
    )
    baseline: Word = Field(None, description="the name of the variant that the others are compared with")
    sweep: Annotated[Grid | None, Given] = Field(
        None, description="a mapping of places to values, as {table.row.column: 3..7, rules.switch: [a, b]}"
    )
    holding: Annotated[Holding | None, Given] = Field(None, description="a mapping, as {cards: [row, row], rounds: 1}")
    knock_out: Annotated[KnockOut | None, Given] = Field(None, description="a mapping, as {rows: all, how: blank}")
    break_even: Annotated[BreakEven | None, Given] = Field(
        None, description="a mapping, as {number: table.row.column, between: [0, 10], equal: {holding: [row, row]}}"
    )
    pairs: Annotated[Pairs | None, Given] = Field(None, description="a mapping, as {size: 2}")
    by_seat: Annotated[bool, Given] = Field(False, description="true or false")
    luck: Annotated[bool, Given] = Field(False, description="true or false")
    precision: Annotated[InstanceOf[Precision] | None, BeforeValidator(as_precision), Given] = Field(
        None, description=DESCRIPTION
    )
    expect: Annotated[tuple[InstanceOf[Expectation], ...], BeforeValidator(_expectations)] = Field(
        (), description=EXPECTED
    )


def nested_edits(edits: Mapping[str, Any]) -> dict[str, Any]:
    """Edits as ``{table: {row: {column: value} or "remove"}}``, however they are written.

    What has none of the written forms is left as it is, for the game to refuse.

    Raises
    ------
    PydanticCustomError
        A cell is set twice, or a row is both removed and edited.
    """
    result: dict[str, Any] = {}
    for place, value in _leaves(edits, ()):
        inner = result
        for key in place[:-1]:
            inner = inner.setdefault(key, {}) if isinstance(inner, dict) else inner
        if not isinstance(inner, dict) or place[-1] in inner:
            raise PydanticCustomError("edited_twice", "found a second edit of the same row or cell", {"place": place})
        inner[place[-1]] = value
    return result


def _leaves(edits: Mapping[str, Any], above: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for key, value in edits.items():
        place = (*above, *key.split(".", 2 - len(above))) if len(above) < 2 else (*above, key)
        if isinstance(value, Mapping) and value and len(place) < 3:
            found += _leaves(value, place)
        else:
            found.append((place, REMOVE if value is None and len(place) == 2 else value))
    return found


def parse_file(data: Any) -> tuple[ExperimentFile | None, list[tuple[KeyPath, str]]]:
    """Check the form of a file's data; returns the model, or every mistake as (key path, message)."""
    if not isinstance(data, Mapping):
        found = "an empty file" if data is None else shown(data)
        return None, [((), f"found {found}; an experiment has keys such as seats, pool, games and seed")]
    try:
        return ExperimentFile.model_validate(data), []
    except ValidationError as error:
        return None, [_in_our_words(e) for e in error.errors(include_url=False)]


def _in_our_words(error: Any) -> tuple[KeyPath, str]:
    """Key path and message of one of pydantic's errors."""
    path: KeyPath = tuple(error["loc"])
    model: type[BaseModel] = ExperimentFile
    if len(path) > 1 and path[0] in FORMS:
        model, path, prefix = FORMS[str(path[0])], path[1:], path[:1]
    elif len(path) > 2 and path[0] == "variants":
        model, path, prefix = Settings, path[2:], path[:2]
    elif len(path) == 2 and path[0] == "variants":
        return path, f"found {shown(error['input'])}; a variant is a mapping of what it changes, as {{preset: ...}}"
    else:
        prefix = ()
    if error["type"] == "extra_forbidden":
        keys = dict.fromkeys([*model.__annotations__, *model.model_fields])
        return (*prefix, *path), f"no such key; {games_.choices_text(path[-1], keys)}"
    if error["type"] in ("edited_twice", "expectation"):
        return (*prefix, *path, *error["ctx"]["place"]), error["msg"]
    if error["type"] == "value_error":
        return (*prefix, *path), str(error["ctx"]["error"])
    field = str(path[0])
    if error["type"] == "missing":
        return prefix, f"found no {field}; it is {model.model_fields[field].description}"
    return (*prefix, *path[:2]), f"found {shown(error['input'])}; {field} is {model.model_fields[field].description}"
