"""Variants played together: what is printed, saved, read back, gone on with and verified."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
from pathlib import Path

import pytest

import skate_sim
from skate_sim.comparison_findings import correlation_text, signed, worth_text
from skate_sim.comparison_manifest import folder_names
from skate_sim.comparison_results import ComparisonResults
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.games import load
from skate_sim.results import Results
from skate_sim.saving import FolderError
from skate_sim.stats import Estimate
from skate_sim.verification import verify
from tests.commands import COMPARED, enter, invoke
from tests.test_saving import contents

BOTS = ["stop_at_n:n=3", "risk_threshold:limit=0.2"]
FAILING = "def act(view):\n    return 99\n"


def files_of(folder: Path) -> dict[str, bytes]:
    """What a folder holds, without the manifests inside: they tell the time."""
    return {name: content for name, content in contents(folder).items() if not name.endswith("/manifest.json")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def found() -> ComparisonResults:
    """Three variants: a changed card, the printed game, and the printed game again."""
    variants = {"worth_2": {"edits": {"cards.ollie.points": 2}}, "printed": {}, "again": {}}
    return skate_sim.compare(variants, bots=BOTS, games=2000, seed=7, baseline="printed", question="Who?", name="x")


def test_run_gives_a_comparison(folder: Path, found: ComparisonResults) -> None:
    same = skate_sim.run("three.yaml")
    assert isinstance(same, ComparisonResults)
    assert (same.names, same.games) == (["worth_2", "printed", "again"], 2000)
    numbers = ["difference", "low", "high", "correlation", "worth"]
    assert same.differences()[numbers].equals(found.differences()[numbers]), "YAML and Python say the same"
    assert isinstance(skate_sim.run("who.yaml", games=10), Results)
    assert isinstance(load_experiment("three.yaml").simulate("again", games=10), Results)


def test_differences(found: ComparisonResults) -> None:
    table = found.differences()
    assert list(table.columns[:7]) == ["variant", "baseline", "bot", "outcome", "label", "unit", "value"]
    assert set(zip(table["variant"], table["baseline"], strict=True)) == {("worth_2", "printed"), ("again", "printed")}
    row = table[(table["variant"] == "worth_2") & (table["outcome"] == "prestige")].iloc[0]
    by_bot = {n: found.variant(n).bots().set_index("bot")["prestige"] for n in found.names}
    assert row["value"] == by_bot["worth_2"][row["bot"]]
    assert row["difference"] == pytest.approx(by_bot["worth_2"][row["bot"]] - by_bot["printed"][row["bot"]])
    assert row["high"] > row["difference"] > row["low"] > 0
    assert row["worth"] > 2
    again = table[table["variant"] == "again"]
    assert (again[["difference", "low", "high"]] == 0).all().all()
    assert found.difference(found.study.contrasts[0], "prestige", row["bot"]).estimate.mean == row["difference"]
    with pytest.raises(ValueError, match="no bot 'nobody'"):
        found.difference(found.study.contrasts[0], "prestige", "nobody")
    with pytest.raises(ValueError, match="no variant 'worth_3'; did you mean 'worth_2'"):
        found.variant("worth_3")


def test_variants_have_the_tables_that_they_have_alone(found: ComparisonResults) -> None:
    alone = skate_sim.simulate(BOTS, games=2000, seed=7, edits={"cards.ollie.points": 2}).tables()
    together = found.variant("worth_2").tables()
    assert list(alone) == list(together)
    assert all(alone[name].equals(together[name]) for name in alone)


def test_saved_and_read_back(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    loaded = ComparisonResults.load(folder)
    assert (loaded.names, loaded.games, loaded.question) == (found.names, 2000, "Who?")
    assert loaded.differences().equals(found.differences())
    assert loaded.variant("again").bots().equals(found.variant("again").bots())
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["kind"] == "comparison"
    assert manifest["contrasts"][0]["weights"] == {"worth_2": 1, "printed": -1}
    assert manifest["variants"]["worth_2"]["changes"] == {"cards.ollie.points": {"from": 1, "to": 2}}
    assert "worth_2/tables/bots.csv" in manifest["files"]
    assert json.loads((folder / "again" / "manifest.json").read_text())["variant_of"] == "x"
    single = skate_sim.simulate(BOTS, games=10).save(tmp_path / "single", figures=False)
    with pytest.raises(FolderError, match="holds no comparison"):
        ComparisonResults.load(single)
    for shown in (found, loaded):
        assert "worth_2 less printed" in shown._repr_html_()


def test_figures(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x")
    for place in ("figures/differences_win_share", "figures/differences_prestige", "worth_2/figures/win_shares"):
        assert (folder / f"{place}.svg").stat().st_size > 2000
        assert (folder / f"{place}.png").is_file()


def test_an_older_result_goes_and_notes_stay(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    (folder / "notes.txt").write_text("mine")
    (folder / "again" / "notes.txt").write_text("mine too")
    fewer = skate_sim.compare({"printed": {}, "worth_2": {}}, bots=BOTS, games=10)
    fewer.save(folder, figures=False)
    kept = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert {"notes.txt", "again/notes.txt"} < kept
    assert not any(name.startswith("again/") for name in kept - {"again/notes.txt"})
    skate_sim.simulate(BOTS, games=10).save(folder, figures=False)
    assert not (folder / "printed" / "manifest.json").exists()
    lone = skate_sim.simulate(BOTS, games=10).save(tmp_path / "z" / "printed", figures=False)
    assert (lone / "tallies.npz").is_file()
    fewer.save(tmp_path / "z", figures=False)
    assert not (lone / "tallies.npz").exists(), "of an older result of that variant on its own"
    stranger = tmp_path / "y" / "printed"
    stranger.mkdir(parents=True)
    (stranger / "notes.txt").write_text("mine")
    with pytest.raises(FolderError, match="is not empty and holds no result"):
        fewer.save(tmp_path / "y", figures=False)


def test_verify(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    assert verify(folder).reproduces
    whole = verify(folder, everything=True)
    assert (whole.reproduces, whole.games, whole.tables, whole.notes) == (True, 2000, (), ())
    with pytest.raises(FolderError, match=r"one of the variants of x, which were played together; verify .*x instead"):
        verify(folder / "printed")
    table = folder / "worth_2" / "tables" / "bots.csv"
    table.write_text(table.read_text().replace("1", "2"))
    assert verify(folder).problems == ("worth_2/tables/bots.csv is not as it was saved",)


def test_verify_finds_another_experiment(found: ComparisonResults, tmp_path: Path) -> None:
    folder = found.save(tmp_path / "x", figures=False)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["variants"]["worth_2"]["experiment"]["edits"] = {"cards.ollie.points": 3}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert verify(folder).problems == ("variants.worth_2.cards.ollie.points is 2 there and 3 here",)


def test_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "run", "three.yaml", "--no-figures")
    assert done.code == 0
    assert "Variant printed (baseline): rulebook rules" in done.out
    assert "Variant worth_2: Ollie: points 1 → 2" in done.out
    assert "Win share by variant" in done.out
    assert "Worth" not in done.out
    assert "again and printed play the very same games." in done.out
    assert "Falls by" not in done.out, "single variants are told with --all only"
    assert "Checks: all hold in every variant." in done.out
    everything = invoke(capsys, "run", "three.yaml", "--no-files", "--all").out
    assert "Variant worth_2\n" in everything
    assert "Prestige: difference to printed" in everything
    assert "Worth" in everything
    assert "Falls by" in everything


def test_json_and_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = json.loads(invoke(capsys, "run", "three.yaml", "--json", "--no-files").out)
    assert list(printed["variants"]) == ["worth_2", "printed", "again"]
    assert printed["tables"]["differences"][0]["variant"] == "worth_2"
    assert "again and printed play the very same games." in printed["findings"]
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, "run", "three.yaml", "--csv", "--no-files").out)))
    assert {row["variant"] for row in rows} == {"worth_2", "again"}
    assert float(rows[0]["low"]) <= float(rows[0]["difference"]) <= float(rows[0]["high"])


def test_resumed_after_ctrl_c(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke(capsys, "run", "three.yaml", "--no-figures", "-q", "-o", "whole")
    with monkeypatch.context() as patch:
        patch.setattr("skate_sim.console.RunProgress.__call__", lambda *_: signal.raise_signal(signal.SIGINT))
        stopped = invoke(capsys, "run", "three.yaml", "--no-figures", "--chunk", "100", "-t", "1")
    assert stopped.code == 130
    assert "PARTIAL: stopped after" in stopped.out
    partial = json.loads((folder / "results/three/manifest.json").read_text())
    assert partial["partial"]
    assert 0 < partial["games"] < 2000
    done = invoke(capsys, "run", "three.yaml", "--no-figures", "--resume")
    assert done.code == 0
    assert f"{partial['games']:,} of them played before" in done.out
    for place in ("", "worth_2", "printed", "again"):
        assert files_of(folder / "results/three" / place) == files_of(folder / "whole" / place)
    (folder / "three.yaml").write_text(COMPARED.replace("baseline: printed", "baseline: again"))
    refused = invoke(capsys, "run", "three.yaml", "--resume")
    assert refused.code == 2
    assert "contrasts" in refused.err


def test_variants_of_other_tables_are_played_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "run", "both.yaml", "--no-figures")
    assert "The variants are not compared game by game: short has another number of rounds" in done.out.replace(
        "\n", ""
    )
    assert not (folder / "results/both/tables/differences.csv").exists()
    assert invoke(capsys, "verify", "results/both").out.count("Reproduces") == 2
    with pytest.raises(FolderError, match=r"played one after the other; verify each: results/both/printed, results/b"):
        verify("results/both")
    apart = skate_sim.run("both.yaml", games=20)
    assert isinstance(apart, ComparisonResults)
    assert apart.compared is None
    told = [invoke(capsys, "play", where, "--variant", "short").out for where in ("both.yaml", "results/both")]
    assert told[0] == told[1]
    assert "Final scores" in told[0]
    assert invoke(capsys, "report", "results/both").code == 0
    page = (folder / "results/both/report.html").read_text()
    assert "No game can be told: the variants were played one after the other, each with its own games." in page
    with pytest.raises(ValueError, match="no differences: short has another"):
        apart.difference(apart.study.contrasts[0], "prestige", 0)


def test_stopped_variants_that_are_played_apart_tell_their_own_games(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = 0

    def progress(_: object, finished: int, *__: object) -> None:
        nonlocal before
        if finished < before:  # of the second variant
            signal.raise_signal(signal.SIGINT)
        before = finished

    with monkeypatch.context() as patch:
        patch.setattr("skate_sim.console.RunProgress.__call__", progress)
        patch.setattr(ComparisonResults, "figures", lambda _: {})
        patch.setattr(Results, "figures", lambda _: {})
        stopped = invoke(capsys, "run", "both.yaml", "--chunk", "100", "-t", "1")
    manifest = json.loads((folder / "results/both/manifest.json").read_text())
    games = manifest["variants"]["short"]["games"]
    assert 0 < games < 2000
    counted = f"2,000 games (printed) and {games:,} (short) of seed 7"
    shown = invoke(capsys, "show", "results/both")
    for done in (stopped, shown):
        assert counted in done.out
        assert done.out.count(f"PARTIAL: short was stopped after {games:,} of 2,000 games.") == 2
    assert counted in (folder / "results/both/report.html").read_text()
    fresh, stored = skate_sim.run("both.yaml", games=20), ComparisonResults.load(folder / "results/both")
    assert isinstance(fresh, ComparisonResults)
    assert "printed, short, 20 games of each variant>" in repr(fresh)
    assert f"2,000 games (printed) and {games:,} (short), stopped early>" in repr(stored)


def test_a_bot_that_fails_is_told_with_its_variant(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.py").write_text(FAILING)
    (folder / "bad.yaml").write_text(
        "pool: [stop_at_n, random_legal]\ngames: 100\nvariants:\n  good: {}\n  'bad': {pool: [stop_at_n, bad.py]}\n"
    )
    done = invoke(capsys, "run", "bad.yaml", "--no-files")
    assert done.code == 2
    assert "variant bad: bot bad answered" in done.err.replace("\n", " ")
    assert "skate-sim play bad.yaml --variant bad --game 0 --seed 1" in done.err
    (folder / "bad.yaml").write_text(
        (folder / "bad.yaml").read_text().replace("bad.py]", "bad.py], rules: {rounds: 2}")
    )
    done = invoke(capsys, "run", "bad.yaml", "--no-files")
    assert "skate-sim play bad.yaml --variant bad --game 0 --seed 1" in done.err, "also when they are played apart"


def test_baseline(folder: Path) -> None:
    experiment = load_experiment("three.yaml")
    assert {c.baseline for c in experiment.study().contrasts} == {"printed"}
    (folder / "three.yaml").write_text(COMPARED.replace("baseline: printed\n", ""))
    assert {c.baseline for c in load_experiment("three.yaml").study().contrasts} == {"worth_2"}
    (folder / "three.yaml").write_text(COMPARED.replace("baseline: printed", "baseline: printd"))
    with pytest.raises(ExperimentError, match=r"three.yaml:8: baseline: no variant 'printd'; did you mean 'printed'"):
        load_experiment("three.yaml")
    shutil.copy(folder / "who.yaml", folder / "one.yaml")
    (folder / "one.yaml").write_text((folder / "who.yaml").read_text() + "baseline: x\n")
    with pytest.raises(ExperimentError, match=r"one.yaml:8: baseline: found a baseline but no variants"):
        load_experiment("one.yaml")


def test_compare_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="no variants"):
        skate_sim.compare({}, bots=BOTS)
    with pytest.raises(ValueError, match="no variant 'c'"):
        skate_sim.compare({"a": {}, "b": {}}, bots=BOTS, baseline="c")
    with pytest.raises(ValueError, match="variant 'a' has no bots"):
        skate_sim.compare({"a": {}, "b": {}})


def test_numbers_as_text() -> None:
    share, points = (load("skate_legend").outcome(n) for n in ("win_share", "prestige"))
    assert signed(Estimate(0.0312, 0.0290, 0.0334), share) == "+3.12 ± 0.22"
    assert signed(Estimate(-1.234, -1.5, -0.968), points) == "-1.23 ± 0.27"
    assert signed(Estimate(0.0001, -0.008, 0.0082), points) == "0.000 ± 0.008"
    assert signed(Estimate(0.0, 0.0, 0.0), points) == "0 exactly"
    assert worth_text(0.9877, 81.3, 20_000) == "81"
    assert worth_text(0.5, 2.04, 1_000_000) == "2.0"
    assert worth_text(0.9985, 642.0, 2_000) == "600"
    assert (worth_text(1.0, float("inf"), 10), worth_text(float("nan"), float("nan"), 10)) == ("∞", "–")
    assert correlation_text(0.98765, 81.3, 20_000) == "0.9877"
    assert correlation_text(0.5, 2.0, 1000) == "0.50"


def test_names_of_folders() -> None:
    names = folder_names(["limit=0.2, n=3", "a/b", "a_b", "A_B", "tables", ".."])
    assert list(names.values()) == ["limit=0.2, n=3", "a_b", "a_b_", "A_B__", "tables_", "variant"]
