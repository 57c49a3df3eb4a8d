"""The terminal: consoles, tables that fit its width, progress, notices."""

from __future__ import annotations

import csv
import io
import os
import signal
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import NoReturn

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

#: Seconds that a run may take without a progress bar.
PATIENCE = 1.0
#: A terminal that says it is narrower is written to as if it were so wide.
NARROWEST = 40
#: Longest line of running text, widest first column, and least width of a long text in a column.
LINE = 100
FIRST_COLUMN = 28
TEXT_COLUMN = 28


class _Output(Console):
    """Standard output; when its reader is gone, as after ``| head``, the rest goes nowhere and the command goes on."""

    def on_broken_pipe(self) -> None:
        """Be quiet from here on."""
        self.quiet = True
        end_output()


def end_output() -> None:
    """Let what is still written to standard output go nowhere: nobody reads it any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def output() -> Console:
    """Where findings go; plain, and as wide as $COLUMNS or 80, when it is not a terminal."""
    console = _Output(highlight=False, emoji=False, markup=False)
    if console.width < NARROWEST:
        console.width = NARROWEST
    return console


def errors() -> Console:
    """Where progress and notices go."""
    return Console(stderr=True, highlight=False, emoji=False, markup=False)


@dataclass
class Finding:
    """A table to print: columns by heading, rows of cells, and a line that says how to read it.

    The first column names the rows. Columns after it are numbers unless named in ``texts``.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    texts: frozenset[str] = field(default_factory=frozenset)


def show(console: Console, finding: Finding) -> None:
    """Print a table; one too wide for the console is broken into several, each with the first column."""
    console.print()
    console.print(Text(finding.title, "bold"))
    widths = [_width(finding, number) for number in range(len(finding.columns))]
    start = 1
    while start < len(widths):
        if start > 1:
            console.print()
        stop = start + 1
        while stop < len(widths) and widths[0] + sum(widths[start : stop + 1]) <= console.width:
            stop += 1
        console.print(_table(finding, [0, *range(start, stop)]))
        start = stop
    say(console, finding.note)


def say(console: Console, note: str) -> None:
    """Print a line of explanation, if there is one."""
    for line in textwrap.wrap(note, min(LINE, console.width) - 2):
        console.print(Text(f" {line}", "dim"))


def tell(console: Console, sentence: str) -> None:
    """Print a sentence of what was found, on lines that hang."""
    width = min(LINE, console.width) - 2
    for line in textwrap.wrap(sentence, width, initial_indent="- ", subsequent_indent="  "):
        console.print(Text(f" {line}"))


def _width(finding: Finding, number: int) -> int:
    """Characters that a column needs at least, with the gap to the next."""
    heading = finding.columns[number]
    widest = max((len(line) for row in finding.rows for line in row[number].splitlines()), default=0)
    if number == 0:
        return min(max(widest, len(heading)), FIRST_COLUMN) + 2
    if heading in finding.texts:
        widest = min(widest, TEXT_COLUMN)
    return max(widest, *(len(word) for word in heading.split(" "))) + 2


def _table(finding: Finding, columns: Iterable[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for number in columns:
        heading = finding.columns[number]
        is_text = number == 0 or heading in finding.texts
        width = _width(finding, number) - 2
        table.add_column(
            heading if len(heading) <= width else textwrap.fill(heading, width, break_long_words=False),
            justify="left" if is_text else "right",
            no_wrap=not is_text,
            overflow="fold",
            min_width=width,
            max_width=FIRST_COLUMN if number == 0 else None,
        )
    for row in finding.rows:
        table.add_row(*(Text(row[number]) for number in columns))
    return table


def announce_compiling() -> None:
    """Say that the first run compiles; nobody should think that it hangs."""
    errors().print("Compiling (first run only)...")


def working(what: str, quiet: bool = False) -> AbstractContextManager[object]:
    """Show on a terminal that something is being done, for as long as it takes."""
    console = errors()
    return console.status(f"{what}...") if console.is_terminal and not quiet else nullcontext()


class RunProgress:
    """A progress bar for :func:`skate_sim.dispatch.play`, on a terminal and after a second only."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.console = errors()
        self.bar: Progress | None = None
        self.task = TaskID(0)
        self.before, self.looked = 0, ""

    def __enter__(self) -> RunProgress:
        return self

    def __call__(self, finished: int, games: int, seconds: float) -> None:
        """Show how far the run is; games that are there at second 0 were played before."""
        if seconds == 0:
            self.before = finished
            return
        if self.bar is None:
            if not self.console.is_terminal or seconds < PATIENCE or finished >= games:
                return
            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(None),
                TextColumn("{task.percentage:.0f}%  {task.fields[speed]:,.0f} games/s"),
                TimeRemainingColumn(),
                TextColumn("left"),
                console=self.console,
                transient=True,
                expand=True,
            )
            self.task = self.bar.add_task(self.title + self.looked, total=games, speed=0.0)
            self.bar.start()
        self.bar.update(self.task, completed=finished, speed=(finished - self.before) / seconds)

    def look(self, half_width: float) -> None:
        """Show how tight the widest interval is that the run looks at."""
        self.looked = f" ± {half_width:.2g}"
        if self.bar is not None:
            self.bar.update(self.task, description=self.title + self.looked)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


class Interrupts:
    """Notes that Ctrl-C was pressed, also when what it interrupted was about to end anyway.

    Attributes
    ----------
    seen : bool
    patient : bool
        While set, the first Ctrl-C is noted only, and what is being done ends; the second interrupts it.
    """

    def __init__(self) -> None:
        self.seen, self.patient = False, False

    def __enter__(self) -> Interrupts:
        self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        again, self.seen = self.seen, True
        if again or not self.patient:
            raise KeyboardInterrupt

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self.before)


def end_at_once() -> NoReturn:
    """End this process as Ctrl-C does, although a thread still plays a game that may never end."""
    errors().print("Stopped.")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(130)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def write(text: str) -> None:
    """Print to standard output, word for word; nothing when its reader is gone."""
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        end_output()
