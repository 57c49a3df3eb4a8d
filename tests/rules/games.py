"""Play a situation, and tell it in short."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from skate_sim.games.skate_legend import GAME
from skate_sim.simulation import PlayError, tell_game
from skate_sim.testing import plan_of

from .decks import deck_edits, reward_edits
from .scripted import scripted

#: Games that are searched for the cards that a test wants.
MOST_GAMES = 4000


@dataclass(frozen=True)
class Told:
    """A game as the lines of its transcript."""

    lines: list[dict[str, Any]]

    @property
    def setup(self) -> dict[str, Any]:
        """The first line."""
        return self.lines[0]

    @property
    def end(self) -> list[dict[str, Any]]:
        """The final scores by seat."""
        return self.lines[-1]["seats"]

    def events(self, *kinds: str, round: int | None = None) -> list[dict[str, Any]]:
        """Events of these kinds (all if none is named), of one round or of all."""
        inner = [e for e in self.lines if "round" in e and round in (None, e["round"])]
        return [e for e in inner if not kinds or e["event"] in kinds]

    def story(self, round: int | None = None) -> list[str]:
        """What happens in a round, or in the game, a short sentence an event."""
        return [in_short(event) for event in self.events(round=round)]

    def of(self, seat: int, round: int | None = None) -> list[str]:
        """What a seat does, without its number; pile events are left out."""
        return [in_short(e).removeprefix(f"{seat} ") for e in self.events(round=round) if e["seat"] == seat]


def play(
    *scripts: str,
    deck: str | None = None,
    rewards: str | None = None,
    cards: str = "",
    dealt: str = "",
    first: int = 0,
    preset: str | None = None,
    edits: Mapping[str, Any] | None = None,
    game: int | None = None,
    **rules: Any,
) -> Told:
    """The first game in which seat ``first`` begins and the cards come as wanted.

    Parameters
    ----------
    *scripts : str
        What each seat does, see :func:`tests.rules.scripted`; an empty one does one trick a round and stops.
    deck, rewards : str, optional
        The only Trick cards, ``"ollie=3 manual"``; the only Legendaries, in the order in which they are won. The
        game then has a round for each of them and one for Perfect Landing, unless ``rounds`` says otherwise.
    cards, dealt : str
        Face-down cards in the order in which they are played, drawn or revealed (a dot is any card); the cards
        dealt by seat.
    preset, edits, **rules
        As in :func:`skate_sim.testing.plan_of`.
    game : int, optional
        The number of the game, instead of a search.

    Raises
    ------
    PlayError
        A script's answer was not allowed.
    """
    changes = (deck_edits(deck) if deck else {}) | (reward_edits(rewards) if rewards else {}) | dict(edits or {})
    if rewards:
        rules = {"rounds": len(rewards.split()) + 1} | rules
    table = GAME.resolve(GAME, len(scripts), preset, rules, changes).tables["cards"]
    bots = [scripted(script, table) for script in scripts]
    plan = plan_of(bots, preset=preset, rules=rules, edits=changes)
    if game is not None:
        return Told(tell_game(plan, game))
    for number in range(MOST_GAMES):
        try:
            lines, error = tell_game(plan, number), None
        except PlayError as fault:
            lines, error = fault.events, fault
        if lines[0]["first_seat"] == first and _comes_as_wanted(lines, cards, dealt, rewards):
            if error:
                raise error
            return Told(lines)
    raise AssertionError(f"none of {MOST_GAMES} games has the cards that are wanted")


def answers_at(*scripts: str, **situation: Any) -> list[str]:
    """What the skater may answer where a script says ``never``."""
    with pytest.raises(PlayError) as caught:
        play(*scripts, **situation)
    return re.findall(r"\d+ \(([^)]*)\)", caught.value.message.partition("legal answers: ")[2])


def games(count: int, *bots: str, **variant: Any) -> Iterator[Told]:
    """The first games between bundled bots, with the arguments of :func:`skate_sim.testing.plan_of`."""
    plan = plan_of(bots, **variant)
    return (Told(tell_game(plan, number)) for number in range(count))


def _comes_as_wanted(lines: Sequence[Mapping[str, Any]], cards: str, dealt: str, rewards: str | None) -> bool:
    setup, wanted = lines[0], cards.split()
    came = [e["card"] for e in lines if e["event"] in ("trick", "draw", "reveal") and _was_face_down(e)]
    return (
        len(came) >= len(wanted)
        and all(card in (".", found) for card, found in zip(wanted, came, strict=False))
        and setup["dealt"][: len(dealt.split())] == dealt.split()
        and (rewards is None or setup["rewards"][:-1] == rewards.split())
    )


def _was_face_down(event: Mapping[str, Any]) -> bool:
    return event.get("source") != "hand" and not event.get("face_up")


def in_short(event: Mapping[str, Any]) -> str:
    """An event as a short sentence, in the shorthand of the referee's games written by hand."""
    kind, seat, card = event["event"], event["seat"], event.get("card")
    up = "the face-up " if event.get("face_up") else ""
    if kind == "trick":
        return f"{seat} {'replays' if event['forced'] else 'plays'} {up}{card} from {event['source']}"
    if kind == "helmet":
        return f"{seat} wears {event['colour']} helmet on {card}"
    if kind == "fall":
        return f"{seat} falls by {event['reason']}: {' '.join(event['cards'])}"
    if kind == "draw":
        return f"{seat} draws {up}{card} from pile {event['pile']}"
    if kind == "reveal":
        return f"{seat} reveals {card} on pile {event['pile']}"
    if kind == "lapse":
        return f"{seat} cannot obey {event['replays']} Replay{'s' if event['replays'] > 1 else ''}"
    if kind == "split":
        return f"pile {event['pile']} is split: {event['sizes'][0]} {event['sizes'][1]}"
    if kind == "reshuffle":
        return f"reshuffle: {event['sizes'][0]} {event['sizes'][1]}"
    if kind == "stop":
        unmet = f" / {' '.join(event['discarded'])}" if event["discarded"] else ""
        return f"{seat} stops: {' '.join(event['validated'])}{unmet} = {event['points']}".replace(":  ", ": ")
    return f"{seat} " + {"reward": f"takes {card}", "reward_lost": f"loses {card}", "round_end": "ends the round"}[kind]
