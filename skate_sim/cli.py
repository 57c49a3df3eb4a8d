"""The command line. Each command reads its options, calls public functions, and prints what they return.

Nothing heavy is imported before a command runs, so that help comes at once.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from skate_sim import __version__
from skate_sim.cli_options import COMPLETE, Whole, completing
from skate_sim.cli_start import completion, init, new

MAX_SEED = 2**64 - 1
MAX_GAMES = 10**12

#: New objects after which garbage is looked for. What a command imports stays to its end; to look through it all
#: again and again, as Python does from 700 new objects on, is a tenth of a small run.
GARBAGE_THRESHOLD = 100_000

# Matrices here are small. Threads that OpenBLAS would start for large ones, which numpy does when it is imported, wait
# for them in loops that take a processor from the games. A choice of the user's own is kept.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Figures are drawn to files; a window system that a user has chosen for others may not be there.
os.environ["MPLBACKEND"] = "agg"


class _Failure(click.ClickException):
    """A user's mistake: one message, exit code 2."""

    exit_code = 2


class _Commands(click.Group):
    """The commands, with users' mistakes as messages and Ctrl-C as exit code 130."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        if COMPLETE in os.environ:
            from skate_sim.completions import use_own_bash

            use_own_bash()
        return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)
        for stream in (sys.stdout, sys.stderr):  # a terminal without a letter shows another, instead of ending a run
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        atexit.register(gc.freeze)  # the last search for garbage, as the process ends, would take as long as any
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            ctx.exit(130)
        except (ValueError, RuntimeError, OSError) as error:
            ours = type(error).__module__.startswith("skate_sim.")
            if not ours and (not isinstance(error, OSError) or isinstance(error, BrokenPipeError)):
                raise
            raise _Failure(str(error)) from error


_EXPERIMENTS, _BOTS, _RESULTS = completing("experiments"), completing("bots"), completing("results")
_PRESETS = completing("presets")

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=_Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="skate-sim")
def main() -> None:
    """Play millions of games between bots and see who wins, by how much, and how sure that is.

    \b
    skate-sim init my_game            a folder with an experiment, a bot and a notebook
    skate-sim new bot my_bot          a bot's file to start from
    skate-sim run push_your_luck      play an experiment and print its tables
    skate-sim show results/x          print the tables of a stored run again
    skate-sim play --bots a,b,c       watch one game, or play in it with --human 1
    skate-sim verify results/x        play stored results again and compare
    skate-sim check my_bot.py         hold a bot to its word: legal, no peeking, repeatable
    skate-sim rank my_bot             how it ranks among the bundled bots, and why
    skate-sim bots                    which bots there are, and their parameters
    skate-sim rules                   presets, rule switches, and data such as cards
    """  # noqa: D301


@main.command()
@click.argument("file", shell_complete=_EXPERIMENTS)
@click.option("-g", "--games", type=Whole(1, MAX_GAMES), help="Games to play; the file's number when left out.")
@click.option("-s", "--seed", type=Whole(0, MAX_SEED), help="Seed of all luck; the file's when left out.")
@click.option(
    "--precision",
    type=click.FloatRange(0, min_open=True),
    help="Stop when intervals are ± this tight.",
)
@click.option("-t", "--threads", type=Whole(1, 1024), help="Threads or processes; all processors when left out.")
@click.option(
    "-x",
    "--executor",
    shell_complete=completing("executors"),
    default="threads",
    help="What plays: threads, processes, dask, or a Dask scheduler as tcp://host:8786.",
)
@click.option("--chunk", type=Whole(1, MAX_GAMES), help="Games handed to a thread at once; changes no result.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for the files; results/NAME when left out.")
@click.option("--resume", is_flag=True, help="Go on from the finished games in the folder, after Ctrl-C or worse.")
@click.option("--overwrite", is_flag=True, help="Replace a stored result even by fewer of the same games.")
@click.option("--no-files", is_flag=True, help="Write no files.")
@click.option("--no-figures", is_flag=True, help="Write tables but no figures.")
@click.option("--no-report", is_flag=True, help="Write no report.html; --no-figures leaves it out, too.")
@click.option("--all", "everything", is_flag=True, help="Print every outcome, and the ledgers bot by bot.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object with all tables and nothing else.")
@click.option("--csv", "form", flag_value="csv", help="Print the table of bots as CSV and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; only write the files.")
def run(file: str, **options: Any) -> None:
    """Play an experiment and print what it found.

    FILE is an experiment file, or the name of one in ./experiments or among the bundled ones. Where it says what is
    expected, the exit code is 0 when all of it holds, 1 when something fails, 3 when something is undecided.
    """
    from skate_sim.painter import painter_aside

    if options["resume"] and options["no_files"]:
        raise click.UsageError("--resume goes on from files; it does not go with --no-files")
    with painter_aside(not options["no_files"] and not options["no_figures"]) as painter:  # first: it takes a while
        from skate_sim.experiment import load_experiment
        from skate_sim.run_command import RunOptions, run_experiment

        code = run_experiment(load_experiment(file), file, RunOptions(**options), painter)
    if code == 130:
        raise KeyboardInterrupt
    click.get_current_context().exit(code)


@main.command(short_help="Play stored results again and compare.")
@click.argument("folder", type=click.Path(path_type=Path), shell_complete=_RESULTS)
@click.option("-n", "--sample", type=Whole(1, 1_000_000), default=5, help="Parts to play again, drawn at random.")
@click.option("--all", "everything", is_flag=True, help="Play all games again, and make every table anew.")
@click.option("-s", "--seed", type=Whole(0, MAX_SEED), default=1, help="Seed of the sample.")
@click.option("-t", "--threads", type=Whole(1, 1024), help="Threads or processes; all processors when left out.")
@click.option(
    "-x",
    "--executor",
    default="threads",
    shell_complete=completing("executors"),
    help="What plays, as in skate-sim run.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(folder: Path, **options: Any) -> None:
    """Play a sample of stored results again, or all, and say whether they come out the same to the last bit.

    FOLDER holds results of skate-sim run, or several such folders. The exit code is 1 when they do not reproduce.
    """
    from skate_sim.verify_command import verify_and_print

    if not verify_and_print(folder, **options):
        click.get_current_context().exit(1)


@main.command(short_help="Make the page of stored results again.")
@click.argument("folder", type=click.Path(path_type=Path), shell_complete=_RESULTS)
def report(folder: Path) -> None:
    """Make report.html of stored results again: finding, figures, tables, and games told with pictures.

    FOLDER holds results of skate-sim run. Games are told if the bots are still what they were.
    """
    from skate_sim.report_command import write_report

    click.echo(f"Written to {write_report(folder)}")


@main.command(short_help="Draw a figure of stored results.")
@click.argument("name", shell_complete=completing("figures"))
@click.argument("folder", type=click.Path(path_type=Path), shell_complete=_RESULTS)
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="File: png, svg or pdf; NAME.png.")
@click.option("-g", "--game", type=Whole(0, MAX_GAMES), help="Number of the game, for the figure game_risk.")
def figure(name: str, folder: Path, out: Path | None, game: int | None) -> None:
    """Draw the figure NAME of the results in FOLDER; a wrong name lists all. game_risk is of one game."""
    from skate_sim.report_command import draw_figure

    click.echo(f"Written to {draw_figure(name, folder, out, game)}")


@main.command(short_help="Print the tables of a stored run again.")
@click.argument("folder", type=click.Path(path_type=Path), shell_complete=_RESULTS)
@click.option(
    "-t",
    "--table",
    shell_complete=completing("tables"),
    help="Only this table, as CSV or JSON; one of the files in the folder's tables.",
)
@click.option(
    "-v",
    "--variant",
    shell_complete=completing("variants"),
    help="All of one variant, instead of what was found of all together.",
)
@click.option("--all", "everything", is_flag=True, help="Print every outcome, and the ledgers bot by bot.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object with the tables and nothing else.")
@click.option(
    "--csv", "form", flag_value="csv", help="Print one table as CSV: bots, or differences, if --table is left out."
)
def show(folder: Path, **options: Any) -> None:
    """Print what a stored run found again, without playing a game: what skate-sim run printed.

    FOLDER holds results of skate-sim run; of one that compares variants, what it found comes first.
    """
    from skate_sim.show_command import show_folder

    show_folder(folder, **options)


@main.command(short_help="Show one game, or play in it.")
@click.argument("file", required=False, shell_complete=completing("games_to_play"))
@click.option(
    "-g", "--game", "number", type=Whole(0, MAX_GAMES), default=0, help="Number of the game in the experiment, from 0."
)
@click.option("-s", "--seed", type=Whole(0, MAX_SEED), help="Seed of all luck; the file's, or 1, when left out.")
@click.option(
    "-b",
    "--bots",
    shell_complete=completing("bot_lists"),
    help="Bots by seat, as stop_at_n:n=3,risk_threshold; instead of FILE or its bots.",
)
@click.option(
    "-v", "--variant", shell_complete=completing("variants"), help="Which of the file's variants, if it has any."
)
@click.option(
    "-p",
    "--preset",
    shell_complete=_PRESETS,
    help="Rules to play by; the file's, or the game's own, when left out.",
)
@click.option(
    "-u",
    "--human",
    "humans",
    type=Whole(1, 99),
    multiple=True,
    metavar="SEAT",
    help="Play this seat yourself, in the place of its bot.",
)
@click.option("--step", is_flag=True, help="Wait for Enter after each decision.")
@click.option("--json", "as_json", is_flag=True, help="Print the transcript, one JSON object a line.")
def play(file: str | None, number: int, humans: tuple[int, ...], step: bool, as_json: bool, **options: Any) -> None:
    """Tell one game, decision by decision with the risk of each: any game of an experiment, or one between bots.

    FILE is an experiment file, the name of one, or a folder of results: then a game of that very run is told.
    The game told is the very one that a run with this seed counts under this number. With --human you sit at the
    table yourself; answers can be taken back, and any bot can be asked for a hint.
    """
    from skate_sim.play_command import plan_to_play, say_compiling, tell

    if as_json and (humans or step):
        raise click.UsageError("--json prints a whole game; it goes neither with --human nor with --step")
    plan = plan_to_play(file, **options)
    if not humans:
        tell(plan, number, as_json, step)
        return
    from skate_sim.human_command import take_seats

    say_compiling()
    take_seats(plan, number, humans)


@main.command(short_help="List the bots, or tell all about one.")
@click.argument("name", required=False, shell_complete=_BOTS)
@click.option("--game", help="Name of the game.")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV, a row for each parameter.")
def bots(name: str | None, game: str | None, form: str | None) -> None:
    """List the bots and their parameters, or tell all about the bot NAME (a name or a path)."""
    from skate_sim import listing

    listing.print_bots(name, game, form)


@main.command(short_help="Hold a bot to its word.")
@click.argument("bot", shell_complete=_BOTS)
@click.option("-g", "--games", "count", type=Whole(1, 1_000_000), default=200, help="Games to play, about so many.")
@click.option("-s", "--seed", type=Whole(0, MAX_SEED), default=1, help="Seed of all luck.")
@click.option("--game", help="Name of the game.")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print the promises as CSV.")
def check(bot: str, **options: Any) -> None:
    """Hold a bot to its word, at every kind of table: rules kept, no peeking, the same answer when asked again.

    BOT is a name or a path, with parameters if you like, as my/bot.py:n=3. The exit code is 1 when it broke a
    promise; the game in which it did is named.
    """
    from skate_sim.check_command import check_and_print

    if not check_and_print(bot, **options):
        click.get_current_context().exit(1)


@main.command(short_help="Rank bots among others, and say what they do otherwise.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", shell_complete=_BOTS)
@click.option(
    "-a",
    "--against",
    shell_complete=completing("bot_lists"),
    help="Others, as stop_at_n:n=3,risk_threshold; all bundled bots when left out.",
)
@click.option("--seats", type=Whole(1, 8), help="Seats at the table; the game's usual number when left out.")
@click.option("-g", "--games", type=Whole(1, MAX_GAMES), default=200_000, help="Games to play; 200,000 if left out.")
@click.option("-s", "--seed", type=Whole(0, MAX_SEED), default=1, help="Seed of all luck.")
@click.option("-p", "--preset", shell_complete=_PRESETS, help="Rules to play by; the game's own when left out.")
@click.option("-t", "--threads", type=Whole(1, 1024), help="Threads; all processors when left out.")
@click.option("--game", help="Name of the game.")
@click.option("--json", "form", flag_value="json", help="Print findings and tables as one JSON object.")
@click.option("--csv", "form", flag_value="csv", help="Print the ranking as CSV.")
def rank(bots: tuple[str, ...], **options: Any) -> None:
    """Play bots against others: how they rank, which cannot be told apart, and what they do otherwise.

    BOT is a name or a path, with parameters if you like, as my/bot.py:n=3. Every bot sits in every seat, and next to
    every other bot, equally often. No files are written; skate-sim run does that.
    """
    from skate_sim.rank_command import rank_and_print

    rank_and_print(bots, **options)


@main.command(short_help="Show presets, rule switches and data tables.")
@click.option(
    "-p",
    "--preset",
    shell_complete=_PRESETS,
    help="Only this preset, with its data; all side by side when left out.",
)
@click.option("--game", help="Name of the game.")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print the data tables as CSV.")
def rules(preset: str | None, game: str | None, form: str | None) -> None:
    """Show the presets, the rule switches, and the data tables (such as cards) with what their columns mean."""
    from skate_sim import listing

    listing.print_rules(preset, game, form)


for _command in (init, new, completion):
    main.add_command(_command)
