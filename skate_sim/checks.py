"""Identities that the tallies of every run must fulfil, whatever the bots and rules."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.special import rel_entr

from skate_sim.digits import counted
from skate_sim.observed import display_names, win_share_of
from skate_sim.simulation import Plan
from skate_sim.step_tables import ends_of
from skate_sim.tallies import Tallies

#: A mirror match fails its check when seats are as unlike as this by chance alone: once in 10,000 runs.
SURPRISING = 1e-4

Check = tuple[str, bool, str]


def checks_table(plan: Plan, tallies: Tallies, finished: int) -> pd.DataFrame:
    """One row a check: what must hold, whether it does, and what was found."""
    rows = [
        _games(plan, tallies, finished),
        *_lineups(plan, tallies),
        *_wholes(plan, tallies),
        *_shares(plan, tallies),
        _histograms(plan, tallies),
        *_sequences(plan, tallies),
        *_mirrors(plan, tallies),
    ]
    return pd.DataFrame(rows, columns=["check", "holds", "detail"])


def _games(plan: Plan, tallies: Tallies, finished: int) -> Check:
    counted = int(tallies.games.sum())
    return "every game is counted once", counted == finished, f"{counted:,} counted of {finished:,} played"


def _lineups(plan: Plan, tallies: Tallies) -> Iterator[Check]:
    """A run that was stopped early may fail the first; its means weigh lineups equally all the same."""
    if len(tallies.games) > 1:
        low, high = int(tallies.games.min()), int(tallies.games.max())
        found = f"{counted(low, 'game')} each" if low == high else f"{low:,} to {high:,} games"
        yield "every lineup is played equally often", low == high, f"{len(tallies.games):,} lineups, {found}"
        lineups = plan.layout.lineups[:, : plan.resolved.seats]
        times = np.array([(lineups == entry).sum(axis=0) for entry in range(len(plan.bots))])
        even = bool((times == times[:, :1]).all())
        found = (
            f"{times.min():,}"
            if even and len(set(times[:, 0].tolist())) == 1
            else f"{times.min():,} to {times.max():,}"
        )
        yield "every bot sits in every seat equally often", even, f"{found} lineups for each bot and seat"


def _wholes(plan: Plan, tallies: Tallies) -> Iterator[Check]:
    """Parts add up to their whole in each lineup and seat, also along axes."""
    numbers = {c.name: n for n, c in enumerate(plan.layout.seat_columns)}
    outcomes = plan.game.outcomes
    for whole in dict.fromkeys(o.part_of for o in outcomes if o.part_of and o.level == "seat"):
        parts = [numbers[o.name] for o in outcomes if o.part_of == whole and o.axis is None]
        gap = tallies.seat_sums[:, :, parts].sum(axis=2) - tallies.seat_sums[:, :, numbers[whole]]
        label = plan.game.outcome(whole).label
        wrong = int((gap != 0).sum())
        found = f"{len(parts)} parts" + (f"; not for {wrong} of {gap.size} seats of lineups" if wrong else "")
        yield f"the parts of {label} add up to it", wrong == 0, found


def _shares(plan: Plan, tallies: Tallies) -> Iterator[Check]:
    outcome = win_share_of(plan.game)
    if outcome is not None:
        column = [c.name for c in plan.layout.seat_columns].index(outcome.name)
        sums = tallies.seat_sums[:, :, column].sum(axis=1)
        gap = int(np.abs(sums - tallies.games * plan.game.share_units).sum())
        found = counted(int(tallies.games.sum()), "game") + (f"; off by {gap / plan.game.share_units:g}" if gap else "")
        yield "the win shares of each game add up to one", gap == 0, found


def _histograms(plan: Plan, tallies: Tallies) -> Check:
    """Each histogram has every number, and the sum that was taken without it."""
    lineups = plan.layout.lineups[:, : plan.resolved.seats]
    kept, wrong = 0, []
    for column, low, size, first in plan.layout.seat_histograms.tolist():
        for entry in range(len(plan.bots)):
            at = lineups == entry
            numbers = int((at.sum(axis=1) * tallies.games).sum())
            bins = tallies.seat_bins[entry, first : first + size + 2]
            kept += 1
            if not _agrees(bins, low, numbers, int(tallies.seat_sums[:, :, column][at].sum())):
                wrong.append(plan.layout.seat_columns[column].name)
    for column, low, size, first in plan.layout.game_histograms.tolist():
        bins = tallies.game_bins[first : first + size + 2]
        kept += 1
        if not _agrees(bins, low, int(tallies.games.sum()), int(tallies.game_sums[:, column].sum())):
            wrong.append(plan.layout.game_columns[column].name)
    found = f"{kept} histograms" + (f"; not {', '.join(dict.fromkeys(wrong))}" if wrong else "")
    return "histograms agree with the sums", not wrong, found


def _agrees(bins: np.ndarray, low: int, numbers: int, total: int) -> bool:
    """Whether a histogram has so many numbers, with this sum if none lies outside of what it covers."""
    counts: list[int] = bins.tolist()
    inside = sum(count * (low - 1 + place) for place, count in enumerate(counts))
    return sum(counts) == numbers and (inside == total or counts[0] + counts[-1] > 0)


def _sequences(plan: Plan, tallies: Tallies) -> Iterator[Check]:
    """Every sequence of a step ledger ended once; failures and steps are those that the outcomes count."""
    columns = [c.name for c in plan.layout.seat_columns]
    lineups = plan.layout.lineups[:, : plan.resolved.seats]
    for ledger in plan.game.step_ledgers:
        ends = ends_of(plan, tallies, ledger)
        failed = ends[:, :, list(ledger.endings).index(ledger.failure)]
        wrong = []
        for entry in range(len(plan.bots)):
            at = lineups == entry
            counts: list[int] = ends[entry].sum(axis=1).tolist()
            failures, steps = (
                int(tallies.seat_sums[:, :, columns.index(name)][at].sum())
                for name in (ledger.failures_in, ledger.steps_in)
            )
            seats = int((at.sum(axis=1) * tallies.games).sum())
            counted = sum(n * count for n, count in enumerate(counts)) + int(failed[entry].sum())
            whole = counted == steps or (counts[-1] > 0 and counted < steps)  # the last row is of so many or more
            same = sum(counts) == seats * plan.resolved.axes[ledger.axis] and int(failed[entry].sum()) == failures
            if not (whole and same):
                wrong.append(display_names(plan.bots)[entry])
        found = f"{int(ends.sum()):,} counted" + (f"; not for {', '.join(wrong)}" if wrong else "")
        yield f"every {ledger.sequence} ended once, after as many steps as were counted", not wrong, found


def _mirrors(plan: Plan, tallies: Tallies) -> Iterator[Check]:
    """Where one bot sits everywhere and seats are alike, every seat wins as much as any other, up to chance."""
    outcome = win_share_of(plan.game)
    seats = plan.resolved.seats
    if outcome is None or not plan.game.symmetric_seats or seats < 2:
        return
    column = [c.name for c in plan.layout.seat_columns].index(outcome.name)
    names = display_names(plan.bots)
    for lineup, entries in enumerate(plan.layout.lineups[:, :seats].tolist()):
        games = int(tallies.games[lineup])
        if len(set(entries)) == 1 and games:
            shares = [
                total / (games * plan.game.share_units) for total in tallies.seat_sums[lineup, :, column].tolist()
            ]
            chance = _chance_of(shares, games)
            gap = 100 * max(abs(share - 1 / seats) for share in shares)
            name = f"seats are alike when {names[entries[0]]} plays itself"
            yield name, chance >= SURPRISING, f"largest gap {gap:.2g} percentage points, chance {chance:.2g} or less"


def _chance_of(shares: list[float], games: int) -> float:
    """Upper bound of the chance that alike seats have a share as far off as the farthest of these.

    Chernoff's bound, which holds at any number of games and however wins are shared (a share between 0 and 1
    varies less than a win or loss with the same mean); both directions of every seat are counted.
    """
    fair = 1 / len(shares)
    surprise = max(float(rel_entr(s, fair) + rel_entr(max(0.0, 1 - s), 1 - fair)) for s in shares)
    return min(1.0, 2 * len(shares) * math.exp(-games * max(0.0, surprise)))
