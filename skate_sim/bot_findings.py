"""What a run found about its bots, in sentences: who leads, who is last, and how two of them play otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skate_sim.curves import curves_of, peak_sentences
from skate_sim.differences import amount_cell, listed
from skate_sim.digits import interval_text
from skate_sim.findings import estimate, records
from skate_sim.games import Outcome
from skate_sim.stats import LEVEL, Estimate, corrected, normal

if TYPE_CHECKING:
    from skate_sim.results import Answers

#: Most outcomes that are told of how a bot plays otherwise.
MOST_TOLD = 4
#: Effects below this many standard deviations are not worth telling, however certain.
SMALL = 0.1
#: Numbers that are nearer than this, relative to their size, are the same but for rounding.
_SAME = 1e-9


def run_findings(results: Answers) -> list[str]:
    """What a run found: who leads, and where each curve of a pool has its peak; a paragraph each."""
    outcome = results.declaration.outcome(results.headline)
    peaks = [s for curve in curves_of(results.curves(), outcome.name) for s in peak_sentences(curve, outcome)]
    return [" ".join(leading(results)), *peaks]


def leading(results: Answers) -> list[str]:
    """Which bots lead by the headline, which is next and which is last, in sentences."""
    headline = results.declaration.outcome(results.headline)
    rows = records(results.bots().sort_values(headline.name, ascending=False, kind="stable"))
    if len(rows) == 1:
        return [f"{rows[0]['bot']} has a {headline.label.lower()} of {estimate(rows[0], headline)}."]
    best, last = rows[0], rows[-1]
    fair = _fair(results, headline)
    leaders = _leaders(results, rows, headline)
    said = []
    if len(leaders) == 1:
        said.append(f"{best['bot']} is ahead: {headline.label.lower()} {estimate(best, headline)}{fair}.")
        said.append(f"Next is {rows[1]['bot']} with {estimate(rows[1], headline)}.")
    elif len(leaders) == len(rows):
        said.append(f"No bot can be told to be better than all others; the highest {headline.label.lower()} is")
        said[-1] += f" {estimate(best, headline)} ({best['bot']}){fair}."
    else:
        said.append(f"{listed(leaders)} lead and cannot be told apart; the highest {headline.label.lower()}")
        said[-1] += f" is {estimate(best, headline)} ({best['bot']}){fair}."
    if len(rows) > 2 and last["bot"] not in leaders and _below(last, best, headline):
        said.append(f"Last is {last['bot']} with {estimate(last, headline)}.")
    return said + _about_score(results, rows)


def _fair(results: Answers, headline: Outcome) -> str:
    seats = int(results.manifest()["seats"])
    return f", where a fair share is {100 / seats:.3g}%" if headline.kind == "share" else ""


def _leaders(results: Answers, rows: list[Any], headline: Outcome) -> list[str]:
    """Bots that none is better than beyond doubt: by the ranking, or where there is none by intervals."""
    ranking = results.ranking()
    ranking = ranking[ranking["outcome"] == headline.name]
    if ranking.empty:
        return [row["bot"] for row in rows if not _below(row, rows[0], headline)]
    return [str(bot) for bot in ranking[ranking["best_rank"] == 1]["bot"]]


def _about_score(results: Answers, rows: list[Any]) -> list[str]:
    """Who has the highest score, where that is another bot than the one that leads."""
    score = results.declaration.outcome(results.declaration.score)
    if score.level != "seat" or score.name == results.headline:
        return []
    top = max(rows, key=lambda row: row[score.name])
    if top is rows[0] or not _below(rows[0], top, score):
        return []
    return [f"Another has the highest {score.label}: {top['bot']} with {estimate(top, score)}."]


def _below(one: Any, other: Any, outcome: Outcome) -> bool:
    """Whether the interval of one bot lies below that of the other.

    Two bots whose 95% intervals do not overlap differ at that level, whatever the correlation between them.
    """
    return bool(one[f"{outcome.name}_high"] < other[f"{outcome.name}_low"])


@dataclass(frozen=True)
class Contrast:
    """An outcome of two bots.

    Attributes
    ----------
    outcome : Outcome
    per : str
        What it is per, besides the game: the plain name of its axis.
    one, other : Estimate
        Along an axis, the mean over its places.
    effect : float
        Difference in standard deviations of what a seat has in a game, as if the places of an axis were independent.
    """

    outcome: Outcome
    per: str
    one: Estimate
    other: Estimate
    effect: float

    @property
    def difference(self) -> Estimate:
        """Of the first less the second; as wide as the two intervals together, however they are correlated."""
        return Estimate(self.one.mean - self.other.mean, self.one.low - self.other.high, self.one.high - self.other.low)

    def is_certain(self, comparisons: int) -> bool:
        """Whether it is certain, together with so many others at 95%."""
        wider = normal(corrected(LEVEL, comparisons)) / normal(LEVEL)
        lower, upper = sorted((self.one, self.other))
        return _wider_side(lower, lower.high, wider) + _wider_side(upper, upper.low, wider) < upper.mean - lower.mean

    def told(self, other: str) -> str:
        """The numbers of both, in words."""
        label = f"{self.outcome.label} a {self.per.lower() or 'game'}"
        one, its = (interval_text(*e, self.outcome.kind) for e in (self.one, self.other))
        return f"{label}: {one}, where {other} has {its} ({self.outcome.help})."


def _wider_side(its: Estimate, end: float, wider: float) -> float:
    """One side of an interval at a higher level; of a count of nothing it grows like the square."""
    one_sided = its.mean in (its.low, its.high)
    return abs(end - its.mean) * (wider * wider if one_sided else wider)


def contrasts(results: Answers, one: str, other: str) -> tuple[list[Contrast], list[Contrast]]:
    """Outcomes of two bots of a run: the parts of the score, and what else is shown, the largest effect first.

    An outcome that is another one summed along its axis is left out, as its places tell the same.
    """
    game = results.declaration
    rows = {row["bot"]: row for row in records(results.bots())}
    both = (rows[one], rows[other])
    seat = [o for o in game.outcomes if o.level == "seat" and o.kind != "label"]
    parts = [_plain(o, both) for o in seat if o.part_of == game.score and o.axis is None]
    along, totals = [], []
    for axis, plain in game.axes.items():
        table = records(results.along(axis))
        for outcome in (o for o in seat if o.axis == axis and o.shown):
            along.append(_along(outcome, plain, table, (one, other)))
            totals.append({b: sum(r[outcome.name] for r in table if r["bot"] == b) for b in rows})
    shown = [o for o in seat if o.shown and o.axis is None and o.name not in (results.headline, game.score)]
    shown = [o for o in shown if o.part_of != game.score and not any(_is_sum(o, total, rows) for total in totals)]
    others = [*along, *(_plain(o, both) for o in shown)]
    return parts, sorted(others, key=lambda c: -c.effect)


def _is_sum(outcome: Outcome, totals: Mapping[str, float], rows: Mapping[str, Any]) -> bool:
    return all(math.isclose(rows[bot][outcome.name], total, rel_tol=_SAME) for bot, total in totals.items())


def _plain(outcome: Outcome, both: tuple[Any, Any]) -> Contrast:
    one, other = (_cells(row, outcome.name) for row in both)
    deviations = [row[f"{outcome.name}_sd"] for row in both]
    return Contrast(outcome, "", one, other, _effect(one.mean - other.mean, deviations))


def _along(outcome: Outcome, per: str, table: list[Any], both: tuple[str, str]) -> Contrast:
    """Means over the places of an axis; their intervals are too wide rather than too narrow."""
    found, deviations = [], []
    for bot in both:
        places = [row for row in table if row["bot"] == bot]
        cells = [_cells(row, outcome.name) for row in places]
        found.append(Estimate(*(sum(values) / len(cells) for values in zip(*cells, strict=True))))
        errors = [e.half_width / normal() * math.sqrt(row["games"]) for e, row in zip(cells, places, strict=True)]
        deviations.append(sum(errors) / len(errors) / math.sqrt(len(errors)))
    return Contrast(outcome, per, found[0], found[1], _effect(found[0].mean - found[1].mean, deviations))


def _cells(row: Any, name: str) -> Estimate:
    return Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _effect(difference: float, deviations: list[float]) -> float:
    pooled = math.sqrt(sum(sd * sd for sd in deviations) / 2)
    return abs(difference) / pooled if pooled > 0 else math.inf if difference else 0.0


def otherwise(results: Answers, one: str, other: str, most: int = MOST_TOLD) -> list[str]:
    """How a bot plays otherwise than another, in sentences: what makes up its score, and what differs most.

    Told is only what is certain, all of it together at 95% (Bonferroni's correction, and intervals that do not
    overlap, which holds however the bots' results are correlated). That is what the bots did, not a proof of cause.
    """
    parts, others = contrasts(results, one, other)
    comparisons = len(parts) + len(others) + 1
    said = []
    score = results.declaration.outcome(results.declaration.score)
    if score.level == "seat":
        rows = {row["bot"]: row for row in records(results.bots())}
        whole = _plain(score, (rows[one], rows[other]))
        sure = sorted((c for c in parts if c.is_certain(comparisons)), key=lambda c: -abs(c.difference.mean))
        if whole.is_certain(comparisons):
            made = ", ".join(f"{c.outcome.label} {amount_cell(c.difference, c.outcome)}" for c in sure)
            more = amount_cell(whole.difference, score)
            said.append(f"{score.label} compared with {other}: {more}" + (f"; of that {made}." if made else "."))
    told = [c.told(other) for c in others if c.effect >= SMALL and c.is_certain(comparisons)][:most]
    return [*said, *told] or [f"In nothing that is shown does it play otherwise than {other} beyond doubt."]
