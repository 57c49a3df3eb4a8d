"""Which figures a result has, as data, with labels from the game's declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim.curves import curves_of
from skate_sim.differences import scale_of
from skate_sim.digits import format_interval
from skate_sim.drawing import Drawing
from skate_sim.findings import MOST_BOTS
from skate_sim.games import Game, Ledger, Outcome
from skate_sim.observed import ALL
from skate_sim.step_figures import step_figures, step_text, step_titles

if TYPE_CHECKING:
    from skate_sim.results import Answers


def figures_of(results: Answers) -> Iterator[tuple[str, Drawing]]:
    """Figures with their names, each as soon as its table is made.

    The headline, the scores and their parts, every shown outcome along each axis, hazards and endings of step
    ledgers, what the rows of ledgers brought.
    """
    for name, drawing in _untitled(results):
        yield name, replace(drawing, title=figure_title(results, name))


def _untitled(results: Answers) -> Iterator[tuple[str, Drawing]]:
    game, bots = results.declaration, results.bots()
    headline, score = game.outcome(results.headline), game.outcome(game.score)
    words: dict[str, Any] = {"outcome": headline.name, "label": with_unit(headline), "kind": headline.kind}
    yield "win_shares" if headline.kind == "share" else headline.name, Drawing("win_shares", "", bots, words)
    if len(curves := results.curves()):
        yield "curves", _curves(curves, headline)
    if score.histogram and score.level == "seat":
        table = results.distribution(score.name)
        yield "score_distributions", Drawing("score_distributions", "", table, {"label": with_unit(score)})
    if score.level == "seat" and (parts := _parts(game)):
        yield "score_parts", Drawing("score_parts", "", bots, {"parts": parts, "label": with_unit(score)})
    if len(bots) <= MOST_BOTS:
        for outcome in game.outcomes:
            if outcome.axis is not None and outcome.shown and outcome.level == "seat":
                yield outcome.name, _along(results, outcome, outcome.axis)
        yield from step_figures(results)
    for ledger in game.ledgers:
        if len(table := _worth(results, ledger)):
            yield f"ladder_{ledger.name}", Drawing("brought", "", table, {"label": _value_label(game, ledger)})


def with_unit(outcome: Outcome) -> str:
    """Label of an outcome, and its unit where the label does not say it."""
    said = outcome.unit.lower() in outcome.label.lower()
    return outcome.label if said else f"{outcome.label} [{outcome.unit}]"


def figure_title(results: Any, name: str) -> str:
    """What a figure is of, in a few words."""
    game = getattr(results, "declaration", None)
    if game is None:  # a comparison
        return str(results.summary().drawings[name].title)
    score = game.outcome(game.score)
    titles = {
        "win_shares": game.outcome(results.headline).label,
        "score_distributions": f"{score.label} of a {game.seat_word}, game by game",
        "score_parts": f"Where {score.label} comes from",
        "curves": f"{game.outcome(results.headline).label} by the number that bots differ in",
        **{o.name: f"{o.label} by {game.axes[o.axis].lower()}" for o in game.outcomes if o.axis is not None},
        **{f"ladder_{x.name}": f"{x.title}: {_value_label(game, x)}" for x in game.ledgers},
        **step_titles(game),
    }
    return str(titles.get(name, name.replace("_", " ").capitalize()))


def alternative_text(results: Any, name: str) -> str:
    """What a figure shows, for those who cannot see it: its title and the numbers of up to twelve rows."""
    title, game = figure_title(results, name), getattr(results, "declaration", None)
    if game is None:
        from skate_sim.report.comparison import alternative

        return alternative(results.summary().drawings[name])
    if told := step_text(results, name):
        return f"{title}. {told}"
    if name.startswith("ladder_"):
        ledger = next(x for x in game.ledgers if f"ladder_{x.name}" == name)
        table, column, kind = _worth(results, ledger).rename(columns={"name": "bot"}), "value", "points"
    elif name in ("score_distributions", "score_parts"):
        table, column, kind = results.bots(), game.score, "points"
    elif name == "curves":
        return f"{title}: a line with its 95% band for each bot, its peak and what cannot be told from it shaded"
    else:
        outcome = game.outcome(results.headline if name == "win_shares" else name)
        if outcome.axis is not None:
            return f"{title}: a line with 95% intervals for each of {', '.join(results.bots()['bot'])}"
        table, column, kind = results.bots(), outcome.name, outcome.kind
    ranked = table.sort_values(column, ascending=False, kind="stable").head(12)
    cells = [
        f"{row['bot']} {format_interval(row[column], row[f'{column}_low'], row[f'{column}_high'], kind)}"
        for row in ranked.to_dict("records")
    ]
    return f"{title}. Means with 95% intervals: {'; '.join(cells)}"


def game_risk(risks: pd.DataFrame, game: Game) -> Drawing:
    """The risks that were taken in a told game; see :func:`skate_sim.report.told.risks`."""
    assert game.telling
    words = {"label": game.telling.risk_label, "group": next(iter(game.axes.values()), "Part")}
    return Drawing("risks", "", risks, words | {"mishap": game.telling.mishap})


def _curves(table: pd.DataFrame, outcome: Outcome) -> Drawing:
    parts = [curve.assign(panel=curve["bot"]) for curve in curves_of(table, outcome.name)]
    return Drawing("panels", "", pd.concat(parts), {"label": outcome.label, "scale": scale_of(outcome)})


def _parts(game: Game) -> dict[str, str]:
    """The parts of the score, with their labels."""
    return {o.name: o.label for o in game.outcomes if o.part_of == game.score and o.level == "seat"}


def _along(results: Answers, outcome: Outcome, axis: str) -> Drawing:
    words = {"outcome": outcome.name, "label": with_unit(outcome), "kind": outcome.kind}
    return Drawing("by_axis", "", results.along(axis), words | {"axis_label": results.declaration.axes[axis]})


def _worth(results: Answers, ledger: Ledger) -> pd.DataFrame:
    """Rows of a ledger over all bots, as far as they were met."""
    table = results.ledger(ledger.name)
    return table[(table["bot"] == ALL) & table["value"].notna()].drop(columns="bot")


def _value_label(game: Game, ledger: Ledger) -> str:
    column = next(c for t in game.tables if t.name == ledger.table for c in t.columns if c.name == ledger.value[1])
    return f"{column.unit or column.name.capitalize()} brought per time {ledger.first_event}"
