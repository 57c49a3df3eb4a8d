"""What a run found, as tables to print: titles and headings in the words of the game's declarations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from skate_sim.console import Finding
from skate_sim.digits import digits_for, fixed, interval_text, whole
from skate_sim.games import Game, Ledger, Outcome, StepLedger
from skate_sim.observed import ALL

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.results import Answers

Row = Mapping[str, Any]

QUANTILES = {"q05": "5%", "q25": "25%", "q50": "50%", "q75": "75%", "q95": "95%"}
#: Most places along an axis that are printed; files have all.
MOST_PLACES = 12
#: Share of sequences below which a number of steps is not printed; files have all.
RARE = 0.001
#: With more bots than these, what happens along an axis is in the files, and printed if everything is.
MOST_BOTS = 12
#: Most variants side by side; more are below each other.
MOST_COLUMNS = 6


def findings(results: Answers, everything: bool = False) -> Iterator[Finding]:
    """All tables of a run; ``everything`` adds outcomes that are not shown otherwise, and ledgers bot by bot."""
    game = results.declaration
    yield bots_finding(results, everything)
    if everything or len(results.bots()) <= MOST_BOTS:
        yield from axis_findings(results, everything)
    if (finding := game_finding(results, everything)) is not None:
        yield finding
    for ledger in (x for x in game.every_ledger if x.name in results.ledger_names()):
        table = results.ledger(ledger.name)
        others = [bot for bot in dict.fromkeys(table["bot"]) if bot != ALL] if everything else []
        for bot in [ALL, *others]:
            its, title = table[table["bot"] == bot], ledger.title if bot == ALL else f"{ledger.title}: {bot}"
            if isinstance(ledger, StepLedger):
                yield step_finding(ledger, its, title)
            else:
                yield ledger_finding(game, ledger, its, title)


def bots_finding(results: Answers, everything: bool) -> Finding:
    """One row a bot, best first."""
    game = results.declaration
    headline, score = game.outcome(results.headline), game.outcome(game.score)
    leading = list(dict.fromkeys([headline, score]))
    table = _ranked(results)
    everyone = everything or len(table) <= MOST_BOTS
    others = [o for o in _of_seats(game, None, everything) if o not in leading] if everyone else []
    has_quantiles = all(name in table for name in QUANTILES)
    shown = QUANTILES if has_quantiles else {}
    spreads_of = {row["bot"]: [whole(row[q], score.low, score.high) for q in shown] for row in records(table)}
    wide = max(4, *(len(text) + 1 for texts in spreads_of.values() for text in texts)) if has_quantiles else 0
    spread = "".join(f"{share:>{wide}}" for share in QUANTILES.values())
    rows = [
        [
            row["bot"],
            *(estimate(row, o) for o in leading),
            deviation(row[f"{score.name}_sd"], row["games"]),
            *(["".join(f"{text:>{wide}}" for text in spreads_of[row["bot"]])] if has_quantiles else []),
            *(estimate(row, o) for o in others),
        ]
        for row in records(table)
    ]
    labels = _labels([*leading, *others])
    spreads = [spread] if has_quantiles else []
    headings = ["Bot", *labels[: len(leading)], "sd", *spreads, *labels[len(leading) :]]
    always = ", valid at every look" if results.manifest().get("precision") else ""
    note = f"±: 95% interval{always}. sd and 5% to 95%: how the {score.label} of a {game.seat_word} "
    note += "differs from game to game; at 25%, a quarter of the games had that much or less. "
    note += meanings([headline, *others])
    if headline.kind == "share":
        seats = int(results.manifest()["seats"])
        note += f" A share is per game in which the bot sat; at {seats} seats a fair one is {100 / seats:.3g}%."
    return Finding("Bots", headings, rows, note)


def axis_findings(results: Answers, everything: bool) -> Iterator[Finding]:
    """One table for each outcome with an axis: a row a bot, a column a place."""
    game = results.declaration
    bots = [row["bot"] for row in records(_ranked(results))]
    for axis, plain in game.axes.items():
        rows = {(row["bot"], row[axis]): row for row in records(results.along(axis))}
        places = sorted({place for _, place in rows})[:MOST_PLACES]
        for outcome in _of_seats(game, axis, everything):
            cells = [[bot, *(estimate(rows[bot, place], outcome) for place in places)] for bot in bots]
            headings = ["Bot", *(f"{plain} {place}" for place in places)]
            yield Finding(f"{outcome.label} by {plain.lower()}", headings, cells, meanings([outcome]))


def game_finding(results: Answers, everything: bool) -> Finding | None:
    """The numbers that a game has as a whole."""
    game, rows = results.declaration, []
    for row in records(results.game()):
        outcome = game.outcome(row["outcome"])
        if outcome.shown or everything:
            number = interval_text(row["mean"], row["low"], row["high"], outcome.kind)
            rows.append([outcome.label, number, deviation(row["sd"], results.games), outcome.help])
    return (
        Finding("Games", ["A game has", "Mean", "sd", "Meaning"], rows, texts=frozenset({"Meaning"})) if rows else None
    )


def ledger_finding(game: Game, ledger: Ledger, table: pd.DataFrame, title: str) -> Finding:
    """One row for each row of a ledger: its first event per game, the others per first event, and what it brought."""
    first = ledger.first_event
    events = [first, *(e for e in ledger.events if e != first and table[e].any())]
    never = [e for e in ledger.events if e not in events]
    worth = worth_of(game, ledger)
    rows = []
    for row in records(table):
        rates = [interval(row, f"{e}_per_game" if e == first else f"{e}_rate", "share") for e in events]
        wins = interval(row, f"win_share_when_{first}", "share")
        rows.append([row["name"], *rates, interval(row, "value", "points"), wins])
    note = f"{first.capitalize()}: {ledger.events[first]}, per game. The others are per time {first}: "
    note += "; ".join(f"{event}, {ledger.events[event]}" for event in events[1:])
    won = f"{game.outcome('win_share').label} when {first}"
    note += f". {worth}: mean per time {first}." + (f" Never {' or '.join(never)}." if never else "")
    return Finding(title, [ledger.table.capitalize(), *(e.capitalize() for e in events), worth, won], rows, note)


def step_finding(ledger: StepLedger, table: pd.DataFrame, title: str) -> Finding:
    """One row for each number of steps: the ways to end there, what a further step risked, and the exact reference."""
    endings = [e for e in ledger.endings if table[e].any()]
    often = table[(table["reached"] > 0) & (table["reached"] >= RARE * table["reached"].max())]
    rows, printed = [], records(often)[:MOST_PLACES]
    for row in printed:
        shares = [interval(row, f"{e}_share", "share") for e in endings]
        exact = [f"{100 * row['reference']:.3g}%" if math.isfinite(row["reference"]) else "–"]
        rows.append(
            [str(row["steps"]), *shares, interval(row, "hazard", "share"), *(exact if ledger.reference else [])]
        )
    words = [f"{e}, {ledger.endings[e]}" for e in endings if ledger.endings[e] != e]
    note = f"By {ledger.steps}: the share of all {ledger.sequence}s that ended so ({'; '.join(words)}), and the "
    note += f"{ledger.hazard} of one {ledger.step} more, where it was tried."
    note += f" Reference: {ledger.reference_label}." if ledger.reference else ""
    if len(printed) < (table["reached"] > 0).sum():
        note += f" More than {printed[-1]['steps']} are rare, and in the files."
    headings = [ledger.sequence.capitalize(), *(e.capitalize() for e in endings), ledger.hazard.capitalize()]
    return Finding(title, [*headings, *(["Reference"] if ledger.reference else [])], rows, note)


def comparison(results: Mapping[str, Answers], everything: bool = False, same: bool = True) -> Iterator[Finding]:
    """Variants side by side: the outcome that ranks and the score, by bot; ``everything`` adds ledgers.

    ``same`` says whether they played the same games.
    """
    first = next(iter(results.values()))
    game = first.declaration
    for name in dict.fromkeys([first.headline, game.score]):
        outcome = game.outcome(name)
        cells = {v: {row["bot"]: estimate(row, outcome) for row in records(_ranked(r))} for v, r in results.items()}
        yield _side_by_side(outcome.label, "Bot", cells, same)
    for ledger in game.ledgers if everything else ():
        cells = {}
        for variant, found in results.items():
            table = found.ledger(ledger.name)
            rows = records(table[table["bot"] == ALL])
            cells[variant] = {row["name"]: interval(row, "value", "points") for row in rows}
        yield _side_by_side(worth_of(game, ledger), ledger.table.capitalize(), cells, same)


def _side_by_side(title: str, rows: str, cells: Mapping[str, Mapping[str, str]], same: bool) -> Finding:
    """A column a variant; a row a variant where there are many."""
    names = dict.fromkeys(name for column in cells.values() for name in column)
    note = f"{'Same games for all variants; each' if same else 'Each'} interval is of its variant alone."
    title = f"{title}, variants side by side"
    if len(cells) > MOST_COLUMNS:
        table = [[variant, *(column.get(name, "–") for name in names)] for variant, column in cells.items()]
        return Finding(title, ["Variant", *names], table, note)
    table = [[name, *(column.get(name, "–") for column in cells.values())] for name in names]
    return Finding(title, [rows, *cells], table, note)


def worth_of(game: Game, ledger: Ledger) -> str:
    """What the value of a ledger counts."""
    column = next(c for t in game.tables if t.name == ledger.table for c in t.columns if c.name == ledger.value[1])
    return f"{column.unit or column.name.capitalize()} brought"


def estimate(row: Row, outcome: Outcome) -> str:
    """An outcome of a table's row, with no more digits than its interval supports."""
    return interval(row, outcome.name, outcome.kind)


def interval(row: Row, name: str, kind: str) -> str:
    """A number of a table's row with its interval."""
    return interval_text(row[name], row[f"{name}_low"], row[f"{name}_high"], kind)


def deviation(sd: float, games: int) -> str:
    """A standard deviation, with no more digits than so many games support, and no more than two decimals."""
    if not math.isfinite(sd):
        return "–"
    return fixed(sd, min(2, digits_for(1.96 * sd / math.sqrt(2 * games))))


def meanings(outcomes: Iterable[Outcome]) -> str:
    """What outcomes mean, a sentence each."""
    return " ".join(f"{o.label}: {o.help}." for o in outcomes)


def records(table: pd.DataFrame) -> list[Row]:
    """Rows of a table, with columns by name."""
    names = [str(name) for name in table.columns]
    columns = (table[name].tolist() for name in table.columns)  # in a tenth of the time of pandas' own to_dict
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _labels(outcomes: list[Outcome]) -> list[str]:
    """Headings of outcomes; with the unit where two have the same."""
    labels = [o.label for o in outcomes]
    return [f"{o.label} ({o.unit})" if labels.count(o.label) > 1 else o.label for o in outcomes]


def _ranked(results: Answers) -> pd.DataFrame:
    return results.bots().sort_values(results.headline, ascending=False, kind="stable")


def _of_seats(game: Game, axis: str | None, everything: bool) -> list[Outcome]:
    """Outcomes of seats along an axis (or none) that are printed."""
    chosen = (o for o in game.outcomes if o.level == "seat" and o.axis == axis and o.kind != "label")
    return [o for o in chosen if o.shown or everything]
