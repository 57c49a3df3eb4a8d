"""A bot that answers illegally in some games, and which games these are."""

from __future__ import annotations

from skate_sim.simulation import Plan, PlayError, play_chunk


def broken(view):  # type: ignore[no-untyped-def]
    """Answers illegally in some games."""
    if view.table.may_stop and view.me.combo_size >= 6:
        return 77
    return 1


def finishes(plan: Plan, number: int) -> bool:
    try:
        play_chunk(plan, number, 1)
    except PlayError:
        return False
    return True
