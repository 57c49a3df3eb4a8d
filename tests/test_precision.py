"""Runs that stop by precision: where they stop, that nothing but the games decides it, and what their intervals say."""

from __future__ import annotations

import json
import math
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import skate_sim
from skate_sim.api import plan_games, simulate
from skate_sim.dispatch import play
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.played import Played
from skate_sim.precision import Precision, PrecisionError, Watch, as_precision, play_until_precise
from skate_sim.results import Results
from skate_sim.sequences import FIRST_LOOK, ConfidenceSequence
from skate_sim.stats import LEVEL
from skate_sim.verification import verify
from tests.commands import EXPERIMENT, enter, invoke
from tests.runs import POOL
from tests.test_comparison_results import files_of
from tests.test_saving import contents

WANTED = 1.7
GAMES = 20_000


@pytest.fixture(scope="module")
def found() -> Results:
    return simulate(POOL, players=3, games=GAMES, precision=WANTED, threads=1)


def test_it_stops_when_every_interval_is_tight(found: Results) -> None:
    table = found.bots()
    widths = 100 * (table["win_share_high"] - table["win_share_low"]) / 2
    assert widths.max() <= WANTED
    assert FIRST_LOOK < found.games < GAMES
    assert found.games % 12 == 0, "whole rounds of lineups"
    assert not found.partial
    reached = found.reached
    assert reached is not None
    assert reached.missed == []
    assert list(reached.half_widths.values()) == pytest.approx(widths.tolist())
    watch = Watch(found.plan, Precision(WANTED))
    looks = list(watch.looks())
    assert looks[reached.looks - 1] == found.games
    earlier = simulate(POOL, players=3, games=looks[reached.looks - 2]).played
    assert earlier is not None
    assert max(watch.half_widths(earlier, earlier.games).values()) > WANTED, "it was not so at the look before"


def test_all_intervals_are_those_of_the_sequence(found: Results) -> None:
    assert found.reached is not None
    watch = Watch(found.plan, Precision(WANTED))
    level = ConfidenceSequence(watch.sequence.tightest, first=FIRST_LOOK + 4).level_at(found.games)
    assert found.level == level > 0.99
    fixed = simulate(POOL, players=3, games=found.games)
    for name, table in found.tables().items():
        has_interval = any(column.endswith("low") for column in table.columns)
        assert ("level" in table.columns) == has_interval, name
        if has_interval:
            assert table.empty or set(table["level"]) == {level}
        assert "level" not in fixed.tables()[name].columns
        for low in [c for c in table.columns if c.endswith("_low") and c not in ("q05_low", "behind_best_low")]:
            ours, theirs = table[low], fixed.tables()[name][low]
            assert (ours.isna() | theirs.isna() | (ours <= theirs + 1e-15)).all(), (name, low)
            uncertain = (theirs > 0) & (theirs < table[low.removesuffix("_low")])
            if not low.startswith("q"):  # quantiles are steps
                assert (ours[uncertain] < theirs[uncertain]).all(), (name, low)
    ratio = (found.bots()["prestige_high"] - found.bots()["prestige"]) / (
        fixed.bots()["prestige_high"] - fixed.bots()["prestige"]
    )
    assert ratio.tolist() == pytest.approx([watch.sequence.critical(found.games) / 1.96] * 4, rel=0.002)
    manifest = found.manifest()
    assert (manifest["level"], manifest["precision"]["reached"]) == (level, True)
    assert "valid at every look" in manifest["intervals"]
    assert (fixed.manifest()["level"], fixed.manifest()["precision"]) == (LEVEL, None)


def test_curves_have_the_level_of_the_run() -> None:
    pool = [f"stop_at_n:n={n}" for n in (3, 4, 5)]
    played = simulate(pool, players=2, games=600)
    wide = Results(played.plan, played.tallies, played.games, 1.0, level=0.999)
    curve, bots = wide.curves(), wide.bots()
    curve = curve[curve["outcome"] == wide.headline]
    assert curve["mean_low"].tolist() == bots[f"{wide.headline}_low"].tolist()
    assert curve["mean_high"].tolist() == bots[f"{wide.headline}_high"].tolist()


@pytest.mark.parametrize("way", [{"threads": 2}, {"chunk": 97}, {"chunk": 5000, "threads": 2}])
def test_threads_and_chunks_change_nothing(found: Results, way: dict[str, Any]) -> None:
    again = simulate(POOL, players=3, games=GAMES, precision=WANTED, **way)
    assert again.games == found.games
    assert again.tallies.equals(found.tallies)


def test_looks() -> None:
    looks = list(Watch(plan_games(POOL, players=3, games=10_000), Precision(1)).looks())
    assert looks[:3] == [2004, 2808, 3936]
    assert looks[-1] == 10_008
    assert all(b > a for a, b in pairwise(looks))
    assert list(Watch(plan_games(POOL, players=3, games=50), Precision(1)).looks()) == [60]


def test_looks_that_a_run_went_past_are_left_out(found: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that an interrupted run left beyond a look are not looked at before the next one."""
    watch, stages = Watch(found.plan, Precision(WANTED)), []
    monkeypatch.setattr(watch, "half_widths", lambda *_: {"any": 0.0})

    def stage(done: Played, until: int) -> Played:
        stages.append(until)
        return play(found.plan, done=done, until=until)

    _, reached = play_until_precise(watch, play(found.plan, ranges=[(0, 100), (2004, 2100)]), stage)
    assert (stages, reached.games, reached.looks) == ([2808], 2808, 2)


def test_games_are_the_cap() -> None:
    capped = simulate(POOL[:2], games=3000, precision=0.01)
    assert (capped.games, capped.partial) == (3000, False)
    assert capped.reached is not None
    assert len(capped.reached.missed) == 2
    assert not capped.manifest()["precision"]["reached"]


def test_other_outcomes() -> None:
    found = simulate(POOL, players=3, games=GAMES, precision={"half_width": 0.3, "outcome": "prestige"})
    table = found.bots()
    assert ((table["prestige_high"] - table["prestige_low"]) / 2 <= 0.3).all()
    assert found.games < GAMES
    with pytest.raises(PrecisionError, match="no outcome 'prestig' that precision can be asked of; did you mean"):
        simulate(POOL, games=8, precision={"half_width": 1, "outcome": "prestig"})
    with pytest.raises(PrecisionError, match="precision of differences needs variants"):
        simulate(POOL, games=8, precision={"half_width": 1, "of": "differences"})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, "found 0; precision is half the width"),
        (math.inf, "found inf; precision is"),
        (True, "found true; precision is"),
        ({"half_width": 1, "off": 2}, "found the key 'off'"),
        ({"half_width": 1, "of": "both"}, "found 'both' for of; it is bots or differences"),
        ({"half_width": 1, "outcome": 3}, "found 3 for outcome"),
        ({"outcome": "win_share"}, "found nothing; precision is"),
    ],
)
def test_wrong_precision(value: Any, message: str) -> None:
    with pytest.raises(PrecisionError, match=message):
        as_precision(value)


def test_differences_of_variants(tmp_path: Path) -> None:
    variants = {"printed": {}, "two": {"edits": {"cards.ollie.points": 2}}}
    found = skate_sim.compare(variants, bots=POOL[:2], games=GAMES, precision=1.2)
    table = found.differences()
    shares = table[table["outcome"] == "win_share"]
    assert (100 * (shares["high"] - shares["low"]) / 2 <= 1.2).all()
    assert found.games < GAMES
    assert found.reached is not None
    assert list(found.reached.half_widths) == [f"two less printed: {bot}" for bot in POOL[:2]]
    assert set(table["level"]) == {found.level} == set(found.variant("two").bots()["level"])
    of_bots = skate_sim.compare(variants, bots=POOL[:2], games=3000, precision={"half_width": 0.1, "of": "bots"})
    assert of_bots.reached is not None
    assert next(iter(of_bots.reached.half_widths)) == f"printed: {POOL[0]}"
    folder = found.save(tmp_path / "x", figures=False)
    whole = verify(folder, everything=True)
    assert (whole.problems, whole.games) == ((), found.games)


def test_saved_and_verified(found: Results, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    whole = verify(folder, everything=True)
    assert (whole.problems, whole.games) == ((), found.games)


def test_stopped_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = enter(tmp_path, monkeypatch)
    text = EXPERIMENT.replace("games: 2000", "games: 50000") + "precision: {half_width: 0.15, outcome: prestige}\n"
    (folder / "sure.yaml").write_text(text)
    whole = invoke(capsys, "run", "sure.yaml", "--no-figures", "-o", "whole")
    assert "every bot's Prestige within ± 0.15 Prestige." in whole.out
    chunks = 0

    def press(*_: Any) -> None:
        nonlocal chunks
        chunks += 1
        if chunks > 5:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr("skate_sim.console.RunProgress.__call__", press)
        stopped = invoke(capsys, "run", "sure.yaml", "--no-figures", "--chunk", "500", "-t", "1")
    assert stopped.code == 130
    partial = json.loads((folder / "results/sure/manifest.json").read_text())
    assert partial["partial"]
    assert partial["games"] > FIRST_LOOK
    assert invoke(capsys, "run", "sure.yaml", "--no-figures", "--resume").code == 0
    assert contents(folder / "results/sure") == contents(folder / "whole")
    assert invoke(capsys, "run", "sure.yaml", "--precision", "-1").code == 2
    (folder / "sure.yaml").write_text(text.replace("0.15", "0.12"))
    assert "played before" in invoke(capsys, "run", "sure.yaml", "--no-figures", "--resume").out
    invoke(capsys, "run", "sure.yaml", "--no-figures", "-o", "fresh")
    assert files_of(folder / "results/sure") == files_of(folder / "fresh")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("precision: -1\n", "sure.yaml:8: precision: found -1; precision is half the width"),
        ("precision: {half_width: 1, outcome: wins}\n", "sure.yaml:8: precision.outcome: no outcome 'wins'"),
        ("precision: {half_width: 1, of: differences}\n", "precision.of: found differences but no variants"),
    ],
)
def test_mistakes_in_a_file(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = enter(tmp_path, monkeypatch)
    (folder / "sure.yaml").write_text(EXPERIMENT + text)
    with pytest.raises(ExperimentError, match=message):
        load_experiment("sure.yaml")
