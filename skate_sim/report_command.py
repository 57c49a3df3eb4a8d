"""``skate-sim report`` and ``skate-sim figure``: the page and the figures of stored results, made again."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skate_sim.games import choices_text
from skate_sim.manifest import as_json
from skate_sim.painter import Painter
from skate_sim.policy import BotError
from skate_sim.saving import MANIFEST, REPORT, FolderError, digest_of_file, manifest_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from skate_sim.comparison import Comparison
    from skate_sim.simulation import Plan

#: The figure that is of one game, which is played again for it.
GAME_RISK = "game_risk"


class FigureError(ValueError):
    """A figure that there is not, or that cannot be drawn."""


def write_report(folder: str | Path) -> Path:
    """Make the page of stored results again, and note it in their manifest; returns its path.

    Games are told if they can be played again; else the page says why not.

    Raises
    ------
    FolderError
        The folder holds no results, or its tables were changed.
    """
    from skate_sim.report import write

    path = Path(folder).expanduser()
    results, manifest = load_results(path), manifest_of(path)
    plan, reason = _plan(path)
    new = path / f".{REPORT}.{secrets.token_hex(4)}.tmp"
    try:
        write(new, results, Painter(), plan, reason)
        manifest["files"] = dict(sorted({**manifest["files"], REPORT: digest_of_file(new)}.items()))
        _replace_text(path / MANIFEST, as_json(manifest) + "\n")
        new.replace(path / REPORT)
    finally:
        new.unlink(missing_ok=True)
    return path / REPORT


def draw_figure(name: str, folder: str | Path, out: Path | None = None, game: int | None = None) -> Path:
    """Draw a figure of stored results to a file; returns its path.

    Parameters
    ----------
    name : str
        One of ``Results.figures()``, or ``game_risk`` for the risks that were taken in a game.
    folder : str or Path
        Of the results.
    out : Path, optional
        File to write; its ending says what: png, svg or pdf. By default ``NAME.png``.
    game : int, optional
        Number of the game of ``game_risk``.

    Raises
    ------
    FigureError
        There is no such figure, or no such kind of file.
    """
    from skate_sim.plots import style
    from skate_sim.simulation import Plan

    path, out = Path(folder).expanduser(), out or Path(f"{name}.png")
    if out.suffix not in (".png", ".svg", ".pdf"):
        raise FigureError(f"found {out}; a figure is written to a file that ends in .png, .svg or .pdf")
    made: dict[str, Callable[[], Figure]] = dict(load_results(path).figures())
    alone = manifest_of(path).get("kind") != "comparison"
    plan, reason = _plan(path) if name == GAME_RISK and alone else (None, "")
    if isinstance(plan, Plan) and plan.game.telling:
        made[GAME_RISK] = partial(_game_risk, plan, game or 0)
    if name not in made:
        names = [*made, *([GAME_RISK] if alone else [])]
        valid = choices_text(name, names) if names else "it has none"
        raise FigureError(reason or f"no figure {name!r} of {folder}; {valid}")
    with style():
        date = {"CreationDate": None} if out.suffix == ".pdf" else {"Date": None} if out.suffix == ".svg" else None
        made[name]().savefig(out, metadata=date)
    return out


def _game_risk(plan: Plan, number: int) -> Figure:
    from skate_sim.figures import game_risk
    from skate_sim.report.told import risks, tell

    return game_risk(risks(tell(plan, number)), plan.game)()


def load_results(folder: Path) -> Any:
    """Stored results, be they of one run or of variants that are compared."""
    from skate_sim.results import Results

    if manifest_of(folder).get("kind") == "comparison":
        from importlib import import_module

        return import_module("skate_sim.comparison_results").ComparisonResults.load(folder)
    return Results.load(folder)


def _plan(folder: Path) -> tuple[Plan | Comparison | None, str]:
    """The plan, or plans, of stored results, or why they cannot be had any more."""
    from skate_sim.stored_work import stored_work

    try:
        plan, problems = stored_work(folder)
    except (FolderError, BotError) as error:
        return None, f"No game can be told: {error}."
    return plan, f"No game can be told: {'; '.join(problems)}." if plan is None else ""


def _replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(path)
