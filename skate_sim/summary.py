"""What a comparison says, in one place for terminal, page and folder: sentences, tables, figures, how sure.

It is kept in the result's folder as ``findings.json``, so that it can be said again without the games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skate_sim.answer_tables import answer_findings
from skate_sim.comparison_figures import EDITED, drawings_of_comparison
from skate_sim.comparison_findings import comparison_findings
from skate_sim.comparison_sentences import edited_sentences, sentences
from skate_sim.console import Finding
from skate_sim.digits import counted
from skate_sim.drawing import Drawing
from skate_sim.edited_rows import edited_rows_finding
from skate_sim.stats import LEVEL
from skate_sim.variant_changes import changes_between, in_short, rules_of
from skate_sim.variant_games import games_in_words
from skate_sim.verdicts import verdicts_finding

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: Name of the file in a result's folder.
FILE = "findings.json"


@dataclass(frozen=True)
class VariantWords:
    """A variant in words.

    Attributes
    ----------
    changes : list of str
        In which it is not the baseline; empty for the baseline itself.
    note : str
        What else is to be said of it.
    """

    name: str
    is_baseline: bool
    changes: list[str]
    note: str = ""
    rules: str = ""  # what it is where it has no changes


@dataclass(frozen=True)
class Summary:
    """What a comparison says.

    Attributes
    ----------
    variants : list of VariantWords
        Those to look at one by one.
    findings : list of str
        What was found, in sentences, the most important first.
    tables : list of Finding
        What is printed.
    everything : list of Finding
        All tables, with all that is known.
    sureness : list of str
        How sure that is, and why.
    checks : list of str
        Checks that do not hold, by variant; empty where all do.
    precision : str
        Where a run by precision stopped.
    drawings : mapping of str to Drawing
        Figures by name.
    """

    variants: list[VariantWords]
    findings: list[str]
    tables: list[Finding]
    everything: list[Finding]
    sureness: list[str]
    checks: list[str]
    precision: str
    drawings: Mapping[str, Drawing]

    def as_json(self) -> str:
        """All of it, to be read by :func:`read`."""
        record: dict[str, Any] = {
            "variants": [asdict(v) for v in self.variants],
            "findings": self.findings,
            "tables": [_table(finding) for finding in self.tables],
            "everything": [_table(finding) for finding in self.everything],
            "sureness": self.sureness,
            "checks": self.checks,
            "precision": self.precision,
            "figures": {name: drawing.as_dict() for name, drawing in self.drawings.items()},
        }
        return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, path: Path) -> None:
        """Write it to a file."""
        path.write_text(self.as_json(), encoding="utf-8", newline="\n")


def read(text: str) -> Summary:
    """What :meth:`Summary.as_json` wrote."""
    record = json.loads(text)
    words: dict[str, Any] = {key: record[key] for key in ("findings", "sureness", "checks", "precision")}
    words |= {key: [_finding(table) for table in record[key]] for key in ("tables", "everything")}
    words["variants"] = [VariantWords(**one) for one in record["variants"]]
    return Summary(**words, drawings={name: Drawing.from_dict(one) for name, one in record["figures"].items()})


def summary_of(found: ComparisonResults) -> Summary:
    """What a comparison that was just played says."""
    verdicts = found.verdicts()
    first = [verdicts_finding(verdicts)] if verdicts else []
    return Summary(
        list(_variants(found)),
        _findings(found),
        [*first, *_tables(found, everything=False)],
        [*first, *_tables(found, everything=True)],
        list(_sureness(found)),
        list(_broken(found)),
        found.reached.words if found.reached else "",
        {name: replace(d, footer=f"{_footer(found)} {d.footer}".strip()) for name, d in _drawings(found).items()},
    )


def _findings(found: ComparisonResults) -> list[str]:
    """All sentences, what is said of edited rows first; what they are worth to their holders goes before that."""
    edited, answers = edited_sentences(found), [*_scope(found), *found.answers()]
    return [*(answers + edited if _has_holding(found) else edited + answers), *sentences(found)]


def _tables(found: ComparisonResults, everything: bool) -> Iterator[Finding]:
    """All tables, in the order of the sentences."""
    first, holding = found.variant(found.names[0]), _has_holding(found)
    game, edited = first.declaration, found.tables().get("edited_rows")
    advice = not holding and found.comparison is not None
    became = [] if edited is None else list(edited_rows_finding(edited, game, everything, advice))
    yield from became if not holding else ()
    for answer in found.study.answers:
        yield from answer_findings(answer, found, game, first.headline, everything)
    yield from became if holding else ()
    yield from comparison_findings(found, everything)


def _has_holding(found: ComparisonResults) -> bool:
    return any(answer.name == "holding" for answer in found.study.answers)


def _drawings(found: ComparisonResults) -> dict[str, Drawing]:
    made, own = {}, drawings_of_comparison(found)
    if EDITED in own:
        made[EDITED] = own.pop(EDITED)
    for answer in found.study.answers:
        made |= answer.figures(found)
    return made | own


def _variants(found: ComparisonResults) -> Iterator[VariantWords]:
    baseline = found.study.baseline
    for name in found.shown:
        plan = found.variant(name).plan
        changes = []
        if baseline in found.names and name != baseline:
            changes = changes_between(plan, found.variant(str(baseline)).plan)
        note = "added, to compare with" if name == found.study.experiment.added else ""
        rules = "as the baseline" if baseline in found.names and name != baseline else rules_of(plan.resolved)
        yield VariantWords(name, name == baseline, changes, note, rules)


def _scope(found: ComparisonResults) -> Iterator[str]:
    """Says of which game sections are that do not look at the variants."""
    outside = [answer.name for answer in found.study.answers if not getattr(answer, "of_variants", False)]
    if outside and len(found.study.listed) > 1:
        names = " and ".join(name.replace("_", " ") for name in outside)
        yield f"What is said of {names} is of the experiment without its variants."


def _sureness(found: ComparisonResults) -> Iterator[str]:
    """How sure the numbers are, and why."""
    level = f"{100 * LEVEL:.4g}%"
    if found.compared is None:
        yield f"The variants are not compared game by game: {found.why_apart}. Each interval is at {level} by itself."
        return
    yield (
        f"Each variant played the same {counted(found.games, 'game')} with the same luck, so most of the luck cancels "
        "in a difference."
    )
    looks = " for all looks together, so that it is valid although the run looked when to stop" if found.reached else ""
    yield f"Each interval in a table or figure is at {level} by itself{looks}."
    table = found.differences()
    table = table[(table["low"] < table["high"]) & table["variant"].isin(found.shown)]
    if len(table):
        yield (
            f"A change is called beyond doubt if it is one at {level} for all {len(found.differences())} differences "
            "together (Bonferroni), which asks for more than that a table's interval is on one side of 0."
        )
        game, headline = found.variant(found.names[0]).declaration, found.variant(found.names[0]).headline
        widths = (table["high"] - table["low"])[table["outcome"] == headline]
        outcome = game.outcome(headline)
        if len(widths):
            scale, unit = (100, " points") if outcome.kind in ("share", "flag") else (1, "")
            what = f"The widest interval of a difference in {outcome.label.lower()} is "
            yield f"{what}±{scale * widths.max() / 2:.2g}{unit}; four times the games would halve it."
    edited = found.tables().get("edited_rows")
    if edited is not None and len(edited):
        yield (
            "Numbers of an edited row are each variant's own; they are called changed where their intervals do not "
            "overlap."
        )


def _broken(found: ComparisonResults) -> Iterator[str]:
    for name in found.names:
        checks = found.variant(name).checks().to_dict("records")
        yield from (f"{name}: {row['check']} ({row['detail']})" for row in checks if not row["holds"])


def _footer(found: ComparisonResults) -> str:
    same = " (the same for all)" if found.comparison is not None else ""
    bars = "valid at every look" if found.reached else "each by itself"
    games = games_in_words(found.games_by_variant)
    text = f"{found.name}: {games}{same}, seed {found.variant(found.names[0]).plan.seed}"
    return f"{text}. Intervals: {100 * LEVEL:.4g}%, {bars}."


def _table(finding: Finding) -> dict[str, Any]:
    return asdict(finding) | {"texts": sorted(finding.texts)}


def _finding(stored: Mapping[str, Any]) -> Finding:
    return Finding(**{**stored, "texts": frozenset(stored["texts"])})


def about_variant(words: VariantWords, preset: str) -> str:
    """A line on a variant: its rules, and in which it is not the baseline."""
    named = f"{words.name} (baseline)" if words.is_baseline else words.name
    text = f"Variant {named}: " + (in_short(words.changes) or words.rules or f"{preset} rules")
    return f"{text} ({words.note})" if words.note else text
