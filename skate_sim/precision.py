"""Play until intervals are as tight as wanted: looks are fixed in advance, intervals are valid at every look."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from skate_sim.compared import Compared
from skate_sim.comparison import Comparison
from skate_sim.digits import counted
from skate_sim.games import Outcome, choices_text
from skate_sim.observed import display_names, observed
from skate_sim.played import Played
from skate_sim.sequences import FIRST_LOOK, ConfidenceSequence, games_needed
from skate_sim.simulation import Plan
from skate_sim.stats import Estimate
from skate_sim.yaml_source import shown

#: Ends a sentence.
DESCRIPTION = "half the width of an interval, above 0, or {half_width: 0.1, outcome: name, of: bots or differences}"
#: Each look comes after so many times the games of the one before.
GROWTH = 1.4


class PrecisionError(ValueError):
    """A precision that cannot be asked for."""


@dataclass(frozen=True)
class Precision:
    """How tight intervals are to be.

    Attributes
    ----------
    half_width : float
        Half the width of an interval: of shares in points of a percent, of anything else in its unit.
    outcome : str
        Name of an outcome of seats without axis; the headline when empty.
    of : {"bots", "differences", ""}
        Which intervals: every bot's, or every difference's; empty: differences where there are any.
    """

    half_width: float
    outcome: str = ""
    of: Literal["bots", "differences", ""] = ""

    def declared(self, plan: Plan) -> Outcome:
        """The outcome that is meant.

        Raises
        ------
        PrecisionError
            There is no such outcome.
        """
        valid = outcomes_with_precision(plan.game)
        name = self.outcome or plan.game.headlines[plan.resolved.seats]
        if name not in valid:
            raise PrecisionError(f"no outcome {name!r} that precision can be asked of; {choices_text(name, valid)}")
        return plan.game.outcome(name)

    def as_dict(self) -> dict[str, Any]:
        """As an experiment file has it."""
        return {"half_width": self.half_width, "outcome": self.outcome, "of": self.of}


def as_precision(value: Any) -> Precision | None:
    """Precision from a number (the half width), a mapping as in an experiment file, or None.

    Raises
    ------
    PrecisionError
        It is something else.
    """
    if value is None or isinstance(value, Precision):
        return value
    given = dict(value) if isinstance(value, Mapping) else {"half_width": value}
    width = given.pop("half_width", None)
    if isinstance(width, bool) or not isinstance(width, int | float) or not 0 < width < math.inf:
        raise PrecisionError(f"found {shown(width)}; precision is {DESCRIPTION}")
    of, outcome = given.pop("of", ""), given.pop("outcome", "")
    if given:
        raise PrecisionError(f"found the key {next(iter(given))!r}; precision is {DESCRIPTION}")
    if of not in ("", "bots", "differences"):
        raise PrecisionError(f"found {shown(of)} for of; it is bots or differences")
    if not isinstance(outcome, str):
        raise PrecisionError(f"found {shown(outcome)} for outcome; it is the name of an outcome")
    return Precision(float(width), outcome, of)


def outcomes_with_precision(game: Any) -> list[str]:
    """Names of the outcomes that precision can be asked of."""
    return [o.name for o in game.outcomes if o.level == "seat" and o.axis is None and o.kind != "label"]


@dataclass(frozen=True)
class Reached:
    """What a run that stops by precision came to.

    Attributes
    ----------
    precision : Precision
        What was wanted, with the outcome and which intervals it is.
    games : int
        Where it stopped; the run's own number of games is the most.
    half_widths : dict of str to float
        The intervals that were looked at, at the end; in the unit of ``precision``.
    level : float
        At which intervals of a fixed number of games are computed so that they are valid at every look.
    looks : int
        How often they were looked at.
    label, unit : str
        Of the outcome.
    stopped : bool
        Whether the run was interrupted before its next look.
    """

    precision: Precision
    games: int
    half_widths: dict[str, float]
    level: float
    looks: int
    label: str
    unit: str
    stopped: bool = False

    @property
    def missed(self) -> list[str]:
        """Intervals that are wider than wanted."""
        return [name for name, width in self.half_widths.items() if not width <= self.precision.half_width]

    @property
    def words(self) -> str:
        """Where the run stopped, and which intervals came out as tight as wanted."""
        wanted, of = self.precision, "difference's" if self.precision.of == "differences" else "bot's"
        what = f"every {of} {self.label} within ± {wanted.half_width:g}{self.unit}"
        games, looks = counted(self.games, "game"), counted(self.looks, "look")
        if not self.missed:
            return f"Precision reached after {games} ({looks}): {what}."
        widest = ", ".join(f"{name} ± {self.half_widths[name]:.2g}" for name in self.missed[:6])
        more = f" and {len(self.missed) - 6} more" if len(self.missed) > 6 else ""
        return f"Precision not reached after {games} ({looks}): {what}, but for {widest}{more}."

    def as_dict(self) -> dict[str, Any]:
        """For a manifest."""
        return {
            **self.precision.as_dict(),
            "reached": not self.missed,
            "looks": self.looks,
            "half_widths": self.half_widths,
        }


class Watch:
    """Looks at a run's intervals.

    Parameters
    ----------
    work : Plan or Comparison
    precision : Precision

    Raises
    ------
    PrecisionError
        No such outcome, or no differences.
    """

    def __init__(self, work: Plan | Comparison, precision: Precision) -> None:
        self.work = work
        plan = work if isinstance(work, Plan) else work.first_plan
        differences = isinstance(work, Comparison) and bool(work.contrasts)
        if precision.of == "differences" and not differences:
            raise PrecisionError("precision of differences needs variants that are compared; there are none")
        of: Any = precision.of or ("differences" if differences else "bots")
        self.outcome = precision.declared(plan)
        self.precision = Precision(precision.half_width, self.outcome.name, of)
        self.scale = 100 if self.outcome.kind in ("share", "flag") else 1
        self.lineups = len(plan.layout.lineups)
        self.column = next(
            n for n, c in enumerate(plan.layout.seat_columns) if c.outcome == self.outcome and c.index is None
        )
        first = next(self.looks())
        self.sequence = ConfidenceSequence(tightest=self._expected(plan, first), first=first)

    @property
    def unit(self) -> str:
        """Of the half widths, after the number."""
        return " % points" if self.scale == 100 else f" {self.outcome.unit}".rstrip()

    def looks(self) -> Iterator[int]:
        """Games after which the intervals are looked at, in whole rounds of lineups; the last is the run's games."""
        games: float = max(FIRST_LOOK, self.lineups)
        while True:
            rounded = math.ceil(games / self.lineups) * self.lineups
            if rounded >= self.work.games:
                break
            yield rounded
            games = rounded * GROWTH
        yield self.work.games

    def _expected(self, plan: Plan, first: int) -> float:
        """A guess at where the run stops, from what is known before any game: not from what was seen."""
        most = self.work.games
        if self.scale == 1:
            return max(first, math.sqrt(first * most))
        fair = 1 / plan.resolved.seats
        of_games = plan.resolved.seats / max(plan.resolved.seats, len(plan.bots))
        deviation = math.sqrt(fair * (1 - fair) / of_games)
        guess = games_needed(self.precision.half_width / 100, deviation)
        if self.precision.of == "differences":  # anything from that to next to nothing
            guess = math.ceil(math.sqrt(first * guess))
        return min(max(first, guess), max(first, most))

    def half_widths(self, played: Played, games: int) -> dict[str, float]:
        """Half widths of the intervals that are to be tight, by what they are of."""
        level = self.sequence.level_at(games)
        return {name: self.scale * e.half_width for name, e in self._estimates(played.total, level)}

    def _estimates(self, total: Any, level: float) -> Iterator[tuple[str, Estimate]]:
        if isinstance(self.work, Comparison) and self.precision.of == "differences":
            compared = Compared(self.work, total)
            for contrast in self.work.contrasts:
                for entry, bot in enumerate(compared.bot_names()):
                    found = compared.difference(contrast, self.outcome, entry=entry, level=level)
                    yield f"{contrast.name} less {contrast.baseline}: {bot}", found.estimate
            return
        plans = {"": self.work} if isinstance(self.work, Plan) else dict(self.work.plans)
        tallies = [total] if isinstance(self.work, Plan) else list(total.variants)
        for (name, plan), its in zip(plans.items(), tallies, strict=True):
            for entry, bot in enumerate(display_names(plan.bots)):
                seen = observed(plan, its, entry)
                if bool((seen.seats == plan.resolved.seats).all()) and self.outcome.kind == "share":
                    continue  # one bot in every seat has all wins between them
                yield f"{name}: {bot}" if name else bot, seen.estimate(self.outcome, self.column, plan.game, level)


def play_until_precise(
    watch: Watch,
    before: Played,
    stage: Callable[[Played, int], Played],
    tell: Callable[[float], None] | None = None,
) -> tuple[Played, Reached]:
    """Play in stages until every interval is tight enough, or all games are played.

    Looks are at numbers of games that are fixed in advance, so that where a run stops depends on its games only, and
    not on threads, chunks, or on having been stopped and gone on with: games that are there already beyond a look
    are there because the run went past it.

    Parameters
    ----------
    before : Played
        Games that are finished already.
    stage : callable
        Called with what is finished and the next look; returns it with the games before the look.
    tell : callable, optional
        Called after each look with the widest half width.
    """
    played, looks = before, 0
    widths: dict[str, float] = {}
    there = max((stop for _, stop in before.ranges), default=0)
    stopped = False
    for games in watch.looks():
        looks += 1
        if games < there:
            continue
        played = stage(played, games)
        widths = watch.half_widths(played, played.games) if played.games else {}
        stopped = played.games < games
        if tell and widths:
            tell(max(widths.values()))
        if stopped or all(width <= watch.precision.half_width for width in widths.values()):
            break
    level = watch.sequence.level_at(played.games)
    return played, Reached(
        watch.precision, played.games, widths, level, looks, watch.outcome.label, watch.unit, stopped
    )
