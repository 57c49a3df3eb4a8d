"""``skate-sim run``: play an experiment and its variants, print what was found, write the files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from skate_sim.checkpoint import CHECKPOINT, kept_in, reason, resumed
from skate_sim.cold_start import game_compiled_aside
from skate_sim.comparison import Comparison, NotComparableError
from skate_sim.console import (
    Interrupts,
    RunProgress,
    announce_compiling,
    end_at_once,
    errors,
    output,
    say,
    working,
)
from skate_sim.executors import Crew, ExecutorError, check_executor, open_crew
from skate_sim.experiment import Experiment, ExperimentError
from skate_sim.jit import is_warm
from skate_sim.painter import Painter
from skate_sim.simulation import Plan, prepare_tally
from skate_sim.study import Study
from skate_sim.work import PlayError, Work

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.results import Results


@dataclass(frozen=True)
class RunOptions:
    """Options of the command; see its help."""

    games: int | None = None
    seed: int | None = None
    threads: int | None = None
    chunk: int | None = None
    out: Path | None = None
    no_files: bool = False
    no_figures: bool = False
    no_report: bool = False
    everything: bool = False
    form: str | None = None
    quiet: bool = False
    executor: str = "threads"
    resume: bool = False
    overwrite: bool = False
    precision: float | None = None

    @property
    def overrides(self) -> dict[str, Any]:
        """What replaces the file's own numbers."""
        chosen = {"games": self.games, "seed": self.seed}
        return {key: value for key, value in chosen.items() if value is not None}

    @property
    def prints_tables(self) -> bool:
        """Whether tables go to the terminal."""
        return not self.quiet and self.form is None


def run_experiment(experiment: Experiment, named: str, options: RunOptions, painter: Painter | None = None) -> int:
    """Play an experiment, print and write what was found; returns the exit code.

    It is 130 when Ctrl-C ended the run early, else that of the expectations (see :mod:`skate_sim.verdicts`): 0.

    Parameters
    ----------
    experiment : Experiment
    named : str
        How the user named it, for the command that replays a game.
    options : RunOptions
    painter : Painter, optional
        Draws the figures.

    Raises
    ------
    ExperimentError
        A game could not be finished; the message ends with the command that replays it.
    KeyboardInterrupt
        Ctrl-C before anything was finished.
    """
    from skate_sim.verdicts import exit_code

    study, folder = experiment.study(), options.out or Path("results") / experiment.name
    check_executor(options.executor)
    works = _works(study, options)
    if not options.no_files:
        _check_folders(folder, works, options)
    compile_first(works, options.quiet)
    console = output()
    if options.prints_tables:
        console.print(Text(experiment.name, "bold"))
        say(console, experiment.question)
    interrupts, abandoned = Interrupts(), False
    with interrupts:
        try:
            with _opened_crew(options) as crew:
                try:
                    found = _play(study, named, folder, crew, interrupts, options)
                finally:
                    abandoned = crew.abandoned
            interrupts.patient = True
            _report(console, found, folder, works, options, painter)
        except KeyboardInterrupt:
            if not abandoned:
                raise
    if abandoned:
        end_at_once()
    return 130 if interrupts.seen else exit_code(found.verdicts())


def _works(study: Study, options: RunOptions) -> dict[str, Work]:
    """What is played, by the folder for it within the result's: a plan, a comparison, or plans one after the other."""
    from skate_sim.comparison_manifest import folder_names
    from skate_sim.comparison_run import comparison_of

    if study.is_plain:
        return {"": study.experiment.plan(**options.overrides)}
    try:
        return {"": comparison_of(study, **options.overrides)}
    except NotComparableError:
        folders = folder_names(study.variants)
        return {folders[name]: variant.plan(**options.overrides) for name, variant in study.variants.items()}


def _check_folders(base: Path, works: Mapping[str, Work], options: RunOptions) -> None:
    """Refuse, before anything is played, folders that cannot be written or that hold games of another run, or more."""
    from skate_sim.comparison_manifest import folder_names
    from skate_sim.replacing import check_replaced, paired_replaced
    from skate_sim.saving import check_folder
    from skate_sim.swap import mend

    first = next(iter(works.values()))
    mend(base.expanduser().resolve())
    check_folder(base, works if "" not in works else folder_names(getattr(first, "plans", ())))
    if "" not in works and not options.resume and (text := paired_replaced(base, first.games)):
        errors().print(text, soft_wrap=True)
    for name, work in works.items():
        folder = base / name
        if not options.resume and not options.overwrite and (text := check_replaced(folder, work, work.games)):
            errors().print(text, soft_wrap=True)
        if options.resume:
            resumed(folder, work)
            if kept_in(folder) is None:
                errors().print(f"{folder} has no finished games yet; starting from the first.", soft_wrap=True)
        elif (folder / CHECKPOINT).is_file():
            text = f"{folder} has finished games of a run that was stopped; --resume would go on from them."
            errors().print(text, soft_wrap=True)


def compile_first(works: Mapping[str, Work], quiet: bool) -> None:
    """Compile bots, and the game when that was never done, before the clock starts; say so while it lasts."""
    if not is_warm() and not quiet:
        announce_compiling()
    with working("Compiling bots", quiet):
        plans = [plan for work in works.values() for plan in _plans_of(work)]
        if plans:
            with game_compiled_aside(plans[0].game.name):
                for plan in plans:
                    plan.compile_bots()
                prepare_tally(plans[0])
        for work in works.values():
            work.prepare()


def _plans_of(work: Work) -> list[Plan]:
    """Plans whose bots a work plays."""
    if isinstance(work, Plan):
        return [work]
    return list(work.plans.values()) if isinstance(work, Comparison) else []


@contextmanager
def _opened_crew(options: RunOptions) -> Iterator[Crew]:
    """The workers for all variants."""
    with ExitStack() as stack:
        with working("Starting the workers", options.quiet):
            crew = stack.enter_context(open_crew(options.executor, options.threads))
        yield crew


def _play(
    study: Study, named: str, folder: Path, crew: Crew, interrupts: Interrupts, options: RunOptions
) -> Results | ComparisonResults:
    from skate_sim.comparison_run import play_study

    words: dict[str, Any] = {"threads": options.threads, "chunk": options.chunk, "executor": crew}
    if not options.no_files:
        words |= {"checkpoint": folder, "resume": options.resume}
    if options.precision is not None:
        words["precision"] = options.precision
    try:
        with RunProgress(study.experiment.name) as progress:
            words["progress"] = None if options.quiet else progress
            if study.is_plain:
                return study.experiment.simulate(**options.overrides, **words)
            return play_study(study, lambda: interrupts.seen, **options.overrides, **words)
    except ExecutorError as error:
        if options.no_files or not (folder / CHECKPOINT).is_file():
            raise
        raise ExecutorError(f"{error}\nThe finished games are kept, and --resume goes on from them") from error
    except OverflowError as error:
        raise ExperimentError(f"{study.experiment.name}: {error}") from error
    except PlayError as error:
        seed = study.experiment.seed if options.seed is None else options.seed
        where = f"variant {error.variant}: " if error.variant else ""
        command = f"skate-sim play {shlex.quote(named)}"
        command += f" --variant {shlex.quote(error.variant)}" if error.variant else ""
        command += f" --game {error.game_number} --seed {seed}"
        raise ExperimentError(f"{where}{error.message}\nTo see that game: {command}") from error


def _report(
    console: Console,
    found: Results | ComparisonResults,
    folder: Path,
    works: Mapping[str, Work],
    options: RunOptions,
    painter: Painter | None,
) -> None:
    """Write a run's files, then print what was found: whoever stops reading has the files.

    A run that ended early does not replace a larger result of the same games.

    Raises
    ------
    FolderError
        The files cannot be written; what was found is printed first.
    """
    from skate_sim.saving import FolderError

    report = not options.no_figures and not options.no_report
    fault, kept = None, None if options.no_files or options.overwrite else _larger(found, folder, works)
    if not options.no_files and not kept:
        try:
            _save(found, folder, painter, figures=not options.no_figures, report=report)
        except FolderError as error:
            fault = error
    _print(console, found, options)
    if fault:
        raise fault
    if kept:
        (folder / CHECKPOINT).unlink(missing_ok=True)
        text = f"Not written: {folder} has {kept:,} of these games already; --overwrite would replace them."
        errors().print(text, soft_wrap=True)
    elif options.prints_tables and not options.no_files:
        figures = ["figures"] * (not options.no_figures)
        written = ["tables", *figures, *(["report.html"] * report), "manifest.json"]
        console.print(Text(f"Written to {folder}: {', '.join(written)}"), soft_wrap=True)


def _larger(found: Results | ComparisonResults, folder: Path, works: Mapping[str, Work]) -> int | None:
    """Games of a stored result that has those of a run and more."""
    from skate_sim.replacing import larger_result

    stored = larger_result(folder, works[""], found.games) if "" in works else None
    return stored.games if stored and not stored.differences else None


def _print(console: Console, found: Results | ComparisonResults, options: RunOptions) -> None:
    """Print what was found, in the form that was asked for."""
    from skate_sim import comparison_report, run_report
    from skate_sim.comparison_results import ComparisonResults

    if options.form and not options.quiet:
        {"json": run_report.write_json, "csv": run_report.write_csv}[options.form](found)
    elif not options.prints_tables:
        return
    elif isinstance(found, ComparisonResults):
        comparison_report.print_comparison(console, found, options.everything)
    else:
        run_report.print_results(console, found, everything=options.everything)


def _save(
    found: Results | ComparisonResults, folder: Path, painter: Painter | None, *, figures: bool, report: bool
) -> None:
    """Write a run's files."""
    from skate_sim.saving import FolderError

    try:
        found.save(folder, figures=figures, report=report, painter=painter)
    except OSError as error:
        text = f"the results cannot be written to {folder}: {reason(error)}; what was there before is kept"
        if (folder / CHECKPOINT).is_file():
            text += f", and {CHECKPOINT} in it has the finished games: once there is room, go on with --resume"
        raise FolderError(text) from error
