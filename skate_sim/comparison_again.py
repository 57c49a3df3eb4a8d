"""A comparison made again from stored results, with the sections of its experiment file as far as that is the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skate_sim.comparison import Comparison
from skate_sim.comparison_results import ComparisonResults
from skate_sim.expectations import as_expectation
from skate_sim.experiment import Experiment, ExperimentError, load_experiment
from skate_sim.played import Played
from skate_sim.playing import Finished
from skate_sim.stats import LEVEL
from skate_sim.study import Study


def comparison_again(
    work: Comparison, played: Played, manifest: Mapping[str, Any]
) -> tuple[ComparisonResults, set[str]]:
    """Results of games played again, and names of the tables of sections that cannot be made again."""
    study = _study_again(work, manifest)
    finished = Finished(played, 0.0, datetime.now(UTC), 0)
    found = ComparisonResults(study, work, finished, level=manifest.get("level", LEVEL))
    stored = {Path(name).stem for name in manifest["files"] if name.startswith("tables/")}
    return found, stored - set(found.tables()) if manifest["sections"] and not study.answers else set()


def _study_again(work: Comparison, manifest: Mapping[str, Any]) -> Study:
    path = manifest["experiment_file"]
    if manifest["sections"] and Path(path).is_file():
        try:
            study = load_experiment(path).study()
        except ExperimentError:
            study = None
        if study and list(study.variants) == list(work.plans) and study.contrasts == work.contrasts:
            return study
    variants = {name: _experiment(name, plan, manifest) for name, plan in work.plans.items()}
    expect = tuple(as_expectation(line) for line in manifest.get("expect", ()))
    update = {"name": manifest["name"], "variants": variants, "expect": expect}
    whole = next(iter(variants.values())).model_copy(update=update)
    return Study(whole, variants, work.contrasts)


def _experiment(name: str, plan: Any, manifest: Mapping[str, Any]) -> Experiment:
    given = manifest["variants"][name]["experiment"]
    return Experiment(
        name=name,
        path=Path(manifest["experiment_file"]),
        question=manifest["question"],
        game=manifest["game"],
        preset=given["preset"],
        rules=given["rules"],
        edits=given["edits"],
        players=given["players"],
        bots=plan.bots,
        rotated="pool" in given,
        games=plan.games,
        seed=plan.seed,
        variants={},
    )
