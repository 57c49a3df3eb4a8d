"""What became of the rows that a variant edits, out of the ledgers: what the row brings, and who wins that has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim.console import Finding
from skate_sim.digits import interval_text
from skate_sim.findings import records, worth_of
from skate_sim.games import Game, Ledger
from skate_sim.observed import ALL
from skate_sim.variant_changes import RowEdit, changes_between, edited_rows_of, in_short

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: Edited rows that are told in words and drawn; the table has all.
MOST_ROWS = 4
COLUMNS = (
    *("variant", "baseline", "table", "row", "name", "edit", "ledger", "measure", "label", "kind"),
    *("before", "before_low", "before_high", "value", "low", "high", "certain", "besides"),
)


def edited_rows_table(found: ComparisonResults) -> pd.DataFrame:
    """One row for each variant, edited row that a ledger keeps, and number of the ledger over all bots.

    ``before`` is the number in the baseline, ``value`` in the variant, each with the interval of its variant alone:
    a ledger does not say which games they come from. ``certain``: the intervals do not overlap, which at 95% each
    is beyond doubt whatever the two have in common. ``besides``: what else the variant changes, in words.
    """
    rows: list[dict[str, Any]] = []
    for contrast in found.study.listed_contrasts:
        if {contrast.name, contrast.baseline} <= set(found.names):
            rows += _of_contrast(found, contrast.name, contrast.baseline)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _of_contrast(found: ComparisonResults, name: str, baseline: str) -> Iterator[dict[str, Any]]:
    variant, other = found.variant(name), found.variant(baseline)
    game = variant.declaration
    edits = edited_rows_of(variant.plan.resolved, other.plan.resolved)
    changes = changes_between(variant.plan, other.plan)
    for ledger in game.ledgers:
        mine = [edit for edit in edits if edit.table == ledger.table]
        if mine:
            after, before = variant.ledger(ledger.name), other.ledger(ledger.name)
            for edit in mine:
                besides = in_short([change for change in changes if change != edit.text])
                words = {"variant": name, "baseline": baseline, "ledger": ledger.name, "besides": besides}
                yield from (words | row for row in _of_row(game, ledger, edit, before, after))


def _of_row(
    game: Game, ledger: Ledger, edit: RowEdit, before: pd.DataFrame, after: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    found = [records(table[(table["row"] == edit.row) & (table["bot"] == ALL)]) for table in (before, after)]
    if not all(found):
        return
    [old], [new] = found
    texts = {"table": edit.table, "row": edit.row, "name": edit.name, "edit": ", ".join(edit.cells)}
    for measure, label, kind in _measures(game, ledger):
        ends = [[row[f"{measure}{end}"] for end in ("", "_low", "_high")] for row in (old, new)]
        if ends[0][0] == ends[1][0] == 0:
            continue
        certain = ends[0][2] < ends[1][1] or ends[1][2] < ends[0][1]
        row = dict(
            zip(("before", "before_low", "before_high", "value", "low", "high"), [*ends[0], *ends[1]], strict=True)
        )
        yield texts | {"measure": measure, "label": label, "kind": kind, "certain": certain} | row


def _measures(game: Game, ledger: Ledger) -> Iterator[tuple[str, str, str]]:
    """Columns of a ledger with labels and kinds, those that say what a row is worth first."""
    first = ledger.first_event
    yield f"win_share_when_{first}", f"{game.outcome('win_share').label} when {first}", "share"
    yield "value", f"{worth_of(game, ledger)} per time {first}", "points"
    yield f"{first}_per_game", f"{first.capitalize()} per game", "share"
    for event in ledger.events:
        if event != first:
            yield f"{event}_rate", f"{event.capitalize()} when {first}", "share"


def leading(game: Game) -> set[str]:
    """The numbers that say what a row is worth."""
    return {"value", *(f"win_share_when_{ledger.first_event}" for ledger in game.ledgers)}


def edited_rows_finding(table: pd.DataFrame, game: Game, everything: bool, advice: bool) -> Iterator[Finding]:
    """A table for each edited row: its numbers in the baseline and in each variant; ``advice``: what else to ask."""
    for (_, row), part in list(table.groupby(["ledger", "row"], sort=False))[: None if everything else MOST_ROWS]:
        baseline, name = part["baseline"].iloc[0], part["name"].iloc[0]
        first = part.drop_duplicates("measure")
        moving = set(part[part["certain"]]["measure"]) | leading(game)
        shown = [r for r in records(first) if everything or r["measure"] in moving]
        cells = {str(baseline): {r["measure"]: _cell(r, "before", "before_low", "before_high") for r in shown}}
        for variant, own in part.groupby("variant", sort=False):
            edit = own["edit"].iloc[0]
            cells[f"{variant} ({edit})"] = {r["measure"]: _cell(r, "value", "low", "high") for r in records(own)}
        rows = [[who, *(of.get(r["measure"], "–") for r in shown)] for who, of in cells.items()]
        still = [r["label"] for r in records(first) if r["measure"] not in moving]
        note = "±: 95% interval of the variant alone. "
        if still and not everything:
            note += f"Not changed beyond doubt: {', '.join(still)}. "
        if advice and game.pieces and game.pieces.table == part["table"].iloc[0]:
            note += (
                f"Whoever has it may be ahead for other reasons: holding: {{cards: {row}, against: none}} in the file "
            )
            note += "measures what it is worth to its holder."
        title = f"What became of {name}"
        yield Finding(title, ["Variant", *(r["label"] for r in shown)], rows, note.strip())


def _cell(row: Any, mean: str, low: str, high: str) -> str:
    return interval_text(row[mean], row[low], row[high], row["kind"])


def edited_rows_sentences(table: pd.DataFrame, game: Game) -> list[str]:
    """What each edited row does to those who have it, the rows whose share of wins changes most first."""
    told = []
    for (variant, _), part in table.groupby(["variant", "row"], sort=False):
        rows = {r["measure"]: r for r in records(part)}
        lead = [rows[m] for m in rows if m in leading(game)]
        shares = [r for r in lead if r["kind"] == "share"]
        size = max((abs(r["value"] - r["before"]) for r in shares), default=0.0)
        who = f"{part['name'].iloc[0]} ({part['edit'].iloc[0]})"
        besides = part["besides"].iloc[0]
        start = f"With {variant}, {who}" if besides or table["variant"].nunique() > 1 else who
        start += f", besides {besides}" if besides else ""
        told.append((-size, f"{start}: {_of_lead(lead, rows, game)}."))
    told.sort(key=lambda pair: pair[0])
    sentences = [text for _, text in told[:MOST_ROWS]]
    if len(told) > MOST_ROWS:
        sentences.append(f"{len(told) - MOST_ROWS} more edited rows are in the table edited_rows.")
    return sentences


def _of_lead(lead: list[Any], rows: dict[str, Any], game: Game) -> str:
    said = []
    for row in lead:
        old, new = _cell(row, "before", "before_low", "before_high"), _cell(row, "value", "low", "high")
        label = row["label"][:1].lower() + row["label"][1:] if row["kind"] == "share" else row["label"]
        said.append(
            f"{label} {new} instead of {old}" if row["certain"] else f"{label} {new}, not certainly other than {old}"
        )
    others = [row for measure, row in rows.items() if measure not in leading(game)]
    moved = [r["label"].lower() for r in others if r["certain"]]
    text = "; ".join(said)
    return f"{text}; also changed beyond doubt: {', '.join(moved)}" if moved else text
