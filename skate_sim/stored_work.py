"""The work that stored results were made by, from their manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from skate_sim import games
from skate_sim.api import as_bots
from skate_sim.bot_files import find_code, load_file
from skate_sim.comparison import Comparison, Contrast
from skate_sim.games import ContentError, Game
from skate_sim.lineups import SeatingError
from skate_sim.policy import Bot, BotError, make_bot
from skate_sim.saving import FolderError, manifest_of
from skate_sim.simulation import Plan
from skate_sim.study_work import with_own
from skate_sim.tallies import make_layout
from skate_sim.work import Work


@dataclass
class Findings:
    """What is found out on the way: why results do not reproduce, and what should change nothing."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def work_of(
    manifest: Mapping[str, Any], folder: Path, bots: Mapping[str, Any], found: Findings
) -> Plan | Comparison | None:
    """The plan or comparison that results were made by; None, with the problem noted, when it cannot be had any more.

    Raises
    ------
    FolderError
        The results do not say.
    BotError
        A bot cannot be found any more.
    """
    if manifest.get("kind") != "comparison":
        return _plan_of(manifest, folder, bots, found)
    if not manifest["comparable"]:
        found.problems.append("the variants were played one after the other, each with its own games")
        return None
    plans: dict[str, Plan] = {}
    for name, own in manifest["variants"].items():
        plan = _plan_of({**manifest, **own}, folder, bots, found)
        if plan is None:
            found.problems = [f"variant {name}: {problem}" for problem in found.problems]
            return None
        plans[name] = plan
    contrasts = [Contrast(c["name"], c["baseline"], c["weights"], c["divisor"]) for c in manifest["contrasts"]]
    return with_own(Comparison(plans, tuple(contrasts)), _games_of_sections(manifest))


def _games_of_sections(manifest: Mapping[str, Any]) -> dict[str, Work]:
    """Games that sections play besides the variants', as the experiment file has them; none if it cannot be read."""
    from skate_sim.experiment import ExperimentError, load_experiment

    if not manifest.get("sections"):
        return {}
    try:
        study = load_experiment(Path(manifest["experiment_file"])).study()
        return study.works(games=manifest["games_planned"], seed=manifest["seed"])
    except (ExperimentError, BotError, SeatingError, OSError):
        return {}


def stored_work(folder: str | Path) -> tuple[Plan | Comparison | None, list[str]]:
    """What stored results were made by; None, with the problems in words, when it cannot be had any more.

    Raises
    ------
    FolderError
        The folder holds no results, or does not say how they were made.
    BotError
        A bot cannot be found any more.
    """
    found = Findings()
    path = Path(folder).expanduser()
    return work_of(manifest_of(path), path, {}, found), found.problems


def _plan_of(manifest: Mapping[str, Any], folder: Path, bots: Mapping[str, Any], found: Findings) -> Plan | None:
    """The plan that results were made by; None, with the problem noted, when it cannot be had any more."""
    game, experiment = games.load(manifest["game"]), manifest["experiment"]
    if experiment is None:
        raise FolderError(f"{folder} does not say by which experiment it was made; it cannot be played again")
    if manifest["behaviour_version"] != game.behaviour_version:
        then, now = manifest["behaviour_version"], game.behaviour_version
        found.problems.append(
            f"the games were played by behaviour version {then} of {game.title}, and this is version {now}: the same "
            f"seeds have other games"
        )
        return None
    try:
        resolved = game.resolve(game, manifest["seats"], manifest["preset"], experiment["rules"], experiment["edits"])
    except ContentError as error:
        found.problems.append(f"the rules or edits cannot be played any more: {error}")
        return None
    entries = tuple(_bot(entry, game, bots, found) for entry in manifest["bots"])
    if found.problems and any("changed since" in problem for problem in found.problems):
        return None
    layout = make_layout(resolved, len(entries), np.array(manifest["lineups"], np.uint8))
    return Plan(resolved, entries, layout, manifest["games_planned"], manifest["seed"])


def _bot(entry: Mapping[str, Any], game: Game, bots: Mapping[str, Any], found: Findings) -> Bot:
    """A bot of the results, from where it was, or by its name."""
    name, path = entry["name"], entry["path"]
    if name in bots:
        [given] = as_bots([bots[name]], game)
        code = given.code
    elif path and Path(path).is_file():
        code = load_file(Path(path), game)
    elif path:
        try:
            code = find_code(entry["bot"], game)
        except BotError as error:
            raise BotError(f"bot {name}: its file {path} is gone, and there is {error}") from error
    else:
        advice = f"give it as verify(folder, bots={{{name!r}: ...}})"
        raise BotError(f"bot {name} came from Python, not from a file; {advice}")
    if code.digest != entry["fingerprint"]:
        then, now = entry["fingerprint"], code.digest
        found.problems.append(f"bot {name} has changed since: its fingerprint was {then} and is {now} ({code.where})")
        return Bot(code, {}, name)
    return make_bot(code, entry["parameters"], name)
