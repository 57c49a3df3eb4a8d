"""One game told in plain words, with what its game declares: events, sentences, tables, axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from skate_sim.console import Finding, show
from skate_sim.games import Resolved
from skate_sim.simulation import Plan

#: Keys of a transcript's first line that the engine writes; the others are the game's own.
_ENGINE_KEYS = {"event", "game", "behaviour_version", "seed", "game_number", "preset", "rules", "seats"}
#: Styles that tell the seats apart.
_SEAT_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red", "bright_cyan", "bright_yellow")


def seat_names(plan: Plan, number: int) -> list[str]:
    """Display name of the bot in each seat of a game; with the seat where a name comes twice."""
    names = [plan.bots[plan.entry_of(number, seat)].name for seat in range(plan.resolved.seats)]
    count = Counter(names)
    return [f"{name} ({seat + 1})" if count[name] > 1 else name for seat, name in enumerate(names)]


def print_story(console: Console, plan: Plan, events: list[dict[str, Any]]) -> None:
    """Print a game's events, grouped by round, and the final scores if it has them."""
    setup = events[0]
    story = Story(plan.resolved, seat_names(plan, setup["game_number"]))
    console.print(story.heading(setup))
    for part in story.setup(setup):
        console.print(part)
    group = None
    for event in events[1:]:
        if event["event"] == "end":
            show(console, story.scores(event))
            continue
        if event.get("round") != group:
            group = event.get("round")
            console.print()
            console.print(Rule(f"{story.resolved.game.axes.get('round', 'Round')} {group}", align="left", style="dim"))
        for number, line in enumerate(story.line(event).wrap(console, console.width - 4)):
            line.rstrip()
            console.print(Text("    " if number else "  ").append_text(line))


class Story:
    """Words for the events of one game."""

    def __init__(self, resolved: Resolved, names: list[str]) -> None:
        self.resolved, self.names = resolved, names

    def heading(self, setup: Mapping[str, Any]) -> Text:
        """Which game it is."""
        changes = ", ".join(f"{key} {_value(new)}" for key, (_, new) in self.resolved.changes.items())
        variant = f"{setup['preset']} rules{', with ' + changes if changes else ''}"
        return Text.assemble(
            (f"{self.resolved.game.title}, game {setup['game_number']} of seed {setup['seed']}", "bold"), f"\n{variant}"
        )

    def setup(self, setup: Mapping[str, Any]) -> Iterator[Text]:
        """Who sits where, and what the table looks like."""
        seats = (Text.assemble(f"{seat + 1} ", self.who(seat)) for seat in range(len(self.names)))
        yield Text("Seats: ").append_text(Text(", ").join(seats))
        if any(kind.name == "setup" for kind in self.resolved.game.events):
            yield Text(self.resolved.game.sentence(setup, "", self.resolved))
            return
        for key, value in setup.items():
            if key.endswith("_seat"):
                yield Text(f"{_words(key.removesuffix('_seat'))}: ").append_text(self.who(value))
            elif key not in _ENGINE_KEYS and key not in self.resolved.tables:
                cells = value if isinstance(value, list) else [value]
                yield Text(f"{_words(key)}: {', '.join(self.cell(v) for v in cells)}")

    def who(self, seat: int) -> Text:
        """A seat's name in its colour."""
        return Text(self.names[seat], _SEAT_STYLES[seat])

    def line(self, event: Mapping[str, Any]) -> Text:
        """An event as a sentence."""
        seat = event.get("seat")
        name = self.names[seat] if seat is not None else ""
        text = Text(self.resolved.game.sentence(event, name, self.resolved))
        if seat is not None:
            text.highlight_words([name], _SEAT_STYLES[seat])
        return text

    def scores(self, end: Mapping[str, Any]) -> Finding:
        """The final scores, with their parts."""
        keys = [key for key in end["seats"][0] if key != "seat"]
        rows = [[f"{row['seat'] + 1} {self.names[row['seat']]}", *(str(row[k]) for k in keys)] for row in end["seats"]]
        return Finding("Final scores", ["Seat", *(_words(key) for key in keys)], rows)

    def cell(self, value: Any) -> str:
        """A row of a data table by its name, anything else as it is."""
        for rows in self.resolved.tables.values():
            if value in rows:
                return str(rows[value].get("name", value))
        return str(value)


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _value(value: Any) -> str:
    if value is None:
        return "removed"
    return "added" if isinstance(value, Mapping) else str(value)
