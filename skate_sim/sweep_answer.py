"""What a sweep of one number found: a curve for each bot, and the peak of the bot that is swept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.changes import BOTS, short_names
from skate_sim.comparison import Contrast
from skate_sim.curves import COLUMNS, FEWEST, curve_rows, curves_of, peak_sentences
from skate_sim.differences import amount, bots_in, measured, scale_of
from skate_sim.digits import format_interval
from skate_sim.observed import display_names
from skate_sim.ranges import value_text
from skate_sim.ranking import rank_bots
from skate_sim.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.games import Outcome


#: A sweep of more values than these is not compared value by value.
MOST_VALUES = 16


@dataclass(frozen=True, eq=False)
class SweepAnswer:
    """Curves along a number.

    Attributes
    ----------
    number : str
        What is swept, in short.
    variants : mapping of value to str
        Name of the variant with each value, ascending.
    pairs : mapping of (value, value) to Contrast
    bot : int, optional
        Place in the experiment's list of the bot whose parameter is swept.
    """

    number: str
    variants: Mapping[Any, str]
    pairs: Mapping[tuple[Any, Any], Contrast]
    bot: int | None = None
    name: str = "sweep"
    of_variants: bool = True

    @property
    def told(self) -> tuple[str, ...]:
        """Variants that this answer tells of."""
        return tuple(self.variants.values())

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``sweep``: a row for each bot, value and outcome; see :mod:`skate_sim.curves`."""
        import pandas as pd

        rows = []
        for outcome in self._outcomes(found):
            for bot, entry in self._bots(found).items():
                rows += self._curve(found, bot, entry, outcome)
        return {"sweep": pd.DataFrame(rows, columns=list(COLUMNS))}

    def findings(self, found: Any) -> list[str]:
        """The peak of the bot that is swept; or how much each bot has at both ends, and the difference."""
        outcome, table = self._outcomes(found)[0], self.tables(found)["sweep"]
        if self.bot is not None:
            return [s for curve in curves_of(table, outcome.name) for s in peak_sentences(curve, outcome)]
        values = list(self.variants)
        ends, sentences = (values[0], values[-1]), []
        for bot, entry in self._bots(found).items():
            contrast = self.pairs[ends]
            change = found.compared.difference(contrast, outcome, entry=entry, level=found.level).estimate
            rows = table[(table["bot"] == bot) & (table["outcome"] == outcome.name)].to_dict("records")
            first, last = (
                format_interval(r["mean"], r["mean_low"], r["mean_high"], outcome.kind) for r in (rows[0], rows[-1])
            )
            back = Estimate(-change.mean, -change.high, -change.low)
            sentences.append(
                f"{bot}: {outcome.label.lower()} {first} at {self.number} = {value_text(ends[0])}, {last} at "
                f"{value_text(ends[1])}; the change is {amount(back, outcome, found.level)}."
            )
        return sentences

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``sweep``: the curves with their bands; the peak of a swept bot, and what cannot be told from it."""
        from skate_sim.drawing import Drawing

        outcome, table = self._outcomes(found)[0], self.tables(found)["sweep"]
        table = table[table["outcome"] == outcome.name]
        words = {"label": outcome.label, "scale": scale_of(outcome), "peak": self.bot is not None}
        return {"sweep": Drawing("curves", f"{outcome.label} by {self.number}", table, words)}

    @staticmethod
    def _outcomes(found: Any) -> list[Outcome]:
        return measured(found.compared.plan.game, found.compared.plan.resolved.seats)

    def _bots(self, found: Any) -> dict[str, int]:
        """Numbers of the bots that have a curve, by name."""
        if self.bot is None:
            return bots_in(found.compared)
        variant = found.study.variants[next(iter(self.variants.values()))]
        wanted = variant.bots[self.bot]
        return {wanted.label or wanted.code.name: self._entry(found, next(iter(self.variants.values())))}

    def _entry(self, found: Any, variant: str) -> int:
        assert self.bot is not None
        wanted = found.study.variants[variant].bots[self.bot].identity
        return next(n for n, bot in enumerate(found.compared.plans[variant].bots) if bot.identity == wanted)

    def _curve(self, found: Any, bot: str, entry: int, outcome: Outcome) -> list[dict[str, Any]]:
        values = list(self.variants)
        k = len(values)
        means, squares = np.zeros((k, k)), np.zeros((k, k))
        for (i, one), (j, other) in combinations(enumerate(values), 2):
            mean, variance = found.compared.variance(self.pairs[one, other], outcome, entry=entry)
            means[i, j], means[j, i] = mean, -mean
            squares[i, j] = squares[j, i] = variance
        centre = np.eye(k) - 1 / k  # covariances from the variances of differences, as in holding.py
        ranking = rank_bots(means.mean(axis=1), -centre @ squares @ centre / 2, found.level)
        estimates = []
        for variant in self.variants.values():
            plan = found.compared.plans[variant]
            row = found.variant(variant).bots().set_index("bot").loc[display_names(plan.bots)[entry]]
            estimates.append(Estimate(*(float(row[f"{outcome.name}{end}"]) for end in ("", "_low", "_high"))))
        return curve_rows(bot, self.number, values, outcome.name, estimates, ranking)


def sweep_answer(
    values: Mapping[str, list[Any]], variants: Mapping[str, Experiment]
) -> tuple[SweepAnswer, tuple[Contrast, ...]] | None:
    """The answer to a sweep, with its contrasts; None unless one number is swept and all variants play the same games.

    Parameters
    ----------
    values : mapping of str to list
        By path, as the names of variants go through them.
    """
    [(path, swept)] = values.items() if len(values) == 1 else [("", [])]
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in swept)
    if not path or not numbers or not FEWEST <= len(swept) <= MOST_VALUES or not _same_games(variants):
        return None
    named = dict(sorted(zip(swept, variants, strict=True)))
    pairs = {
        (one, other): Contrast(named[one], named[other], {named[one]: 1, named[other]: -1})
        for one, other in combinations(named, 2)
    }
    bot, parts = None, path.split(".")
    if parts[0] in BOTS and len(parts) > 1:
        first = list(variants.values())
        bot = next((n for n, b in enumerate(first[0].bots) if b.identity != first[1].bots[n].identity), None)
    short = short_names(values)[path]
    answer = SweepAnswer(short if bot is None else short.rpartition(".")[2], named, pairs, bot)
    return answer, tuple(pairs.values())


def _same_games(variants: Mapping[str, Experiment]) -> bool:
    shapes = []
    for experiment in variants.values():
        resolved = experiment.plan().resolved
        shapes.append((resolved.seats, len(experiment.bots), dict(resolved.axes)))
    return all(shape == shapes[0] for shape in shapes)
