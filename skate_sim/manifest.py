"""What a run was: everything that is needed to judge and to repeat it."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numba
import numpy as np
import pandas as pd

import skate_sim
from skate_sim.jit import source_digest
from skate_sim.observed import display_names
from skate_sim.precision import Reached
from skate_sim.simulation import Plan
from skate_sim.stats import LEVEL

#: How a folder is known to hold a result; the format goes up when older versions could not read it.
MADE_BY = "skate-sim"
FORMAT = 1


def describe(
    plan: Plan,
    finished: int,
    seconds: float,
    started: datetime,
    *,
    name: str,
    question: str,
    experiment: Mapping[str, Any] | None,
    kept: int = 0,
) -> dict[str, Any]:
    """The manifest of a run. All that depends on clock and machine speed is under ``time``."""
    resolved, game = plan.resolved, plan.game
    return {
        "made_by": MADE_BY,
        "format": FORMAT,
        "name": name,
        "question": question,
        "game": game.name,
        "behaviour_version": game.behaviour_version,
        "notice": game.notice,
        "seats": resolved.seats,
        "preset": resolved.preset,
        "rules": dict(resolved.rules),
        "changes": {where: {"from": old, "to": new} for where, (old, new) in resolved.changes.items()},
        "bots": _bots(plan),
        "lineups": plan.layout.lineups[:, : resolved.seats].tolist(),
        "seed": plan.seed,
        "games": finished,
        "games_planned": plan.games,
        "partial": finished < plan.games,
        "experiment": dict(experiment) if experiment is not None else None,
        "versions": {
            "skate_sim": skate_sim.__version__,
            "source": source_digest(),
            "numba": numba.__version__,
            "numpy": np.__version__,
            "pandas": pd.__version__,
            "python": platform.python_version(),
        },
        "time": {
            "started_at": started.isoformat(timespec="seconds"),
            "seconds": round(seconds, 3),
            "games_played": finished - kept,
            "games_per_second": round((finished - kept) / seconds) if seconds > 0 else None,
        },
    }


def about_intervals(level: float, reached: Reached | None) -> dict[str, Any]:
    """What a manifest says of the intervals of a run's tables."""
    always = "of 95%, valid at every look: level is that of a fixed interval as wide"
    return {
        "intervals": always if level != LEVEL else "of a fixed number of games",
        "level": level,
        "precision": reached.as_dict() if reached else None,
    }


def _bots(plan: Plan) -> list[dict[str, Any]]:
    """Bots in the order of their numbers in the lineups."""
    return [
        {
            "name": name,
            "bot": bot.code.name,
            "parameters": dict(bot.values),
            "path": str(bot.code.path) if bot.code.path else None,
            "fingerprint": bot.code.digest,
        }
        for name, bot in zip(display_names(plan.bots), plan.bots, strict=True)
    ]


def as_json(manifest: Mapping[str, Any]) -> str:
    """The manifest as JSON for people: indented, lists of numbers on one line."""
    text = json.dumps(manifest, indent=2, ensure_ascii=False, default=str)
    return re.sub(
        r"\[[\d\s,]+\]", lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"), text
    )
