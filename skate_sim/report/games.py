"""Games of a page: those worth telling; of a comparison, first the one in which two variants come apart most."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from skate_sim.comparison import Comparison, Contrast
from skate_sim.figures import game_risk
from skate_sim.games.telling import Searched
from skate_sim.report import search
from skate_sim.report.stories import Card, Deck, StoryPage, story_page
from skate_sim.report.told import Told, risks, tell
from skate_sim.simulation import Plan

if TYPE_CHECKING:
    from skate_sim.drawing import Drawing


@dataclass(frozen=True)
class ToldGames:
    """Told games as the page's template reads them: an introduction, pictures of cards, their legend, the games.

    ``risks`` is a figure of the first one.
    """

    intro: str
    pictures: list[str]
    legend: list[Card]
    stories: list[StoryPage]
    risks: Drawing | None = None


def games_of_run(plan: Plan, played: int, win_shares: np.ndarray) -> ToldGames | None:
    """Games worth telling among the first of a run.

    Parameters
    ----------
    played : int
        Games of the run.
    win_shares : float array, (bots,)
        Of each bot over the whole run.

    Raises
    ------
    PlayError
        A game could not be played again.
    """
    if not plan.game.telling:
        return None
    searched, deck = min(search.MOST, played), Deck(plan.resolved)
    stories: list[StoryPage] = []
    drawing = None
    for notable, number in search.notable_games(search.search(plan, searched, win_shares)):
        told = tell(plan, number)
        if not stories:  # one shows how to read the risks; the rest are in words
            drawing = _risks(told)
        stories.append(story_page(told, deck, notable.name, notable.title, notable.help))
    return ToldGames(_intro(plan, searched, played), deck.pictures, deck.legend, stories, drawing) if stories else None


def games_of_comparison(comparison: Comparison, played: int, shown: Sequence[str]) -> ToldGames | None:
    """The game that two variants play most differently, told with both, and games worth telling of the second.

    Parameters
    ----------
    played : int
        Games of each variant.
    shown : sequence of str
        Variants that the experiment lists; of these, the first pair that is compared.

    Raises
    ------
    PlayError
        A game could not be played again.
    """
    pair, game = _pair_of(comparison, shown), comparison.first_plan.game
    if pair is None or not game.telling:
        return None
    names = [pair.baseline, pair.name]
    plans = [comparison.plans[name] for name in names]
    decks = [Deck(plans[0].resolved)]
    decks.append(Deck(plans[1].resolved, decks[0].pictures))
    searched = min(search.MOST, played)
    seen = [search.search(plan, searched, np.zeros(len(plan.bots))) for plan in plans]
    number = _most_different(*seen)
    stories = [] if number is None else list(_in_both(names, plans, decks, number))
    for notable, found in search.notable_games(replace(seen[1], win_shares=_shares(seen[1]))):
        if found != number:
            told, title = tell(plans[1], found), f"{notable.title} (with {names[1]})"
            story = story_page(told, decks[1], notable.name, title, notable.help)
            stories.append(_of_variant(story, names[1]))
    legend = {card.words: card for deck in decks for card in deck.legend}
    intro = _intro(plans[0], searched, played)
    return ToldGames(intro, decks[0].pictures, [legend[words] for words in sorted(legend)], stories)


def _intro(plan: Plan, searched: int, played: int) -> str:
    """Where the games were found."""
    part = f", not among all {played:,}" if searched < played else ""
    label = plan.game.telling.risk_label if plan.game.telling else ""
    return (
        f"Found among games 0 to {searched - 1} of seed {plan.seed}{part}. Each is the very game that the run counted. "
        f"{label}s are exact: of all that the bot could not see, how much would have ended that way."
    )


def _risks(told: Told) -> Drawing | None:
    table, game = risks(told), told.plan.game
    if game.telling is None or table.empty:
        return None
    title = f"{game.telling.risk_label} that each bot took in game {told.number}, decision by decision"
    return replace(game_risk(table, game), title=title)


def _pair_of(comparison: Comparison, shown: Sequence[str]) -> Contrast | None:
    """The first contrast of one shown variant with another."""
    for contrast in comparison.contrasts:
        two = {name for name, weight in contrast.weights.items() if weight}
        if two == {contrast.name, contrast.baseline} <= set(shown):
            return contrast
    return None


def _in_both(names: list[str], plans: list[Plan], decks: list[Deck], number: int) -> Iterator[StoryPage]:
    for at, (name, plan, deck) in enumerate(zip(names, plans, decks, strict=True)):
        title = f"Where they come apart: with {name}" if at == 0 else f"The same game with {name}"
        why = f"of these games, its win shares, then its scores, differ most from those with {names[1 - at]}"
        yield _of_variant(story_page(tell(plan, number), deck, f"apart-{at}", title, why), name)


def _of_variant(story: StoryPage, variant: str) -> StoryPage:
    """A told game with the command that tells it in the terminal."""
    return replace(story, command=f"--variant {shlex.quote(variant)} {story.command}")


def _most_different(one: Searched, other: Searched) -> int | None:
    """Number of the game that two variants play most differently; None if they play all of them alike."""
    game, seats = one.resolved.game, one.resolved.seats
    wins, score = _changes(one, other, game.headlines[seats]), _changes(one, other, game.score)
    most = int(np.lexsort((-np.arange(len(wins)), score, wins))[-1])
    return most if wins[most] or score[most] else None


def _changes(one: Searched, other: Searched, outcome: str) -> np.ndarray:
    """By how much an outcome of all seats changes in each game: int array, (games,)."""
    changed: np.ndarray = np.abs(one.seat_columns[outcome].astype(np.int64) - other.seat_columns[outcome]).sum(axis=1)
    return changed


def _shares(seen: Searched) -> np.ndarray:
    """Win share of each bot in the games that were searched."""
    game = seen.resolved.game
    shares, entries = seen.seat_columns[game.headlines[seen.resolved.seats]].ravel(), seen.entries.ravel()
    sums, counts = np.bincount(entries, shares), np.bincount(entries)
    result: np.ndarray = sums / np.maximum(1, counts) / game.share_units
    return result
