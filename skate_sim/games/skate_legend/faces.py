"""Cards as small pictures: the printed colours in tones that colour-blind people can tell apart, and the effects."""

from __future__ import annotations

from skate_sim.games import Resolved
from skate_sim.games.skate_legend.cards import COLOUR_NAMES, conditions
from skate_sim.games.telling import Face, Symbol

#: Fill and ink by colour, after Okabe and Ito.
_TONES = {
    "blue": ("#0072B2", "#FFFFFF"),
    "yellow": ("#F0E442", "#000000"),
    "red": ("#D55E00", "#000000"),
    "green": ("#009E73", "#000000"),
    "grey": ("#C4C4C4", "#000000"),
}
_BROKEN = Symbol(
    "broken skateboard",
    "M1 4l11 5-2 5L0 8zM23 4L13 9l2 5 9-6zM4 12a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM20 12a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
)
_EFFECTS = {
    "reveal": Symbol("Reveal", "M12 6C6 6 2 12 2 12s4 6 10 6 10-6 10-6-4-6-10-6zm0 9a3 3 0 1 1 0-6 3 3 0 0 1 0 6z"),
    "draw": Symbol("Draw", "M5 3h9v6h-2V5H7v12h5v2H5zM16 11h2v3h3v2h-3v3h-2v-3h-3v-2h3z"),
    "replay": Symbol("Replay", "M12 5V1l6 5.5-6 5.5V8a5 5 0 1 0 5 5h3a8 8 0 1 1-8-8z"),
}
_LEGENDARY = Symbol("Legendary", "M12 2l3 7h7l-5.5 4.5L18.5 21 12 16.5 5.5 21l2-7.5L2 9h7z")
_CONDITION = Symbol("condition", "M10 3h4v11h-4zM10 17h4v4h-4z")


def face(table: str, row: str, resolved: Resolved) -> Face:
    """A card as a picture."""
    cells = resolved.tables[table][row]
    fill, ink = _TONES[cells["colour"]]
    needs = [f"at least {condition}" for condition in conditions(cells)]
    effect = [_EFFECTS[cells["effect"]]] * min(2, cells["times"]) if cells["effect"] != "none" else []
    symbols = [_LEGENDARY] if cells["kind"] != "trick" else []
    symbols += [_BROKEN] if cells["broken"] else []
    symbols += effect
    symbols += [_CONDITION] if needs else []
    times = f" {cells['times']} times" if cells["times"] > 1 else ""
    said = [cells["colour"], f"{cells['points']} Prestige"]
    said += ["Legendary"] if cells["kind"] != "trick" else []
    said += ["broken skateboard"] if cells["broken"] else []
    said += [f"{cells['effect'].capitalize()}{times}"] if effect else []
    said += [f"needs {' and '.join(needs)}"] if needs else []
    corner = cells["colour"][0].upper() if cells["colour"] in COLOUR_NAMES[:-1] else "–"
    words = f"{cells['name']}: {', '.join(said)}"
    return Face(cells["name"], words, str(cells["points"]), corner, fill, ink, tuple(symbols[:4]))
