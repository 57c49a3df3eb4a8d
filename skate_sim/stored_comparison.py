"""Results of several variants, read from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from skate_sim import saving, summary
from skate_sim.comparison_results import ComparisonAnswers
from skate_sim.results import LoadedResults, Results
from skate_sim.summary import Summary


class LoadedComparison(ComparisonAnswers):
    """Answers read from a folder: the same tables and manifest, without tallies."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).expanduser()
        self._manifest, self._tables = saving.load(folder)
        if self._manifest.get("kind") != "comparison":
            raise saving.FolderError(f"{folder} holds no comparison but a single run; Results.load reads it")
        self.name, self.question = self._manifest["name"], self._manifest["question"]
        self.games, self.partial = self._manifest["games"], self._manifest["partial"]
        variants = self._manifest["variants"]
        self.games_by_variant = {name: its.get("games", self.games) for name, its in variants.items()}
        self.seconds = self._manifest["time"]["seconds"]
        self.names = list(variants)
        self.shown = list(self._manifest.get("shown", self.names))
        self._folders = {n: Path(folder) / v["folder"] for n, v in variants.items()}
        self._variants: dict[str, LoadedResults] = {}

    def variant(self, name: str) -> LoadedResults:
        """Results of one of the variants."""
        if self._checked(name) not in self._variants:
            self._variants[name] = Results.load(self._folders[name])
        return self._variants[name]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Everything that was saved of the comparison, by name."""
        return {name: table.copy() for name, table in self._tables.items()}

    def manifest(self) -> dict[str, Any]:
        """What the run was."""
        return {key: value for key, value in self._manifest.items() if key != "files"}

    def summary(self) -> Summary:
        """What the comparison said when it was saved.

        Raises
        ------
        FolderError
            It was not kept, or was changed since.
        """
        file = self.folder / summary.FILE
        if summary.FILE not in self._manifest["files"]:
            raise saving.FolderError(f"{self.folder} has no {summary.FILE}: an earlier version wrote it; run it again")
        if saving.changed_files(self.folder, {"files": {summary.FILE: self._manifest["files"][summary.FILE]}}):
            raise saving.FolderError(f"{file} is not as it was saved; run the experiment again")
        return summary.read(file.read_text(encoding="utf-8"))
