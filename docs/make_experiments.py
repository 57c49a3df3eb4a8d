"""Write docs/experiments.md: the keys of an experiment file, from the descriptions with which they are declared.

Run ``python docs/make_experiments.py`` after a change; a test compares the page with what this makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from skate_sim.experiment_file import ExperimentFile, Settings
from skate_sim.section_forms import FORMS
from skate_sim.sweep import MOST_VARIANTS

HEAD = """# Experiment files

An experiment is a YAML file: bots, rules, edits, a number of games, and what you want to know. `skate-sim run FILE` plays it,
`skate-sim play FILE --variant NAME --game N` tells any of its games.

Everything that a file asks is played on the same luck: game by game, all variants have the same deal, and differences are
paired ([how that is computed](statistics.md)). A mistake is one message with line, key, what was found, and what would be valid.

"""

SECTIONS = {
    "sweep": (
        f"""Every combination of the values listed becomes a variant (at most {MOST_VARIANTS}) with a readable name, such as
`kick_flip.points=4, limit=0.2`. Places are `table.row.column`, `rules.switch`, `preset`, `players` (seats at the table), and
`players.BOT.parameter` (or `pool.`, `seats.`) with a bot's number from 0 (messages count from 1) or its name. A range `3..7` has both ends; it goes by
ones, or by ones in the last decimal place that is written, unless a `step` is given. Variants are compared with `baseline`; left
out, it is the combination that the experiment has without the sweep, if that is among them, or else the first.""",
        """pool: [risk_threshold, helmet_saver, stop_at_n]
games: 20_000
sweep:
  cards.kick_flip.points: 3..7
  players.risk_threshold.limit: 0.2..0.6 step 0.2""",
    ),
    "holding": (
        """What a card is worth to its holder: the same games, with each card given to one seat at the beginning of a round. The
difference is that of this seat, with every bot of the pool in it in turn. `holding` has a row for each card, bot, round and outcome
(interval, correlation, worth); `holding_ranks` where each card may stand among the others, corrected for all of their comparisons.
Together with `variants` or a `sweep` it is measured in each variant, and `holding_change` has the difference to the baseline, paired
on the same games.""",
        """pool: [risk_threshold, helmet_saver, legend_hunter]
games: 20_000
holding: {cards: [kick_flip, hippy_jump, 180], rounds: 1..2}""",
    ),
    "knock_out": (
        """What a card does to the game: the same games without it, or with a blank in its place (same dangers; it brings nothing and
does nothing). All other cards keep their luck. `knock_out` has the difference to the unchanged game for each row, bot and outcome;
`sure` says whether it is beyond doubt when corrected for all rows and bots.""",
        """pool: [risk_threshold, helmet_saver, legend_hunter]
games: 20_000
knock_out: {rows: all, how: blank}""",
    ),
    "break_even": (
        """At which value of a number two things are equal. Between two ends, all whole numbers are played (every few, if they are more
than 21), or 11 values; all of them on the same luck. The answer is a value with its interval, or that there is no such value.
`{holding: [row, row], round: 1, seat: 1}` compares what the holder of one card has with what that of the other has; `{bots: [bot, bot]}`
two bots of the pool; `{variants: [name, name]}` one `bot` in two variants of the file.""",
        """pool: [risk_threshold, helmet_saver, legend_hunter]
games: 20_000
break_even:
  number: cards.kick_flip.points
  between: [0, 10]
  equal: {holding: [kick_flip, hippy_jump], round: 2}""",
    ),
    "pairs": (
        """Which bot beats which. The two of each pair fill a table (half of the seats each, or both splits where the seats are odd in
number) in every possible seating, `games` for each pair; or, with `against: field`, both sit at the pool's tables with the others. `pairs` has the
advantage of each bot over each other: its win share per seat above the fair one. What is said of who beats whom, and of circles, holds
for all pairs together.""",
        """pool: [risk_threshold, helmet_saver, stop_at_n, random_legal]
games: 20_000
pairs: {size: 2}""",
    ),
    "by_seat": (
        """`by_seat: true`: whether it matters who goes first. `by_seat` has what each seat has above the mean of all seats, all bots
together, for each variant that the file lists (they may differ in the number of seats); bots must be a pool.""",
        """pool: [risk_threshold]
players: 4
games: 20_000
by_seat: true
sweep: {players: 2..5}""",
    ),
    "luck": (
        """`luck: true`: all lineups of the pool play the same luck, about `games` in all, and the variance of what one seat has in one game
is split into what comes from the bots (skill), the seat, the deal, and the rest; and how much the best bot has more than the worst.""",
        """pool: [risk_threshold, helmet_saver, stop_at_n]
games: 20_000
luck: true""",
    ),
}


def page() -> str:
    """The whole page."""
    lines = [HEAD, "## Keys\n", *_table(ExperimentFile), ""]
    lines += ["A bot is its name, a path ending in `.py`, `{name: {parameter: number}}`, or"]
    lines += ["`{bot: name, label: text, parameter: number}`. A variant may change these:", ""]
    lines += [", ".join(f"`{name}`" for name in Settings.model_fields) + ".", ""]
    lines += ["## Sections\n", "A file may have several, besides `variants`; they are then answered from one run.\n"]
    for name, (text, example) in SECTIONS.items():
        lines += [f"### `{name}`\n", text, "", "```yaml", example, "```", ""]
        lines += [*_table(FORMS[name]), ""] if name in FORMS else []
    return "\n".join(lines).rstrip() + "\n"


def examples() -> Iterator[str]:
    """The example of each section, a complete file."""
    for _, example in SECTIONS.values():
        yield example


def _table(model: type[BaseModel]) -> list[str]:
    """Keys of a model with what each may hold."""
    keys = dict.fromkeys([*model.__annotations__, *model.model_fields])
    rows = ["| key | what it is | when left out |", "|---|---|---|"]
    for key in keys:
        field = model.model_fields.get(key)
        if field is not None:
            given = field.default_factory is None and field.default not in (None, PydanticUndefined)
            default = f"`{_yaml(field.default)}`" if given else "needed" if field.is_required() else ""
            rows.append(f"| `{key}` | {field.description} | {default} |")
    return rows


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:_}"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


if __name__ == "__main__":
    Path(__file__).with_name("experiments.md").write_text(page(), encoding="utf-8")
