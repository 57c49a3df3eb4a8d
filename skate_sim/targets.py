"""Targets: whether a number is where it should be, as far as its interval says."""

from __future__ import annotations

import math
from typing import Literal

from skate_sim.stats import Estimate

Verdict = Literal["holds", "fails", "undecided"]


def judge(estimate: Estimate, low: float | None = None, high: float | None = None) -> Verdict:
    """Whether a number is at least ``low`` and at most ``high``.

    Parameters
    ----------
    estimate : Estimate
        A bound of NaN says nothing.
    low, high : float, optional
        The target, ends included; one of them at least.

    Returns
    -------
    {"holds", "fails", "undecided"}
        ``holds``: the whole interval is inside the target. ``fails``: the whole interval is outside. ``undecided``: it
        is across an end. At 95%, a number that is outside is said to hold in at most one case of forty.

    Raises
    ------
    ValueError
        No end is given, one is NaN, or they are the wrong way round.
    """
    if low is None and high is None:
        raise ValueError("a target needs a low or a high end")
    least, most = -math.inf if low is None else low, math.inf if high is None else high
    if not least <= most:
        raise ValueError(f"a target's low end must not be above its high end: {low} and {high}")
    # An unknown bound compares as false, so that nothing follows from it.
    if (low is None or estimate.low >= least) and (high is None or estimate.high <= most):
        return "holds"
    if estimate.high < least or estimate.low > most:
        return "fails"
    return "undecided"
