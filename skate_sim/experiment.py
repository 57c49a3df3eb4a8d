"""Experiment files: a question to a game, read from YAML and checked against everything that the game declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, InstanceOf

from skate_sim import games
from skate_sim.comparison import Contrast, to_baseline
from skate_sim.expectations import Expectation
from skate_sim.experiment_check import ExperimentError, Reporter, checked_bots, checked_players, loaded_game, merged
from skate_sim.experiment_file import ExperimentFile, Settings, parse_file
from skate_sim.experiment_questions import check_questions
from skate_sim.locations import bundled
from skate_sim.policy import Bot
from skate_sim.precision import Precision
from skate_sim.sections import expand, has_sections
from skate_sim.study import Study
from skate_sim.unchanged import with_unchanged
from skate_sim.yaml_source import SourceError, read_source

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.results import Results
    from skate_sim.simulation import Plan
    from skate_sim.study import Study

__all__ = ["Experiment", "ExperimentError", "find_experiment", "load_experiment"]

ENDINGS = (".yaml", ".yml")


class Experiment(BaseModel):
    """A checked experiment; :func:`load_experiment` makes it.

    Attributes
    ----------
    name : str
        Name of the file without its ending; for a variant, the variant's name.
    path : Path
        The file.
    question : str
        What the experiment asks, in a line.
    bots : tuple of Bot
        By seat, or the pool; empty when there are variants.
    rotated : bool
        Whether the bots are a pool that is rotated through the seats.
    variants : dict of str to Experiment
        Complete experiments, each with what the variant changes; empty for a plain experiment.
    listed : tuple of str
        The variants that the file itself lists; its sections add others.
    baseline : str or None
        The listed variant that the others are compared to.
    added : str or None
        The listed variant that the file does not list: the unchanged experiment, added to one variant alone.
    contrasts, answers : tuple
        What is compared, and what the file's sections ask; see :class:`skate_sim.study.Study`.
    precision : Precision or None
        How tight intervals are to be before the run stops; ``games`` is the most.
    expect : tuple of Expectation
        Where numbers should be.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    path: Path
    question: str
    game: str
    preset: str | None
    rules: dict[str, Any]
    edits: dict[str, Any]
    players: int
    bots: tuple[InstanceOf[Bot], ...]
    rotated: bool
    games: int
    seed: int
    variants: dict[str, Experiment]
    listed: tuple[str, ...] = ()
    baseline: str | None = None
    added: str | None = None
    contrasts: tuple[InstanceOf[Contrast], ...] = ()
    answers: tuple[Any, ...] = ()
    precision: InstanceOf[Precision] | None = None
    expect: tuple[InstanceOf[Expectation], ...] = ()

    @property
    def folder(self) -> Path:
        """Folder of the file, where its bots are looked up first."""
        return self.path.parent

    def __repr__(self) -> str:
        bots = ", ".join(bot.name for bot in self.bots) or f"variants {', '.join(self.variants)}"
        return f"<Experiment {self.name}: {bots}>"

    def each(self) -> Mapping[str, Experiment]:
        """The variants by name, or the experiment itself under the name ""."""
        return self.variants or {"": self}

    def one(self, variant: str | None = None) -> Experiment:
        """The variant with this name; the experiment itself if it has none.

        Raises
        ------
        ExperimentError
            No such variant, or none named where there are several.
        """
        if variant in self.variants:
            return self.variants[variant]
        if variant is None and not self.variants:
            return self
        found = "it has variants, name one" if variant is None else f"no variant {variant!r}"
        valid = games.choices_text(variant, self.variants) if self.variants else "it has none"
        raise ExperimentError(f"{self.path}: {found}; {valid}")

    def study(self) -> Study:
        """What is to be played, compared and answered."""
        return Study(self, self.each(), self.contrasts, self.answers, self.listed)

    def simulate(self, variant: str | None = None, **overrides: Any) -> Results | ComparisonResults:
        """Play the experiment or one of its variants; ``overrides`` go to :func:`skate_sim.api.simulate`.

        Variants are played together, and compared, when none is named.
        """
        from skate_sim.api import simulate

        if variant is None and not (study := self.study()).is_plain:
            from skate_sim.comparison_run import play_study

            return play_study(study, **overrides)
        chosen = self.one(variant)
        words = {"question": chosen.question, "name": chosen.name, "precision": chosen.precision}
        results = simulate(**(chosen.arguments() | words | overrides))
        results.expectations, results.experiment_file = chosen.expect, chosen.path
        return results

    def plan(self, variant: str | None = None, **overrides: Any) -> Plan:
        """The plan that :meth:`simulate` plays, to tell single games of it; ``overrides`` as there."""
        from skate_sim.api import plan_games

        return plan_games(**(self.one(variant).arguments() | overrides))

    def arguments(self) -> dict[str, Any]:
        """What :func:`skate_sim.api.plan_games` is given."""
        return {
            "bots": list(self.bots),
            "game": self.game,
            "players": self.players,
            "preset": self.preset,
            "rules": self.rules,
            "edits": self.edits,
            "games": self.games,
            "seed": self.seed,
            "rotate": self.rotated,
            "folders": [self.folder],
        }


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment from a file, or by the name of a bundled one.

    Raises
    ------
    ExperimentError
        No such file, or a mistake in it: file, line, key, what was found, and what would be valid.
    """
    file = find_experiment(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
        source = read_source(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{file}: cannot be read as UTF-8 text; an experiment is a YAML file") from error
    except SourceError as error:
        raise ExperimentError.at(file, error.line, error.path, error.message) from error
    parsed, mistakes = parse_file(source.data)
    if parsed is None:
        line, where, message = min((source.line(where), where, message) for where, message in mistakes)
        raise ExperimentError.at(file, line, where, message)
    return _checked(parsed, Reporter(file, source), parsed.question or _first_comment(text))


def _checked(parsed: ExperimentFile, report: Reporter, question: str) -> Experiment:
    """The experiment with its variants, after all checks against what its game declares."""
    game = loaded_game(parsed.game, report)

    def experiment(name: str, settings: Settings, report: Reporter | None, variants: Any) -> Experiment:
        players = checked_players(settings, game, report) if report else 0
        return Experiment(
            name=name,
            path=file,
            question=question,
            game=game.name,
            preset=settings.preset,
            rules=settings.rules,
            edits=settings.edits,
            players=players,
            bots=checked_bots(settings, players, game, report) if report else (),
            rotated=settings.pool is not None,
            games=parsed.games,
            seed=parsed.seed,
            variants=variants,
            precision=replace(parsed.precision, of="") if parsed.precision else None,
        )

    file = report.file
    own = parsed.variants or {}
    listed = {n: experiment(n, merged(parsed, s), report.of_variant(n), {}) for n, s in own.items()}
    added = None
    if parsed.sweep is None and (parsed.seats, parsed.pool) != (None, None):
        listed, added = with_unchanged(listed, lambda name: experiment(name, parsed, report, {}))
    asks = has_sections(parsed)
    plain = experiment(file.stem, parsed, report if asks or not own else None, {})
    whole = plain.model_copy(
        update=_asked(parsed, plain, listed, report) if asks else _compared(listed, parsed.baseline, report)
    )
    check_questions(parsed, game, whole.each(), report)
    return whole.model_copy(update={"precision": parsed.precision, "expect": parsed.expect, "added": added})


def _asked(
    parsed: ExperimentFile, plain: Experiment, listed: dict[str, Experiment], report: Reporter
) -> dict[str, Any]:
    """The variants that the file's sections add, their contrasts and answers."""
    expanded = expand(parsed, plain, listed, report)
    compared = _compared(expanded.listed, parsed.baseline or expanded.baseline, report)
    added = [c for c in expanded.contrasts if c not in compared["contrasts"]]
    return compared | {
        "bots": () if expanded.variants else plain.bots,
        "variants": expanded.variants,
        "contrasts": (*compared["contrasts"], *added),
        "answers": expanded.answers,
    }


def _compared(listed: dict[str, Experiment], baseline: str | None, report: Reporter) -> dict[str, Any]:
    """The variants that the file lists, and their contrasts to the baseline, the first unless named."""
    if baseline is not None and baseline not in listed:
        text = "found a baseline but no variants; it is the name of one of them"
        if listed:
            text = f"no variant {baseline!r}; {games.choices_text(baseline, listed)}"
        raise report.error(("baseline",), text)
    first = baseline or next(iter(listed), None)
    contrasts = () if first is None else tuple(to_baseline(list(listed), first))
    return {"variants": listed, "listed": tuple(listed), "baseline": first, "contrasts": contrasts}


def find_experiment(path: str | Path) -> Path:
    """File of an experiment: ``NAME``, ``NAME.yaml``, the same in ``./experiments``, then the bundled ones.

    Raises
    ------
    ExperimentError
        There is none, with the nearest name.
    """
    name = Path(path).expanduser()
    folders = [Path(), Path("experiments"), bundled("experiments")]
    for folder in folders:
        for file in (folder / name, *(folder / name.parent / (name.name + ending) for ending in ENDINGS)):
            if file.is_file():
                return file
    if name.is_dir():
        raise ExperimentError(f"found the folder {name}; an experiment is a YAML file")
    if name.parent != Path():
        known = [str(f) for f in _experiments_in(name.parent)]
        valid = (
            games.choices_text(name, known) if known else f"{name.parent} has none; bundled: {', '.join(_bundled())}"
        )
    else:
        known = sorted({f.stem for folder in folders for f in _experiments_in(folder)})
        valid = games.choices_text(name.stem, known)
    raise ExperimentError(f"no experiment {str(path)!r}; {valid}")


def _bundled() -> list[str]:
    """Names of the bundled experiments."""
    return [file.stem for file in _experiments_in(bundled("experiments"))]


def _experiments_in(folder: Path) -> Iterator[Path]:
    return (f for f in sorted(folder.iterdir()) if f.suffix in ENDINGS) if folder.is_dir() else iter(())


def _first_comment(text: str) -> str:
    """Text of the first line, if it is a comment."""
    first = text.lstrip().partition("\n")[0]
    return first.lstrip("#").strip() if first.startswith("#") else ""
