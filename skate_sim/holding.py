"""``holding:`` what it is worth to hold a card: the same games with the card given to one seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.comparison import Contrast
from skate_sim.differences import (
    NOTHING_AT_ALL,
    amount,
    bots_in,
    difference_cells,
    dots,
    listed,
    measured,
    scale_of,
    with_all,
)
from skate_sim.games import Outcome, Pieces
from skate_sim.paired import Difference
from skate_sim.ranking import Ranking, rank_bots

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.compared import Compared
    from skate_sim.drawing import Drawing


#: Of more cards than these only the best and the worst are told in words.
MOST_TOLD = 4

#: A card and the place (round) at which it is given.
Case = tuple[str, int]


@dataclass(frozen=True, eq=False)
class HoldingAnswer:
    """What each card is worth to its holder, and how the cards rank.

    Attributes
    ----------
    names : dict
        Readable name of each row.
    against : str
        What a card is compared to, in words.
    seat : int
        From 0.
    values : dict of case to Contrast
        None where a card is compared to itself.
    pairs : dict of (row, row, place) to Contrast
    """

    pieces: Pieces
    names: Mapping[str, str]
    against: str
    axis_name: str
    seat: int
    values: Mapping[Case, Contrast | None]
    pairs: Mapping[tuple[str, str, int], Contrast]
    name: str = "holding"

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``holding``: a row for each card, bot, round and outcome; ``holding_ranks``: where each card may stand."""
        tables = {"holding": self._values(found)}
        if self.pairs:
            tables["holding_ranks"] = self._ranks(found)
        return tables

    def findings(self, found: Any) -> list[str]:
        """The best and the worst card of each round (all, if they are few), by what is beyond doubt."""
        outcome = self.outcomes(found.compared)[0]
        bots = with_all(bots_in(found.compared, self.seat))
        who = next(iter(bots))
        by = "all bots together" if bots[who] is None else who
        values = {c: self.difference(found, c, outcome, bots[who]).estimate for c in self.values}
        cards = [card for card in self.cards if any(self.values[card, p] for p in self.places)]
        sentences, ladders = [], []
        if len(cards) <= MOST_TOLD:
            for card in cards:
                worths = [
                    f"{amount(values[card, place], outcome, found.level)} from {self.axis_name} {place} on"
                    for place in self.places
                ]
                text = f"{self.names[card]} is worth to its holder, {self.against} ({by})"
                sentences.append(f"{text}: {'; '.join(worths)}.")
        for place in self.places:
            order = sorted(self.cards, key=lambda card: -values[card, place].mean)
            if len(cards) > MOST_TOLD:
                ends = [
                    f"{self.names[card]} {word}, {amount(values[card, place], outcome, found.level)}"
                    for card, word in ((order[0], "most"), (order[-1], "least"))
                ]
                start = f"Held from {self.axis_name} {place} on, {self.against} ({by})"
                sentences.append(f"{start}, {' and '.join(ends)}.")
            if self.pairs:
                ladders += self._ladder_words(place, order, self._ranking(found, place, outcome)[1])
        return sentences + ladders

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``holding``: the values with their intervals."""
        table, outcome = self._values(found), self.outcomes(found.compared)[0]
        itself = [card for card in self.cards if not any(self.values[card, p] for p in self.places)]
        table = table[~table["row"].isin(itself)]
        shown = table[(table["outcome"] == outcome.name) & (table["bot"] == table["bot"].iloc[0])]
        label = f"{outcome.label} {self.against}" + (" [% points]" if scale_of(outcome) == 100 else "")
        title = f"What each {self.pieces.word} is worth to its holder"
        return {"holding": dots(shown, "name", self.pieces.axis, title, label, outcome)}

    @property
    def contrasts(self) -> list[Contrast]:
        """All that is compared."""
        return [c for c in [*self.values.values(), *self.pairs.values()] if c is not None]

    @property
    def cards(self) -> list[str]:
        """The cards, in the order of the file."""
        return list(dict.fromkeys(card for card, _ in self.values))

    @property
    def places(self) -> list[int]:
        """The places at which they are given."""
        return list(dict.fromkeys(place for _, place in self.values))

    @staticmethod
    def outcomes(compared: Compared) -> list[Outcome]:
        """What is measured."""
        return measured(compared.plan.game, compared.plan.resolved.seats)

    def difference(self, found: Any, case: Case, outcome: Outcome, entry: int | None) -> Difference:
        """What a card is worth to a bot, or to all of them."""
        contrast = self.values[case]
        if contrast is None:
            return NOTHING_AT_ALL
        result: Difference = found.compared.difference(
            contrast, outcome, entry=entry, seat=self.seat, level=found.level
        )
        return result

    def _values(self, found: Any) -> pd.DataFrame:
        import pandas as pd

        rows = [
            {"row": card, "name": self.names[card], "bot": bot, self.pieces.axis: place, "outcome": outcome.name}
            | difference_cells(self.difference(found, (card, place), outcome, entry))
            for outcome in self.outcomes(found.compared)
            for bot, entry in with_all(bots_in(found.compared, self.seat)).items()
            for card, place in self.values
        ]
        return pd.DataFrame(rows)

    def _ranking(self, found: Any, place: int, outcome: Outcome) -> tuple[list[str], Ranking]:
        """Cards, and their ranking by what they are worth to all bots together.

        The covariances of values less their average follow from the variances of all pairs' differences
        (double centring: W. S. Torgerson, Psychometrika 17 (1952) 401).
        """
        cards = self.cards
        k = len(cards)
        means, squares = np.zeros((k, k)), np.zeros((k, k))
        for (i, one), (j, other) in combinations(enumerate(cards), 2):
            contrast = self.pairs[one, other, place]
            mean, variance = found.compared.variance(contrast, outcome, seat=self.seat)
            means[i, j], means[j, i] = mean, -mean
            squares[i, j] = squares[j, i] = variance
        centre = np.eye(k) - 1 / k
        return cards, rank_bots(means.mean(axis=1), -centre @ squares @ centre / 2, found.level)

    def _ranks(self, found: Any) -> pd.DataFrame:
        import pandas as pd

        outcome, rows = self.outcomes(found.compared)[0], []
        for place in self.places:
            cards, ranking = self._ranking(found, place, outcome)
            for rank, number in enumerate(ranking.order, 1):
                rows.append(
                    {
                        self.pieces.axis: place,
                        "outcome": outcome.name,
                        "rank": rank,
                        "row": cards[number],
                        "name": self.names[cards[number]],
                        "above_average": float(ranking.differences[number].mean()),
                        "best_rank": ranking.best_ranks[number],
                        "worst_rank": ranking.worst_ranks[number],
                        "chance_of_best": float(ranking.chance_of_best[number]),
                    }
                )
        return pd.DataFrame(rows)

    def _ladder_words(self, place: int, order: list[str], ranking: Ranking) -> list[str]:
        cards = self.cards
        groups = [[self.names[cards[n]] for n in group] for group in ranking.groups if len(group) > 1]
        start = f"From {self.axis_name} {place} on"
        if not groups:
            return [f"{start}, beyond doubt: {' above '.join(self.names[card] for card in order)}."]
        return [f"{start}, these cannot be told apart: {'; '.join(listed(group) for group in groups)}."]
