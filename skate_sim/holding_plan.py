"""From ``holding:`` in a file to the variants in which each card is given, and what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

from skate_sim.changes import check, edited, rows_of
from skate_sim.comparison import Contrast, to_average
from skate_sim.differences import row_names
from skate_sim.games import ContentError, Pieces, choices_text
from skate_sim.holding import Case, HoldingAnswer
from skate_sim.section_forms import Holding
from skate_sim.study import UNCHANGED

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part

#: More cards than these are not ranked among each other.
MOST_RANKED = 16
AVERAGE, NONE = "average", "none"


def plan_holding(form: Holding, context: Context) -> Part:
    """Variants in which each card is given, and what is compared.

    Raises
    ------
    ExperimentError
        A game without such cards, a card that cannot be given, a seat or round that there is not.
    """
    from skate_sim.sections import Part

    if len(context.listed) > 1:
        from skate_sim.holding_variants import plan_in_variants

        return plan_in_variants(form, context)
    variants, answer = plan_one(form, context, UNCHANGED)
    if form.against == NONE:
        variants = {UNCHANGED: context.unchanged} | variants
    return Part(variants, tuple(answer.contrasts), answer)


def plan_one(
    form: Holding, context: Context, unchanged: str, ending: str = ""
) -> tuple[dict[str, Experiment], HoldingAnswer]:
    """Variants of one experiment in which each card is given, and the answer made of them.

    Parameters
    ----------
    unchanged : str
        Name of the variant in which nothing is given.
    ending : str
        Of the variants' names.

    Raises
    ------
    ExperimentError
        See :func:`plan_holding`.
    """
    plain, pieces = context.plain, context.game.pieces
    if pieces is None:
        raise context.report.error(("holding",), f"{context.game.title} has nothing that can be given to a seat")
    cards, against = _cards(form, context, pieces)
    places = _places(form, context, pieces)
    axis_name = context.game.axes[pieces.axis].lower()
    given = dict.fromkeys([*cards, *([against] if against in context_rows(context, pieces) else [])])
    variants: dict[str, Experiment] = {}
    title = {(card, place): f"holding {card} in {axis_name} {place}{ending}" for place in places for card in given}
    for (card, place), name in title.items():
        cells = {pieces.given_to: form.seat, pieces.given_in: place}
        variants[name] = edited(plain, name, pieces.table, card, cells)
        try:
            check(variants[name])
        except ContentError as error:
            raise context.report.error(("holding", "cards"), f"{error.message}{ending}") from error
    values: dict[Case, Contrast | None] = {}
    pairs: dict[tuple[str, str, int], Contrast] = {}
    for place in places:
        names = [title[card, place] for card in cards]
        average = dict(zip(cards, to_average(names), strict=True))
        for card, name in zip(cards, names, strict=True):
            other = unchanged if against == NONE else title.get((against, place), "")
            plain_contrast = None if name == other else Contrast(name, other, {name: 1, other: -1})
            values[card, place] = average[card] if against == AVERAGE else plain_contrast
        if 1 < len(cards) <= MOST_RANKED:
            for one, other_card in combinations(cards, 2):
                first, second = title[one, place], title[other_card, place]
                pairs[one, other_card, place] = Contrast(first, second, {first: 1, second: -1})
    names_of = row_names(context.game, pieces.table, context_rows(context, pieces))
    words = {AVERAGE: f"against the average {pieces.word}", NONE: f"against no {pieces.word}"}
    text = words.get(against) or f"against {names_of[against]}"
    return variants, HoldingAnswer(pieces, names_of, text, axis_name, form.seat - 1, values, pairs)


def context_rows(context: Context, pieces: Pieces) -> Mapping[str, Mapping[str, Any]]:
    """Rows of the table of pieces."""
    return rows_of(context.plain, pieces.table)


def _cards(form: Holding, context: Context, pieces: Pieces) -> tuple[list[str], str]:
    """The cards, and what they are compared to."""
    rows = context_rows(context, pieces)
    valid = [row for row, cells in rows.items() if pieces.can_be_given(cells)]
    cards = form.cards or valid
    for number, card in enumerate(cards):
        if card not in valid:
            raise context.report.error(
                ("holding", "cards", number), f"{card!r} cannot be given; {choices_text(card, valid)}"
            )
        if card in cards[:number]:
            raise context.report.error(("holding", "cards", number), f"found {card!r} twice; each card is listed once")
    if form.against not in (AVERAGE, NONE, *valid):
        options = [AVERAGE, NONE, *valid]
        found = f"found {form.against!r}; {choices_text(form.against, options)}"
        raise context.report.error(("holding", "against"), found)
    if form.against == AVERAGE and len(cards) < 2:
        raise context.report.error(("holding",), "one card has no average to compare it to; list two, or say against")
    if form.seat > context.plain.players:
        found = f"found {form.seat}; the table has {context.plain.players} seats"
        raise context.report.error(("holding", "seat"), found)
    return list(cards), form.against


def _places(form: Holding, context: Context, pieces: Pieces) -> list[int]:
    count = context.plain.plan().resolved.axes[pieces.axis]
    places = form.rounds or list(range(1, count + 1))
    if max(places) > count:
        found = f"found {max(places)}; a game has {count}, numbered from 1"
        raise context.report.error(("holding", "rounds"), found)
    return places
