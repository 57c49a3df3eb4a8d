"""What ``break_even:`` plays: a variant, or two, for each value of its number."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from skate_sim.between_bots import has_products
from skate_sim.break_even import BreakEvenAnswer, Sides, spaced
from skate_sim.changes import change, check, edited, is_whole, rows_of, short_names, variant_name
from skate_sim.comparison import Contrast
from skate_sim.differences import row_names
from skate_sim.games import ContentError, Outcome, choices_text
from skate_sim.lineups import SeatingError
from skate_sim.observed import display_names
from skate_sim.policy import BotError
from skate_sim.ranges import values_of
from skate_sim.section_forms import BreakEven

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part

#: Makes the two sides at a value: (experiment with that value, its name) -> variants by name, and the names of the two.
Maker = Callable[[float, str], tuple[dict[str, "Experiment"], str, str]]

KINDS = {"holding": ("round", "seat"), "bots": (), "variants": ()}


def plan_break_even(form: BreakEven, context: Context) -> Part:
    """Variants for each value, and what is compared at it.

    Raises
    ------
    ExperimentError
        A number, value, row, bot, variant or outcome that there is not.
    """
    from skate_sim.sections import Part

    values, whole = _values(form, context)
    kind, pair = _pair(form, context)
    outcome = _outcome(form, context, kind)
    words: dict[str, Any] = {} if form.bot is None else {"bot": _bot(form.bot, ("break_even", "bot"), context)}
    make: Maker
    if kind == "holding":
        make, what, words["seat"] = _holding(form, context, pair)
    elif kind == "bots":
        if form.bot is not None:
            raise context.report.error(("break_even", "bot"), "goes with holding and variants; bots names both")
        chosen = tuple(_bot(name, ("break_even", "equal", "bots"), context) for name in pair)
        names = display_names(context.plain.bots)
        if context.plain.bots[chosen[0]].identity == context.plain.bots[chosen[1]].identity:
            found = f"{pair[0]!r} and {pair[1]!r} are the same bot"
            raise context.report.error(("break_even", "equal", "bots"), found)
        what, words["bots"] = (names[chosen[0]], names[chosen[1]]), chosen
        make = _one(form, context)
    else:
        if form.bot is None:
            raise context.report.error(("break_even",), "found no bot; with variants, say which bot is to be looked at")
        what, make, words["of_variants"] = (pair[0], pair[1]), _two(form, context, pair), True
    short = short_names([form.number])[form.number]
    variants: dict[str, Experiment] = {}
    sides: dict[float, tuple[str, str]] = {}
    for value in values:
        made, one, other = make(value, variant_name({short: value}))
        variants |= made
        sides[value] = one, other
    linked = _linked(sides)
    contrasts = [c for s in linked.values() for c in (s.contrast, s.step) if c is not None]
    return Part(variants, tuple(contrasts), BreakEvenAnswer(short, whole, linked, what, outcome, **words))


def _linked(sides: dict[float, tuple[str, str]]) -> dict[float, Sides]:
    """Sides with their contrasts; none where both are one variant."""
    steps: dict[float, Contrast | None] = dict.fromkeys(sides)
    for value, after in pairwise(sides):
        weights: dict[str, int] = {}
        for name, weight in zip((*sides[value], *sides[after]), (1, -1, -1, 1), strict=True):
            weights[name] = weights.get(name, 0) + weight
        weights = {name: weight for name, weight in weights.items() if weight}
        if weights:
            steps[value] = Contrast(f"{sides[value][0]}, less that at the next value", sides[value][1], weights)
    return {
        value: Sides(one, other, None if one == other else Contrast(one, other, {one: 1, other: -1}), steps[value])
        for value, (one, other) in sides.items()
    }


def _values(form: BreakEven, context: Context) -> tuple[list[float], bool]:
    report, where = context.report, ("break_even", "number")
    try:
        whole = is_whole(context.plain, form.number)
    except (ContentError, BotError) as error:
        raise report.error(where, error.message if isinstance(error, ContentError) else str(error)) from error
    if (form.between is None) == (form.values is None):
        found = "neither between nor values" if form.between is None else "both between and values"
        raise report.error(("break_even",), f"found {found}; say between which values, or list them")
    if form.between is not None:
        start, end = form.between
        if not start < end or (whole and (int(start) != start or int(end) != end)):
            kind = "whole numbers" if whole else "numbers"
            raise report.error(
                ("break_even", "between"), f"found {form.between}; between is two {kind}, the lower first"
            )
        return list(spaced(start, end, whole)), whole
    try:
        values = values_of(form.values)
    except ValueError as error:
        raise report.error(("break_even", "values"), str(error)) from error
    if len(values) < 2 or any(isinstance(v, bool | str) for v in values) or sorted(values) != values:
        raise report.error(("break_even", "values"), "two or more numbers in ascending order are needed")
    return values, whole


def _pair(form: BreakEven, context: Context) -> tuple[str, list[str]]:
    """What kind of things are to be equal, and the two of them."""
    report, where = context.report, ("break_even", "equal")
    kinds = [kind for kind in KINDS if kind in form.equal]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none of them"
        raise report.error(where, f"found {found}; equal has one of {', '.join(KINDS)}")
    for key in form.equal:
        valid = (kinds[0], *KINDS[kinds[0]])
        if key not in valid:
            raise report.error((*where, key), f"no such key; {choices_text(key, valid)}")
    pair = form.equal[kinds[0]]
    if not isinstance(pair, list) or len(pair) != 2 or any(isinstance(p, list | dict | bool) for p in pair):
        raise report.error((*where, kinds[0]), f"found {pair!r}; {kinds[0]} is a list of two")
    if str(pair[0]) == str(pair[1]):
        raise report.error((*where, kinds[0]), f"found {str(pair[0])!r} twice; it is equal to itself at any value")
    return kinds[0], [str(p) for p in pair]


def _outcome(form: BreakEven, context: Context, kind: str) -> Outcome:
    game, plan = context.game, context.plain.plan()
    name = form.outcome or game.headlines[context.plain.players]
    valid = [o.name for o in game.outcomes if o.level == "seat" and o.axis is None and o.kind != "label"]
    if kind == "bots":
        valid = [name for name in valid if has_products(plan, game.outcome(name))]
    if name not in valid:
        raise context.report.error(("break_even", "outcome"), f"found {name!r}; {choices_text(name, valid)}")
    return game.outcome(name)


def _bot(name: str, where: tuple[str, ...], context: Context) -> int:
    """Place of a bot in the experiment's list; its name, or its number from 0."""
    bots = context.plain.bots
    names = display_names(bots)
    if name.isdecimal() and int(name) < len(bots):
        return int(name)
    found = [n for n, b in enumerate(bots) if name in (names[n], b.full_name)]
    found = found or [n for n, b in enumerate(bots) if name == b.code.name]
    if len({bots[n].identity for n in found}) != 1:
        problem = f"several bots are called {name!r}" if found else f"no bot {name!r}"
        raise context.report.error(where, f"{problem}; {choices_text(name, dict.fromkeys(names))}")
    return found[0]


def _changed(base: Experiment, form: BreakEven, value: float, name: str, context: Context) -> Experiment:
    try:
        changed = change(base, form.number, value, name)
        check(changed)
    except (ContentError, BotError, SeatingError) as error:
        text = error.message if isinstance(error, ContentError) else str(error)
        raise context.report.error(("break_even", "number"), f"at {value:g}: {text}") from error
    return changed


def _one(form: BreakEven, context: Context) -> Maker:
    def make(value: float, name: str) -> tuple[dict[str, Experiment], str, str]:
        return {name: _changed(context.plain, form, value, name, context)}, name, name

    return make


def _two(form: BreakEven, context: Context, pair: list[str]) -> Maker:
    for name in pair:
        if name not in context.listed:
            valid = choices_text(name, context.listed) if context.listed else "the file has none"
            raise context.report.error(("break_even", "equal", "variants"), f"no variant {name!r}; {valid}")

    def make(value: float, name: str) -> tuple[dict[str, Experiment], str, str]:
        names = [f"{variant}, {name}" for variant in pair]
        bases = [context.listed[variant] for variant in pair]
        made = {n: _changed(base, form, value, n, context) for n, base in zip(names, bases, strict=True)}
        return made, names[0], names[1]

    return make


def _holding(form: BreakEven, context: Context, pair: list[str]) -> tuple[Maker, tuple[str, str], int]:
    pieces, where = context.game.pieces, ("break_even", "equal")
    if pieces is None:
        raise context.report.error(where, f"{context.game.title} has nothing that can be given to a seat")
    rows = rows_of(context.plain, pieces.table)
    valid = [row for row, cells in rows.items() if pieces.can_be_given(cells)]
    for row in pair:
        if row not in valid:
            found = f"{row!r} cannot be given; {choices_text(row, valid)}"
            raise context.report.error((*where, "holding"), found)
    place, seat = form.equal.get("round", 1), form.equal.get("seat", 1)
    most = {"round": context.plain.plan().resolved.axes[pieces.axis], "seat": context.plain.players}
    for key, number in (("round", place), ("seat", seat)):
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most[key]:
            raise context.report.error(
                (*where, key), f"found {number!r}; {key} is a whole number from 1 to {most[key]}"
            )
    axis_name, cells = context.game.axes[pieces.axis].lower(), {pieces.given_to: seat, pieces.given_in: place}
    names_of = row_names(context.game, pieces.table, rows)

    def make(value: float, name: str) -> tuple[dict[str, Experiment], str, str]:
        names = [f"{name}, holding {row} in {axis_name} {place}" for row in pair]
        made = {}
        for row, full in zip(pair, names, strict=True):
            made[full] = edited(_changed(context.plain, form, value, name, context), full, pieces.table, row, cells)
            check(made[full])
        return made, names[0], names[1]

    return make, (f"the holder of {names_of[pair[0]]}", f"the holder of {names_of[pair[1]]}"), seat - 1
