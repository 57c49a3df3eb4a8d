"""From tallies to tidy tables: one function a table, plain columns, every estimate with its interval.

Columns of an estimate of ``x`` are ``x``, ``x_low`` and ``x_high`` (at 95%, or the level given), and ``x_sd`` for the
standard deviation of the number that one seat has in one game. Shares go from 0 to 1. Seats and places along an axis
count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skate_sim import stats
from skate_sim.games import Game, Ledger, Outcome, RowColumn
from skate_sim.observed import ALL, Observed, display_names, games_of, histogram, observed, unit_of, win_share_of
from skate_sim.simulation import Plan
from skate_sim.tallies import Tallies

QUANTILES = {"q05": 0.05, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q95": 0.95}

Row = dict[str, Any]


def estimated(name: str, estimate: stats.Estimate) -> Row:
    """The three cells of an estimate."""
    return {name: estimate.mean, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _estimated(plan: Plan, its: Observed, columns: Sequence[tuple[int, Outcome]], level: float) -> Row:
    """The cells of all estimates of columns."""
    row: Row = {}
    for (_, outcome), estimate in zip(columns, its.estimates(columns, plan.game, level), strict=True):
        row |= estimated(outcome.name, estimate)
    return row


def _plain(columns: tuple[RowColumn, ...]) -> list[tuple[int, Outcome]]:
    """Columns without axis whose numbers have a mean."""
    return [(n, c.outcome) for n, c in enumerate(columns) if c.index is None and c.outcome.kind != "label"]


def bots_table(plan: Plan, tallies: Tallies, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row a bot: games, seat_games (games times seats taken), its outcomes, quantiles of its score."""
    layout, rows = plan.layout, []
    for entry, name in enumerate(display_names(plan.bots)):
        its = observed(plan, tallies, entry)
        row: Row = {"bot": name, "games": its.games_played, "seat_games": int((its.games * its.seats).sum())}
        columns = _plain(layout.seat_columns)
        means, deviations = _means(plan, its, columns, level), _deviations(plan, tallies, entry, columns)
        for (_, outcome), mean, deviation in zip(columns, means, deviations, strict=True):
            row |= estimated(outcome.name, mean)
            row[f"{outcome.name}_sd"] = deviation
        row |= _score_quantiles(plan, tallies, entry, its.games_played, level)
        rows.append(row)
    return pd.DataFrame(rows)


def mean_of(plan: Plan, its: Observed, column: int, outcome: Outcome, level: float = stats.LEVEL) -> stats.Estimate:
    """Mean of an outcome of a bot, with its interval."""
    return _means(plan, its, [(column, outcome)], level)[0]


def _means(plan: Plan, its: Observed, columns: Sequence[tuple[int, Outcome]], level: float) -> list[stats.Estimate]:
    """Means of outcomes of a bot, with their intervals."""
    means = its.estimates(columns, plan.game, level)
    if bool((its.seats == plan.resolved.seats).all()):
        # One bot in every seat has all wins between them: no chance left.
        shared = win_share_of(plan.game)
        made = zip(columns, means, strict=True)
        means = [stats.Estimate(m.mean, m.mean, m.mean) if o is shared else m for (_, o), m in made]
    return means


def _deviations(plan: Plan, tallies: Tallies, entry: int, columns: Sequence[tuple[int, Outcome]]) -> list[float]:
    """Standard deviations of what one seat has in one game, over all lineups."""
    lineups = plan.layout.lineups[:, : plan.resolved.seats]
    at = lineups == entry
    games = int((at.sum(axis=1) * tallies.games).sum())
    totals, squares = tallies.seat_sums[at].T.tolist(), tallies.seat_squares[at].T.tolist()
    return [
        stats.standard_deviation(games, sum(totals[column]), sum(squares[column]), unit_of(outcome, plan.game))
        for column, outcome in columns
    ]


def _score_quantiles(plan: Plan, tallies: Tallies, entry: int, games: int, level: float) -> Row:
    score = plan.game.outcome(plan.game.score)
    if not score.histogram or score.level != "seat":
        return {}
    values, counts = histogram(plan, tallies, score, entry)
    row: Row = {}
    for name, q in QUANTILES.items():
        row |= estimated(name, stats.quantile(values, counts, q, games=games, open_ends=True, level=level))
    return row


def seats_table(plan: Plan, tallies: Tallies, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row for each bot and seat that it took, and for ``all`` bots by seat: games and outcomes."""
    rows = []
    for entry, name in [*enumerate(display_names(plan.bots)), (None, ALL)]:
        for seat in range(plan.resolved.seats):
            its = observed(plan, tallies, entry, seat)
            if len(its.games):
                row: Row = {"bot": name, "seat": seat + 1, "games": its.games_played}
                rows.append(row | _estimated(plan, its, _plain(plan.layout.seat_columns), level))
    return pd.DataFrame(rows)


def axis_table(plan: Plan, tallies: Tallies, axis: str, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row for each bot and place along an axis: the outcomes that have this axis."""
    columns = [
        (number, column.outcome, column.index)
        for number, column in enumerate(plan.layout.seat_columns)
        if column.outcome.axis == axis and column.index is not None and column.outcome.kind != "label"
    ]
    rows: list[Row] = []
    for entry, name in enumerate(display_names(plan.bots)):
        its = observed(plan, tallies, entry)
        estimates = its.estimates([(number, outcome) for number, outcome, _ in columns], plan.game, level)
        places: dict[int, Row] = {}
        for (_, outcome, place), estimate in zip(columns, estimates, strict=True):
            row = places.setdefault(place, {"bot": name, axis: place, "games": its.games_played})
            row |= estimated(outcome.name, estimate)
        rows += places.values()
    return pd.DataFrame(rows)


def game_table(plan: Plan, tallies: Tallies, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row for each outcome of the game as a whole: label, unit, mean, low, high, sd."""
    its = Observed(tallies.games, np.ones_like(tallies.games), tallies.game_sums, tallies.game_squares)
    rows, columns = [], _plain(plan.layout.game_columns)
    for (column, outcome), (mean, low, high) in zip(columns, its.estimates(columns, plan.game, level), strict=True):
        total, squares = sum(its.sums[:, column].tolist()), sum(its.squares[:, column].tolist())
        sd = stats.standard_deviation(its.games_played, total, squares, unit_of(outcome, plan.game))
        texts = {"outcome": outcome.name, "label": outcome.label, "unit": outcome.unit}
        rows.append({**texts, "mean": mean, "low": low, "high": high, "sd": sd})
    return pd.DataFrame(rows, columns=["outcome", "label", "unit", "mean", "low", "high", "sd"])


def distributions_table(plan: Plan, tallies: Tallies, level: float = stats.LEVEL) -> pd.DataFrame:
    """All histograms below each other; one row for each outcome, bot (``all`` for the game) and value.

    ``open_end`` is ``below`` or ``above`` for numbers outside of what the histogram covers: they are counted
    there, and ``label`` says so. The interval of ``share`` takes a game as one observation.
    """
    bots = {name: entry for entry, name in enumerate(display_names(plan.bots))}
    games = {name: games_of(plan, tallies, entry) for name, entry in bots.items()}
    games[ALL] = int(tallies.games.sum())
    parts = []
    for outcome in plan.game.outcomes:
        if outcome.histogram and outcome.axis is None:
            names: Mapping[str, int | None] = bots if outcome.level == "seat" else {ALL: None}
            counted = {n: histogram(plan, tallies, outcome, e) for n, e in names.items()}
            parts += _distribution_rows(outcome, plan.game, counted, games, level)
    columns = ["outcome", "bot", "value", "label", "open_end", "count", "share", "share_low", "share_high"]
    return pd.DataFrame(parts, columns=columns).astype({"value": float, "open_end": str, "label": str})


def _distribution_rows(
    outcome: Outcome,
    game: Game,
    counted: Mapping[str, tuple[np.ndarray, np.ndarray]],
    games: Mapping[str, int],
    level: float,
) -> list[Row]:
    """Rows of one histogram; from the lowest to the highest value that any bot has."""
    together = np.array([counts for _, counts in counted.values()]).sum(axis=0)
    met = np.flatnonzero(together).tolist()
    every = outcome.kind not in ("share", "label") and met
    shown = list(range(met[0], met[-1] + 1)) if every else met
    rows = []
    for name, (values, counts) in counted.items():
        total = int(counts.sum())
        for i in shown:
            end = "below" if i == 0 else "above" if i == len(values) - 1 else ""
            value = int(values[i]) / unit_of(outcome, game)
            label = outcome.labels[int(values[i])] if outcome.kind == "label" and not end else f"{value:g}"
            share = stats.wilson(int(counts[i]) / total, games[name], level) if total else stats.NOTHING
            row: Row = {"outcome": outcome.name, "bot": name, "value": value}
            row |= {"label": {"below": "≤ ", "above": "≥ ", "": ""}[end] + label, "open_end": end}
            rows.append(row | {"count": int(counts[i])} | estimated("share", share))
    return rows


def ledger_table(plan: Plan, tallies: Tallies, ledger: Ledger, level: float = stats.LEVEL) -> pd.DataFrame:
    """One row for each row of the ledger and bot, and for ``all`` bots.

    Columns, for every event ``e``: ``e`` (how often), ``e_rate`` (per first event; the first event itself has
    ``e_per_game`` instead, per game of the bot) and ``win_share_when_e`` (mean win share of the seats that met it).
    ``value`` is what the row brought per first event. Intervals take events as independent, and win shares as yes
    or no, which is too wide where there are ties. Win shares of two rows come from different games: a difference
    alone does not say that the row is its cause.
    """
    shape = (len(plan.bots), ledger.capacity, 2, len(ledger.events))
    cells = tallies.ledger[:, plan.game.ledger_place(ledger)].reshape(shape)
    names = _row_names(plan, ledger)
    games = [games_of(plan, tallies, entry) for entry in range(len(plan.bots))]
    everyone = [*zip(display_names(plan.bots), cells, games, strict=True)]
    everyone.append((ALL, cells.sum(axis=0), int(tallies.games.sum())))
    rows = []
    for row, number in ledger.rows(plan.resolved).items():
        worth = plan.resolved.tables[ledger.table][row][ledger.value[1]]
        for bot, counts, played in everyone:
            texts = {"row": row, "name": names[row], "bot": bot, "games": played}
            rows.append(texts | _ledger_cells(ledger, counts[number], worth, played, plan.game.share_units, level))
    return pd.DataFrame(rows)


def _ledger_cells(ledger: Ledger, counts: np.ndarray, worth: float, games: int, units: int, level: float) -> Row:
    events = dict(zip(ledger.events, counts[0].tolist(), strict=True))
    shares = dict(zip(ledger.events, counts[1].tolist(), strict=True))
    first = events[ledger.first_event]
    row: Row = dict(events)
    for event, count in events.items():
        if event == ledger.first_event:
            row |= estimated(f"{event}_per_game", stats.rate_interval(count, games, level))
        else:
            row |= estimated(f"{event}_rate", stats.rate_interval(count, first, level))
    rate = stats.rate_interval(events[ledger.value[0]], first, level)
    row |= estimated("value", stats.Estimate(rate.mean * worth, *sorted((rate.low * worth, rate.high * worth))))
    for event, count in events.items():
        share = stats.wilson(shares[event] / (units * count), count, level) if count else stats.NOTHING
        row |= estimated(f"win_share_when_{event}", share)
    return row


def _row_names(plan: Plan, ledger: Ledger) -> dict[str, str]:
    """Readable name of each row: the table's first text, with the row's id where two are alike."""
    table = next(t for t in plan.game.tables if t.name == ledger.table)
    column = next((c.name for c in table.columns if c.kind == "text"), None)
    rows = plan.resolved.tables[ledger.table]
    names = {row: str(rows[row][column]) if column else row for row in ledger.rows(plan.resolved)}
    alike = [n for n in names.values() if list(names.values()).count(n) > 1]
    return {row: f"{name} ({row})" if name in alike else name for row, name in names.items()}
