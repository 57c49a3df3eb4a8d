"""What a comparison found, as tables to print; the tables of single variants are left to their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from skate_sim.console import Finding
from skate_sim.differences import amount_cell
from skate_sim.digits import digits_for, fixed
from skate_sim.findings import Row, comparison, records
from skate_sim.findings import estimate as estimate_of
from skate_sim.games import Game, Outcome
from skate_sim.observed import ALL
from skate_sim.stats import LEVEL, Estimate

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonAnswers

#: Columns of variants and differences that have room beside each other.
MOST_COLUMNS = 5
_NORMAL = 1.96


def comparison_findings(found: ComparisonAnswers, everything: bool = False) -> Iterator[Finding]:
    """The headline and the score by variant with their differences, and what else changed beyond doubt.

    ``everything``: all outcomes, changed or not, with correlation and worth.
    """
    shown = found.names if everything else found.shown
    results = {name: found.variant(name) for name in shown}
    tables = found.tables()
    first = found.variant(found.names[0])
    game = first.declaration
    table = tables.get("differences")
    if table is not None and not everything:
        table = table[table["variant"].isin(found.shown)]
    if table is None or table.empty:
        if len(results) > 1:
            yield from comparison(results, everything, same=found.manifest()["comparable"])
        return
    leading = leading_outcomes(game, first.headline)
    pairs = table[["variant", "baseline"]].drop_duplicates()
    if everything or len(results) + len(pairs) > MOST_COLUMNS:
        if len(results) > 1:
            yield from comparison(results, everything)
        for outcome in leading:
            yield _in_full(table[table["outcome"] == outcome.name], outcome, found, everything)
    else:
        for outcome in leading:
            yield _together(found, table[table["outcome"] == outcome.name], outcome)
    yield from _others(table, game, leading, everything)


def leading_outcomes(game: Game, headline: str) -> list[Outcome]:
    """What ranks, and the score."""
    return [game.outcome(name) for name in dict.fromkeys([headline, game.score])]


def outcomes_of_game(game: Game) -> list[Outcome]:
    """Numbers of the game as a whole that differences are told of: those that are shown, and points."""
    chosen = (o for o in game.outcomes if o.level == "game" and o.axis is None and o.kind != "label")
    return [o for o in chosen if o.shown or o.kind == "points"]


def _others(table: pd.DataFrame, game: Game, leading: list[Outcome], everything: bool) -> Iterator[Finding]:
    """Other outcomes of bots and of the game; only what changed beyond doubt, unless everything is asked for."""
    plain = [o for o in game.outcomes if o.axis is None and o.kind != "label" and o not in leading]
    of_bots = [o for o in plain if o.level == "seat" and (o.shown or everything)]
    of_game = [o for o in plain if o.level == "game"] if everything else outcomes_of_game(game)
    changed = set(table["outcome"]) if everything else set(table[table["certain"]]["outcome"])
    still = [o.label for o in [*of_bots, *of_game] if o.name not in changed and o.name in set(table["outcome"])]
    note = f"Nothing else changed beyond doubt: {', '.join(still)}." if still else ""
    parts = [("Other differences", of_bots), ("Differences of the game as a whole", of_game)]
    kept = [(title, shown) for title, every in parts if (shown := [o for o in every if o.name in changed])]
    for number, (title, outcomes) in enumerate(kept, 1):
        yield _in_short(table if everything else _moved(table, outcomes), outcomes, title, note * (number == len(kept)))
    if still and not kept:
        yield Finding("Other differences", ["None"], [], note.replace("Nothing else", "Nothing"))


def _moved(table: pd.DataFrame, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """The rows of those contrasts and bots of which any of the outcomes changed beyond doubt."""
    table = table[table["outcome"].isin([o.name for o in outcomes])]
    return table[table.groupby(["variant", "baseline", "bot"])["certain"].transform("any")]


def _together(found: ComparisonAnswers, table: pd.DataFrame, outcome: Outcome) -> Finding:
    """Means of an outcome by bot and variant, and beside them the differences on the same games."""
    cells: dict[str, dict[str, str]] = {}
    order: dict[str, float] = {}
    for name in found.shown:
        for row in records(found.variant(name).bots()):
            cells.setdefault(row["bot"], {})[name] = estimate_of(row, outcome)
            order.setdefault(row["bot"], row[outcome.name])
    heads: dict[str, None] = {}
    for row in records(table):
        head = f"{row['variant']} less {row['baseline']}"
        heads[head] = None
        cells.setdefault(row["bot"], {})[head] = difference_cell(row, outcome)
    names = sorted(cells, key=lambda bot: -order.get(bot, -math.inf))
    columns = [*found.shown, *(f"{head} {unit_text(outcome)}".strip() for head in heads)]
    rows = [[bot, *(cells[bot].get(key, "–") for key in [*found.shown, *heads])] for bot in names]
    note = "±: 95% interval, of a mean by itself, of a difference on the same games. "
    if found.manifest().get("level", LEVEL) != LEVEL:
        note = "±: interval that is valid at every look, of a mean by itself, of a difference on the same games. "
    return Finding(f"{outcome.label} by variant", ["Bot", *columns], rows, note.strip())


def _in_full(table: pd.DataFrame, outcome: Outcome, found: ComparisonAnswers, everything: bool) -> Finding:
    """Differences of one outcome, a row a bot and contrast; ``everything`` adds correlation and worth."""
    title, names, headings = _heads(table)
    games, level = found.games, found.manifest().get("level", LEVEL)
    rows = []
    for row in records(table):
        more = [
            correlation_text(row["correlation"], row["worth"], games),
            worth_text(row["correlation"], row["worth"], games),
        ]
        rows.append([*names(row), difference_cell(row, outcome), *(more if everything else [])])
    note = "Differences on the same games. "
    note += "±: 95% interval. " if level == LEVEL else "±: interval that is valid at every look, 95% for all looks. "
    if everything:
        note += "Worth: how many games of independent runs would say as much as one game that both played. "
    if any("0 exactly" in row for row in rows):
        note += "0 exactly: both play the very same games."
    columns = [*headings, f"Difference {unit_text(outcome)}".strip(), *(["Correlation", "Worth"] if everything else [])]
    texts = frozenset(headings[1:])
    return Finding(f"{outcome.label}: {title}", columns, rows, note.strip(), texts)


def _in_short(table: pd.DataFrame, outcomes: Sequence[Outcome], title: str, note: str) -> Finding:
    """Differences of several outcomes side by side, a row a bot and contrast."""
    what, names, headings = _heads(table)
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    by_name = {o.name: o for o in outcomes}
    for row in records(table[table["outcome"].isin(list(by_name))]):
        rows.setdefault(tuple(names(row)), {})[row["outcome"]] = difference_cell(row, by_name[row["outcome"]])
    cells = [[": ".join(name), *(row.get(o.name, "–") for o in outcomes)] for name, row in rows.items()]
    labels = [
        f"{label} [% points]" if _is_share(o) else label for o, label in zip(outcomes, labelled(outcomes), strict=True)
    ]
    return Finding(f"{title}: {what}", [": ".join(headings), *labels], cells, note)


def labelled(outcomes: Sequence[Outcome]) -> list[str]:
    """Labels of outcomes; with the unit where two have the same."""
    labels = [o.label for o in outcomes]
    return [f"{o.label} ({o.unit})" if labels.count(o.label) > 1 else o.label for o in outcomes]


def difference_cell(row: Row, outcome: Outcome) -> str:
    """A difference with its interval; one that no game had says so."""
    estimate = Estimate(row["difference"], row["low"], row["high"])
    if estimate.mean == 0 and not math.isfinite(estimate.low):
        return "no game differed"
    return signed(estimate, outcome)


def _heads(table: pd.DataFrame) -> tuple[str, Callable[[Row], list[str]], list[str]]:
    """What is compared, for a title; the cells that name a row; and their headings."""
    contrasts = list(dict.fromkeys(zip(table["variant"], table["baseline"], strict=True)))
    baselines = {baseline for _, baseline in contrasts}
    if len(contrasts) == 1:
        [(variant, baseline)] = contrasts
        return f"{variant} less {baseline}", lambda row: [_bot(row)], ["Bot"]
    if len(baselines) == 1:
        return f"difference to {baselines.pop()}", lambda row: [row["variant"], _bot(row)], ["Variant", "Bot"]
    return (
        "variants less baselines",
        lambda row: [f"{row['variant']} less {row['baseline']}", _bot(row)],
        ["Compared", "Bot"],
    )


def _bot(row: Row) -> str:
    return "the game" if row["bot"] == ALL else str(row["bot"])


def _is_share(outcome: Outcome) -> bool:
    return outcome.kind in ("share", "flag")


def unit_text(outcome: Outcome) -> str:
    """Unit of a difference, in brackets."""
    return "[% points]" if _is_share(outcome) else f"[{outcome.unit}]" if outcome.unit else ""


def signed(estimate: Estimate, outcome: Outcome) -> str:
    """A difference with its interval and its sign; shares in points of a percent."""
    return amount_cell(estimate, outcome)


def worth_text(correlation: float, worth: float, games: int) -> str:
    """How many games of independent runs one is worth, with no more digits than it supports.

    Its relative error is about that of the variance of the difference: of all games where most differ, of the about
    ``games / worth`` that differ where few do.
    """
    if math.isnan(worth):
        return "–"
    if math.isinf(worth):
        return "∞"
    return fixed(worth, min(1, digits_for(worth * _relative_error(correlation, worth, games))))


def correlation_text(correlation: float, worth: float, games: int) -> str:
    """A correlation, with no more digits than it supports."""
    if math.isnan(correlation):
        return "–"
    error = (1 - correlation) * _relative_error(correlation, worth, games)
    return f"{correlation:g}" if error <= 0 else fixed(correlation, max(0, min(4, digits_for(error))))


def _relative_error(correlation: float, worth: float, games: int) -> float:
    """Half of a 95% interval of a worth, relative to it."""
    r = 0.0 if math.isnan(correlation) else correlation
    few = worth if math.isfinite(worth) else 0.0
    return _NORMAL * math.sqrt(((1 + r) ** 2 + few) / max(1, games))
