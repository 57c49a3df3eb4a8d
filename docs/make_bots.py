"""Write docs/bots.md: what a bot sees and may use, from the comments and docstrings where it is declared.

Run ``python docs/make_bots.py`` after a change; a test compares the page with what this makes.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from skate_sim import games, rng
from skate_sim.games import skate_legend

GAME_FOLDER = Path(skate_legend.__file__).parent
PARTS = {
    "view.me": ("state.py", "SKATER_DTYPE", "this seat's skater; `view.table.skaters[i]` has the same for seat `i`"),
    "view.hand": ("state.py", "HAND_DTYPE", "this seat's cards"),
    "view.table": ("state.py", "TABLE_DTYPE", "all that is public"),
    "view.deck": ("cards.py", "DECK_DTYPE", "the cards of the game"),
    "view.deck.cards[c]": ("cards.py", "CARD_DTYPE", "what card number `c` is"),
}
HEAD = """# Writing a bot

A bot is a Python file in `strategies/` (or a class or function in a notebook) that defines any of the game's decisions as
functions. Their arguments are any of `view`, `params`, `memo` and `luck`, by name, and the bot's parameters by their own names.
For what it does not define, or answers with `NO_HOOK`, the game has a default.

- `name = parameter(default, low=..., high=..., help="...")` declares a parameter, whole numbers if the default is one; read it as
  `params.name`. From a function, arguments with defaults are its parameters.
- `plan = memory("target", "count")` declares whole numbers that the bot remembers during a game, all 0 at its start; read and
  set them as `memo.target`.
- `random(luck)` and `random_below(luck, n)` are its random numbers, its seat's own. Other sources are refused.
- Everything is compiled with numba: plain Python on numbers, loops and functions of the same file. What it sees is read-only.
- `skate-sim check my_bot` plays it and says whether it keeps its word, and what one decision costs.
- `skate-sim rank my_bot` plays it against the bundled bots, and says how it ranks and what it does otherwise than the first.

"""


def page() -> str:
    """The whole page."""
    game = games.load("skate_legend")
    lines = [HEAD, "## Decisions\n", "| function | decides | answers | if it is missing |", "|---|---|---|---|"]
    for d in game.decisions:
        lines.append(f"| `{d.name}` | {d.help} | {'; '.join(p.help for p in d.parts)} | {d.default} |")
    lines.append(
        "\nAnswers to `act`: `STOP`, `PILE_1`, `PILE_2`, and `play_card(c)` for card number `c` of the hand.\n"
    )
    for name, (file, dtype, help) in PARTS.items():
        lines += [f"## `{name}`: {help}\n", "| field | what it is |", "|---|---|", *_fields(file, dtype), ""]
    lines.append("`view.rules` has every switch by name (`view.rules.helmet_points`); see `skate-sim rules`.\n")
    lines += ["## Helpers\n", "From `skate_sim.games.skate_legend`:\n", "| helper | what it gives |", "|---|---|"]
    for name in sorted(skate_legend.__all__):
        function = getattr(getattr(skate_legend, name), "py_func", getattr(skate_legend, name))
        if inspect.isfunction(function):
            lines.append(
                f"| `{name}{inspect.signature(function)}` | {(inspect.getdoc(function) or '').splitlines()[0]} |"
            )
    lines += ["", "From `skate_sim`:\n", "| helper | what it gives |", "|---|---|"]
    for name in ("random", "random_below"):
        function = getattr(getattr(rng, name), "py_func", getattr(rng, name))
        lines.append(f"| `{name}{inspect.signature(function)}` | {(inspect.getdoc(function) or '').splitlines()[0]} |")
    return "\n".join(lines) + "\n"


def _fields(file: str, dtype: str) -> list[str]:
    """Fields of a record with the comments that stand behind them."""
    source = (GAME_FOLDER / file).read_text(encoding="utf-8")
    block = source[source.index(f"{dtype} = ") :].split("\n)\n", 1)[0]
    found = re.findall(r'\("(\w+)", .*\),(?:  # (.*))?$', block, flags=re.MULTILINE)
    return [f"| `{name}` | {help.replace('``', '`')} |" for name, help in found]


if __name__ == "__main__":
    Path(__file__).with_name("bots.md").write_text(page(), encoding="utf-8")
