"""The file of finished games: it comes back as it was, and only for the same games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skate_sim import checkpoint
from skate_sim.api import plan_games, simulate
from skate_sim.checkpoint import CHECKPOINT, TALLIES, CheckpointError, read, resumed, write
from skate_sim.dispatch import play
from tests.commands import invoke
from tests.runs import POOL
from tests.test_saving import contents


def test_another_behaviour_version_or_bot_is_refused(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=400)
    write(tmp_path / TALLIES, plan, play(plan))

    class Later:
        games = 400

        def __init__(self, **changes: Any) -> None:
            self.identity = {**plan.identity, **changes}

    with pytest.raises(CheckpointError, match="behaviour version is 1 there and 2 here"):
        read(tmp_path / TALLIES, Later(behaviour_version=2))  # type: ignore[arg-type]
    bots = [dict(bot) for bot in plan.identity["bots"]]
    bots[1]["fingerprint"] = "changed"
    with pytest.raises(CheckpointError, match=r"bots 2\.fingerprint is \w+ there and changed here"):
        read(tmp_path / TALLIES, Later(bots=bots))  # type: ignore[arg-type]


def test_more_games_than_before(tmp_path: Path) -> None:
    whole = contents(simulate(POOL, games=6000).save(tmp_path / "whole", figures=False))
    simulate(POOL, games=1001).save(tmp_path / "run", figures=False)
    words: dict[str, Any] = {"checkpoint": tmp_path / "run", "resume": True}
    for games, kept in ((4000, 1004), (6000, 4000), (6000, 6000)):
        found = simulate(POOL, games=games, **words)
        assert (found.games, found.kept) == (games, kept)
        found.save(tmp_path / "run", figures=False)
    assert contents(tmp_path / "run") == whole


def test_kept_games_come_back_as_they_were(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=9000)
    played = play(plan, ranges=[(0, 5000), (6000, 6001), (8192, 9000)], chunk=333)
    write(tmp_path / "x" / CHECKPOINT, plan, played)
    back = read(tmp_path / "x" / CHECKPOINT, plan)
    assert back.ranges == played.ranges
    assert back.parts() == played.parts()
    assert back.total.equals(played.total)
    assert play(plan, done=back).parts() == play(plan).parts()
    assert resumed(tmp_path / "nowhere", plan).games == 0
    kept = (tmp_path / "x" / CHECKPOINT).read_bytes()
    for torn in (b"PK torn", b"", kept[:999], kept[:1500] + bytes(200) + kept[1700:]):
        (tmp_path / "x" / CHECKPOINT).write_bytes(torn)
        with pytest.raises(CheckpointError, match=r"checkpoint\.npz cannot be read"):
            read(tmp_path / "x" / CHECKPOINT, plan)
    np.savez(tmp_path / "x" / "other.npz", a=np.zeros(3))
    with pytest.raises(CheckpointError, match=r"other\.npz cannot be read"):
        read(tmp_path / "x" / "other.npz", plan)
    with pytest.raises(CheckpointError, match="resume needs checkpoint"):
        simulate(POOL, games=4, resume=True)


def test_games_of_fewer_counts_are_not_gone_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As versions before this one kept them."""
    monkeypatch.setattr(checkpoint, "FORMAT", 1)
    folder = simulate(POOL, games=400).save(tmp_path / "run", figures=False)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match=r"tallies\.npz has format 1, with fewer counts than format 2"):
        simulate(POOL, games=800, checkpoint=folder, resume=True)
    done = invoke(capsys, "verify", str(folder))
    assert (done.code, done.out) == (2, "")
    assert "run the experiment again" in done.err


def test_the_file_says_what_it_is_of(tmp_path: Path) -> None:
    plan = plan_games(POOL, games=400)
    write(tmp_path / TALLIES, plan, play(plan))
    with np.load(tmp_path / TALLIES) as archive:
        meta = json.loads(archive["meta"].tobytes())
    assert meta["identity"] == json.loads(json.dumps(plan.identity))
    assert meta["ranges"] == [[0, 400]]


def test_the_larger_of_what_is_kept_is_gone_on_from(tmp_path: Path) -> None:
    """A result, and beside it what a shorter run left that was stopped later; and the other way round."""
    plan, others = plan_games(POOL, games=4000), plan_games(POOL, games=4000, seed=9)
    small, large = play(plan, until=1000), play(plan, until=3000)
    for file, other in ((CHECKPOINT, TALLIES), (TALLIES, CHECKPOINT)):
        write(tmp_path / file, plan, small)
        write(tmp_path / other, plan, large)
        assert resumed(tmp_path, plan).games == 3000
    write(tmp_path / TALLIES, others, play(others))
    assert resumed(tmp_path, plan).games == 3000
    write(tmp_path / CHECKPOINT, plan, small)
    write(tmp_path / TALLIES, plan, play(plan))
    assert resumed(tmp_path, plan_games(POOL, games=2000)).games == 1000
