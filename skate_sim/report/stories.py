"""Told games as the page's template reads them: groups, turns, choices with their cards and risks, events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skate_sim.games import Resolved
from skate_sim.report.pictures import back_svg, face_svg
from skate_sim.report.tables import Shown, shown
from skate_sim.report.told import Choice, Told, group_axis
from skate_sim.report.words import summary
from skate_sim.story import Story, with_next


@dataclass(frozen=True)
class Card:
    """A card to draw: number of its picture on the page, and its name."""

    picture: int
    name: str
    words: str = ""


@dataclass
class Deck:
    """Pictures that a page needs, each once; number 0 is a card's back."""

    resolved: Resolved
    pictures: list[str] = field(default_factory=lambda: [back_svg()])
    cards: dict[tuple[str, str], Card] = field(default_factory=dict)

    def card(self, table: str, row: str) -> Card:
        """A row as a card; "" is one that lies face down."""
        if not row:
            return Card(0, "face down")
        telling = self.resolved.game.telling
        if (table, row) not in self.cards and telling:
            face = telling.face(table, row, self.resolved)
            picture = face_svg(face)
            if picture not in self.pictures:  # the deck of another variant may have the same
                self.pictures.append(picture)
            self.cards[table, row] = Card(self.pictures.index(picture), face.name, face.words)
        return self.cards[table, row]

    def cards_of(self, event: dict[str, Any]) -> list[Card]:
        """The cards that an event is about."""
        found = []
        for value in event.values():
            for row in value if isinstance(value, list) else [value]:
                table = next(
                    (t for t, rows in self.resolved.tables.items() if isinstance(row, str) and row in rows), ""
                )
                if table:
                    found.append(self.card(table, row))
        return found

    @property
    def legend(self) -> list[Card]:
        """All cards that were drawn, by name."""
        return sorted(self.cards.values(), key=lambda card: card.words)


@dataclass
class Turn:
    """What one seat saw and did without a break; the seat is None for what happens to all."""

    seat: int | None
    name: str
    items: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Group:
    """A part of a game, such as a round."""

    title: str
    turns: list[Turn] = field(default_factory=list)


@dataclass(frozen=True)
class StoryPage:
    """One told game, ready for the template."""

    name: str
    title: str
    why: str
    number: int
    outcome: str
    command: str
    scores: Shown
    groups: list[Group]


def story_page(told: Told, deck: Deck, name: str, title: str, why: str) -> StoryPage:
    """A told game, ready for the template; ``name`` is its anchor, and ``why`` says why it is told."""
    story, end = Story(told.plan.resolved, list(told.names)), told.events[-1]
    command = f"--game {told.number} --seed {told.plan.seed}"
    return StoryPage(
        name,
        title,
        why,
        told.number,
        summary([seat["win_share"] for seat in end["seats"]], told.names),
        command,
        shown(story.scores(end)),
        _groups(told, story, deck),
    )


def _groups(told: Told, story: Story, deck: Deck) -> list[Group]:
    game = told.plan.game
    axis, mishap = group_axis(game), game.telling.mishap if game.telling else ""
    choices: dict[int, list[Choice]] = {}
    for choice in told.choices:
        choices.setdefault(choice.before, []).append(choice)
    groups: list[Group] = []
    for number, event in enumerate(told.events[1:-1], 1):
        title = f"{game.axes.get(axis, '')} {event.get(axis, '')}".strip()
        if not groups or groups[-1].title != title:
            groups.append(Group(title))
        turns = groups[-1].turns
        for choice in choices.get(number, []):
            _turn(turns, choice.seat, told).items.append(_choice(choice, deck))
        who = told.names[event["seat"]] if event["seat"] is not None else ""
        text = game.sentence(with_next(told.events, number), who, story.resolved)
        item = {"kind": "event", "text": text, "cards": deck.cards_of(event), "mishap": event["event"] == mishap}
        _turn(turns, event["seat"], told).items.append(item)
    return groups


def _turn(turns: list[Turn], seat: int | None, told: Told) -> Turn:
    """The present turn, a new one when another seat is at it."""
    if not turns or turns[-1].seat != seat:
        turns.append(Turn(seat, told.names[seat] if seat is not None else ""))
    return turns[-1]


def _choice(choice: Choice, deck: Deck) -> dict[str, Any]:
    position = choice.position
    options = [
        {
            "text": option.text,
            "card": None if option.row is None else deck.card(position.table, option.row),
            "risk": option.risk,
            "chosen": option.answer == choice.answer,
        }
        for option in position.options
    ]
    places = {place: [deck.card(position.table, row) for row in rows] for place, rows in position.groups.items()}
    return {"kind": "choice", "places": places, "note": position.note, "options": options}
