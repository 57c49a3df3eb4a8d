"""One game told in plain words, with what its game declares: events, sentences, tables, axes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from skate_sim.console import Finding, say, show
from skate_sim.games import Resolved
from skate_sim.moments import Moment
from skate_sim.simulation import Plan

#: Keys of a transcript's first line that the engine writes; the others are the game's own.
_ENGINE_KEYS = {"event", "game", "behaviour_version", "seed", "game_number", "preset", "rules", "seats"}
#: Styles that tell the seats apart.
_SEAT_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red", "bright_cyan", "bright_yellow")

#: Width of the column on the left, with the risk of each decision.
GUTTER = 9

#: Called after each decision that is shown.
Step = Callable[[], None]


def seat_names(plan: Plan, number: int) -> list[str]:
    """Display name of the bot in each seat of a game; with the seat where a name comes twice."""
    names = [plan.bots[plan.entry_of(number, seat)].name for seat in range(plan.resolved.seats)]
    count = Counter(names)
    return [f"{name} ({seat + 1})" if count[name] > 1 else name for seat, name in enumerate(names)]


def print_story(
    console: Console, plan: Plan, events: list[dict[str, Any]], moments: Sequence[Moment] = (), step: Step | None = None
) -> None:
    """Print a game's events, grouped by round, with the risk of each decision, and the final scores if it has them.

    ``step`` is called after each decision that was printed.
    """
    setup = events[0]
    story = Story(plan.resolved, seat_names(plan, setup["game_number"]))
    console.print(story.heading(setup))
    for part in story.setup(setup):
        console.print(part)
    if moments and story.display:
        risk = story.display.risk_word
        say(
            console,
            f"Before a line: the exact {risk} that the decision took; without one, nothing was risked or asked.",
        )
        say(console, "At its end, where only what was done was safe: the least risk of all else.")
    Teller(console, story).tell(events, moments, 1, step=step)


class Teller:
    """Prints events one after the other, as many as there are."""

    def __init__(self, console: Console, story: Story) -> None:
        self.console, self.story = console, story
        self.group: Any = None

    def tell(
        self,
        events: Sequence[Mapping[str, Any]],
        moments: Sequence[Moment],
        first: int,
        *,
        seat: int | None = None,
        step: Step | None = None,
    ) -> None:
        """Print the events from number ``first`` on, as ``seat`` takes them in when given."""
        causes = _causes(events, moments)
        for number in range(first, len(events)):
            event = events[number]
            if event["event"] == "end":
                show(self.console, self.story.scores(event))
                continue
            if event.get("round") != self.group:
                self.group = event.get("round")
                self._open(moments, number)
            cause = causes.get(number)
            self._line(self.story.line(with_next(events, number), seat), cause)
            if cause and step:
                step()

    def _open(self, moments: Sequence[Moment], number: int) -> None:
        """The line above a round, and how it stands."""
        game = self.story.resolved.game
        self.console.print()
        self.console.print(Rule(f"{game.axes.get('round', 'Round')} {self.group}", align="left", style="dim"))
        moment = next((m for m in moments if m.events >= number), None)
        if moment and number > 1:
            self.console.print(Text(f"  {game.score_word}: ").append_text(self.story.standing(moment.scores)))

    def _line(self, line: Text, cause: Moment | None) -> None:
        gutter = _gutter(cause)
        if cause and (refused := _refused(cause)):
            line = Text.assemble(line, (f" (all else: {refused} or more)", "dim"))
        for number, part in enumerate(line.wrap(self.console, self.console.width - GUTTER - 2)):
            part.rstrip()
            self.console.print((Text(" " * (GUTTER + 2)) if number else gutter).append_text(part))


def with_next(events: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any]:
    """An event with the kind of the next one, ``followed_by``, if that is of the same seat: it may change the words."""
    event, after = dict(events[number]), events[number + 1] if number + 1 < len(events) else {}
    return event | ({"followed_by": after["event"]} if after.get("seat") == event.get("seat") else {})


def _causes(events: Sequence[Mapping[str, Any]], moments: Sequence[Moment]) -> dict[int, Moment]:
    """The decision that led to each event: the first event of the seat that follows it."""
    causes = {}
    for moment in moments:
        if moment.chosen and not math.isnan(moment.chosen.risk):
            for number in range(moment.events, len(events)):
                if events[number].get("seat") == moment.seat:
                    causes[number] = moment
                    break
    return causes


def _gutter(cause: Moment | None) -> Text:
    """The column on the left, with the risk that was taken."""
    if cause is None or cause.chosen is None:
        return Text(" " * GUTTER)
    return Text.assemble((f"{risk_text(cause.chosen.risk):>{GUTTER - 2}}  ", risk_style(cause.chosen.risk)))


def _refused(cause: Moment) -> str:
    """The least risk of what was not chosen, when that was safe and all else was not."""
    others = [c.risk for c in cause.choices if c != cause.chosen]
    chosen = cause.chosen
    return risk_text(min(others)) if chosen and chosen.risk == 0 and others and min(others) > 0 else ""


def risk_text(risk: float) -> str:
    """An exact risk in per cent; nothing when there is none to speak of."""
    return "" if math.isnan(risk) else f"{risk:.1%}" if 0 < risk < 1 else f"{risk:.0%}"


def risk_style(risk: float) -> str:
    """Green, yellow or red."""
    return "dim" if math.isnan(risk) or risk == 0 else "green" if risk < 0.15 else "yellow" if risk < 0.35 else "red"


class Story:
    """Words for the events of one game."""

    def __init__(self, resolved: Resolved, names: list[str]) -> None:
        self.resolved, self.names = resolved, names
        self.display = resolved.game.display
        self.styles = dict(self.display.styles(resolved)) if self.display else {}

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
                yield self.coloured(f"{_words(key)}: {', '.join(self.cell(v) for v in cells)}")

    def who(self, seat: int) -> Text:
        """A seat's name in its colour."""
        return Text(self.names[seat], _SEAT_STYLES[seat])

    def line(self, event: Mapping[str, Any], seat: int | None = None) -> Text:
        """An event as a sentence; as one seat takes it in, if one is given."""
        who = self.names[event["seat"]] if event.get("seat") is not None else ""
        if seat is not None and self.display:
            sentence = self.display.heard(event, who, seat, self.resolved)
        else:
            sentence = self.resolved.game.sentence(event, who, self.resolved)
        text = self.coloured(sentence)
        if who:
            text.highlight_words([who], _SEAT_STYLES[event["seat"]])
        return text

    def coloured(self, sentence: str) -> Text:
        """A sentence with the words that the game writes in a style of their own."""
        text = Text(sentence)
        for word, style in self.styles.items():
            text.highlight_words([word], style)
        return text

    def standing(self, scores: Sequence[int]) -> Text:
        """The points of each seat."""
        parts = [Text.assemble(self.who(seat), f" {score}") for seat, score in enumerate(scores)]
        return Text(", ").join(parts)

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
