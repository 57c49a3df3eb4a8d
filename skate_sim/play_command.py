"""``skate-sim play``: one game, told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from skate_sim import games
from skate_sim.api import plan_games
from skate_sim.bot_files import available_bots
from skate_sim.console import announce_compiling, output, working, write
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.jit import is_warm
from skate_sim.moments import Moment, told_with_moments
from skate_sim.saving import is_result, manifest_of
from skate_sim.simulation import Plan, PlayError, tell_game
from skate_sim.stored_work import Findings, work_of
from skate_sim.story import print_story


def plan_to_play(
    file: str | None = None,
    *,
    seed: int | None = None,
    bots: str | None = None,
    variant: str | None = None,
    preset: str | None = None,
) -> Plan:
    """Plan of an experiment, with other bots at a fixed table if any are named; of stored results; or of bots alone.

    With none of them, the first bots that fill the default game's table.

    Parameters
    ----------
    file : str, optional
        Of an experiment, or a folder of results.
    """
    if file is not None and is_result(Path(file)):
        if bots is not None or preset is not None:
            option = "--preset" if bots is None else "--bots"
            raise ExperimentError(f"found {option} with {file}; stored games have their own bots and rules")
        plan = _stored(Path(file), variant)
        return plan if seed is None else replace(plan, seed=seed)
    chosen: dict[str, Any] = {} if seed is None else {"seed": seed}
    if preset is not None:
        chosen["preset"] = preset
    if file is not None:
        experiment = load_experiment(file).one(variant)
        if bots is not None:
            chosen |= {"bots": split_bots(bots), "players": None, "rotate": False}
        return experiment.plan(**chosen)
    if variant is not None:
        raise ExperimentError(f"found the variant {variant!r} but no file; an experiment file has variants")
    game = games.load(games.DEFAULT_GAME)
    names = split_bots(bots) if bots is not None else sorted(available_bots(game))[: game.default_seats]
    return plan_games(names, rotate=False, **chosen)


def _stored(folder: Path, variant: str | None) -> Plan:
    """Plan of stored results, or of one of their variants."""
    manifest, found = manifest_of(folder), Findings()
    variants = manifest.get("variants", {})
    if variant is not None and variant not in variants:
        valid = games.choices_text(variant, variants) if variants else "it has none"
        raise ExperimentError(f"{folder}: no variant {variant!r}; {valid}")
    if variant is None and list(variants) == [""]:
        variant = ""  # the experiment itself, of which sections ask something
    if variants and variant is None:
        raise ExperimentError(f"{folder}: it has variants, name one with --variant: {', '.join(variants)}")
    own = manifest
    if variant is not None and manifest["comparable"]:
        own = {**manifest, **variants[variant], "kind": "run"}
    elif variant is not None:  # played by itself
        own = manifest_of(folder / variants[variant]["folder"])
    work = work_of(own, folder, {}, found)
    if not isinstance(work, Plan):
        raise ExperimentError(f"{folder}: its games cannot be told: {'; '.join(found.problems)}")
    return work


def split_bots(text: str) -> list[str]:
    """Bots of a comma-separated list; ``a:x=1,y=2,b`` are two, because a parameter belongs to the bot before it."""
    found: list[str] = []
    for piece in (p.strip() for p in text.split(",") if p.strip()):
        if "=" in piece and ":" not in piece and found:
            found[-1] += f"{',' if ':' in found[-1] else ':'}{piece}"
        else:
            found.append(piece)
    return found


def tell(plan: Plan, number: int, as_json: bool = False, step: bool = False) -> None:
    """Print a game in plain words, with the risk at each decision, or as JSON lines.

    Raises
    ------
    PlayError
        The game could not be finished; what happened until then is printed first.
    """
    say_compiling()
    error: PlayError | None = None
    moments: list[Moment] = []
    try:
        with working("Compiling bots"):
            if as_json:
                events = tell_game(plan, number)
            else:
                events, moments = told_with_moments(plan, number)
    except PlayError as fault:
        events, error = fault.events, fault
    if as_json:
        write("\n".join(json.dumps(event, ensure_ascii=False) for event in events))
    elif events:
        print_story(output(), plan, events, moments, wait if step else None)
    if error:
        raise error


def say_compiling() -> None:
    """Say so when the game must be compiled."""
    if not is_warm():
        announce_compiling()


def wait() -> None:
    """Wait for Enter."""
    try:
        input()
    except EOFError:
        raise KeyboardInterrupt from None
