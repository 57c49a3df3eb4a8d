"""What Tab completes: bots, experiments, folders of results, figures, variants. Nothing heavy is imported for it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from skate_sim.locations import bundled

#: Where bash ends a word although no space is there: parameters of bots have both.
_BREAKS = ":="
RESULTS = Path("results")
MANIFEST = "manifest.json"


def complete_bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Names of bots, in the current folder and bundled, and Python files."""
    return _items(_names("strategies", ".py"), incomplete, (".py",))


def complete_bot_lists(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """The last bot of a list with commas."""
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + name) for name in _names("strategies", ".py") if name.startswith(last)]


def complete_experiments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Names of experiments, in the current folder and bundled, and YAML files."""
    return _items(_names("experiments", ".yaml"), incomplete, (".yaml", ".yml"))


def complete_games_to_play(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """What ``play`` takes: an experiment, or a folder of results."""
    return [*complete_experiments(ctx, param, incomplete), *_starting(_results(), incomplete)]


def complete_results(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Folders of results."""
    return [CompletionItem(incomplete, type="dir"), *_starting(_results(), incomplete)]


def complete_figures(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Figures that any stored results have, and the one of a single game."""
    stored = {p.stem for folder in _results() for p in Path(folder).glob("**/figures/*.svg")}
    return _starting(sorted({*stored, "game_risk"}), incomplete)


def complete_tables(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Tables of the results that are named before, or of any."""
    folders = [ctx.params["folder"]] if ctx.params.get("folder") else _results()
    return _starting(sorted({p.stem for f in folders for p in Path(f).glob("**/tables/*.csv")}), incomplete)


def complete_variants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Variants of the experiment on the line; click does not tell an argument before an option without its value."""
    from skate_sim.experiment import find_experiment
    from skate_sim.yaml_source import read_source

    for word in split_arg_string(os.environ.get("COMP_WORDS", ""))[2:]:
        try:
            data = read_source(find_experiment(word).read_text(encoding="utf-8-sig")).data
            return _starting(data["variants"], incomplete)
        except (ValueError, OSError, KeyError, TypeError):
            continue
    return []


def complete_presets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Presets of the game."""
    from skate_sim import games

    try:
        return _starting(games.load(ctx.params.get("game") or games.DEFAULT_GAME).presets, incomplete)
    except ValueError:
        return []


def complete_executors(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """What plays."""
    return _starting(["threads", "processes", "dask"], incomplete)


def _names(kind: str, ending: str) -> list[str]:
    found = [p for folder in (Path(kind), bundled(kind)) for p in folder.rglob(f"*{ending}") if p.is_file()]
    return sorted({p.stem for p in found if not p.stem.startswith("_")})


def _items(names: Iterable[str], incomplete: str, endings: tuple[str, ...]) -> list[Any]:
    """Names and files with these endings; other paths where none of them fits.

    The marker for paths comes first: bash drops what came before it.
    """
    folder = Path(incomplete + "_").parent
    files = sorted(str(p) for p in folder.iterdir() if p.suffix in endings) if folder.is_dir() else []
    return [CompletionItem(incomplete, type="file"), *_starting([*names, *files], incomplete)]


def _starting(texts: Iterable[str], incomplete: str) -> list[Any]:
    return [CompletionItem(text) for text in texts if text.startswith(incomplete)]


def _results() -> list[str]:
    """Folders of results in ``./results`` and in the current folder."""
    return [str(p.parent) for place in (RESULTS, Path()) for p in sorted(_manifests(place))]


def _manifests(place: Path) -> Iterator[Path]:
    for path in place.glob(f"*/{MANIFEST}"):
        try:
            if "made_by" in json.loads(path.read_text(encoding="utf-8")):
                yield path
        except (OSError, ValueError, TypeError):
            continue


class _Bash(BashComplete):
    """Bash, which takes ``bot:parameter=number`` for five words and replaces only the last of them."""

    typed = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is typed, and that one, each whole."""
        before, last = super().get_completion_args()
        words: list[str] = []
        for word in [*before, last]:
            if words and word and (word[0] in _BREAKS or words[-1][-1:] in tuple(_BREAKS)):
                words[-1] += word
            else:
                words.append(word)
        self.typed = words[-1].partition("=")[2] if words[-1].startswith("--") else words[-1]
        return words[:-1], words[-1]

    def format_completion(self, item: Any) -> str:
        """An answer without what comes before the word as bash has it."""
        kept = 1 + max(self.typed.rfind(mark) for mark in _BREAKS)
        return f"{item.type},{item.value[kept:]}"


def use_own_bash() -> None:
    """Make click answer bash as it needs it here."""
    add_completion_class(_Bash)
