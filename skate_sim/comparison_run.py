"""Play the variants of an experiment on the same games, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from skate_sim.api import MAX_GAMES, Sources, as_bots, plan_games, simulate, whole
from skate_sim.comparison import Comparison, NotComparableError, to_baseline
from skate_sim.comparison_manifest import folder_names
from skate_sim.comparison_results import ComparisonResults
from skate_sim.experiment import Experiment
from skate_sim.games import DEFAULT_GAME, choices_text
from skate_sim.games import load as load_game
from skate_sim.playing import play_kept
from skate_sim.precision import as_precision
from skate_sim.study import Study
from skate_sim.unchanged import with_unchanged
from skate_sim.work import PlayError

#: What decides how games are played, and not which.
_PLAYING = ("threads", "executor", "chunk", "progress", "checkpoint", "resume", "precision")


def comparison_of(study: Study, **overrides: Any) -> Comparison:
    """The work that plays a study's variants together; ``overrides`` go to :func:`skate_sim.api.plan_games`.

    Raises
    ------
    NotComparableError
        The variants cannot play the same games seat by seat.
    """
    return study.work(**overrides)


def play_study(study: Study, stopped: Callable[[], bool] = lambda: False, **overrides: Any) -> ComparisonResults:
    """Play a study; ``overrides`` are those of :func:`skate_sim.api.simulate`.

    Variants that cannot play the same games seat by seat are played one after the other, and have no differences;
    then ``stopped`` says whether to leave out those that are left.
    """
    how = {key: overrides.pop(key) for key in _PLAYING if key in overrides}
    for word in ("threads", "chunk"):
        if how.get(word) is not None:
            whole(word, how[word], 1, MAX_GAMES)
    how.setdefault("precision", study.experiment.precision)
    try:
        comparison = comparison_of(study, **overrides)
    except NotComparableError as error:
        return _apart(study, str(error), how, overrides, stopped)
    return ComparisonResults(study, comparison, play_kept(comparison, **how))


def _apart(
    study: Study, why: str, how: Mapping[str, Any], overrides: Mapping[str, Any], stopped: Callable[[], bool]
) -> ComparisonResults:
    """Each variant on its own, as far as Ctrl-C lets it."""
    found = {}
    how = dict(how)
    if (precision := as_precision(how.get("precision"))) is not None:
        how["precision"] = replace(precision, of="")
    folders = folder_names(study.variants)
    for name, variant in study.variants.items():
        own = dict(how)
        if own.get("checkpoint") is not None:
            own["checkpoint"] = Path(own["checkpoint"]) / folders[name]
        words = variant.arguments() | {"question": variant.question, "name": name}
        try:
            found[name] = simulate(**{**words, **own, **overrides})
        except KeyboardInterrupt:
            if not found:
                raise
            break
        except PlayError as error:
            error.variant = name
            raise
        if found[name].partial or stopped():
            break
    return ComparisonResults(study, None, apart=found, why_apart=why)


def compare(
    variants: Mapping[str, Mapping[str, Any]],
    *,
    baseline: str | None = None,
    question: str = "",
    name: str = "comparison",
    **settings: Any,
) -> ComparisonResults:
    """Play variants of a table of bots on the same games, and compare them.

    Parameters
    ----------
    variants : mapping of str to mapping
        What each variant changes, by its name: any of ``bots``, ``players``, ``preset``, ``rules``, ``edits``,
        ``rotate`` of :func:`skate_sim.simulate`. Its rules and edits come on top of those in ``settings``. One variant
        alone is compared with what ``settings`` say without it, which is added as ``"unchanged"``.
    baseline : str, optional
        Name of the variant that the others are compared with; the first when left out.
    question, name : str
        For titles.
    **settings
        Of all variants, as :func:`skate_sim.simulate` takes them: ``bots``, ``games``, ``seed``, ``executor``, ...

    Returns
    -------
    ComparisonResults

    Examples
    --------
    >>> import skate_sim
    >>> found = skate_sim.compare(
    ...     {"random": {}, "same": {}}, bots=["stop_at_n", "random_legal"], games=1000
    ... )
    >>> found.differences()  # doctest: +SKIP
    """
    if not variants:
        raise ValueError("no variants; name at least one, as {'printed': {}, 'short': {'rules': {...}}}")
    how = {key: settings.pop(key) for key in _PLAYING if key in settings}
    made = {label: _experiment(label, question, _merged(settings, own)) for label, own in variants.items()}
    added = None
    if "bots" in settings:
        made, added = with_unchanged(made, lambda label: _experiment(label, question, _merged(settings, {})))
    if baseline is not None and baseline not in made:
        raise ValueError(f"no variant {baseline!r}; {choices_text(baseline, made)}")
    first = next(iter(made.values()))
    compared_to = baseline or next(iter(made))
    asked = {"name": name, "bots": (), "variants": made, "baseline": compared_to, "added": added}
    whole_one = first.model_copy(update=asked)
    study = Study(whole_one, made, tuple(to_baseline(list(made), compared_to)))
    return play_study(study, **how)


def _merged(settings: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**settings, **own}
    for key in ("rules", "edits"):
        merged[key] = {**(settings.get(key) or {}), **(own.get(key) or {})}
    return merged


def _experiment(name: str, question: str, settings: dict[str, Any]) -> Experiment:
    """An experiment from what :func:`skate_sim.simulate` would be given."""
    if "bots" not in settings:
        raise ValueError(f"variant {name!r} has no bots; give bots=[...] for all, or to each variant")
    bots: Sources = settings["bots"]
    game = load_game(settings.get("game", DEFAULT_GAME))
    chosen = as_bots(bots, game, settings.get("folders", ()))
    plan = plan_games(**(settings | {"bots": chosen}))
    return Experiment(
        name=name,
        path=Path(f"{name}.yaml"),
        question=question,
        game=game.name,
        preset=settings.get("preset"),
        rules=settings["rules"],
        edits=settings["edits"],
        players=plan.resolved.seats,
        bots=tuple(chosen),
        rotated=settings.get("rotate", True),
        games=plan.games,
        seed=plan.seed,
        variants={},
    )
