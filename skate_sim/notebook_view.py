"""How results look in a notebook: what was run, the table of bots, and the leading figure, in one piece of HTML."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING

from skate_sim.digits import counted, format_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from skate_sim.results import Answers


def html_of(results: Answers) -> str:
    """Results as HTML that needs nothing else."""
    game = results.declaration
    lines = [results.question, f"{game.title}, {counted(results.games, 'game')}", game.notice]
    lines += ["stopped early"] if results.partial else []
    lines += [f"Check failed: {r['check']} ({r['detail']})" for _, r in results.checks().iterrows() if not r["holds"]]
    text = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
    return f"<b>{escape(results.name)}</b>{text}{_table(results)}{_figure(results)}"


def _table(results: Answers) -> str:
    """Outcomes of each bot that are shown, best bot first."""
    shown = [o for o in results.declaration.outcomes if o.level == "seat" and o.axis is None and o.shown]
    rows = []
    for _, row in results.bots().sort_values(results.headline, ascending=False, kind="stable").iterrows():
        cells = [format_interval(row[o.name], row[f"{o.name}_low"], row[f"{o.name}_high"], o.kind) for o in shown]
        rows.append("".join(f"<td>{escape(c)}</td>" for c in [row["bot"], *cells]))
    head = "".join(f"<th>{escape(c)}</th>" for c in ["Bot", *(o.label for o in shown)])
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _figure(results: Answers) -> str:
    """The first of the results' figures, the one of the outcome that ranks."""
    name, make = next(iter(results.figures().items()))
    text = f"{name.replace('_', ' ')} of the bots in the table above"
    return f'<div style="max-width: 32em">{svg_of(make(), text)}</div>'


def svg_of(figure: Figure, text: str) -> str:
    """A figure as an SVG element with alternative text, as wide as what it is in."""
    from skate_sim.plots import style

    buffer = io.StringIO()
    with style():
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    drawn = buffer.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', _opening(text), drawn, count=1, flags=re.DOTALL)


def _opening(text: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        rf'width="100%" viewBox="\1" role="img" aria-label="{escape(text)}">'
    )
