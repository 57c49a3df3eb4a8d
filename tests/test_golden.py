"""Golden games: each was chosen for something rare, and is told word for word as when it was last read.

After a change that is meant, ``python tests/golden/make.py`` writes them anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from skate_sim.simulation import tell_game
from tests.golden.chosen import GAMES, Golden
from tests.golden.make import text_of
from tests.referee import referee
from tests.rules import Told

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_golden_game(golden: Golden) -> None:
    """The game is told as in its file, line by line, has what it was chosen for, and the referee agrees."""
    lines = tell_game(golden.plan(), golden.game)
    told = text_of(golden).splitlines()
    written = (FOLDER / f"{golden.name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (now, before) in enumerate(zip(told, written, strict=False), 1):
        assert now == before, f"{golden.name}.txt, line {number}"
    assert len(told) == len(written)
    assert golden.has(Told(lines)), golden.why
    referee(lines)


def test_every_file_is_a_game() -> None:
    """No file is left over from a game that is told no more."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == {golden.name for golden in GAMES}
