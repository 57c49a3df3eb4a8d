"""How many games each variant of a comparison has, in words: the same for all, or each its own where played apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skate_sim.differences import listed
from skate_sim.digits import counted


def games_in_words(games: Mapping[str, int]) -> str:
    """Games by variant as ``1,000 games of each variant``, or as ``1,000 games (long) and 400 (short)``."""
    if len(set(games.values())) == 1:
        return f"{counted(next(iter(games.values())), 'game')} of each variant"
    (first, count), *others = games.items()
    return listed([f"{counted(count, 'game')} ({first})", *(f"{count:,} ({name})" for name, count in others)])


def stopped_in_words(manifest: Mapping[str, Any]) -> str:
    """Where a comparison was stopped, from its manifest."""
    if manifest["comparable"]:
        return f"stopped after {manifest['games']:,} of {manifest['games_planned']:,} games"
    return "; ".join(_stopped(manifest)) or "stopped before all variants were played"


def _stopped(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What is missing of variants that were played one after the other."""
    for name, its in manifest["variants"].items():
        if its.get("partial"):
            yield f"{name} was stopped after {its['games']:,} of {its['games_planned']:,} games"
    if missing := manifest.get("not_played"):
        yield f"{listed(missing)} {'was' if len(missing) == 1 else 'were'} not played"
