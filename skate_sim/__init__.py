"""A Monte Carlo strategy laboratory for push-your-luck card games."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from skate_sim.api import run, simulate
    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.comparison_run import compare
    from skate_sim.policy import memory, parameter
    from skate_sim.results import Results
    from skate_sim.rng import random, random_below
    from skate_sim.verification import verify

#: Public names and where they live; imported when first used, so that ``import skate_sim`` is quick.
_PUBLIC = {
    "ComparisonResults": "skate_sim.comparison_results",
    "Results": "skate_sim.results",
    "compare": "skate_sim.comparison_run",
    "memory": "skate_sim.policy",
    "parameter": "skate_sim.policy",
    "random": "skate_sim.rng",
    "random_below": "skate_sim.rng",
    "run": "skate_sim.api",
    "simulate": "skate_sim.api",
    "verify": "skate_sim.verification",
}

__all__ = [
    "ComparisonResults",
    "Results",
    "__version__",
    "compare",
    "memory",
    "parameter",
    "random",
    "random_below",
    "run",
]
__all__ += ["simulate", "verify"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        value = getattr(importlib.import_module(_PUBLIC[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
