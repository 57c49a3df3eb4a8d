"""The answers of a run: tidy tables, figures, and a manifest; saved to a folder and read back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim import checkpoint, saving, tables
from skate_sim import games as games_
from skate_sim.checkpoint import TALLIES
from skate_sim.checks import checks_table
from skate_sim.curves import curves_table
from skate_sim.digits import counted
from skate_sim.expectations import Expectation
from skate_sim.games import Game, choices_text
from skate_sim.manifest import about_intervals, describe
from skate_sim.painter import Painter
from skate_sim.played import Played
from skate_sim.precision import Reached
from skate_sim.ranking_table import ranking_table
from skate_sim.saving import FolderError
from skate_sim.simulation import Plan
from skate_sim.stats import LEVEL
from skate_sim.step_tables import step_table
from skate_sim.tallies import Tallies

if TYPE_CHECKING:
    from skate_sim.drawing import Drawing
    from skate_sim.verdicts import Judged

__all__ = ["Answers", "FolderError", "LoadedResults", "Results"]


class Answers(ABC):
    """What fresh and saved results have in common: tables, figures, manifest.

    Tables are tidy DataFrames, described in :mod:`skate_sim.tables`; what is returned is the caller's to change.

    Attributes
    ----------
    name, question : str
    declaration : Game
        The game that was played.
    games : int
        Finished games.
    partial : bool
        Whether the run was stopped before all planned games were played.
    seconds : float
    """

    name: str
    question: str
    declaration: Game
    games: int
    partial: bool
    seconds: float

    @abstractmethod
    def manifest(self) -> dict[str, Any]:
        """What the run was: game, rules, changes, bots, lineups, seed, versions, time."""

    @property
    def headline(self) -> str:
        """Name of the outcome that bots are ranked by at a table of this size."""
        return self.declaration.headlines[int(self.manifest()["seats"])]

    @abstractmethod
    def table_names(self) -> tuple[str, ...]:
        """Names of all tables, in the order in which they are saved."""

    @abstractmethod
    def _table(self, name: str) -> pd.DataFrame: ...

    def bots(self) -> pd.DataFrame:
        """One row a bot: mean, interval and spread of each outcome, quantiles of its score."""
        return self._table("bots").copy()

    def ranking(self) -> pd.DataFrame:
        """One row for each bot by the headline and by the score: ranks it may have, chance of being the best."""
        return self._table("ranking").copy()

    def curves(self) -> pd.DataFrame:
        """One row for each bot of a pool that is there with several values of one number: :mod:`skate_sim.curves`."""
        return self._table("curves").copy()

    def seats(self) -> pd.DataFrame:
        """One row for each bot and seat, and for all bots by seat."""
        return self._table("seats").copy()

    def along(self, axis: str) -> pd.DataFrame:
        """One row for each bot and place along an axis of the game, such as its rounds."""
        _check_name("axis", axis, self.declaration.axes)
        return self._table(f"by_{axis}").copy()

    def ledger(self, name: str) -> pd.DataFrame:
        """One row for each row of the ledger's table (of a step ledger: number of steps) and bot, and for all bots."""
        _check_name("ledger", name, self.ledger_names())
        return self._table(f"ledger_{name}").copy()

    def ledger_names(self) -> list[str]:
        """Names of the ledgers that there are; results that an older version saved may lack some."""
        return [x.name for x in self.declaration.every_ledger if f"ledger_{x.name}" in self.table_names()]

    def game(self) -> pd.DataFrame:
        """One row for each outcome of the game as a whole."""
        return self._table("game").copy()

    def distribution(self, outcome: str) -> pd.DataFrame:
        """How often each bot (``all`` for an outcome of the game) had each value of an outcome."""
        _check_name("histogram", outcome, [o.name for o in self.declaration.outcomes if o.histogram and not o.axis])
        table = self._table("distributions")
        return table[table["outcome"] == outcome].drop(columns="outcome").reset_index(drop=True)

    def checks(self) -> pd.DataFrame:
        """One row for each identity that the tallies must fulfil: check, holds, detail."""
        return self._table("checks").copy()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Everything that is saved, by name."""
        return {name: self._table(name).copy() for name in self.table_names()}

    def figures(self) -> dict[str, Drawing]:
        """Figures by name: what is drawn, as data; calling one draws it."""
        return dict(self._figures_one_by_one())

    def _figures_one_by_one(self) -> Iterator[tuple[str, Drawing]]:
        """Each figure as soon as its table is made."""
        from skate_sim.figures import figures_of

        yield from figures_of(self)

    def save(
        self, folder: str | Path, figures: bool = True, report: bool | None = None, painter: Painter | None = None
    ) -> Path:
        """Write tables, figures, page and manifest to a folder, whole or not at all; see :func:`skate_sim.saving.save`.

        ``report`` says whether the page is written; by default it is where figures are. ``painter`` draws the figures
        (see :mod:`skate_sim.painter`); by default they are drawn here.
        """
        drawing, others = painter or Painter(), self._other_files()
        if figures if report is None else report:
            others |= {saving.REPORT: lambda path: self._write_report(path, drawing)}
        content = saving.Content(self.manifest(), self.tables, self._figures_one_by_one() if figures else (), others)
        return saving.save(folder, content, drawing)

    def report(self) -> str:
        """The page of the run, as HTML that needs nothing else; see :mod:`skate_sim.report`."""
        from skate_sim.report import page

        return page(self, getattr(self, "plan", None))

    def _write_report(self, path: Path, painter: Painter) -> None:
        from skate_sim.report import write

        write(path, self, painter, getattr(self, "plan", None))

    def _other_files(self) -> dict[str, Callable[[Path], None]]:
        """Files besides these, by name, each with the function that writes it."""
        return {}

    def __repr__(self) -> str:
        stopped = ", stopped early" if self.partial else ""
        return f"<{type(self).__name__} {self.name}: {self.declaration.title}, {counted(self.games, 'game')}{stopped}>"

    def _repr_html_(self) -> str:
        from skate_sim.notebook_view import html_of

        return html_of(self)


def with_level(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """A table with the level of its intervals as a column, when it is not the usual one."""
    if level != LEVEL and any(str(name).endswith("low") for name in table.columns):
        table["level"] = level
    return table


def _check_name(what: str, name: str, valid: Iterable[str]) -> None:
    if name not in valid:
        raise ValueError(f"no {what} {name!r}; {choices_text(name, valid)}")


class Results(Answers):
    """Answers of games that were just played.

    Parameters
    ----------
    plan : Plan
    tallies : Tallies
    finished : int
        Games that the tallies hold.
    seconds : float
        What playing them took.
    question : str
        What was asked, for titles.
    experiment : mapping, optional
        The experiment as it was given, for the manifest.
    name : str
        Short name, for titles and folders.
    started : datetime, optional
        By default now, less the seconds.
    played : Played, optional
        Which games they are, and the digest of each part of them; saved along, to go on from and to verify.
    kept : int
        Games that were played before, in another run; the seconds are those of the others.
    reached : Reached, optional
        How tight intervals came out, of a run that stopped by precision; all are then valid at every look.
    level : float
        Of the intervals of a run that did not.
    """

    def __init__(
        self,
        plan: Plan,
        tallies: Tallies,
        finished: int,
        seconds: float,
        *,
        question: str = "",
        experiment: Mapping[str, Any] | None = None,
        name: str = "run",
        started: datetime | None = None,
        played: Played | None = None,
        kept: int = 0,
        reached: Reached | None = None,
        level: float = LEVEL,
    ) -> None:
        self.plan, self.tallies = plan, tallies
        self.declaration, self.games, self.seconds = plan.game, finished, seconds
        self.partial = reached.stopped if reached else finished < plan.games
        self.question, self.experiment, self.name = question, experiment, name
        self.started = started or datetime.now(UTC) - timedelta(seconds=seconds)
        self.played, self.kept, self.reached = played, kept, reached
        self.level = reached.level if reached else level
        self.expectations: Sequence[Expectation] = ()
        self.experiment_file: Path | None = None
        self._tables: dict[str, pd.DataFrame] = {}

    def verdicts(self) -> list[Judged]:
        """Each expectation of the experiment, and whether it holds."""
        from skate_sim.verdicts import judged

        return judged(self.expectations, self)

    def manifest(self) -> dict[str, Any]:
        """What the run was."""
        words: dict[str, Any] = {"name": self.name, "question": self.question, "experiment": self.experiment}
        made = describe(self.plan, self.games, self.seconds, self.started, kept=self.kept, **words)
        made |= {"partial": self.partial} | about_intervals(self.level, self.reached)
        made |= {"experiment_file": str(self.experiment_file)} if self.experiment_file else {}
        return made | {"expect": [e.as_dict() for e in self.expectations]}

    def _other_files(self) -> dict[str, Callable[[Path], None]]:
        if self.played is None:
            return {}
        return {TALLIES: checkpoint.writer(self.plan, self.played)}

    def table_names(self) -> tuple[str, ...]:
        """Names of all tables."""
        return tuple(self._makers())

    def _makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        seen = (self.plan, self.tallies)
        how: Any = {"level": self.level}
        return {
            "bots": partial(tables.bots_table, *seen, **how),
            "ranking": partial(ranking_table, *seen, **how),
            "curves": partial(curves_table, *seen, **how),
            "seats": partial(tables.seats_table, *seen, **how),
            **{f"by_{axis}": partial(tables.axis_table, *seen, axis, **how) for axis in self.declaration.axes},
            **{f"ledger_{x.name}": partial(tables.ledger_table, *seen, x, **how) for x in self.declaration.ledgers},
            **{f"ledger_{x.name}": partial(step_table, *seen, x, **how) for x in self.declaration.step_ledgers},
            "game": partial(tables.game_table, *seen, **how),
            "distributions": partial(tables.distributions_table, *seen, **how),
            **({"expectations": self._expectations_table} if self.expectations else {}),
            "checks": partial(checks_table, *seen, self.games),
        }

    def _expectations_table(self) -> pd.DataFrame:
        from skate_sim.verdicts import verdicts_table

        return verdicts_table(self.verdicts())

    def _table(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            self._tables[name] = with_level(self._makers()[name](), self.level)
        return self._tables[name]

    @classmethod
    def load(cls, folder: str | Path) -> LoadedResults:
        """Read a saved result; see :func:`skate_sim.saving.load`."""
        return LoadedResults(*saving.load(folder))


class LoadedResults(Answers):
    """Answers read from a folder: the same tables, figures and manifest, without tallies and plan."""

    def __init__(self, manifest: Mapping[str, Any], loaded: Mapping[str, pd.DataFrame]) -> None:
        self._manifest, self._loaded = dict(manifest), dict(loaded)
        self.name, self.question = manifest["name"], manifest["question"]
        self.declaration = games_.load(manifest["game"])
        self.games, self.partial = manifest["games"], manifest["partial"]
        self.seconds = manifest["time"]["seconds"]

    def manifest(self) -> dict[str, Any]:
        """What the run was."""
        return {key: value for key, value in self._manifest.items() if key != "files"}

    def table_names(self) -> tuple[str, ...]:
        """Names of all tables."""
        return tuple(self._loaded)

    def _table(self, name: str) -> pd.DataFrame:
        return self._loaded[name]
