"""Which figures a comparison has, besides those of its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from skate_sim.comparison_findings import leading_outcomes
from skate_sim.curves import curves_of
from skate_sim.differences import scale_of
from skate_sim.drawing import Drawing
from skate_sim.edited_rows import MOST_ROWS, leading
from skate_sim.games import Game, Outcome
from skate_sim.variant_changes import changes_between, in_short

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonResults

#: Contrasts that are drawn; more are in the tables only.
MOST_CONTRASTS = 12
#: Name of the figure of edited rows.
EDITED = "edited_rows"
#: An axis of differences goes at least so far to both sides of 0: points of a percent, and part of the baseline's mean.
LEAST_POINTS, LEAST_PART = 1.0, 0.01


def drawings_of_comparison(found: ComparisonResults) -> dict[str, Drawing]:
    """Edited rows; the differences of the headline and of the score; of variants apart, the curves of a pool."""
    made: dict[str, Drawing] = {}
    tables = found.tables()
    edited, game = tables.get("edited_rows"), found.variant(found.names[0]).declaration
    if edited is not None and len(edited):
        drawing = _edited(edited, game)
        if drawing.table[["low", "high", "before_low", "before_high"]].notna().any(axis=None):  # else nothing is known
            made[EDITED] = drawing
    if found.compared is None:
        return made | _apart(found)
    table = tables["differences"]
    table = table[table["variant"].isin(found.shown)]
    if table.empty:
        return made
    for outcome in leading_outcomes(game, found.variant(found.names[0]).headline):
        made[f"differences_{outcome.name}"] = _differences(found, table[table["outcome"] == outcome.name], outcome)
    return made


def _edited(table: pd.DataFrame, game: Game) -> Drawing:
    """The numbers that say what each edited row is worth."""
    rows = table.drop_duplicates(["ledger", "row"])[["ledger", "row"]].head(MOST_ROWS)
    table = table.merge(rows, on=["ledger", "row"])
    table = table[table["measure"].isin(leading(game))]
    one = len(table.drop_duplicates(["row", "edit"])) == 1
    first = table.iloc[0]
    title = f"{first['name']}: {first['edit']}" if one else "What became of the edited rows"
    if not one and table["row"].nunique() == 1:
        title = f"What became of {first['name']}"
    names = table["name"] if table.groupby("row")["edit"].nunique().max() > 1 else table["name"] + ": " + table["edit"]
    columns = [
        "row",
        "variant",
        "baseline",
        "label",
        "kind",
        "before",
        "before_low",
        "before_high",
        "value",
        "low",
        "high",
    ]
    about = f"What became of {first['name']}" if table["row"].nunique() == 1 else title
    return Drawing("edited_rows", about, table.assign(row=names)[columns], {"title": title})


def _apart(found: ComparisonResults) -> dict[str, Drawing]:
    """The curves of a pool, a line a variant."""
    parts: list[pd.DataFrame] = []
    for name in found.names:
        its = found.variant(name)
        parts += [curve.assign(panel=curve["bot"], bot=name) for curve in curves_of(its.curves(), its.headline)]
    if not parts:
        return {}
    first = found.variant(found.names[0])
    outcome = first.declaration.outcome(first.headline)
    words = {"label": outcome.label, "scale": scale_of(outcome)}
    return {"curves": Drawing("panels", f"{outcome.label} by the number that bots differ in", pd.concat(parts), words)}


def _differences(found: ComparisonResults, table: pd.DataFrame, outcome: Outcome) -> Drawing:
    pairs = list(dict.fromkeys(zip(table["variant"], table["baseline"], strict=True)))
    kept = pairs[:MOST_CONTRASTS]
    table = table[[pair in kept for pair in zip(table["variant"], table["baseline"], strict=True)]]
    if scale_of(outcome) == 100:
        least, unit, stated = LEAST_POINTS, " in points", f"±{LEAST_POINTS:g} point"
    else:
        least = LEAST_PART * float((table["value"] - table["difference"]).abs().mean())
        unit = f" in {outcome.unit}" if outcome.unit and outcome.unit != outcome.label else ""
        stated = f"±{100 * LEAST_PART:g}% of the mean"
    title = f"{outcome.label}: difference to {pairs[0][1]}"
    if len(pairs) == 1:
        variant, baseline = pairs[0]
        title = in_short(changes_between(found.variant(variant).plan, found.variant(baseline).plan))
        title = title if 0 < len(title) <= 80 else f"{variant} less {baseline}"
    elif len({baseline for _, baseline in pairs}) > 1:
        title = f"{outcome.label}: variants less baselines"
    what = outcome.label.lower() if outcome.kind == "share" else outcome.label
    label = f"Change of {what}{unit}"
    columns = table[["variant", "baseline", "bot", "difference", "low", "high"]]
    words = {"label": label, "kind": outcome.kind, "least": least, "title": title}
    footer = f"The axis is at least {stated} wide."
    return Drawing("differences", f"{outcome.label}: what changes for each bot", columns, words, footer)
