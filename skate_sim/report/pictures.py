"""Pictures of the page: cards as small faces, figures as inline SVG that follows light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from skate_sim.games.telling import Face

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Width and height of a face, in its own units.
WIDE, HIGH = 40, 56

#: Colours of figures that are not data, and what they are on the page.
_PAGE_COLOURS = {
    "#000000": "var(--ink)",
    "#555555": "var(--soft)",
    "#dddddd": "var(--line)",
    "#ffffff": "var(--paper)",
}
#: Where these colours are, as matplotlib writes them.
_COLOURED = re.compile(rf"(fill|stroke): ({'|'.join(_PAGE_COLOURS)})(?![0-9a-f])")


def face_svg(face: Face) -> str:
    """The inside of a face's picture, to be defined once and used many times."""
    parts = [
        f'<rect x="1" y="1" width="{WIDE - 2}" height="{HIGH - 2}" rx="5" fill="{escape(face.fill)}" class="edge"/>',
        f'<g fill="{escape(face.ink)}">',
        f'<text x="5" y="13" font-size="11" font-weight="600">{escape(face.corner)}</text>',
        f'<text x="{WIDE / 2}" y="32" font-size="22" font-weight="700" text-anchor="middle">',
        f"{escape(face.value)}</text>",
    ]
    count = len(face.symbols)
    size = min(15.0, (WIDE - 4) / max(1, count))
    left = (WIDE - size * count) / 2
    for number, symbol in enumerate(face.symbols):
        place = f"translate({left + number * size:g} {HIGH - 3 - size:g}) scale({size / 24:.4g})"
        parts.append(f'<path transform="{place}" d="{escape(symbol.path)}"/>')
    return "".join([*parts, "</g>"])


def back_svg() -> str:
    """The inside of the picture of a card that lies face down."""
    stripes = "".join(f'<path d="M{x} 6V{HIGH - 6}" class="stripe"/>' for x in range(8, WIDE - 4, 6))
    return f'<rect x="1" y="1" width="{WIDE - 2}" height="{HIGH - 2}" rx="5" class="back edge"/>{stripes}'


def inline(svg: str, name: str, text: str) -> str:
    """A figure's SVG file as part of a page: with alternative text, ids of its own, and the page's colours.

    Parameters
    ----------
    svg : str
        As matplotlib writes it.
    name : str
        Put before every id, as ids are unique on a page.
    text : str
        What the figure shows.
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    body = body.replace(' id="', f' id="{name}-').replace('xlink:href="#', f'href="#{name}-')
    body = body.replace("url(#", f"url(#{name}-")
    body = _COLOURED.sub(lambda found: f"{found[1]}: {_PAGE_COLOURS[found[2]]}", body)
    body = re.sub(r"\n\s*", "\n", body)
    opened = re.match(r"<svg[^>]*>", body)
    assert opened
    box = re.search(r'viewBox="([^"]*)"', opened[0])
    wide = float(box[1].split()[2]) if box else 252.0
    head = (
        f'<svg class="figure" role="img" aria-labelledby="{name}-title" viewBox="{box[1] if box else ""}" '
        f'style="max-width: {wide * 2:.0f}px"><title id="{name}-title">{escape(text)}</title>'
    )
    return head + body[opened.end() :]


def drawn(make: Callable[[], Figure]) -> str:
    """A figure as the text of its SVG file."""
    from skate_sim.plots import lay_out, style

    with style():
        target = StringIO()
        lay_out(make()).savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()
