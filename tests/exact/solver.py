"""Exact chances of a skater who takes cards blindly, for any deck, in fractions.

One skater, no hand, no helmet; of the effects only Replay counts. Cards that nobody has seen are exchangeable:
whatever other seats take, and whatever Draw and Reveal move about, the next face-down card is any of the unseen
ones with equal chance. So the numbers are also those of either seat in the first round of a two-player game,
where nobody's combo is cut short, as long as the draw piles do not run out.

The method: ordered draws are counted, not listed. Cards alike in colour, broken skateboard and Replay form a
class; the number of cards held of each class says how many of each are left, so it is, with the pending
replays, the whole state. After k cards the ways to each state are whole numbers, and a chance is such a number
over the count of all ordered draws of k cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

#: Cards of one colour, or broken skateboards, that make a combo fall.
FALL = 3


@dataclass(frozen=True)
class CardKind:
    """A kind of card in the deck, with the number of its copies."""

    colour: str
    points: int = 1
    broken: bool = False
    effect: str = "none"
    times: int = 1
    copies: int = 1

    @property
    def replays(self) -> int:
        """Pending replays that the card adds when played."""
        return self.times if self.effect == "replay" else 0


#: The 120 printed Trick cards.
PRINTED_DECK = (
    CardKind("blue", effect="reveal", copies=10),
    CardKind("blue", copies=16),
    CardKind("blue", broken=True, copies=6),
    CardKind("yellow", copies=12),
    CardKind("yellow", points=2, broken=True, copies=12),
    CardKind("red", copies=12),
    CardKind("red", effect="draw", copies=22),
    CardKind("red", broken=True, copies=2),
    CardKind("green", copies=10),
    CardKind("green", effect="replay", copies=12),
    CardKind("green", broken=True, copies=6),
)


def trick_deck(cards: Mapping[str, Mapping[str, Any]]) -> tuple[CardKind, ...]:
    """The Trick cards of a cards table (id: cells), as in the first line of a transcript."""
    names = CardKind.__dataclass_fields__
    return tuple(CardKind(**{n: c[n] for n in names}) for c in cards.values() if c["kind"] == "trick")


@dataclass(frozen=True)
class StopAtN:
    """What becomes of a skater who stops at the first free decision with at least n cards.

    Attributes
    ----------
    standing : Fraction
        Chance not to fall.
    points : Fraction
        Mean Prestige of the combo, 0 if fallen.
    cards : dict of int to Fraction
        Chance of each number of cards, given that the skater stands; empty if nobody can.
    """

    standing: Fraction
    points: Fraction
    cards: dict[int, Fraction]

    @property
    def mean_cards(self) -> Fraction:
        """Mean number of cards of a skater who stands (0 if nobody can)."""
        return sum((k * p for k, p in self.cards.items()), Fraction(0))


class Ends(NamedTuple):
    """Chances of a combo of so many cards: to stop there, to fall with the next card, to try a next card at all."""

    stopped: Fraction
    fell: Fraction
    tried: Fraction


@dataclass(frozen=True)
class _Class:
    """Cards that are alike for falling and replaying."""

    colour: str
    broken: bool
    replays: int
    copies: int
    mean_points: Fraction


_State = tuple[tuple[int, ...], int]  # cards held of each class, pending replays


def standing_after(deck: Iterable[CardKind], draws: int) -> Fraction:
    """Chance that a combo of so many blind draws has not fallen; effects ignored."""
    return standing_along(deck, draws)[-1]


def standing_along(deck: Iterable[CardKind], draws: int) -> tuple[Fraction, ...]:
    """The same after 0 to so many draws."""
    classes = _classes(CardKind(c.colour, c.points, c.broken, copies=c.copies) for c in deck)
    if draws > sum(c.copies for c in classes):
        raise ValueError(f"{draws} draws from {sum(c.copies for c in classes)} cards")
    ways: dict[_State, int] = _start(classes)
    chances = [Fraction(1)]
    for draw in range(1, draws + 1):
        ways = _one_more_card(classes, ways)
        chances.append(Fraction(sum(ways.values()), _ordered_draws(classes, draw)))
    return tuple(chances)


def stop_at_n(deck: Iterable[CardKind], n: int) -> StopAtN:
    """Result of taking cards blindly, Replays obeyed, until a free decision with at least n cards.

    A skater who finds no card left stops with what he has; pending replays lapse.
    """
    if n < 1:
        raise ValueError(f"n is {n}; a skater cannot stop without a card")
    classes = _classes(deck)
    size = sum(c.copies for c in classes)
    chance: dict[int, Fraction] = {}  # of standing with k cards
    points = Fraction(0)
    ways = _start(classes)
    for held in range(size + 1):
        stops = {s: w for s, w in ways.items() if held == size or (held >= n and s[1] == 0)}
        if stops:
            draws = _ordered_draws(classes, held)
            chance[held] = Fraction(sum(stops.values()), draws)
            points += sum((w * _points(classes, s) for s, w in stops.items()), Fraction(0)) / draws
        ways = _one_more_card(classes, {s: w for s, w in ways.items() if s not in stops})
    standing = sum(chance.values(), Fraction(0))
    return StopAtN(standing, points, {k: p / standing for k, p in chance.items()})


def ends_of_stop_at_n(deck: Iterable[CardKind], n: int) -> dict[int, Ends]:
    """How the same skater's combo ends, by the number of its cards before the one that made it fall.

    Cards must last until the combo has fallen or stopped.
    """
    classes = _classes(deck)
    ends: dict[int, Ends] = {}
    ways = _start(classes)
    for held in range(sum(c.copies for c in classes)):
        stops = sum(w for s, w in ways.items() if held >= n and s[1] == 0)
        goes_on = {s: w for s, w in ways.items() if not (held >= n and s[1] == 0)}
        ways = _one_more_card(classes, goes_on)
        tried = Fraction(sum(goes_on.values()), _ordered_draws(classes, held))
        stands = Fraction(sum(ways.values()), _ordered_draws(classes, held + 1))
        ends[held] = Ends(Fraction(stops, _ordered_draws(classes, held)), tried - stands, tried)
        if not ways:
            return ends
    raise ValueError("the deck is too small")


def _classes(deck: Iterable[CardKind]) -> tuple[_Class, ...]:
    copies: dict[tuple[str, bool, int], int] = defaultdict(int)
    points: dict[tuple[str, bool, int], int] = defaultdict(int)
    for kind in deck:
        key = (kind.colour, kind.broken, kind.replays)
        copies[key] += kind.copies
        points[key] += kind.copies * kind.points
    return tuple(_Class(*key, n, Fraction(points[key], n)) for key, n in copies.items() if n)


def _start(classes: Sequence[_Class]) -> dict[_State, int]:
    return {((0,) * len(classes), 0): 1}


def _one_more_card(classes: Sequence[_Class], ways: Mapping[_State, int]) -> dict[_State, int]:
    """Ways to each state that stands after one more card; states that fall are gone."""
    after: dict[_State, int] = defaultdict(int)
    for (held, pending), count in ways.items():
        for i, card in enumerate(classes):
            left = card.copies - held[i]
            if left and not _falls(classes, held, card):
                now_held = (*held[:i], held[i] + 1, *held[i + 1 :])
                after[now_held, max(pending - 1, 0) + card.replays] += count * left
    return after


def _falls(classes: Sequence[_Class], held: Sequence[int], new: _Class) -> bool:
    colour = 1 + sum(n for n, c in zip(held, classes, strict=True) if c.colour == new.colour)
    broken = new.broken + sum(n for n, c in zip(held, classes, strict=True) if c.broken)
    return broken >= FALL or (colour >= FALL and new.colour != "grey")


def _points(classes: Sequence[_Class], state: _State) -> Fraction:
    """Mean points of the cards held: within a class each card is as likely as another."""
    return sum((n * c.mean_points for n, c in zip(state[0], classes, strict=True)), Fraction(0))


def _ordered_draws(classes: Sequence[_Class], draws: int) -> int:
    size = sum(c.copies for c in classes)
    count = 1
    for i in range(draws):
        count *= size - i
    return count
