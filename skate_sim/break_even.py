"""``break_even:`` at which value of a number a difference is zero, from games with all of its values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.between_bots import difference_of_bots
from skate_sim.comparison import Contrast
from skate_sim.crossing import Crossing, find_crossing
from skate_sim.differences import amount, plain_label, scale_of
from skate_sim.digits import digits_for, fixed
from skate_sim.games import Outcome
from skate_sim.ranges import value_text
from skate_sim.stats import Estimate, normal

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.compared import Compared
    from skate_sim.drawing import Drawing


#: Column of a value of the number that is varied, at which the two are equal.
EQUAL_AT = "equal_at"


@dataclass(frozen=True)
class Sides:
    """What is to be equal, at one value: variants, and which seat or bots of them to look at.

    Attributes
    ----------
    one, other : str
        Names of variants; the same one when two of its bots are compared.
    contrast : Contrast or None
        None where both are the same variant.
    step : Contrast or None
        The difference here less that at the next value, for how far the two go together.
    """

    one: str
    other: str
    contrast: Contrast | None
    step: Contrast | None


@dataclass(frozen=True, eq=False)
class BreakEvenAnswer:
    """Where a difference is zero.

    Attributes
    ----------
    number : str
        What is varied, in short.
    sides : dict of value to Sides
    what : tuple of str
        The two that are to be equal, in words.
    bots : tuple of int, optional
        Places in the experiment's list of the two bots that are compared.
    bot : int, optional
        Place of the bot that is looked at.
    seat : int, optional
        The seat that is looked at, from 0.
    """

    number: str
    whole: bool
    sides: Mapping[float, Sides]
    what: tuple[str, str]
    outcome: Outcome
    bots: tuple[int, int] | None = None
    bot: int | None = None
    seat: int | None = None
    of_variants: bool = False
    name: str = "break_even"

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``break_even``: the difference at each value; ``break_even_at``: where it is zero."""
        import pandas as pd

        differences, covariance = self._curve(found)
        half = normal(found.level) * np.sqrt(np.diag(covariance))
        curve = {"number": self.number, "at": list(self.sides), "outcome": self.outcome.name, "value": differences}
        table = pd.DataFrame(curve | {"low": differences - half, "high": differences + half})
        crossing = self.crossing(found)
        value, low, high = crossing.estimate
        row: dict[str, Any] = {
            "number": self.number,
            "one": self.what[0],
            "other": self.what[1],
            "outcome": self.outcome.name,
        }
        row |= {"start": crossing.start, "end": crossing.end, "found": crossing.kind}
        row |= {EQUAL_AT: value, f"{EQUAL_AT}_low": low, f"{EQUAL_AT}_high": high}
        return {"break_even": table, "break_even_at": pd.DataFrame([row])}

    def crossing(self, found: Any) -> Crossing:
        """Where the difference is zero."""
        return find_crossing(list(self.sides), *self._curve(found), level=found.level)

    def findings(self, found: Any) -> list[str]:
        """Where the two are equal, or that they are not between the values tried."""
        crossing, (one, other) = self.crossing(found), self.what
        start, end = value_text(crossing.start), value_text(crossing.end)
        equal = f"{one} and {other} have the same {plain_label(self.outcome)}"
        if crossing.kind == "none":
            more, less = (one, other) if crossing.sign > 0 else (other, one)
            text = f"There is no value of {self.number} between {start} and {end} at which {equal}"
            return [f"{text}: {more} has more than {less} throughout."]
        estimate = crossing.estimate
        if crossing.kind == "undecided":
            near = f"; it may be near {estimate.mean:.3g}" if math.isfinite(estimate.mean) else ""
            text = f"Whether {equal} at a value of {self.number} between {start} and {end}"
            return [f"{text} is not decided by so few games{near}."]
        sentences = [f"At {self.number} = {_interval(estimate, found.level)} {equal}."]
        if self.whole and float(estimate.mean) not in self.sides:
            sentences.append(self._nearest(found, estimate.mean))
        if crossing.others:
            parts = ", ".join(f"{low:.3g} to {high:.3g}" for low, high in crossing.others)
            sentences.append(f"They may be equal at {parts}, too.")
        return sentences

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``break_even``: the difference by value, with its band."""
        from skate_sim.drawing import Drawing

        table, at = self.tables(found)["break_even"], self.crossing(found).estimate
        words = {"label": self.outcome.label, "what": list(self.what), "scale": scale_of(self.outcome)}
        words |= {"at": list(at), "whole": self.whole}
        title = f"At which {self.number} {self.what[0]} and {self.what[1]} are equal"
        return {"break_even": Drawing("break_even", title, table[["number", "at", "value", "low", "high"]], words)}

    def _curve(self, found: Any) -> tuple[np.ndarray, np.ndarray]:
        """Differences by value, and their covariances: between neighbours, which is all that a crossing needs."""
        compared: Compared = found.compared
        if self.bots is not None:
            return self._curve_of_bots(found)
        entries = {v: self._entry(found, s.one, self.bot) for v, s in self.sides.items()}
        at = {v: self._moments(compared, s.contrast, entries[v]) for v, s in self.sides.items()}
        covariance = np.diag([variance for _, variance in at.values()])
        for number, (value, after) in enumerate(pairwise(self.sides)):
            _, apart = self._moments(compared, self.sides[value].step, entries[value])
            covariance[number, number + 1] = (at[value][1] + at[after][1] - apart) / 2
            covariance[number + 1, number] = covariance[number, number + 1]
        return np.array([mean for mean, _ in at.values()]), covariance

    def _moments(self, compared: Compared, contrast: Contrast | None, entry: int | None) -> tuple[float, float]:
        if contrast is None:
            return 0.0, 0.0
        return compared.variance(contrast, self.outcome, entry=entry, seat=self.seat)

    def _curve_of_bots(self, found: Any) -> tuple[np.ndarray, np.ndarray]:
        """Of two bots in one variant.

        How far neighbours go together is not tallied; that they do so wholly makes the band as wide as it can be.
        """
        assert self.bots is not None
        moments = []
        for sides in self.sides.values():
            plan, tallies = found.compared.plans[sides.one], found.compared.by_variant[sides.one]
            one, other = (self._entry(found, sides.one, bot) for bot in self.bots)
            assert one is not None
            assert other is not None
            moments.append(difference_of_bots(plan, tallies, one, other, self.outcome))
        means, variances = np.array(moments).T
        return means, np.sqrt(np.outer(variances, variances))

    @staticmethod
    def _entry(found: Any, variant: str, place: int | None) -> int | None:
        """Number that a bot of the experiment's list has in the comparison."""
        if place is None:
            return None
        wanted = found.study.variants[variant].bots[place].identity
        return next(n for n, bot in enumerate(found.compared.plans[variant].bots) if bot.identity == wanted)

    def _nearest(self, found: Any, at: float) -> str:
        """What is left at the nearest whole number."""
        differences, covariance = self._curve(found)
        values = list(self.sides)
        number = min(range(len(values)), key=lambda n: abs(values[n] - at))
        half = normal(found.level) * math.sqrt(covariance[number, number])
        mean = float(differences[number])
        left = amount(Estimate(mean, mean - half, mean + half), self.outcome, found.level)
        return f"At {values[number]:g}, the nearest value played, {self.what[0]} less {self.what[1]} is {left}."


def _interval(estimate: Estimate, level: float) -> str:
    mean, low, high = estimate
    finite = [abs(end - mean) for end in (low, high) if math.isfinite(end)]
    decimals = digits_for(sum(finite) / len(finite)) if finite else 2
    lower = fixed(low, decimals) if math.isfinite(low) else "lower"
    upper = fixed(high, decimals) if math.isfinite(high) else "higher"
    return f"{fixed(mean, decimals)} ({100 * level:.4g}% {lower} to {upper})"


def spaced(start: float, end: float, whole: bool) -> Sequence[float]:
    """Values between two ends: all whole numbers if they are few, else evenly spaced ones."""
    if whole:
        step = max(1, math.ceil((end - start) / 20))
        return [*range(int(start), int(end), step), int(end)]
    return [float(f"{value:.12g}") for value in np.linspace(start, end, 11)]
