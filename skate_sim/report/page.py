"""Puts the page together from what a run has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.bot_findings import otherwise
from skate_sim.comparison import Comparison
from skate_sim.figures import alternative_text, figure_title
from skate_sim.findings import findings
from skate_sim.painter import Painter
from skate_sim.report.bots import introduced
from skate_sim.report.comparison import compared
from skate_sim.report.games import ToldGames, games_of_comparison, games_of_run
from skate_sim.report.pictures import HIGH, WIDE, drawn, inline
from skate_sim.report.tables import shown, unbroken
from skate_sim.report.words import finding, play_command, sureness
from skate_sim.saving import FIGURES
from skate_sim.simulation import Plan

if TYPE_CHECKING:
    from jinja2 import Template

    from skate_sim.drawing import Drawing
    from skate_sim.results import Answers

#: Name of the figure of a told game's risks; the others are named by the results.
_RISK = "risk"


def write(path: Path, results: Any, painter: Painter, plan: Plan | Comparison | None = None, note: str = "") -> None:
    """Write the page of results; see :func:`page`.

    Figures that lie in the folder ``figures`` next to it, or that the painter was asked to draw there, are not drawn
    again. While the painter draws, all else is made.
    """
    told = _games(results, plan)
    with TemporaryDirectory(prefix=".figures-", dir=path.parent) as aside:
        files = {}
        for name, drawing in _drawings(results, told).items():
            beside = path.parent / FIGURES / name
            files[name] = path.parent / FIGURES / f"{name}.svg"
            if beside not in painter.wanted and not files[name].is_file():
                files[name] = Path(aside) / f"{name}.svg"
                painter.paint(files[name], drawing)
        text, alternatives = _without_figures(results, plan, told, note)
        painter.finish()
        svgs = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    path.write_text(_filled(text, svgs, alternatives), encoding="utf-8", newline="\n")


def page(results: Any, plan: Plan | Comparison | None = None) -> str:
    """The page as HTML.

    Parameters
    ----------
    results : Answers, or a comparison
        A comparison has ``summary()``; see :mod:`skate_sim.report.comparison`.
    plan : Plan or Comparison, optional
        To play games again and tell them; without it no game is told.

    Raises
    ------
    PlayError
        A game could not be played again.
    """
    told = _games(results, plan)
    svgs = {name: drawn(drawing) for name, drawing in _drawings(results, told).items()}
    text, alternatives = _without_figures(results, plan, told, "")
    return _filled(text, svgs, alternatives)


def _drawings(results: Any, told: ToldGames | None) -> dict[str, Drawing]:
    """All figures of the page, by name."""
    made: dict[str, Drawing] = results.figures()
    return made | ({_RISK: told.risks} if told and told.risks else {})


def _without_figures(
    results: Any, plan: Plan | Comparison | None, told: ToldGames | None, note: str
) -> tuple[str, dict[str, str]]:
    """The page with a mark in the place of each figure, and what figures show in words, by name.

    Parameters
    ----------
    note : str
        Why no game is told.
    """
    alone = plan if isinstance(plan, Plan) else None
    words = compared(results) if hasattr(results, "differences") else _plain(results, alone)
    alternatives = {name: alternative_text(results, name) for name in results.figures()}
    words["figures"] = [{"title": figure_title(results, name), "svg": _mark(name)} for name in alternatives]
    if told and told.risks:
        alternatives[_RISK] = told.risks.title
        words["risk_figure"] = _mark(_RISK)
    words["replay"] = play_command(results.manifest())
    words |= {"told_games": told, "untold": note, "wide": WIDE, "high": HIGH}
    return _template().render(words), alternatives


def _mark(name: str) -> str:
    """What stands for a figure; no text of a user's can, as texts are escaped."""
    return f"<!-- figure {name} -->"


def _filled(text: str, svgs: Mapping[str, str], alternatives: Mapping[str, str]) -> str:
    """The page with its figures, from the texts of their SVG files."""
    for name, alternative in alternatives.items():
        text = text.replace(_mark(name), inline(svgs[name], f"f-{name}", alternative))
    return text


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


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader

    made = Environment(loader=PackageLoader("skate_sim.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters["percent"] = lambda share: f"{100 * share:.1f}".rstrip("0").rstrip(".") + "%"
    made.filters["unbroken"] = unbroken
    return made.get_template("report.html.j2")
