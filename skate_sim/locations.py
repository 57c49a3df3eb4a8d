"""Where the bundled strategies and experiments are: inside the installed package, or next to it in a checkout."""

from __future__ import annotations

from pathlib import Path


def bundled(kind: str) -> Path:
    """Folder of the bundled files of a kind, ``"strategies"`` or ``"experiments"``."""
    package = Path(__file__).parent
    installed = package / "bundled" / kind
    return installed if installed.is_dir() else package.parent / kind
