"""Ledgers of sequences that grow step by step until they end: what a game declares of them.

A game has such a sequence wherever a seat pushes its luck: each further step may make the whole sequence fail. The
kernel notes once, when a sequence ends, how many steps it had and how it ended. All else follows: how many
sequences tried a step after so many others, and the share of those that failed with it, the *hazard*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skate_sim.games import Resolved


@dataclass(frozen=True)
class StepLedger:
    """Counts of how sequences of steps ended: number of steps x ending.

    Each seat has one sequence at each place along an axis. The step that made a sequence fail is not among its
    steps: one that failed with k steps failed with the step after these.

    Attributes
    ----------
    sequence, steps, step, hazard : str
        What a sequence is called, what is counted of it, what a step is, and what the chance of failing is called, as
        in ``combo``, ``cards in the combo``, ``trick``, ``fall risk``.
    capacity : int
        Rows that the kernel keeps, from no step on; the last is of so many steps or more.
    endings : mapping of str to str
        The ways to end, and what a legend says of each.
    failure : str
        The ending that the hazard is of.
    axis : str
        Each seat has one sequence at each place along it.
    failures_in, steps_in : str
        Outcomes of a seat that count the sequences that failed, and the steps of all, those that failed included.
    reference : function, optional
        Of a variant: the exact hazard after 0, 1, 2, ... steps of a seat that makes no decision, to compare with.
    reference_label : str
        What that is.
    """

    name: str
    title: str
    sequence: str
    steps: str
    step: str
    hazard: str
    capacity: int
    endings: Mapping[str, str]
    failure: str
    axis: str
    failures_in: str
    steps_in: str
    reference: Callable[[Resolved], Sequence[float]] | None = None
    reference_label: str = ""

    @property
    def cells(self) -> int:
        """Numbers that the ledger keeps for each entry, flattened as (steps, endings)."""
        return self.capacity * len(self.endings)
