"""``skate-sim run``: play an experiment and its variants, print what was found, write the files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from skate_sim.checkpoint import CHECKPOINT, kept_in, reason, resumed
from skate_sim.console import (
    Interrupts,
    RunProgress,
    announce_compiling,
    end_at_once,
    errors,
    output,
    say,
    show,
    working,
    write,
)
from skate_sim.executors import Crew, ExecutorError, check_executor, open_crew
from skate_sim.experiment import Experiment, ExperimentError
from skate_sim.findings import comparison, findings
from skate_sim.jit import is_warm
from skate_sim.simulation import Plan, PlayError, prepare

if TYPE_CHECKING:
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

    @property
    def overrides(self) -> dict[str, Any]:
        """What replaces the file's own numbers."""
        chosen = {"games": self.games, "seed": self.seed}
        return {key: value for key, value in chosen.items() if value is not None}

    @property
    def prints_tables(self) -> bool:
        """Whether tables go to the terminal."""
        return not self.quiet and self.form is None


def run_experiment(experiment: Experiment, named: str, options: RunOptions) -> bool:
    """Play an experiment; returns False when Ctrl-C ended it early.

    Parameters
    ----------
    experiment : Experiment
    named : str
        How the user named it, for the command that replays a game.
    options : RunOptions

    Raises
    ------
    ExperimentError
        A game could not be finished; the message ends with the command that replays it.
    KeyboardInterrupt
        Ctrl-C before anything was finished.
    """
    base = options.out or Path("results") / experiment.name
    folders = {name: base / name if name else base for name in experiment.each()}
    check_executor(options.executor)
    plans = {name: variant.plan(**options.overrides) for name, variant in experiment.each().items()}
    if not options.no_files:
        _check_folders(folders, plans, options.resume)
    compile_first(list(plans.values()), options.quiet)
    console = output()
    if options.prints_tables:
        console.print(Text(experiment.name, "bold"))
        say(console, experiment.question)
    done: dict[str, Results] = {}
    interrupts, abandoned = Interrupts(), False
    try:
        with interrupts, _opened_crew(options) as crew:
            try:
                for name, variant in experiment.each().items():
                    done[name] = _play(variant, name, named, folders[name], crew, options)
                    interrupts.patient = True
                    _report(console, done[name], name, folders[name], options)
                    interrupts.patient = False
                    if done[name].partial or interrupts.seen:
                        break
            finally:
                abandoned = crew.abandoned
    except KeyboardInterrupt:
        if not done and not abandoned:
            raise
    _report_all(console, done, options)
    if abandoned:
        end_at_once()
    return not interrupts.seen


def _check_folders(folders: dict[str, Path], plans: dict[str, Plan], resume: bool) -> None:
    """Refuse, before anything is played, folders that cannot be written or that hold games of another run."""
    from skate_sim.saving import check_folder

    for name, folder in folders.items():
        check_folder(folder)
        if resume:
            resumed(folder, plans[name])
            if kept_in(folder) is None:
                errors().print(f"{folder} has no finished games yet; starting from the first.", soft_wrap=True)
        elif (folder / CHECKPOINT).is_file():
            text = f"{folder} has finished games of a run that was stopped; --resume would go on from them."
            errors().print(text, soft_wrap=True)


def compile_first(plans: list[Plan], quiet: bool) -> None:
    """Compile bots, and the game when that was never done, before the clock starts; say so while it lasts."""
    if not is_warm() and not quiet:
        announce_compiling()
    with working("Compiling bots", quiet):
        for plan in plans:
            prepare(plan)


@contextmanager
def _opened_crew(options: RunOptions) -> Iterator[Crew]:
    """The workers for all variants."""
    with ExitStack() as stack:
        with working("Starting the workers", options.quiet):
            crew = stack.enter_context(open_crew(options.executor, options.threads))
        yield crew


def _play(variant: Experiment, name: str, named: str, folder: Path, crew: Crew, options: RunOptions) -> Results:
    words: dict[str, Any] = {"threads": options.threads, "chunk": options.chunk, "executor": crew}
    if not options.no_files:
        words |= {"checkpoint": folder, "resume": options.resume}
    try:
        with RunProgress(name or variant.name) as progress:
            shown = None if options.quiet else progress
            return variant.simulate(**options.overrides, **words, progress=shown)
    except ExecutorError as error:
        if options.no_files or not (folder / CHECKPOINT).is_file():
            raise
        raise ExecutorError(f"{error}\nThe finished games are kept, and --resume goes on from them") from error
    except PlayError as error:
        seed = variant.seed if options.seed is None else options.seed
        command = f"skate-sim play {shlex.quote(named)}" + (f" --variant {shlex.quote(name)}" if name else "")
        command += f" --game {error.game_number} --seed {seed}"
        raise ExperimentError(f"{error.message}\nTo see that game: {command}") from error


def _report(console: Console, results: Results, name: str, folder: Path, options: RunOptions) -> None:
    """Print a run's tables and write its files."""
    if options.prints_tables:
        print_results(console, results, name, options.everything)
    if not options.no_files:
        report = not options.no_figures and not options.no_report
        _save(results, folder, not options.no_figures, report)
        if options.prints_tables:
            written = [
                "tables",
                *(["figures"] * (not options.no_figures)),
                *(["report.html"] * report),
                "manifest.json",
            ]
            console.print(Text(f"Written to {folder}: {', '.join(written)}"), soft_wrap=True)


def _save(results: Results, folder: Path, figures: bool, report: bool) -> None:
    """Write a run's files."""
    from skate_sim.saving import FolderError

    try:
        results.save(folder, figures=figures, report=report)
    except OSError as error:
        text = f"the results cannot be written to {folder}: {reason(error)}; what was there before is kept"
        if (folder / CHECKPOINT).is_file():
            text += f", and {CHECKPOINT} in it has the finished games: once there is room, go on with --resume"
        raise FolderError(text) from error


def print_results(console: Console, results: Results, variant: str = "", everything: bool = False) -> None:
    """Print what a run was, its tables, and whether its checks hold."""
    console.print()
    if variant:
        console.print(Text(f"Variant {variant}", "bold reverse"))
    console.print(Text(_what(results)))
    if results.declaration.notice:
        console.print(Text(results.declaration.notice, "bold"))
    _mark_partial(console, results)
    for finding in findings(results, everything):
        show(console, finding)
    console.print()
    _print_checks(console, results)
    _mark_partial(console, results)


def _what(results: Results) -> str:
    resolved, game = results.plan.resolved, results.declaration
    changes = [f"{where.removeprefix('rules.')}: {_changed(new)}" for where, (_, new) in resolved.changes.items()]
    rules = f"{resolved.preset} rules" + (f" but {', '.join(changes)}" if changes else "")
    played = results.games - results.kept
    speed = f", {played / results.seconds:,.0f} games/s" if results.seconds > 0 and played else ""
    kept = f", {results.kept:,} of them played before," if results.kept else ""
    return (
        f"{game.title}, {resolved.seats} {game.seat_word}s, {rules}. {results.games:,} games of seed "
        f"{results.plan.seed}{kept} in {results.seconds:.1f} s{speed}."
    )


def _changed(value: Any) -> str:
    if value is None:
        return "removed"
    return "added" if isinstance(value, dict) else str(value).lower() if isinstance(value, bool) else str(value)


def _mark_partial(console: Console, results: Results) -> None:
    if results.partial:
        text = f"PARTIAL: stopped after {results.games:,} of {results.plan.games:,} games."
        console.print(Text(text, "bold red"))


def _print_checks(console: Console, results: Results) -> None:
    table = results.checks()
    broken = [f"{row['check']} ({row['detail']})" for row in table.to_dict("records") if not row["holds"]]
    if broken:
        what = "Checks that do not hold, perhaps as the run was stopped" if results.partial else "CHECKS FAILED"
        console.print(Text(f"{what}: {'; '.join(broken)}", "yellow" if results.partial else "bold red"))
    else:
        console.print(Text(f"Checks: all {len(table)} hold."))
        names = ", ".join(table["check"])
        say(console, f"{names[:1].upper()}{names[1:]}.")


def _report_all(console: Console, done: dict[str, Results], options: RunOptions) -> None:
    """What is printed once, after all variants."""
    if options.prints_tables:
        if len(done) > 1:
            for finding in comparison(done):
                show(console, finding)
    elif options.form == "json" and not options.quiet:
        records = {name: _record(results) for name, results in done.items()}
        write(json.dumps(records.get("", {"variants": records}), ensure_ascii=False, default=str))
    elif options.form == "csv" and not options.quiet:
        import pandas as pd

        tables = [results.bots() for results in done.values()]
        for name, table in zip(done, tables, strict=True):
            if name:
                table.insert(0, "variant", name)
        write(pd.concat(tables).to_csv(index=False, lineterminator="\n"))


def _record(results: Results) -> dict[str, Any]:
    """A run as JSON: manifest, and each table as a list of rows."""
    tables = {n: json.loads(t.to_json(orient="records", double_precision=15)) for n, t in results.tables().items()}
    return {"manifest": results.manifest(), "tables": tables}
