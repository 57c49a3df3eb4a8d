"""Figures of step ledgers: the hazard of a further step, and where sequences ended; with the words that go along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from skate_sim.digits import format_interval
from skate_sim.drawing import Drawing
from skate_sim.games import Game, StepLedger
from skate_sim.observed import ALL

if TYPE_CHECKING:
    from skate_sim.results import Answers

#: Begin the names of figures, before that of the ledger.
HAZARD, ENDINGS = "hazard_", "endings_"
#: Bots and numbers of steps that are told in words.
_MOST_BOTS, _MOST_STEPS = 12, 9


def step_figures(results: Answers) -> Iterator[tuple[str, Drawing]]:
    """Figures with their names, two a step ledger."""
    for ledger in (x for x in results.declaration.step_ledgers if x.name in results.ledger_names()):
        yield HAZARD + ledger.name, _hazard(results, ledger)
        yield ENDINGS + ledger.name, _endings(results, ledger)


def step_titles(game: Game) -> dict[str, str]:
    """Title of each figure of step ledgers, by name."""
    titles = {HAZARD + x.name: f"{x.hazard.capitalize()} of the next {x.step}, by {x.steps}" for x in game.step_ledgers}
    return titles | {ENDINGS + x.name: f"{x.steps.capitalize()} at its end" for x in game.step_ledgers}


def step_text(results: Answers, name: str) -> str:
    """The numbers of a figure of a step ledger, in words; empty if it is none."""
    for ledger in results.declaration.step_ledgers:
        if name not in (HAZARD + ledger.name, ENDINGS + ledger.name):
            continue
        table = _of_bots(results, ledger)
        bots = list(dict.fromkeys(table["bot"]))[:_MOST_BOTS]
        parts = {bot: table[(table["bot"] == bot) & (table["tried"] > 0)].head(_MOST_STEPS) for bot in bots}
        if name == HAZARD + ledger.name:
            told = [f"{bot}: {_series(part, 'hazard')}" for bot, part in parts.items()]
            exact = table.drop_duplicates("steps").head(_MOST_STEPS).dropna(subset="reference")
            numbers = [f"{100 * row['reference']:.3g}% at {row['steps']}" for row in exact.to_dict("records")]
            reference = f". In grey, {ledger.reference_label}: {', '.join(numbers)}" if numbers else ""
            return f"A line with 95% intervals for each bot. {'; '.join(told)}{reference}"
        return f"Bars for each bot, by how it ended. {'; '.join(_most_often(table, ledger, bot) for bot in bots)}"
    return ""


def _series(part: pd.DataFrame, column: str) -> str:
    rows = part.to_dict("records")
    cells = [(row["steps"], *(row[column + end] for end in ("", "_low", "_high"))) for row in rows]
    return ", ".join(f"{format_interval(mean, low, high)} at {steps}" for steps, mean, low, high in cells)


def _most_often(table: pd.DataFrame, ledger: StepLedger, bot: str) -> str:
    """Which number of steps a bot's sequences had most often, for each way to end."""
    part = table[table["bot"] == bot].reset_index(drop=True)
    found = []
    for ending in ledger.endings:
        if (total := int(part[ending].sum())) > 0:
            share = 100 * total / int(part["reached"].max())
            found.append(f"{ending} {share:.3g}%, most often at {part['steps'].iloc[int(part[ending].argmax())]}")
    return f"{bot}: {', '.join(found)}"


def _of_bots(results: Answers, ledger: StepLedger) -> pd.DataFrame:
    table = results.ledger(ledger.name)
    return table[table["bot"] != ALL]


def _hazard(results: Answers, ledger: StepLedger) -> Drawing:
    words = {
        "label": f"{ledger.hazard.capitalize()} of the next {ledger.step}",
        "steps_label": ledger.steps.capitalize(),
        "reference_label": ledger.reference_label,
        "has_reference": bool(ledger.reference),
    }
    return Drawing("hazards", "", _of_bots(results, ledger), words)


def _endings(results: Answers, ledger: StepLedger) -> Drawing:
    label = f"{ledger.steps.capitalize()} at its end"
    words = {"failure": ledger.failure, "labels": dict(ledger.endings), "steps_label": label}
    return Drawing("endings", "", _of_bots(results, ledger), words)
