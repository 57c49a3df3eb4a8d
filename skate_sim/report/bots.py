"""How the page introduces a bot: its name, its own words, its parameters with their meanings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skate_sim.policy import BotCode, Parameter


def introduced(entry: Mapping[str, Any], code: BotCode | None) -> dict[str, Any]:
    """A bot of a manifest in words; without its code, only by name and numbers."""
    declared = code.parameters if code else {}
    parameters = [
        (name, f"{value:g}", _usual(value, declared.get(name)), declared[name].help if name in declared else "")
        for name, value in entry["parameters"].items()
    ]
    doc = code.doc.strip() if code else ""
    return {"name": entry["name"], "bot": entry["bot"], "doc": doc, "parameters": parameters}


def _usual(value: float, declared: Parameter | None) -> str:
    """The default of a parameter that has another value."""
    return f"{declared.default:g}" if declared and value != declared.default else ""
