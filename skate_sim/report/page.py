"""Puts the page together from what a run has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.bot_findings import otherwise
from skate_sim.comparison import Comparison
from skate_sim.figures import alternative_text, figure_title
from skate_sim.findings import findings
from skate_sim.report.bots import introduced
from skate_sim.report.comparison import compared
from skate_sim.report.games import ToldGames, games_of_comparison, games_of_run
from skate_sim.report.pictures import HIGH, WIDE, drawn, inline
from skate_sim.report.tables import shown, unbroken
from skate_sim.report.words import finding, play_command, sureness
from skate_sim.simulation import Plan

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure

    from skate_sim.results import Answers

#: Figures by name: the text of an SVG file, or a function that draws one.
Figures = Mapping[str, "str | Callable[[], Figure]"]


def write(path: Path, results: Any, plan: Plan | Comparison | None = None, note: str = "") -> None:
    """Write the page of results; see :func:`page`.

    Figures that lie in the folder ``figures`` next to it are not drawn again.
    """
    folder = path.parent / "figures"
    files = {name: folder / f"{name}.svg" for name in results.figures()}
    figures: dict[str, str | Callable[[], Figure]] = dict(results.figures())
    figures |= {name: file.read_text(encoding="utf-8") for name, file in files.items() if file.is_file()}
    path.write_text(page(results, plan, figures, note), encoding="utf-8", newline="\n")


def page(results: Any, plan: Plan | Comparison | None = None, figures: Figures | None = None, note: str = "") -> str:
    """The page as HTML.

    Parameters
    ----------
    results : Answers, or a comparison
        A comparison has ``summary()``; see :mod:`skate_sim.report.comparison`.
    plan : Plan or Comparison, optional
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
    alone = plan if isinstance(plan, Plan) else None
    context = compared(results) if hasattr(results, "differences") else _plain(results, alone)
    context["figures"] = [_figure(results, name, made) for name, made in figures.items()]
    context["replay"] = play_command(results.manifest())
    words = {"told_games": _games(results, plan), "wide": WIDE, "high": HIGH, "untold": note}
    return _environment().get_template("report.html.j2").render(**context, **words)


def _games(results: Any, plan: Plan | Comparison | None) -> ToldGames | None:
    """The games that the page tells, if they can be played again."""
    if plan is None:
        return None
    if isinstance(plan, Comparison):
        return games_of_comparison(plan, results.games, results.shown)
    outcomes = results.bots()
    shares = outcomes["win_share"].to_numpy() if "win_share" in outcomes else np.zeros(len(outcomes))
    return games_of_run(plan, results.games, shares)


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


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader

    made = Environment(loader=PackageLoader("skate_sim.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters["percent"] = lambda share: f"{100 * share:.1f}".rstrip("0").rstrip(".") + "%"
    made.filters["unbroken"] = unbroken
    return made
