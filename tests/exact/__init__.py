"""Exact chances by fractions, independent of the package: what the simulated numbers must agree with."""

from .solver import (
    PRINTED_DECK,
    CardKind,
    Ends,
    StopAtN,
    ends_of_stop_at_n,
    standing_after,
    standing_along,
    stop_at_n,
    trick_deck,
)

__all__ = [
    "PRINTED_DECK",
    "CardKind",
    "Ends",
    "StopAtN",
    "ends_of_stop_at_n",
    "standing_after",
    "standing_along",
    "stop_at_n",
    "trick_deck",
]
