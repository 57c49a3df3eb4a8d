"""``pairs:`` which bot beats which: every pair of the pool alone at a table, or among the others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim import games
from skate_sim.between_bots import difference_of_bots
from skate_sim.comparison import Comparison, ComparisonTallies
from skate_sim.differences import amount, listed, scale_of
from skate_sim.digits import counted, format_interval
from skate_sim.games import Outcome
from skate_sim.observed import display_names
from skate_sim.ranking import find_cycles
from skate_sim.section_forms import Pairs
from skate_sim.simulation import Plan, make_plan
from skate_sim.stats import LEVEL, Estimate, corrected, normal
from skate_sim.study import UNCHANGED

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part


FIELD = "field"
#: Marks a cell of the matrix that is not beyond doubt.
UNDECIDED = "?"


def pair_lineups(seats: int) -> np.ndarray:
    """Every way to seat two bots, 0 and 1, at a table: half each, or both splits where the seats are odd in number.

    Returns
    -------
    uint8 array, (lineups, seats)
        Each bot sits in every seat in half of the lineups; swapping the two gives the same lineups.
    """
    sizes = sorted({seats // 2, seats - seats // 2})
    chosen = [set(places) for size in sizes for places in combinations(range(seats), size)]
    return np.array([[0 if seat in places else 1 for seat in range(seats)] for places in chosen], np.uint8)


@dataclass(frozen=True, eq=False)
class Advantages:
    """By row and column the advantage of one bot over another: its win share per seat above the fair one."""

    names: list[str]
    means: np.ndarray
    errors: np.ndarray

    def interval(self, one: int, other: int, level: float) -> Estimate:
        """An advantage with its interval."""
        mean, half = float(self.means[one, other]), normal(level) * float(self.errors[one, other])
        return Estimate(mean, mean - half, mean + half)

    @property
    def count(self) -> int:
        """Pairs that were compared."""
        return len(self.names) * (len(self.names) - 1) // 2


@dataclass(frozen=True, eq=False)
class FieldAnswer:
    """Advantages from the experiment's own games: those in which both bots sit at the table."""

    size: int
    name: str = "pairs"

    def advantages(self, found: Any) -> Advantages:
        """The matrix."""
        variant = UNCHANGED if UNCHANGED in found.compared.plans else ""
        plan, tallies = found.compared.plans[variant], found.compared.by_variant[variant]
        outcome, k = _outcome(plan), len(plan.bots)
        means, errors = np.zeros((k, k)), np.full((k, k), np.nan)
        for one, other in combinations(range(k), 2):
            mean, variance = difference_of_bots(plan, tallies, one, other, outcome, together=True)
            _fill(means, errors, one, other, mean / 2, math.sqrt(variance) / 2)
        return Advantages(display_names(plan.bots), means, errors)

    def where(self) -> str:
        """What the games were, in words."""
        return f"at tables of {self.size} with the rest of the pool"

    def outcome(self, found: Any) -> Outcome:
        """What bots are ranked by."""
        return _outcome(found.compared.plan)

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """See :func:`tables_of`."""
        return tables_of(self.advantages(found), found.level)

    def findings(self, found: Any) -> list[str]:
        """See :func:`findings_of`."""
        return findings_of(self.advantages(found), self.outcome(found), self.where(), found.level)

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``pairs``: the matrix in colours."""
        title = f"Which bot beats which, {self.where()}"
        return {"pairs": matrix_drawing(self.advantages(found), self.outcome(found), title, found.level)}


@dataclass(frozen=True, eq=False)
class PairsAnswer(FieldAnswer):
    """Advantages from games of each pair alone, on the same luck for all pairs."""

    experiment: Experiment | None = None

    def work(self, **overrides: Any) -> Comparison:
        """The games of all pairs; ``overrides`` (games, seed) replace the experiment's."""
        assert self.experiment is not None
        plain = self.experiment
        game = games.load(plain.game)
        resolved = game.resolve(game, self.size, plain.preset, plain.rules, plain.edits)
        count, seed = overrides.get("games", plain.games), overrides.get("seed", plain.seed)
        lineups = pair_lineups(self.size)
        plans: dict[str, Plan] = {
            f"{one} {other}": make_plan(resolved, [plain.bots[one], plain.bots[other]], lineups, count, seed)
            for one, other in combinations(range(len(plain.bots)), 2)
        }
        return Comparison(plans, ())

    def advantages(self, found: Any) -> Advantages:
        """The matrix, from the sums that :meth:`work` left."""
        assert self.experiment is not None
        sums: ComparisonTallies = found.own[self.name]
        bots, work = self.experiment.bots, self.work()
        k = len(bots)
        means, errors = np.zeros((k, k)), np.full((k, k), np.nan)
        for (name, plan), tallies in zip(work.plans.items(), sums.variants, strict=True):
            one, other = (int(number) for number in name.split())
            mean, variance = difference_of_bots(plan, tallies, 0, 1, _outcome(plan))
            _fill(means, errors, one, other, mean / 2, math.sqrt(variance) / 2)
        return Advantages(display_names(bots), means, errors)

    def where(self) -> str:
        """What the games were, in words."""
        return f"alone at tables of {self.size}"

    def outcome(self, found: Any) -> Outcome:
        """What bots are ranked by at a table of this size."""
        assert self.experiment is not None
        game = games.load(self.experiment.game)
        return game.outcome(game.headlines[self.size])


def _outcome(plan: Plan) -> Outcome:
    return plan.game.outcome(plan.game.headlines[plan.resolved.seats])


def _fill(means: np.ndarray, errors: np.ndarray, one: int, other: int, mean: float, error: float) -> None:
    means[one, other], means[other, one] = mean, -mean
    errors[one, other] = errors[other, one] = error


def tables_of(found: Advantages, level: float) -> dict[str, pd.DataFrame]:
    """``pairs``: a row for each ordered pair; ``pairs_ranks``: bots by the mean advantage over the others.

    ``low`` to ``high`` is the interval of one advantage; ``sure`` says whether it is still apart from zero when
    corrected for all pairs.
    """
    import pandas as pd

    rows, strict = [], corrected(level, found.count)
    for one, name in enumerate(found.names):
        for other, against in enumerate(found.names):
            if one != other:
                value, low, high = found.interval(one, other, level)
                sure = abs(value) > normal(strict) * found.errors[one, other]
                row = {"bot": name, "against": against, "value": value, "low": low, "high": high}
                rows.append(row | {"decided": bool(sure)})
    return {"pairs": pd.DataFrame(rows), "pairs_ranks": pd.DataFrame(_ranked(found, level))}


def _ranked(found: Advantages, level: float) -> list[dict[str, Any]]:
    """Bots by mean advantage; its interval is as wide as it can be, however a bot's pairs go together on their luck."""
    k, critical = len(found.names), normal(corrected(level, found.count))
    over = np.nan_to_num(found.means) > critical * np.nan_to_num(found.errors, nan=np.inf)
    compared = np.maximum(1, np.isfinite(found.errors).sum(axis=1))
    mean = np.nansum(found.means, axis=1) / compared
    half = normal(level) * np.nansum(found.errors, axis=1) / compared
    rows = []
    for rank, bot in enumerate(sorted(range(k), key=lambda n: -mean[n]), 1):
        beats, loses = int(over[bot].sum()), int(over[:, bot].sum())
        row = {"rank": rank, "bot": found.names[bot], "value": mean[bot], "low": mean[bot] - half[bot]}
        row |= {"high": mean[bot] + half[bot], "beats": beats, "loses_to": loses, "undecided": k - 1 - beats - loses}
        rows.append(row)
    return rows


def findings_of(found: Advantages, outcome: Outcome, where: str, level: float) -> list[str]:
    """Who beats whom, whom nobody can tell apart, and circles."""
    strict = corrected(level, found.count)
    ranks = _ranked(found, level)
    best = found.names.index(str(ranks[0]["bot"]))
    pairs = list(combinations(range(len(found.names)), 2))
    open_pairs = [p for p in pairs if not abs(found.means[p]) > normal(strict) * found.errors[p]]
    decided = len(pairs) - len(open_pairs)
    are = "is" if decided == 1 else "are"
    text = f"Of {counted(len(pairs), 'pair')} {where}, {decided} {are} decided at {100 * level:.4g}% as a whole"
    if open_pairs:
        text += f"; not {listed(f'{found.names[a]} and {found.names[b]}' for a, b in open_pairs[:4])}"
        text += f" and {len(open_pairs) - 4} more" if len(open_pairs) > 4 else ""
    one = ranks[0]
    share = Estimate(float(one["value"]), float(one["low"]), float(one["high"]))
    beats = f"{one['beats']} of {counted(len(found.names) - 1, 'bot')} beyond doubt"
    sentences = [
        f"{text}.",
        f"{found.names[best]} does best against the others, on average {amount(share, outcome, level)} above a fair "
        f"share, and beats {beats}.",
    ]
    triples, longer = find_cycles(found.means, found.errors, level)
    for cycle in [*triples, *longer]:
        around = [found.names[bot] for bot in (*cycle, cycle[0])]
        sentences.append(f"There is a circle beyond doubt: {' beats '.join(around)}.")
    if not triples and not longer:
        sentences.append("No bots beat each other in a circle beyond doubt.")
    return sentences


def matrix_rows(found: Advantages, outcome: Outcome, level: float) -> list[list[str]]:
    """The matrix as text, a row a bot; advantages that are undecided are marked."""
    strict, rows = normal(corrected(level, found.count)), []
    for one, name in enumerate(found.names):
        cells = [name]
        for other in range(len(found.names)):
            if one == other:
                cells.append("–")
                continue
            text = format_interval(*found.interval(one, other, level), outcome.kind)
            sure = abs(found.means[one, other]) > strict * found.errors[one, other]
            cells.append(text if sure else f"{text} {UNDECIDED}")
        rows.append(cells)
    return rows


def matrix_drawing(found: Advantages, outcome: Outcome, title: str, level: float = LEVEL) -> Drawing:
    """The matrix: blue where the row's bot is better, red where it is worse."""
    from skate_sim.drawing import Drawing

    words = {"label": outcome.label, "scale": scale_of(outcome)}
    return Drawing("matrix", title, tables_of(found, level)["pairs"][["bot", "against", "value", "decided"]], words)


def plan_pairs(form: Pairs, context: Context) -> Part:
    """What a comparison of all pairs plays.

    Raises
    ------
    ExperimentError
        Not a pool of two bots or more, or a table size that the game does not have.
    """
    from skate_sim.sections import Part

    plain, report, game = context.plain, context.report, context.game
    if not plain.rotated or len(plain.bots) < 2:
        raise report.error(("pairs",), "pairs are those of a pool of two bots or more")
    size = form.size or plain.players
    if size not in game.seats or size < 2:
        valid = ", ".join(str(n) for n in sorted(game.seats))
        raise report.error(("pairs", "size"), f"found {size}; {game.title} is for {valid} {game.seat_word}s")
    if form.against != FIELD:
        return Part({}, (), PairsAnswer(size, experiment=plain))
    if size != plain.players:
        found = f"found {size}; among the field, the table has the experiment's {plain.players} seats"
        raise report.error(("pairs", "size"), found)
    return Part({UNCHANGED: context.unchanged}, (), FieldAnswer(size))
