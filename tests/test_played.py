"""Finished games by parts with fixed borders, whatever the chunks in which they were played."""

from __future__ import annotations

import pytest

from skate_sim import played
from skate_sim.api import plan_games
from skate_sim.dispatch import play
from skate_sim.played import Played, part_number, part_range, played_range
from skate_sim.simulation import play_chunk
from tests.runs import POOL


def test_parts_have_fixed_borders() -> None:
    at = 0
    for number in range(200):
        first, stop = part_range(number)
        assert first == at
        assert part_number(first) == part_number(stop - 1) == number
        assert stop - first <= max(played.SMALLEST_PART, first / played.PARTS)
        at = stop
    assert at > 10**7
    assert part_number(10**12) < 600


def test_what_is_finished_does_not_depend_on_chunks() -> None:
    plan = plan_games(POOL, games=20_000)
    whole = play(plan)
    assert [record.games for record in whole.parts()] == [4096] * 4 + [20_000 - 4 * 4096]
    assert list(whole.missing(30_000)) == [(20_000, 30_000)]
    first = play(plan, until=7000, chunk=999)
    assert [record.number for record in first.parts()] == [0, 1]
    odd = play(plan, ranges=[(9000, 9001), (15_000, 20_000)])
    both = play(plan, done=first + odd, chunk=777)
    assert both.parts() == whole.parts()
    assert both.ranges == whole.ranges == ((0, 20_000),)
    assert both.total.equals(whole.total)
    with pytest.raises(ValueError, match="counted twice"):
        first + whole
    holes = first + odd
    assert list(holes.missing(16_000)) == [(7000, 9000), (9001, 15_000)]
    assert list(Played().missing(5)) == [(0, 5)]
    part = play_chunk(plan, 0, 4096)[0]
    assert played_range(0, 4096, part).parts() == whole.parts()[:1]
