"""Stored results played again: the same when nothing was touched, and found out when anything was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import skate_sim
from skate_sim import verification
from skate_sim.api import simulate
from skate_sim.checkpoint import TALLIES
from skate_sim.policy import BotError
from skate_sim.results import FolderError, Results
from skate_sim.verification import verify
from tests.commands import enter, invoke
from tests.runs import POOL

BOT = "def act(view):\n    return 0 if view.table.may_stop and view.me.combo_size >= {n} else 1\n"


@pytest.fixture(scope="module")
def found() -> Results:
    """A run of five parts, the last of which is not complete."""
    return simulate(
        {"a": "stop_at_n:n=3", "b": "risk_threshold", "c": "random_legal"},
        preset="online",
        rules={"rounds": 3},
        edits={"cards.ollie.points": 2, "cards.manual": "remove"},
        games=18_000,
        seed=4,
    )


@pytest.fixture
def folder(found: Results, tmp_path: Path) -> Path:
    """Where it is saved."""
    return found.save(tmp_path / "run", figures=False)


def rewrite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest of saved results."""
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_a_sample_reproduces(folder: Path) -> None:
    verdict = verify(folder, sample=2)
    assert verdict.reproduces
    assert (verdict.of_parts, verdict.of_games, len(verdict.parts)) == (5, 18_000, 2)
    assert verify(folder, sample=2) == verdict, "the sample has a seed"
    samples = {tuple(part.number for part, _ in verify(folder, sample=1, seed=s).parts) for s in range(9)}
    assert len(samples) > 2
    assert verify(folder, sample=99).games == 18_000


def test_all_games_and_tables_reproduce(folder: Path) -> None:
    verdict = skate_sim.verify(folder, everything=True)
    assert verdict.reproduces
    assert (verdict.games, verdict.tables, verdict.notes) == (18_000, (), ())


def test_a_partial_result_reproduces(tmp_path: Path) -> None:
    def interrupt(finished: int, games: int, seconds: float) -> None:
        if finished >= 5000:
            raise KeyboardInterrupt

    partial = simulate(POOL, games=20_000, chunk=600, progress=interrupt)
    assert partial.partial
    folder = partial.save(tmp_path / "run", figures=False)
    verdict = verify(folder, everything=True)
    assert verdict.reproduces
    assert verdict.games == partial.games


def test_wrong_digests_are_found(found: Results, tmp_path: Path) -> None:
    """As if the games had come out otherwise when they were stored."""
    assert found.played is not None
    wrong = replace(found.played, digests={**found.played.digests, 2: "0" * 32})
    results = Results(found.plan, found.tallies, found.games, 1.0, experiment=found.experiment, played=wrong)
    folder = results.save(tmp_path / "run", figures=False)
    assert verify(folder, sample=99).problems == ("games 8,192 to 12,287 come out otherwise",)
    unlucky = [seed for seed in range(20) if not verify(folder, sample=1, seed=seed).reproduces]
    assert 0 < len(unlucky) < 20, "a sample may miss it"


def test_wrong_sums_and_tables_are_found(found: Results, tmp_path: Path) -> None:
    assert found.played is not None
    sums = found.played.unsettled[4].seat_sums.copy()
    sums[0, 0, 0] += 1
    played = replace(found.played, unsettled={4: replace(found.played.unsettled[4], seat_sums=sums)})
    results = Results(found.plan, played.total, found.games, 1.0, experiment=found.experiment, played=played)
    folder = results.save(tmp_path / "run", figures=False)
    assert verify(folder, sample=99).problems == ("games 16,384 to 17,999 come out otherwise",)
    problems = verify(folder, everything=True).problems
    assert problems[:2] == (
        "games 16,384 to 17,999 come out otherwise",
        "the sums over all games come out otherwise",
    )
    assert "tables/bots.csv comes out otherwise" in problems

    settled = replace(found.played, settled=found.played.settled + found.plan.empty())
    settled.settled.ledger[0, 0] += 1
    results = Results(found.plan, found.tallies, found.games, 1.0, experiment=found.experiment, played=settled)
    assert verify(results.save(tmp_path / "other", figures=False), sample=99).reproduces, "digests do not see it"
    assert verify(tmp_path / "other", everything=True).problems == ("the sums over all games come out otherwise",)


def test_touched_files_are_found(folder: Path) -> None:
    table = folder / "tables" / "bots.csv"
    table.write_text(table.read_text().replace("1", "2"))
    (folder / "tables" / "game.parquet").unlink()
    assert verify(folder).problems == (
        "tables/bots.csv is not as it was saved",
        "tables/game.parquet is not as it was saved",
    )
    (folder / TALLIES).write_bytes(b"")
    assert "tallies.npz is not as it was saved" in verify(folder).problems


def test_another_experiment_in_the_manifest_is_found(folder: Path) -> None:
    rewrite(folder, lambda manifest: manifest.update(seed=5))
    assert verify(folder).problems == ("seed is 4 there and 5 here",)
    rewrite(folder, lambda manifest: manifest.update(behaviour_version=0))
    [problem] = verify(folder).problems
    assert "behaviour version 0 of Skate Legend, and this is version 1" in problem


def test_edits_that_cannot_be_played_any_more(folder: Path) -> None:
    rewrite(folder, lambda manifest: manifest["experiment"]["edits"].update({"cards.gone.points": 2}))
    [problem] = verify(folder).problems
    assert problem.startswith("the rules or edits cannot be played any more: no row 'gone'")


def test_another_source_is_a_note(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skate_sim.simulation.source_digest", lambda: "later")
    verdict = verify(folder, sample=1)
    assert verdict.reproduces
    [note] = verdict.notes
    assert note.startswith("source is ")
    assert note.endswith(" there and later here")


def test_bots_that_changed_moved_or_came_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BOT.format(n=3))

    def cell(view):  # type: ignore[no-untyped-def]
        return 0 if view.table.may_stop else 1

    folder = simulate([file, cell], games=5000).save(tmp_path / "run", figures=False)
    with pytest.raises(BotError, match=r"bot cell came from Python.*verify\(folder, bots=\{'cell': \.\.\.\}\)"):
        verify(folder)
    assert verify(folder, bots={"cell": cell}).reproduces
    file.write_text(BOT.format(n=4))
    [problem] = verify(folder, bots={"cell": cell}).problems
    assert problem.startswith("bot mine has changed since: its fingerprint was")
    assert str(file) in problem
    file.unlink()
    with pytest.raises(BotError, match=r"bot mine: its file .*mine\.py is gone, and there is no bot 'mine'"):
        verify(folder, bots={"cell": cell})
    (tmp_path / "moved.py").write_text(BOT.format(n=3))
    assert verify(folder, bots={"cell": cell, "mine": tmp_path / "moved.py"}).reproduces
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    (tmp_path / "moved.py").rename(tmp_path / "strategies" / "mine.py")
    assert verify(folder, bots={"cell": cell}).reproduces


def test_a_bot_that_fails_now(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise verification.PlayError("game 3 of seed 4 met a guard", 3)

    monkeypatch.setattr(verification, "play", fail)
    assert verify(folder).problems == ("a game that was finished then is not now: game 3 of seed 4 met a guard",)


def test_what_cannot_be_verified(found: Results, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no result of skate-sim"):
        verify(tmp_path / "nowhere")
    bare = Results(found.plan, found.tallies, found.games, 1.0).save(tmp_path / "bare", figures=False)
    with pytest.raises(FolderError, match=r"has no tallies\.npz to compare with"):
        verify(bare)
    rewrite(folder, lambda manifest: manifest.update(experiment=None))
    with pytest.raises(FolderError, match="does not say by which experiment"):
        verify(folder)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    enter(tmp_path, monkeypatch)
    invoke(capsys, "run", "who.yaml", "--games", "9000", "--no-figures", "-q")
    done = invoke(capsys, "verify", "results/who", "-n", "2")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "Reproduces: 2 of 3 parts, 4,904 of 9,000 games, bit by bit."
    done = invoke(capsys, "verify", "results/who", "--all")
    assert done.out.splitlines()[-1] == "Reproduces: all 9,000 games and every table, byte by byte."
    table = tmp_path / "results/who/tables/bots.csv"
    table.write_text("changed")
    done = invoke(capsys, "verify", "results/who")
    assert done.code == 1
    assert done.out.splitlines()[-2:] == ["Tables/bots.csv is not as it was saved.", "DOES NOT REPRODUCE."]
    done = invoke(capsys, "verify", "results/who", "--json")
    assert done.code == 1
    assert json.loads(done.out)["problems"] == ["tables/bots.csv is not as it was saved"]
    done = invoke(capsys, "verify", "nowhere")
    assert (done.code, done.out) == (2, "")
    assert "nowhere holds no result" in done.err


def test_command_line_with_variants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(tmp_path, monkeypatch)
    invoke(capsys, "run", "both.yaml", "--no-figures", "-q")
    done = invoke(capsys, "verify", "results/both")
    assert done.code == 0
    assert done.out.count("Reproduces: 1 of 1 part, 2,000 of 2,000 games") == 2
    assert set(json.loads(invoke(capsys, "verify", "results/both", "--json").out)) == {
        "results/both/printed",
        "results/both/short",
    }


def test_every_result_in_a_folder_is_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where variants were played one after the other, and where one of the results cannot be verified."""
    enter(tmp_path, monkeypatch)
    for name in ("both", "three", "who"):
        invoke(capsys, "run", f"{name}.yaml", "-q", "--no-figures", "-g", "100")
    done = invoke(capsys, "verify", "results")
    assert (done.code, done.err) == (0, "")
    named = [line for line in done.out.splitlines() if line.startswith("results")]
    assert named == ["results/both/printed", "results/both/short", "results/three", "results/who"]
    assert done.out.count("Reproduces: ") == 4

    rewrite(tmp_path / "results/three", lambda manifest: manifest["files"].pop(TALLIES))
    done = invoke(capsys, "verify", "results")
    assert done.code == 1
    assert done.out.count("Reproduces: ") == 3
    assert (
        "It cannot be verified: results/three has no tallies.npz to compare with; run the experiment again.\n"
        in done.out
    )
    assert invoke(capsys, "verify", "results/three").code == 2
