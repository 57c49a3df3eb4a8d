"""What a comparison found, in sentences: edited rows, whether any bot gains on another, the game as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from skate_sim.comparison_findings import difference_cell, leading_outcomes, outcomes_of_game
from skate_sim.curves import moving_sentences
from skate_sim.differences import listed
from skate_sim.digits import digits_for, fixed
from skate_sim.edited_rows import edited_rows_sentences
from skate_sim.games import Outcome
from skate_sim.stats import corrected

if TYPE_CHECKING:
    from skate_sim.comparison import Contrast
    from skate_sim.comparison_results import ComparisonResults
    from skate_sim.findings import Row

#: Contrasts that are told in words; the table has all.
MOST_SENTENCES = 6
#: With more contrasts than these, each is told by what ranks alone, and by the score only where that says nothing.
FEW = 3


def sentences(found: ComparisonResults) -> list[str]:
    """Which bots gain, and the game as a whole; corrected for all that the table of differences has."""
    game = found.variant(found.names[0]).declaration
    if found.compared is None:
        return _peaks(found)
    contrasts = [c for c in found.study.listed_contrasts if c.name in found.shown]
    same = [c for c in contrasts if _identical(found, c)]
    lines = [f"{c.name} and {c.baseline} play the very same games." for c in same]
    contrasts = [c for c in contrasts if c not in same]
    if not contrasts:
        return lines
    told = _Told(found, contrasts)
    headline, *others = leading_outcomes(game, found.variant(found.names[0]).headline)
    lines += told.of_bots(headline, contrasts)
    left = contrasts if len(contrasts) <= FEW else told.quiet(headline, contrasts)
    for outcome in others:
        lines += told.of_bots(outcome, left)
    if len(contrasts) <= FEW:
        lines += [line for c in contrasts if (line := told.of_game(c, outcomes_of_game(game)))]
    return lines


def edited_sentences(found: ComparisonResults) -> list[str]:
    """What became of the rows that variants edit."""
    edited = found.tables().get("edited_rows")
    game = found.variant(found.names[0]).declaration
    return [] if edited is None else edited_rows_sentences(edited, game)


def _identical(found: ComparisonResults, contrast: Contrast) -> bool:
    """Whether a variant plays the games of its baseline."""
    comparison = found.comparison
    assert comparison is not None
    names = list(comparison.plans)
    return comparison.distinct[names.index(contrast.name)] == comparison.distinct[names.index(contrast.baseline)]


class _Told:
    """Sentences about the table of differences.

    Parameters
    ----------
    contrasts : list of Contrast
        All that are told of.
    """

    def __init__(self, found: ComparisonResults, contrasts: list[Contrast]) -> None:
        self.found, self.table = found, found.differences()
        self.strict = corrected(found.level, max(1, len(self.table)))
        self.one_baseline = len({c.baseline for c in contrasts}) == 1
        edited = found.tables().get("edited_rows")
        self.edited: dict[str, list[str]] = {}
        for variant, rows in [] if edited is None else edited.groupby("variant"):
            self.edited[str(variant)] = list(dict.fromkeys(rows["name"]))

    def quiet(self, outcome: Outcome, contrasts: list[Contrast]) -> list[Contrast]:
        """The contrasts in which no bot's difference is certain."""
        return [c for c in contrasts if not any(row["certain"] for row in self._rows(c, outcome))]

    def of_bots(self, outcome: Outcome, contrasts: list[Contrast]) -> list[str]:
        """A sentence for each contrast with a certain difference, the largest first, and one for all others."""
        quiet = self.quiet(outcome, contrasts)
        loud = [c for c in contrasts if c not in quiet]
        loud.sort(key=lambda c: -max(abs(row["difference"]) for row in self._rows(c, outcome) if row["certain"]))
        lines = [self._certain(c, outcome) for c in loud[:MOST_SENTENCES]]
        if len(loud) > MOST_SENTENCES:
            lines.append(f"And {len(loud) - MOST_SENTENCES} smaller ones in the table.")
        return lines + ([self._none(quiet, outcome)] if quiet else [])

    def of_game(self, contrast: Contrast, outcomes: Iterable[Outcome]) -> str:
        """What of the game as a whole is certainly another."""
        said = []
        for outcome in outcomes:
            for row in self._rows(contrast, outcome):
                if row["certain"]:
                    said.append(f"{outcome.label} {difference_cell(row, outcome)}{_points(outcome)}")
        return f"The game as a whole {self._with(contrast)}: {', '.join(said)}." if said else ""

    def _certain(self, contrast: Contrast, outcome: Outcome) -> str:
        rows = self._rows(contrast, outcome)
        sure = [row for row in rows if row["certain"]]
        up = sure[0]["difference"] > 0
        if len(sure) == len(rows) > 1 and all((row["difference"] > 0) == up for row in sure):
            sizes = sorted(abs(row["difference"]) for row in sure)
            low, high = _rounded(sizes[0], sizes[-1], outcome)
            between = low if low == high else f"{low} to {high}"
            text = f"each bot has {'more' if up else 'less'} {outcome.label}, by {between}{_points(outcome)} a game"
            return f"{self._with(contrast, capital=True)} {text}."
        each = ", ".join(f"{row['bot']} {difference_cell(row, outcome)}" for row in sure)
        text = f"{self._with(contrast, capital=True)}, {outcome.label}{_unit(outcome)}: {each}"
        open_ = [row["bot"] for row in rows if not row["certain"]]
        return f"{text}; no change beyond doubt for {listed(open_)}." if open_ else f"{text}."

    def _none(self, contrasts: list[Contrast], outcome: Outcome) -> str:
        """No difference is certain; how large one may be."""
        ends = []
        for contrast in contrasts:
            for entry in range(len(self.found.variant(contrast.name).plan.bots)):
                assert self.found.compared is not None
                its = self.found.compared.difference(contrast, outcome, entry=entry, level=self.strict).estimate
                ends += [abs(its.low), abs(its.high)]
        known = [end for end in ends if math.isfinite(end)]
        scale = 100 if outcome.kind in ("share", "flag") else 1
        within = f" (all within ±{_upwards(scale * max(known))}{_points(outcome)})" if len(known) == len(ends) else ""
        text = f"{self._with(*contrasts, capital=True)} no bot's {_lower(outcome)} changes beyond doubt{within}"
        names = [self.edited.get(c.name, []) for c in contrasts]
        if scale == 1 or not all(names):
            return f"{text}."
        rows = listed(names[0]) if len(names) == 1 and len(names[0]) <= 2 else "edited rows"
        return f"{text}: all bots play with the same {rows}."

    def _rows(self, contrast: Contrast, outcome: Outcome) -> list[Row]:
        table = self.table
        mine = (table["variant"] == contrast.name) & (table["baseline"] == contrast.baseline)
        return [
            {str(k): v for k, v in row.items()}
            for row in table[mine & (table["outcome"] == outcome.name)].to_dict("records")
        ]

    def _with(self, *contrasts: Contrast, capital: bool = False) -> str:
        names = listed(c.name if self.one_baseline else f"{c.name} instead of {c.baseline}" for c in contrasts)
        return f"{'With' if capital else 'with'} {names}"


def _peaks(found: ComparisonResults) -> list[str]:
    """Where the curves of a pool are highest in each of the variants."""
    results = {name: found.variant(name) for name in found.names}
    outcomes = {name: its.declaration.outcome(its.headline) for name, its in results.items()}
    return moving_sentences({name: its.curves() for name, its in results.items()}, outcomes)


def _lower(outcome: Outcome) -> str:
    return outcome.label if outcome.kind == "points" else outcome.label.lower()


def _points(outcome: Outcome) -> str:
    return " points" if outcome.kind in ("share", "flag") else ""


def _unit(outcome: Outcome) -> str:
    if outcome.kind in ("share", "flag"):
        return " [% points]"
    return "" if not outcome.unit or outcome.unit == outcome.label else f" [{outcome.unit}]"


def _rounded(low: float, high: float, outcome: Outcome) -> tuple[str, str]:
    """Two sizes with two digits of the smaller, as words of a sentence."""
    scale = 100 if outcome.kind in ("share", "flag") else 1
    decimals = max(0, 1 - math.floor(math.log10(scale * low))) if low > 0 else 2
    return fixed(scale * low, decimals), fixed(scale * high, decimals)


def _upwards(number: float) -> str:
    """A bound with two digits, rounded so that it still holds."""
    if number <= 0:
        return "0"
    decimals = digits_for(number)
    step = 10.0**-decimals
    return fixed(math.ceil(number / step - 1e-9) * step, decimals)
