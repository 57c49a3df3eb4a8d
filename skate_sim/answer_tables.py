"""Tables of an experiment's answers as they are printed: numbers with their intervals, places side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from skate_sim.break_even import EQUAL_AT
from skate_sim.console import Finding
from skate_sim.differences import amount_cell
from skate_sim.digits import format_interval
from skate_sim.games import Game, Outcome
from skate_sim.observed import ALL
from skate_sim.stats import Estimate

if TYPE_CHECKING:
    from skate_sim.study import Answer

#: Rows of a table that are printed; files have all.
MOST_ROWS = 40
#: With more rows than these, only all bots together are printed.
MOST_BY_BOT = 20

#: What a table may be broken into columns by, besides the game's axes.
_ACROSS = ("against", "bot")
#: Columns that say what a row is about; the first of them names it.
_LABELS = ("name", "variant", "bot", "at", "seat")
#: Columns that tell whether a number is beyond doubt.
_SURE = ("sure", "decided")
_DOUBT = " ?"


def answer_findings(answer: Answer, found: Any, game: Game, headline: str, everything: bool) -> Iterator[Finding]:
    """Tables of an answer to print; ``everything`` adds bots, short summaries and what pairs are worth.

    Parameters
    ----------
    headline : str
        Name of the outcome that tables without a column ``outcome`` are about.
    """
    for name, table in answer.tables(found).items():
        if table.empty or (len(table) == 1 and not everything):
            continue  # one row is told in words
        title = name.replace("_", " ").capitalize()
        if "outcome" not in table:
            table = table.assign(outcome=headline)
        of_game = []
        for outcome_name, part in table.groupby("outcome", sort=False):
            outcome = _outcome(game, str(outcome_name), headline)
            if not (outcome.shown or everything):
                continue
            if own := _own_finding(answer, name, part, outcome):
                yield own
            elif outcome.level == "game" and "name" in part:
                of_game.append((outcome, part))
            else:
                yield _finding(title, part.drop(columns="outcome"), outcome, game, everything)
        if of_game:
            yield _of_game(title, of_game)


def _own_finding(answer: Answer, name: str, table: pd.DataFrame, outcome: Outcome) -> Finding | None:
    """A table as its answer prints it, where its numbers are no amounts of the outcome."""
    printed = getattr(answer, "printed", None)
    return printed(name, table, outcome) if printed else None


def _outcome(game: Game, name: str, headline: str) -> Outcome:
    """An outcome by name; what no game declares is told as the headline is."""
    declared = [o for o in game.outcomes if o.name == name]
    return declared[0] if declared else replace(game.outcome(headline), label=name.replace("_", " ").capitalize())


def _finding(title: str, table: pd.DataFrame, outcome: Outcome, game: Game, everything: bool) -> Finding:
    heading, note = f"{title}: {outcome.label}{_unit(outcome) if 'value' in table else ''}", ""
    if "name" in table and "row" in table:
        table = table.drop(columns="row")
    if "number" in table and table["number"].nunique() == 1:
        heading, table = f"{heading} by {table['number'].iloc[0]}", table.drop(columns="number")
    axis = next((a for a in game.axes if a in table), None)
    if axis is not None and "value" in table and "name" in table:  # a row compared to itself says nothing
        itself = (table[["value", "low", "high"]] == 0).all(axis=1).groupby(table["name"]).transform("all")
        table = table[~itself] if not itself.all() else table
    if axis is not None and "bot" in table and ALL in set(table["bot"]):
        names = table.drop(columns=["bot"]).drop_duplicates(subset=[c for c in _LABELS if c in table and c != "bot"])
        if not everything and len(names) * table["bot"].nunique() > MOST_BY_BOT:
            table = table[table["bot"] == ALL].drop(columns="bot")
            heading += ", all bots together"
            note = "By bot: --all, and the files."
    across = axis or next((a for a in _ACROSS if a in table and _varies(table, a)), None)
    if across is not None:
        columns, rows = _broken(table, across, outcome, game)
    else:
        columns, rows = _in_line(table, outcome, everything)
    if any(cell.endswith(_DOUBT) for row in rows for cell in row):
        note = f"{note} ?: not beyond doubt, corrected for all of them.".strip()
    if len(rows) > MOST_ROWS:
        note = f"{note} The first {MOST_ROWS} of {len(rows)} rows.".strip()
    texts = frozenset(c for n, c in enumerate(columns[1:], 1) if c.lower() in _LABELS)
    return Finding(heading, columns, rows[:MOST_ROWS], note, texts)


def _varies(table: pd.DataFrame, column: str) -> bool:
    """Whether a column has several values for what the other labels name."""
    labels = [c for c in _LABELS if c in table and c != column]
    return bool(labels) and bool(table.duplicated(subset=labels).any())


def _broken(table: pd.DataFrame, across: str, outcome: Outcome, game: Game) -> tuple[list[str], list[list[str]]]:
    """A row for each combination of labels, a column for each value of ``across``."""
    labels = [c for c in _LABELS if c in table and c != across] or [str(table.columns[0])]
    places = list(dict.fromkeys(table[across]))
    if across == "against":  # in the order of the rows
        places.sort(key=list(dict.fromkeys(table["bot"])).index)
    cells: dict[tuple[str, ...], dict[Any, str]] = {}
    for row in table.to_dict("records"):
        key = tuple(_plain(row[c]) for c in labels)
        cells.setdefault(key, {})[row[across]] = _cell({str(k): v for k, v in row.items()}, outcome)
    word = game.axes.get(across)
    headings = [f"{word} {place}" if word else str(place) for place in places]
    if len(labels) == 2 and labels[1] == "bot":
        cells = {key: cells[key] for name in dict.fromkeys(k[0] for k in cells) for key in cells if key[0] == name}
        first = {name: next(key for key in cells if key[0] == name) for name, _ in cells}
        texts = [name if (name, bot) == first[name] and bot == ALL else f"  {bot}" for name, bot in cells]
        if ALL not in {bot for _, bot in cells}:
            texts = [f"{name}, {bot}" for name, bot in cells]
        labels, cells = labels[:1], {(t, *k): of for t, (k, of) in zip(texts, cells.items(), strict=True)}
    rows = [[*key[: len(labels)], *(of.get(place, "–") for place in places)] for key, of in cells.items()]
    return [*(c.capitalize() for c in labels), *headings], rows


def _in_line(table: pd.DataFrame, outcome: Outcome, everything: bool) -> tuple[list[str], list[list[str]]]:
    """A row a row, each number with its interval in one cell."""
    hidden = {"low", "high", *_SURE, "best_rank", "worst_rank"} | {
        f"{c}{end}" for c in table.columns for end in ("_low", "_high")
    }
    if not everything:
        hidden |= {"correlation", "worth"}
    if "best_rank" in table:
        hidden.add("rank")
    shown = [str(c) for c in table.columns if c not in hidden]
    shown.sort(key=lambda c: _LABELS.index(c) if c in _LABELS else len(_LABELS))
    rows = []
    for record in table.to_dict("records"):
        row = {str(k): v for k, v in record.items()}
        cells = []
        for column in shown:
            if column == "value":
                cells.append(_cell(row, outcome))
            elif f"{column}_low" in row:
                kind = "points" if column == EQUAL_AT else outcome.kind  # a value of the number that is varied
                cells.append(format_interval(row[column], row[f"{column}_low"], row[f"{column}_high"], kind))
            else:
                cells.append(_plain(row[column], column))
        rows.append([*cells, _ranks(row)] if "best_rank" in row else cells)
    headings = [c.replace("_", " ").capitalize() for c in shown] + (["Rank"] if "best_rank" in table else [])
    return headings, rows


def _cell(row: dict[str, Any], outcome: Outcome) -> str:
    if "mean_low" in row:
        return format_interval(row["mean"], row["mean_low"], row["mean_high"], outcome.kind)
    if "value" not in row:
        return _ranks(row) if "best_rank" in row else "–"
    text = amount_cell(Estimate(row["value"], row["low"], row["high"]), outcome)
    doubtful = any(name in row and not row[name] for name in _SURE)
    return text + (_DOUBT if doubtful and row["low"] < row["high"] else "")


def _ranks(row: dict[str, Any]) -> str:
    best, worst = row["best_rank"], row["worst_rank"]
    return str(best) if best == worst else f"{best}-{worst}"


def _of_game(title: str, parts: list[tuple[Outcome, pd.DataFrame]]) -> Finding:
    """Outcomes of the game side by side."""
    cells: dict[str, list[str]] = {}
    for outcome, part in parts:
        for row in part.to_dict("records"):
            cells.setdefault(str(row["name"]), []).append(_cell({str(k): v for k, v in row.items()}, outcome))
    headings = ["Name", *(f"{o.label}{_unit(o) if o.kind in ('share', 'flag') else ''}" for o, _ in parts)]
    return Finding(f"{title}: the game as a whole", headings, [[name, *row] for name, row in cells.items()])


def _unit(outcome: Outcome) -> str:
    return " [% points]" if outcome.kind in ("share", "flag") else ""


def _plain(value: Any, column: str = "") -> str:
    """A number without an interval: chances with two decimals, others with three digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value != value:
            return "–"
        return f"{value:.2f}" if column.startswith(("chance", "correlation")) else f"{value:.3g}"
    return str(value)
