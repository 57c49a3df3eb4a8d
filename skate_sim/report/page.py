"""Puts the page together from what a run has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.bot_findings import otherwise
from skate_sim.figures import alternative_text, figure_title, game_risk
from skate_sim.findings import findings
from skate_sim.report import search
from skate_sim.report.bots import introduced
from skate_sim.report.comparison import compared
from skate_sim.report.pictures import HIGH, WIDE, drawn, inline
from skate_sim.report.stories import Deck, StoryPage, story_page
from skate_sim.report.tables import shown, unbroken
from skate_sim.report.told import Told, risks, tell
from skate_sim.report.words import finding, sureness

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure

    from skate_sim.results import Answers
    from skate_sim.simulation import Plan

#: Figures by name: the text of an SVG file, or a function that draws one.
Figures = Mapping[str, "str | Callable[[], Figure]"]


def write(path: Path, results: Any, plan: Plan | None = None, note: str = "") -> None:
    """Write the page of results; see :func:`page`.

    Figures that lie in the folder ``figures`` next to it are not drawn again.
    """
    folder = path.parent / "figures"
    files = {name: folder / f"{name}.svg" for name in results.figures()}
    figures: dict[str, str | Callable[[], Figure]] = dict(results.figures())
    figures |= {name: file.read_text(encoding="utf-8") for name, file in files.items() if file.is_file()}
    path.write_text(page(results, plan, figures, note), encoding="utf-8", newline="\n")


def page(results: Any, plan: Plan | None = None, figures: Figures | None = None, note: str = "") -> str:
    """The page as HTML.

    Parameters
    ----------
    results : Answers, or a comparison
        A comparison has ``summary()``; see :mod:`skate_sim.report.comparison`.
    plan : Plan, optional
        To play games again and tell them; without it no game is told.
    figures : mapping, optional
        By default those of the results.
    note : str
        Why no game is told.

    Raises
    ------
    PlayError
        A game could not be played again.
    """
    figures = results.figures() if figures is None else figures
    context = compared(results) if hasattr(results, "differences") else _plain(results, plan)
    context["figures"] = [_figure(results, name, made) for name, made in figures.items()]
    deck, stories, searched = None, [], 0
    if plan is not None and plan.game.telling:
        searched = min(search.MOST, results.games)
        deck = Deck(plan.resolved)
        stories = list(_stories(results, plan, deck, searched))
    words = {"deck": deck, "stories": stories, "searched": searched, "wide": WIDE, "high": HIGH, "untold": note}
    return _environment().get_template("report.html.j2").render(**context, **words)


def _plain(results: Answers, plan: Plan | None) -> dict[str, Any]:
    """What the page says of a run of one set of rules and bots."""
    manifest = results.manifest()
    return {
        "name": results.name,
        "question": results.question,
        "findings": finding(results),
        "sureness": sureness(results),
        "tables": [shown(table) for table in findings(results)],
        "partial": results.partial,
        "game": results.declaration,
        "manifest": manifest,
        "bots": _bots(results, plan),
    }


def _bots(results: Answers, plan: Plan | None) -> list[dict[str, Any]]:
    """Each bot of a run: its name, its own words, its parameters with their meanings."""
    made = []
    best = results.bots().sort_values(results.headline, ascending=False, kind="stable")["bot"].iloc[0]
    names = results.bots()["bot"].tolist()
    for number, entry in enumerate(results.manifest()["bots"]):
        differs = otherwise(results, names[number], best) if names[number] != best else []
        code = plan.bots[number].code if plan is not None else None
        made.append(introduced(entry, code) | {"best": best, "otherwise": differs})
    return made


def _figure(results: Any, name: str, made: str | Callable[[], Figure]) -> dict[str, str]:
    title, text = figure_title(results, name), alternative_text(results, name)
    return {"title": title, "svg": inline(made if isinstance(made, str) else drawn(made), f"f-{name}", text)}


def _stories(results: Answers, plan: Plan, deck: Deck, games: int) -> Iterator[StoryPage]:
    outcomes = results.bots()
    shares = outcomes["win_share"].to_numpy() if "win_share" in outcomes else np.zeros(len(outcomes))
    for notable, number in search.notable_games(search.search(plan, games, shares)):
        told = tell(plan, number)
        figure = "" if deck.cards else _risk_figure(told)  # one shows how to read the risks; the rest are in words
        yield story_page(notable, told, deck, figure)


def _risk_figure(told: Told) -> str:
    table, game = risks(told), told.plan.game
    if game.telling is None or table.empty:
        return ""
    text = f"{game.telling.risk_label} that each bot took in game {told.number}, decision by decision"
    return inline(drawn(partial(game_risk, table, game)), "f-risk", text)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader

    made = Environment(loader=PackageLoader("skate_sim.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters["percent"] = lambda share: f"{100 * share:.1f}".rstrip("0").rstrip(".") + "%"
    made.filters["unbroken"] = unbroken
    return made
