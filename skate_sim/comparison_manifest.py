"""What a comparison was: everything that is needed to judge and to repeat it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from skate_sim.manifest import FORMAT, MADE_BY

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: What a variant's manifest says that is its own.
_OWN = ("game", "seats", "preset", "rules", "changes", "bots", "experiment", "games", "games_planned", "partial")
#: And what all have in common.
_COMMON = (
    "game",
    "behaviour_version",
    "notice",
    "seed",
    "games",
    "games_planned",
    "partial",
    "intervals",
    "level",
    "precision",
    "versions",
    "time",
)


def describe_comparison(found: ComparisonResults) -> dict[str, Any]:
    """The manifest of a comparison. All that depends on clock and machine speed is under ``time``."""
    manifests = {name: found.variant(name).manifest() for name in found.names}
    first, folders = next(iter(manifests.values())), folder_names(found.names)
    common = {key: first[key] for key in _COMMON}
    comparison = found.comparison
    lineups = first["lineups"] if comparison is not None else None
    contrasts = comparison.contrasts if comparison is not None else ()
    return {
        "made_by": MADE_BY,
        "format": FORMAT,
        "kind": "comparison",
        "name": found.name,
        "question": found.question,
        "experiment_file": str(found.study.experiment.path),
        "sections": [answer.name for answer in found.study.answers],
        "tables_of": _tables_of(found),
        **{key: value for key, value in common.items() if key not in ("versions", "time")},
        "games": found.games,
        "partial": found.partial,
        "not_played": [name for name in found.study.variants if name not in found.names],
        "shown": found.shown,
        "variants": {
            name: {"folder": folders[name], **{key: its[key] for key in _OWN}} for name, its in manifests.items()
        },
        "contrasts": [
            {"name": c.name, "baseline": c.baseline, "weights": dict(c.weights), "divisor": c.divisor}
            for c in contrasts
        ],
        "expect": [e.as_dict() for e in found.study.experiment.expect],
        "comparable": comparison is not None,
        "not_comparable": found.why_apart,
        "lineups": lineups,
        "versions": common["versions"],
        "time": common["time"] | {"seconds": round(found.seconds, 3)},
    }


def _tables_of(found: ComparisonResults) -> int | None:
    """Seats of the tables that the only section is about, where it has games of its own; None for the variants'."""
    sizes = [int(getattr(answer, "size", 0)) for answer in found.study.answers if answer.name == "pairs"]
    return sizes[0] if len(sizes) == len(found.study.answers) == 1 and not found.study.listed else None


def folder_names(names: Iterable[str]) -> dict[str, str]:
    """Name of each variant's folder: its own, as far as a folder may have it."""
    folders: dict[str, str] = {}
    for name in names:
        folder = re.sub(r"[^\w .,=+-]", "_", name).strip(". ")[:80] or "variant"
        taken = {other.lower() for other in folders.values()} | {"tables", "figures"}
        while folder.lower() in taken:
            folder += "_"
        folders[name] = folder
    return folders
