"""Files to start from: a bot, or a whole folder with a bot, an experiment and a notebook.

The texts are the game's own, in the folder ``starter`` of its package, and speak of a bot called ``my_bot``.
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skate_sim import games
from skate_sim.bot_files import available_bots
from skate_sim.games import Game

#: How the texts call the bot.
NAME = "my_bot"


class StarterError(ValueError):
    """A name that cannot be used, or a place that is taken."""


def new_bot(name: str, game: Game) -> Path:
    """Write a bot's file to ``./strategies/<game>`` if there is a folder ``strategies``, else to the current folder.

    Raises
    ------
    StarterError
        The name cannot be that of a bot, or there is such a bot or file.
    """
    _check_name(name)
    taken = available_bots(game, [Path()]).get(name)
    if taken:
        raise StarterError(f"there is a bot {name} already: {taken}")
    folder = Path("strategies") / game.name if Path("strategies").is_dir() else Path()
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(_text(game, "bot").replace(NAME, name))
    except FileExistsError:
        raise StarterError(f"there is a file {path} already") from None
    return path


def new_folder(folder: Path, game: Game) -> list[Path]:
    """Make a folder with an experiment, a bot and a notebook; returns their paths in it.

    Raises
    ------
    StarterError
        There is such a folder with something in it, or such a file.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StarterError(f"there is something at {folder} already; name a folder that is new or empty")
    files = {
        Path("experiment.yaml"): _text(game, "experiment"),
        Path("strategies", game.name, f"{NAME}.py"): _text(game, "bot"),
        Path("notebook.ipynb"): json.dumps(_notebook(_text(game, "notebook")), indent=1) + "\n",
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}", dir=folder.parent))
    try:
        for path, text in files.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, encoding="utf-8")
        made.chmod(0o755)
        made.replace(folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return list(files)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name) or name.startswith("test_"):
        text = "a bot's name has small letters, digits and underscores, begins with a letter, and is no word of Python"
        raise StarterError(f"found {name!r}; {text}")


def _text(game: Game, kind: str) -> str:
    path = Path(games.__file__).parent / game.name / "starter" / f"{kind}.txt"
    if not path.is_file():
        raise StarterError(f"{game.title} has no {kind} to start from")
    return path.read_text(encoding="utf-8")


def _notebook(text: str) -> dict[str, Any]:
    """A notebook of a text whose cells are parted by lines of three dashes: words first, code after."""
    return {
        "cells": list(_cells(text.strip().split("\n---\n"))),
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(texts: list[str]) -> Iterator[dict[str, Any]]:
    for number, text in enumerate(texts):
        cell: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if number == 0:
            yield {"cell_type": "markdown", **cell}
        else:
            yield {"cell_type": "code", "execution_count": None, "outputs": [], **cell}
