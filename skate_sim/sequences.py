"""Intervals that stay valid however often one looks: what a run that stops by precision may print.

A 95% interval of a fixed number of games misses in one run of twenty; looked at after every batch, it misses at some
look in far more. A confidence sequence misses at *any* of its looks in at most one run of twenty. Here it is an
interval of the usual kind (Wilson's, Student's, the score interval of a paired difference) whose critical value
grows with the games, so every interval of this package becomes one by its ``level``::

    sequence = ConfidenceSequence(tightest=games_needed(0.001, 0.43))
    share_interval(games, totals, squares, level=sequence.level_at(games))

The critical value is that of the normal mixture (H. Robbins, Annals of Mathematical Statistics 41 (1970) 1397;
S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Annals of Statistics 49 (2021) 1055, section 3.2) with the variance
estimated (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Annals of Statistics 52 (2024) 2613): an
asymptotic confidence sequence, valid from a first look at which the mean is already nearly normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from scipy.special import ndtr

from skate_sim.roots import root_between
from skate_sim.stats import LEVEL

#: Games before the first look.
FIRST_LOOK = 2_000
#: No interval asks for more: the rest is beyond what floats tell from 1, and its error is 1e-15 a look.
_HIGHEST_LEVEL = 1 - 1e-15


@dataclass(frozen=True)
class ConfidenceSequence:
    """Critical values for any number of looks.

    Parameters
    ----------
    tightest : int
        Number of games at which the interval is as tight as a sequence can be (1.55 times as wide as a fixed 95%
        interval): best the number at which the run is expected to stop. Ten times as many games, or as few,
        cost 7% or a quarter of the width.
    first : int
        Games before the first look; what comes earlier is never looked at, and so cannot mislead.
    level : float
        Chance that the interval holds the true value at all looks.
    """

    tightest: float
    first: int = FIRST_LOOK
    level: float = LEVEL

    def __post_init__(self) -> None:
        if not (self.first >= 1 and self.tightest > 0 and 0 < self.level < 1):
            raise ValueError(f"first must be at least 1, tightest above 0 and level between 0 and 1: {self}")

    @cached_property
    def _prior(self) -> float:
        """Games that the mixture's prior is worth; Howard et al. (2021), section 3.5."""
        return max(self.tightest, self.first) / (_squared_critical(1 - self.level) - 1)

    @cached_property
    def _threshold(self) -> float:
        """Logarithm of the mixture's bound that a Brownian motion exceeds after ``first`` with chance 1 - level.

        At time t the mixture ``sqrt(p / (t + p)) * exp(w**2 / (2 * (t + p)))`` is a martingale that goes to 0. So it
        exceeds b after the first look if it does so there, or else later with chance M/b (Robbins 1970).
        """
        t, p, error = float(self.first), self._prior, 1 - self.level
        grown = math.log1p(t / p) / 2

        def excess(log_bound: float) -> float:
            away = math.sqrt(max(0.0, 2 * (1 + p / t) * (log_bound + grown)))
            later = math.exp(-log_bound) * (1 - 2 * ndtr(-away / math.sqrt(1 + t / p)))
            return float(2 * ndtr(-away) + later - error)

        most = -math.log(error)  # Ville's inequality
        return most if excess(most) > -1e-12 else root_between(excess, -grown, most)

    def critical(self, games: float) -> float:
        """Multiple of the standard error to either side, after this many games; infinite before the first look."""
        if games < self.first:
            return math.inf
        ratio = games / self._prior
        return math.sqrt(2 * (1 + 1 / ratio) * (self._threshold + math.log1p(ratio) / 2))

    def level_at(self, games: float) -> float:
        """Level at which a fixed interval has this critical value."""
        return min(_HIGHEST_LEVEL, float(1 - 2 * ndtr(-self.critical(games))))


def games_needed(
    half_width: float, deviation: float, sequence: ConfidenceSequence | None = None, level: float = LEVEL
) -> int:
    """Expected number of games until an interval is this tight.

    Parameters
    ----------
    half_width : float
        Half the width of the interval, above 0.
    deviation : float
        Standard deviation of what one game brings to the mean (of a paired difference: of the difference): its
        standard error times the root of the games. See :func:`deviation_of`.
    sequence : ConfidenceSequence, optional
        The sequence that is used; left out, one that is tightest just then.

    Returns
    -------
    int
        At least the number at the first look.
    """
    if not (half_width > 0 and deviation >= 0):
        raise ValueError(f"half_width must be above 0 and deviation not below: {half_width}, {deviation}")
    if sequence is None:
        return max(FIRST_LOOK, math.ceil(_squared_critical(1 - level) * (deviation / half_width) ** 2))

    def too_wide(games: float) -> float:
        return sequence.critical(games) * deviation / math.sqrt(games) - half_width

    low = high = float(sequence.first)
    if too_wide(low) <= 0:
        return sequence.first
    while too_wide(high) > 0:
        low, high = high, 2 * high
    return math.ceil(root_between(too_wide, low, high))


def deviation_of(half_width: float, games: float, sequence: ConfidenceSequence) -> float:
    """Standard deviation of what one game brings, from the half width that a sequence has after these games."""
    return half_width * math.sqrt(games) / sequence.critical(games)


def _squared_critical(error: float) -> float:
    """Square of the least critical value that a mixture without a first look has: c - log(c) = 1 - 2 log(error)."""
    from scipy.special import lambertw  # a tenth of a second that only runs by precision need

    return -float(lambertw(-(error**2) / math.e, -1).real)
