"""Expectations held against what a run found: each holds, fails, or is undecided, as its interval says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from skate_sim.comparison_findings import signed, unit_text
from skate_sim.console import Finding
from skate_sim.digits import interval_text
from skate_sim.expectations import Expectation
from skate_sim.games import Outcome
from skate_sim.observed import Observed, display_names, observed
from skate_sim.pairs import FieldAnswer
from skate_sim.results import Results
from skate_sim.stats import Estimate
from skate_sim.targets import Verdict, judge

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

COLUMNS = (
    "outcome",
    "bot",
    "versus",
    "variant",
    "seat",
    "difference",
    "value",
    "low",
    "high",
    "above",
    "below",
    "verdict",
)
#: Exit codes of a command whose expectations came out so.
ALL_HOLD, ONE_FAILS, UNDECIDED = 0, 1, 3


class Judged(NamedTuple):
    """An expectation, the number that it is about, and the verdict."""

    expectation: Expectation
    outcome: Outcome
    estimate: Estimate
    verdict: Verdict


def judged(expectations: Iterable[Expectation], found: Results | ComparisonResults) -> list[Judged]:
    """Each expectation with its number, as tables give it; shares from 0 to 1."""
    return [_judged(expectation, found) for expectation in expectations]


def _judged(expectation: Expectation, found: Results | ComparisonResults) -> Judged:
    results = found if isinstance(found, Results) else found.variant(expectation.variant or found.names[0])
    outcome = results.declaration.outcome(expectation.outcome)
    seat = None if expectation.seat is None else expectation.seat - 1
    if expectation.versus:
        assert not isinstance(found, Results)
        estimate = _advantage(expectation, found)
    elif expectation.difference:
        assert not isinstance(found, Results)
        contrast = next(c for c in found.study.contrasts if c.name == expectation.variant)
        bot = expectation.bot or None
        if found.compared is None:
            estimate = Estimate(float("nan"), float("nan"), float("nan"))
        else:
            estimate = found.difference(contrast, outcome.name, bot, seat).estimate
    else:
        estimate = _own(results, outcome, expectation.bot, seat)
    scale = 0.01 if outcome.kind in ("share", "flag") else 1.0
    low, high = (None if end is None else scale * end for end in (expectation.low, expectation.high))
    return Judged(expectation, outcome, estimate, judge(estimate, low, high))


def _advantage(expectation: Expectation, found: ComparisonResults) -> Estimate:
    """What one bot's share is above the fair one, against another."""
    answer = next(a for a in found.study.answers if isinstance(a, FieldAnswer))
    matrix = answer.advantages(found)
    one, other = (matrix.names.index(name) for name in (expectation.bot, expectation.versus))
    return matrix.interval(one, other, found.level)


def _own(results: Results, outcome: Outcome, bot: str, seat: int | None) -> Estimate:
    """A number of one run."""
    plan, tallies = results.plan, results.tallies
    if outcome.level == "game":
        its = Observed(tallies.games, tallies.games * 0 + 1, tallies.game_sums, tallies.game_squares)
        columns = plan.layout.game_columns
    else:
        entry = display_names(plan.bots).index(bot) if bot else None
        its, columns = observed(plan, tallies, entry, seat), plan.layout.seat_columns
    column = next(n for n, c in enumerate(columns) if c.outcome == outcome and c.index is None)
    return its.estimate(outcome, column, plan.game, results.level)


def verdicts_table(verdicts: Sequence[Judged]) -> pd.DataFrame:
    """One row for each expectation: what it is about, the number with its interval, the ends, the verdict.

    Numbers are as in other tables (shares from 0 to 1), the ends ``above`` and ``below`` as in the experiment file.
    """
    rows = [
        [e.outcome, e.bot, e.versus, e.variant, e.seat, e.difference, *estimate, e.low, e.high, verdict]
        for e, _, estimate, verdict in verdicts
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"seat": "Int64", "above": float, "below": float})


def verdicts_finding(verdicts: Sequence[Judged]) -> Finding:
    """The expectations as a table to print."""
    rows = []
    for expectation, outcome, estimate, verdict in verdicts:
        relative = expectation.difference or bool(expectation.versus)
        number = signed(estimate, outcome) if relative else interval_text(*estimate, outcome.kind)
        unit = " % points" if outcome.kind in ("share", "flag") and relative else ""
        unit = unit or ("%" if outcome.kind in ("share", "flag") else "")
        rows.append([_about(expectation, outcome), f"{expectation.place}{unit}", number, verdict.upper()])
    texts = frozenset({"Verdict", "Expected"})
    note = "Holds: the whole interval is where it should be; fails: it is outside; undecided: it is across an end."
    return Finding("Expectations", ["Of", "Expected", "Found", "Verdict"], rows, note, texts)


def _about(expectation: Expectation, outcome: Outcome) -> str:
    parts = [outcome.label, expectation.bot, expectation.versus and f"above the fair one against {expectation.versus}"]
    parts += [expectation.variant and f"in {expectation.variant}"]
    parts.append(f"in seat {expectation.seat}" if expectation.seat else "")
    text = " ".join(part for part in parts if part)
    return f"difference of {text} {unit_text(outcome)}".strip() if expectation.difference else text


def exit_code(verdicts: Sequence[Judged]) -> int:
    """0: all hold; 1: one fails; 3: one is undecided and none fails."""
    found = {verdict for *_, verdict in verdicts}
    return ONE_FAILS if "fails" in found else UNDECIDED if "undecided" in found else ALL_HOLD
