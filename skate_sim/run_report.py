"""What ``skate-sim run`` prints: a run's tables, or those of several variants and their differences; JSON and CSV."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.console import Console
from rich.text import Text

from skate_sim.bot_findings import run_findings
from skate_sim.comparison_results import ComparisonAnswers, ComparisonResults
from skate_sim.console import say, show, tell, write
from skate_sim.digits import counted
from skate_sim.findings import findings
from skate_sim.precision import Reached
from skate_sim.ranking_findings import ranking_finding
from skate_sim.results import Answers, Results
from skate_sim.variant_changes import rules_of
from skate_sim.verdicts import verdicts_finding

if TYPE_CHECKING:
    from skate_sim.simulation import Plan


def print_results(console: Console, results: Results, variant: str = "", everything: bool = False) -> None:
    """Print what a run was, its tables, and whether its checks hold."""
    console.print()
    if variant:
        console.print(Text(f"Variant {variant}", "bold reverse"))
    console.print(Text(_what(results)))
    if results.declaration.notice:
        console.print(Text(results.declaration.notice, "bold"))
    _mark_partial(console, results)
    print_tables(console, results, everything)
    _print_verdicts(console, results)
    console.print()
    if not variant:
        _print_precision(console, results.reached)
    _print_checks(console, results)
    _mark_partial(console, results)


def print_tables(console: Console, results: Answers, everything: bool = False) -> None:
    """Print what was found in words, the tables of fresh or saved results, and how the bots rank."""
    console.print()
    for sentence in run_findings(results):
        tell(console, sentence)
    ranking = ranking_finding(results)
    for number, finding in enumerate(findings(results, everything)):
        show(console, finding)
        if number == 0 and ranking:
            show(console, ranking)


def _what(results: Results) -> str:
    return f"{_table(results.plan)}, {rules_of(results.plan.resolved)}. {_played(results)}"


def _table(plan: Plan) -> str:
    return f"{plan.game.title}, {plan.resolved.seats} {plan.game.seat_word}s"


def _played(results: Results, what: str = "") -> str:
    played = results.games - results.kept
    speed = f", {played / results.seconds:,.0f} games/s" if results.seconds > 0 and played else ""
    kept = f", {results.kept:,} of them played before," if results.kept else ""
    games = f"{counted(results.games, 'game')} {what}".rstrip()
    return f"{games} of seed {results.plan.seed}{kept} in {results.seconds:.1f} s{speed}."


def _print_verdicts(console: Console, found: Results | ComparisonResults) -> None:
    verdicts = found.verdicts()
    if verdicts:
        show(console, verdicts_finding(verdicts))


def _print_precision(console: Console, reached: Reached | None) -> None:
    """Where a run by precision stopped, and which intervals came out as tight as wanted."""
    if reached is None:
        return
    console.print(Text(reached.words, "bold" if not reached.missed else "bold yellow"))
    say(
        console, "All intervals are 95% for all looks together, so they are valid although the run looked when to stop."
    )


def _mark_partial(console: Console, results: Results) -> None:
    if results.partial:
        text = f"PARTIAL: stopped after {results.games:,} of {results.plan.games:,} games."
        console.print(Text(text, "bold red"))


def _print_checks(console: Console, results: Results, name: str = "") -> None:
    table = results.checks()
    broken = [f"{row['check']} ({row['detail']})" for row in table.to_dict("records") if not row["holds"]]
    of = f" of {name}" if name else ""
    if broken:
        what = (
            f"Checks{of} that do not hold, perhaps as the run was stopped" if results.partial else f"CHECKS{of} FAILED"
        )
        console.print(Text(f"{what}: {'; '.join(broken)}", "yellow" if results.partial else "bold red"))
    else:
        console.print(Text(f"Checks{of}: all {len(table)} hold."))
        if not name:
            names = ", ".join(table["check"])
            say(console, f"{names[:1].upper()}{names[1:]}.")


def write_json(found: Results | ComparisonResults) -> None:
    """Print everything as one JSON object."""
    record = _record(found)
    if isinstance(found, ComparisonResults):
        record["variants"] = {name: _record(found.variant(name)) for name in found.names}
        record["findings"] = found.summary().findings
    else:
        record["findings"] = run_findings(found)
    write(json.dumps(record, ensure_ascii=False, default=str))


def _record(found: Results | ComparisonResults) -> dict[str, Any]:
    """Manifest, and each table as a list of rows."""
    tables = {n: json.loads(t.to_json(orient="records", double_precision=15)) for n, t in found.tables().items()}
    return {"manifest": found.manifest(), "tables": tables}


def write_csv(found: Results | ComparisonResults) -> None:
    """Print one table as CSV: the bots of a run; of variants what :func:`leading_table` says."""
    table = found.bots() if isinstance(found, Results) else leading_table(found)
    write(table.to_csv(index=False, lineterminator="\n"))


def leading_table(found: ComparisonAnswers) -> pd.DataFrame:
    """The table that a comparison is about: its differences, those of its first section, or the bots by variant."""
    for name, table in found.tables().items():
        if name != "edited_rows" and len(table):
            return table
    tables = {name: found.variant(name).bots() for name in found.shown or found.names}
    return pd.concat([table.assign(variant=name)[["variant", *table]] for name, table in tables.items()])
