"""The answers of several variants of an experiment: their differences, each variant's own results, and what follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim import checkpoint, saving, summary
from skate_sim.api import given_experiment
from skate_sim.checkpoint import TALLIES
from skate_sim.compared import Compared
from skate_sim.comparison import Comparison, Contrast
from skate_sim.comparison_manifest import describe_comparison, folder_names
from skate_sim.comparison_tables import differences_table
from skate_sim.edited_rows import edited_rows_table
from skate_sim.games import choices_text
from skate_sim.observed import display_names
from skate_sim.painter import Painter
from skate_sim.paired import Difference
from skate_sim.playing import Finished
from skate_sim.results import Answers, Results, with_level
from skate_sim.stats import LEVEL
from skate_sim.study import Study
from skate_sim.summary import Summary
from skate_sim.variant_games import games_in_words
from skate_sim.verdicts import Judged, judged, verdicts_table

if TYPE_CHECKING:
    from skate_sim.drawing import Drawing
    from skate_sim.stored_comparison import LoadedComparison

#: With more variants than these, only the comparison has figures.
MOST_DRAWN = 6


class VariantResults(Results):
    """Results of a variant, whose games are those of a comparison."""

    variant_of = ""

    def manifest(self) -> dict[str, Any]:
        """What the run was, and the comparison that it belongs to."""
        return super().manifest() | {"variant_of": self.variant_of}


class ComparisonAnswers(ABC):
    """What fresh and saved results of several variants have in common.

    Attributes
    ----------
    name, question : str
    games : int
        Finished games of each variant; where they differ, the fewest.
    games_by_variant : dict of str to int
        Finished games by variant: they differ where variants were played one after the other.
    partial : bool
        Whether the run was stopped before all planned games were played.
    seconds : float
    names : list of str
        Of the variants.
    shown : list of str
        Those to look at one by one; sections of the experiment add others.
    """

    name: str
    question: str
    games: int
    games_by_variant: dict[str, int]
    partial: bool
    seconds: float
    names: list[str]
    shown: list[str]

    @abstractmethod
    def variant(self, name: str) -> Answers:
        """Results of one of the variants.

        Raises
        ------
        ValueError
            There is no such variant.
        """

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Everything that is saved of the comparison, by name; the variants have their own."""

    @abstractmethod
    def manifest(self) -> dict[str, Any]:
        """What the run was."""

    @abstractmethod
    def summary(self) -> Summary:
        """What the comparison says: see :mod:`skate_sim.summary`."""

    def figures(self) -> dict[str, Drawing]:
        """Figures by name: what is drawn, as data; calling one draws it."""
        return dict(self.summary().drawings)

    def differences(self) -> pd.DataFrame:
        """One row for each variant, bot and outcome: see :func:`skate_sim.comparison_tables.differences_table`."""
        return self.tables()["differences"]

    def _checked(self, name: str) -> str:
        if name not in self.names:
            raise ValueError(f"no variant {name!r}; {choices_text(name, self.names)}")
        return name

    def __repr__(self) -> str:
        stopped = ", stopped early" if self.partial else ""
        games = games_in_words(self.games_by_variant)
        return f"<{type(self).__name__} {self.name}: {', '.join(self.names)}, {games}{stopped}>"

    def _repr_html_(self) -> str:
        lines = [self.question, games_in_words(self.games_by_variant)] + ["stopped early"] * self.partial
        body = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
        body += f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in self.summary().findings)}</ul>"
        for finding in self.summary().tables:
            head = "".join(f"<th>{escape(c)}</th>" for c in finding.columns)
            rows = "".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in finding.rows)
            body += f"<p><b>{escape(finding.title)}</b></p><table><thead><tr>{head}</tr></thead>"
            body += f"<tbody>{rows}</tbody></table><p>{escape(finding.note)}</p>"
        return f"<b>{escape(self.name)}</b>{body}"


class ComparisonResults(ComparisonAnswers):
    """Answers of variants that were just played.

    Parameters
    ----------
    study : Study
    comparison : Comparison or None
        None where the variants cannot be compared game by game: then ``apart`` has their results.
    finished : Finished, optional
        The games of the comparison.
    apart : mapping of str to Results, optional
        Results of each variant, played on its own.
    why_apart : str
        Why they cannot be compared.
    level : float
        Of the intervals of a run that did not stop by precision.
    """

    def __init__(
        self,
        study: Study,
        comparison: Comparison | None,
        finished: Finished | None = None,
        *,
        apart: Mapping[str, Results] | None = None,
        why_apart: str = "",
        level: float = LEVEL,
    ) -> None:
        self.study, self.comparison, self.finished, self.why_apart = study, comparison, finished, why_apart
        self.name, self.question = study.experiment.name, study.experiment.question
        self.compared: Compared | None = None
        self._variants: dict[str, Results] = dict(apart or {})
        if comparison is not None and finished is not None:
            self.compared = Compared(comparison, finished.played.total)
            self.names = list(comparison.plans)
            self.games, self.seconds = finished.played.games, finished.seconds
            self.games_by_variant = dict.fromkeys(self.names, self.games)
            self.kept, self.started = finished.kept, finished.started
            reached = finished.reached
            self.partial = reached.stopped if reached else self.games < comparison.games
            self.level = reached.level if reached else level
        else:
            self.names, self.level = list(self._variants), LEVEL
            found = self._variants.values()
            self.games, self.seconds = min(r.games for r in found), sum(r.seconds for r in found)
            self.games_by_variant = {name: its.games for name, its in self._variants.items()}
            self.kept, self.started = sum(r.kept for r in found), next(iter(found)).started
            self.partial = any(r.partial for r in found) or len(found) < len(study.variants)
        self.shown = [name for name in study.shown if name in self.names]
        self.reached = finished.reached if finished else None
        self._tables: dict[str, pd.DataFrame] = {}
        self._summary: Summary | None = None

    @property
    def played(self) -> int:
        """Games that were played now; a game that several variants played is one."""
        return (self.games if self.compared else sum(self.games_by_variant.values())) - self.kept

    @property
    def own(self) -> dict[str, Any]:
        """Sums of games that answers needed for themselves, by the answer's name."""
        return getattr(self.compared.tallies, "own", {}) if self.compared is not None else {}

    def variant(self, name: str) -> Results:
        """Results of one of the variants."""
        if self._checked(name) not in self._variants:
            self._variants[name] = self._of_variant(name)
        return self._variants[name]

    def _of_variant(self, name: str) -> Results:
        assert self.compared is not None
        plan, own = self.compared.plans[name], self.study.variants[name]
        given = given_experiment(plan, own.question, own.rules, own.edits, own.rotated)
        words: dict[str, Any] = {"question": own.question, "experiment": given, "name": name or own.name}
        tallies = self.compared.by_variant[name]
        words |= {"started": self.started, "kept": self.kept, "reached": self.reached, "level": self.level}
        made = VariantResults(plan, tallies, self.games, self.seconds, **words)
        made.variant_of = self.name
        return made

    def difference(
        self, contrast: Contrast, outcome: str, bot: str | int | None = None, seat: int | None = None
    ) -> Difference:
        """A contrast's mean of an outcome with its paired interval; see :meth:`skate_sim.compared.Compared.difference`.

        Parameters
        ----------
        outcome : str
            Name of the outcome.
        bot : str or int, optional
            Name, as in the tables, or number; any bot when left out (then ``seat`` is needed).
        seat : int, optional
            Only games in which it sits there, from 0.
        """
        if self.compared is None:
            raise ValueError(f"the variants have no differences: {self.why_apart}")
        declared = self.compared.plan.game.outcome(outcome)
        entry = self.entry(bot) if isinstance(bot, str) else bot
        return self.compared.difference(contrast, declared, entry=entry, seat=seat, level=self.level)

    def entry(self, bot: str) -> int:
        """Number of a bot in the comparison, by its name there or in any of the variants."""
        assert self.compared is not None
        names = self.compared.bot_names()
        columns = [names, *(display_names(plan.bots) for plan in self.compared.plans.values())]
        for column in columns:
            if bot in column:
                return column.index(bot)
        raise ValueError(f"no bot {bot!r}; {choices_text(bot, names)}")

    def tables(self) -> dict[str, pd.DataFrame]:
        """Everything that is saved of the comparison, by name; the variants have their own."""
        if not self._tables:
            if self.compared is not None:
                table = differences_table(self.compared, self.level, self.study.listed_contrasts)
                self._tables["differences"] = with_level(table, self.level)
            if len(edited := edited_rows_table(self)):
                self._tables["edited_rows"] = with_level(edited, self.level)
            for answer in self.study.answers:
                self._tables |= answer.tables(self)
            if self.study.experiment.expect:
                self._tables["expectations"] = verdicts_table(self.verdicts())
        return {name: table.copy() for name, table in self._tables.items()}

    def verdicts(self) -> list[Judged]:
        """Each expectation of the experiment, and whether it holds."""
        return judged(self.study.experiment.expect, self)

    def answers(self) -> list[str]:
        """What the sections of the experiment found, in sentences."""
        return [sentence for answer in self.study.answers for sentence in answer.findings(self)]

    def summary(self) -> Summary:
        """What the comparison says."""
        if self._summary is None:
            self._summary = summary.summary_of(self)
        return self._summary

    def manifest(self) -> dict[str, Any]:
        """What the run was."""
        return describe_comparison(self)

    def save(
        self, folder: str | Path, figures: bool = True, report: bool | None = None, painter: Painter | None = None
    ) -> Path:
        """Write the comparison to a folder, and each variant that the file lists to one in it, whole or not at all.

        ``report`` says whether the page is written; by default it is where figures are. ``painter`` draws the figures
        (see :mod:`skate_sim.painter`); by default they are drawn here.
        """
        inside = {}
        drawn = figures and len(self.names) <= MOST_DRAWN
        for name, inner in folder_names(self.names).items():
            if name not in self.shown:
                continue
            its = self.variant(name)
            inside[inner] = saving.Content(
                its.manifest(), its.tables, its._figures_one_by_one() if drawn else (), its._other_files()
            )
        drawing, others = painter or Painter(), self._other_files()
        if figures if report is None else report:
            others |= {saving.REPORT: lambda path: self._write_report(path, drawing)}
        own = saving.Content(self.manifest(), self.tables, self.figures().items() if figures else (), others)
        return saving.save(folder, own, drawing, inside)

    def _write_report(self, path: Path, painter: Painter) -> None:
        from skate_sim.report import write

        write(path, self, painter, self.comparison if self.compared is not None else None)

    def _other_files(self) -> dict[str, Callable[[Path], None]]:
        said: dict[str, Callable[[Path], None]] = {summary.FILE: self.summary().write}
        if self.comparison is None or self.finished is None:
            return said
        return said | {TALLIES: checkpoint.writer(self.comparison, self.finished.played)}

    @classmethod
    def load(cls, folder: str | Path) -> LoadedComparison:
        """Read saved results of several variants; see :func:`skate_sim.saving.load`."""
        from skate_sim.stored_comparison import LoadedComparison

        return LoadedComparison(folder)
