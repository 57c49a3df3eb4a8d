"""Ways to cheat in a transcript, each of which the referee must catch."""

from __future__ import annotations

from . import table, tricks, turns  # they add to the list
from .tools import TAMPERINGS, Tampering

__all__ = ["TAMPERINGS", "Tampering", "table", "tricks", "turns"]
