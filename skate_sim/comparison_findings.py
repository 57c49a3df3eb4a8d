"""What a comparison found, as tables to print and in words; the tables of single variants are left to their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from skate_sim.console import Finding
from skate_sim.curves import moving_sentences
from skate_sim.differences import amount_cell, is_sure
from skate_sim.digits import digits_for, fixed
from skate_sim.findings import Row, comparison, records
from skate_sim.games import Outcome
from skate_sim.observed import ALL
from skate_sim.stats import Estimate, corrected

if TYPE_CHECKING:
    from skate_sim.compared import Compared
    from skate_sim.comparison import Contrast
    from skate_sim.comparison_results import ComparisonAnswers, ComparisonResults

#: Contrasts that are told in words; the table has all.
MOST_SENTENCES = 6
_NORMAL = 1.96


def comparison_findings(found: ComparisonAnswers, everything: bool = False) -> Iterator[Finding]:
    """Variants side by side, and their differences: the headline and the score with all that is known, others short."""
    shown = found.names if everything else found.shown
    results = {name: found.variant(name) for name in shown}
    if len(results) > 1:
        yield from comparison(results, everything)
    table = found.tables().get("differences")
    if table is None:
        return
    if not everything:
        table = table[table["variant"].isin(found.shown)]
    if table.empty:
        return
    first = found.variant(found.names[0])
    game, level = first.declaration, found.manifest().get("level", 0.95)
    leading = [game.outcome(name) for name in dict.fromkeys([first.headline, game.score])]
    outcomes = [o for o in game.outcomes if o.axis is None and o.kind != "label" and (o.shown or everything)]
    for outcome in leading:
        yield _in_full(table[table["outcome"] == outcome.name], outcome, found.games, level)
    others = [o for o in outcomes if o not in leading and o.level == "seat"]
    if others:
        yield _in_short(table, others, "Other differences")
    of_game = [o for o in outcomes if o.level == "game"]
    if of_game:
        yield _in_short(table, of_game, "Differences of the game as a whole")


def _in_full(table: pd.DataFrame, outcome: Outcome, games: int, level: float) -> Finding:
    """Differences of one outcome with correlation and worth, a row a bot and contrast."""
    title, names, headings = _heads(table)
    rows = [
        [
            *names(row),
            signed(Estimate(row["difference"], row["low"], row["high"]), outcome),
            correlation_text(row["correlation"], row["worth"], games),
            worth_text(row["correlation"], row["worth"], games),
        ]
        for row in records(table)
    ]
    note = "Differences on the same games. "
    note += "±: 95% interval. " if level == 0.95 else "±: interval that is valid at every look, 95% for all looks. "
    note += "Worth: how many games of independent runs would say as much as one game that both played. "
    note += "0 exactly: both play the very same games."
    columns = [*headings, f"Difference {unit_text(outcome)}".strip(), "Correlation", "Worth"]
    texts = frozenset(headings[1:])
    return Finding(f"{outcome.label}: {title}", columns, rows, note, texts)


def _in_short(table: pd.DataFrame, outcomes: Sequence[Outcome], title: str) -> Finding:
    """Differences of several outcomes side by side, a row a bot and contrast."""
    what, names, headings = _heads(table)
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    by_name = {o.name: o for o in outcomes}
    for row in records(table[table["outcome"].isin(list(by_name))]):
        estimate = Estimate(row["difference"], row["low"], row["high"])
        rows.setdefault(tuple(names(row)), {})[row["outcome"]] = signed(estimate, by_name[row["outcome"]])
    cells = [[": ".join(name), *(row.get(o.name, "–") for o in outcomes)] for name, row in rows.items()]
    labels = [f"{o.label} [% points]" if _is_share(o) else o.label for o in outcomes]
    return Finding(f"{title}: {what}", [": ".join(headings), *labels], cells)


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


def sentences(found: ComparisonResults) -> list[str]:
    """The differences of the headline in words, the largest first; where none is certain, those of the score.

    Corrected for all that is looked at.
    """
    if found.compared is None:
        return _peaks(found)
    plan = found.compared.plan
    contrasts = [c for c in found.study.listed_contrasts if c.name in found.shown]
    if not contrasts:
        return []
    names = dict.fromkeys([plan.game.headlines[plan.resolved.seats], plan.game.score])
    outcomes = [plan.game.outcome(name) for name in names]
    looked_at = len(contrasts) * len(plan.bots) * len(outcomes)
    lines: list[str] = []
    for outcome in outcomes:
        told, contrasts = _told(found.compared, contrasts, outcome, corrected(found.level, looked_at))
        lines += told[:MOST_SENTENCES]
        if len(told) > MOST_SENTENCES:
            lines.append(f"And {len(told) - MOST_SENTENCES} smaller ones in the table.")
        if contrasts:
            quiet = ", ".join(c.name for c in contrasts)
            lines.append(f"No difference in {outcome.label.lower()} is certain for any bot: {quiet}.")
    if looked_at > 1:
        lines.append(f"All of this together at {100 * found.level:.4g}% (Bonferroni, {looked_at}).")
    return lines


def _told(
    compared: Compared, contrasts: list[Contrast], outcome: Outcome, level: float
) -> tuple[list[str], list[Contrast]]:
    """A sentence for each contrast in which a bot's difference is certain, and the contrasts in which none is."""
    told: list[tuple[float, str]] = []
    quiet = []
    for contrast in contrasts:
        by_bot = {
            bot: compared.difference(contrast, outcome, entry=number, level=level).estimate
            for number, bot in enumerate(compared.bot_names())
        }
        sure = {bot: e for bot, e in by_bot.items() if is_sure(e)}
        open_ = [bot for bot, e in by_bot.items() if bot not in sure and not e.low == e.high == 0]
        if sure:
            unit = "" if outcome.unit == outcome.label else unit_text(outcome)
            text = f"{contrast.name} less {contrast.baseline}, {outcome.label} {unit}".rstrip() + ": "
            text += ", ".join(f"{bot} {signed(e, outcome)}" for bot, e in sure.items())
            text += f"; no difference is certain for {', '.join(open_)}" if open_ else ""
            told.append((max(abs(e.mean) for e in sure.values()), f"{text}."))
        elif open_:
            quiet.append(contrast)
        else:
            told.append((-1.0, f"{contrast.name} and {contrast.baseline} play the very same games."))
    return [text for _, text in sorted(told, key=lambda pair: -pair[0])], quiet


def _peaks(found: ComparisonResults) -> list[str]:
    """Where the curves of a pool are highest in each of the variants."""
    results = {name: found.variant(name) for name in found.names}
    outcomes = {name: its.declaration.outcome(its.headline) for name, its in results.items()}
    return moving_sentences({name: its.curves() for name, its in results.items()}, outcomes)


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
