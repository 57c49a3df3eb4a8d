"""The pool of bots of the small runs in ``conftest.py``."""

from __future__ import annotations

POOL = ["stop_at_n:n=3", "stop_at_n:n=5", "risk_threshold", "random_legal"]
