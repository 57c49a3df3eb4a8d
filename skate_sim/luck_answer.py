"""``luck: true``: how much of an outcome's variance comes from the bots, the seat, the deal, and what is left."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from skate_sim.console import Finding
from skate_sim.differences import amount, listed, plain_label
from skate_sim.digits import format_interval
from skate_sim.games import Outcome
from skate_sim.luck import Luck, shares_of_variance
from skate_sim.observed import display_names, unit_of
from skate_sim.ranking import Ranking, rank_bots
from skate_sim.same_luck import LuckSums, SameLuck
from skate_sim.stats import Estimate
from skate_sim.strata import moments_of

if TYPE_CHECKING:
    import pandas as pd

    from skate_sim.drawing import Drawing
    from skate_sim.experiment import Experiment
    from skate_sim.sections import Context, Part


#: What each part is called in a sentence.
WORDS = {
    "bots": "the bot",
    "seats": "the seat",
    "places": "how bots suit seats and opponents",
    "deal": "the deal",
    "bots_by_deal": "how deals suit bots",
    "rest": "what is left",
}
#: The parts that a sentence names.
MAIN = ("bots", "deal", "seats")
#: Fewer blocks than these are not told of.
FEW = 20
BEST = ["outcome", "best", "worst", "value", "low", "high"]
#: Shares below this are told as nothing.
_TINY = 5e-4


@dataclass(frozen=True, eq=False)
class LuckAnswer:
    """Luck and skill of a pool."""

    experiment: Experiment
    name: str = "luck"

    def work(self, **overrides: Any) -> SameLuck:
        """The games: as many in all as the experiment has, in blocks that all lineups play on the same luck."""
        plan = self.experiment.plan(**overrides)
        return SameLuck(plan, plan.games // len(plan.layout.lineups))

    def tables(self, found: Any) -> dict[str, pd.DataFrame]:
        """``luck``: the parts of each outcome's variance; ``luck_best``: the best bot less the worst."""
        import pandas as pd

        work, parts, best = self.work(), [], []
        for number, outcome in enumerate(self._outcomes(work)):
            luck = self._luck(work, found, number, outcome)
            for field in fields(Luck):
                mean, low, high = getattr(luck, field.name)
                parts.append({"outcome": outcome.name, "part": field.name, "value": mean, "low": low, "high": high})
            if found.own[self.name].blocks.sum() >= FEW:
                names, ranking = display_names(work.plan.bots), self._ranking(work, found, number, outcome)
                mean, low, high = ranking.best_over_worst
                row = {"outcome": outcome.name, "best": names[ranking.order[0]], "worst": names[ranking.order[-1]]}
                best.append(row | {"value": mean, "low": low, "high": high})
        return {"luck": pd.DataFrame(parts), "luck_best": pd.DataFrame(best, columns=BEST)}

    def printed(self, name: str, table: pd.DataFrame, outcome: Outcome) -> Finding | None:
        """How the table ``luck`` of an outcome is printed: in percent of the variance, not in the outcome's unit."""
        if name != "luck":
            return None
        parts = {row["part"]: (row["value"], row["low"], row["high"]) for row in table.to_dict("records")}
        rows = [[words, format_interval(*parts[part])] for part, words in WORDS.items()]
        counted = " (from 0 to 1)" if outcome.kind in ("share", "flag") else ""
        note = f"The variance of one seat's {plain_label(outcome)}{counted} in one game is "
        note += f"{format_interval(*parts['variance'], kind='points')}."
        return Finding(f"Luck: {outcome.label} [% of its variance]", ["Comes from", "Share"], rows, note)

    def findings(self, found: Any) -> list[str]:
        """Shares of the variance, and the best bot less the worst, for each outcome."""
        work, sentences = self.work(), []
        blocks: int = found.own[self.name].blocks.sum()
        if blocks < FEW:
            return [f"Luck and skill are not told apart by so few games: {blocks} on the same luck, {FEW} are needed."]
        for number, outcome in enumerate(self._outcomes(work)):
            luck = self._luck(work, found, number, outcome)
            verbs = dict.fromkeys(MAIN, "") | {MAIN[0]: "comes "}
            shares = [f"{_share(getattr(luck, part))} {verb}from {WORDS[part]}" for part, verb in verbs.items()]
            what = f"Of what makes one seat's {plain_label(outcome)} differ from game to game,"
            sentences.append(f"{what} {listed(shares)}; the rest belongs to none of them alone.")
            names, ranking = display_names(work.plan.bots), self._ranking(work, found, number, outcome)
            best, worst = names[ranking.order[0]], names[ranking.order[-1]]
            more = amount(ranking.best_over_worst, outcome, found.level)
            sentences.append(f"The best bot less the worst, {best} less {worst}: {more}.")
        return sentences

    def figures(self, found: Any) -> dict[str, Drawing]:
        """``luck``: the shares of the variance as one bar for each outcome."""
        from skate_sim.drawing import Drawing

        table, labels = self.tables(found)["luck"], {o.name: o.label for o in self._outcomes(self.work())}
        shown = table.assign(label=table["outcome"].map(labels), part=table["part"].map(WORDS))
        words = {"parts": list(WORDS.values())}
        return {"luck": Drawing("shares", "Luck and skill", shown[["label", "part", "value"]], words)}

    @staticmethod
    def _outcomes(work: SameLuck) -> list[Outcome]:
        layout = work.plan.layout
        return [layout.seat_columns[column].outcome for column in layout.crossed.tolist()]

    def _luck(self, work: SameLuck, found: Any, number: int, outcome: Outcome) -> Luck:
        sums: LuckSums = found.own[self.name]
        unit = unit_of(outcome, work.plan.game)
        of_column = sums.blocks, sums.sums[number], sums.forms[number]
        return shares_of_variance(*of_column, work.lineups, units=unit, level=found.level)

    def _ranking(self, work: SameLuck, found: Any, number: int, outcome: Outcome) -> Ranking:
        """Ranking of the bots; blocks are independent, and what bots have in one goes together."""
        sums: LuckSums = found.own[self.name]
        bots, blocks = len(work.plan.bots), int(sums.blocks.sum())
        member = work.lineups.ravel()[:, None] == np.arange(bots)
        by_bot = sums.sums[number].sum(axis=0) @ member
        moments = moments_of(blocks, by_bot, sums.products[number])
        assert moments is not None
        scale = member.sum(axis=0) * unit_of(outcome, work.plan.game)
        return rank_bots(moments.means / scale, moments.covariance / np.outer(scale, scale), found.level)


def _share(share: Estimate) -> str:
    """A share of the variance; an unbiased one of nearly nothing may lie below zero."""
    if share.mean > _TINY or not np.isfinite(share.mean):
        return format_interval(*share)
    return "nothing (below 0.05%)" if share.high <= _TINY else f"nothing beyond doubt (up to {share.high:.1%})"


def plan_luck(_: bool, context: Context) -> Part:
    """What telling luck from skill plays.

    Raises
    ------
    ExperimentError
        No pool of two bots or more that is rotated.
    """
    from skate_sim.sections import Part

    if not context.plain.rotated or len(context.plain.bots) < 2:
        raise context.report.error(("luck",), "luck and skill are told apart with a pool of two bots or more")
    return Part({}, (), LuckAnswer(context.plain))
