"""Results as folders: whole or not at all, the same bytes for the same games, and read back as they were."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest

from skate_sim import saving
from skate_sim.api import simulate
from skate_sim.results import FolderError, Results
from skate_sim.saving import check_folder
from tests.runs import POOL


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder; of the manifest all but the clock and the digests, which name all other files."""
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    if "manifest.json" in found:
        manifest = json.loads(found["manifest.json"])
        manifest.pop("time")
        found["manifest.json"] = json.dumps(manifest).encode()
    return found


def test_saved_whole_and_read_back(results: Results, tmp_path: Path) -> None:
    folder = results.save(tmp_path / "deep" / "run")
    names = set(contents(folder))
    tables = {f"tables/{name}.{end}" for name in results.table_names() for end in ("csv", "parquet")}
    figures = {f"figures/{name}.{end}" for name in results.figures() for end in ("png", "svg")}
    assert names == tables | figures | {"manifest.json", "tallies.npz", "report.html"}
    assert [p.name for p in folder.parent.iterdir()] == ["run"], "nothing is left next to it"
    loaded = Results.load(folder)
    for name, table in results.tables().items():
        pd.testing.assert_frame_equal(loaded.tables()[name], table)
    pd.testing.assert_frame_equal(loaded.distribution("prestige"), results.distribution("prestige"))
    pd.testing.assert_frame_equal(loaded.along("round"), results.along("round"))
    assert set(loaded.figures()) == set(results.figures())
    assert loaded.figures()["win_shares"]().axes
    assert (loaded.name, loaded.question, loaded.games, loaded.partial) == ("small", "Who wins?", 4000, False)
    assert loaded.manifest()["bots"] == results.manifest()["bots"]
    assert loaded._repr_html_() == results._repr_html_()
    csv = pd.read_csv(folder / "tables" / "bots.csv")
    pd.testing.assert_frame_equal(csv, results.bots(), check_dtype=False)


def test_manifest_says_what_the_run_was(results: Results, tmp_path: Path) -> None:
    changed = simulate(
        {"one": "stop_at_n:n=3", "two": "random_legal"},
        players=2,
        preset="online",
        rules={"rounds": 3},
        edits={"cards.ollie.points": 2},
        games=101,
        seed=2**64 - 1,
    )
    manifest = json.loads((changed.save(tmp_path / "run", figures=False) / "manifest.json").read_text())
    assert manifest["changes"] == {
        "rules.rounds": {"from": 4, "to": 3},
        "cards.ollie.points": {"from": 1, "to": 2},
    }
    assert manifest["rules"]["rounds"] == 3
    assert manifest["preset"] == "online"
    assert manifest["seed"] == 2**64 - 1
    assert manifest["games"] == 102, "rounded up to play both lineups equally often"
    assert manifest["lineups"] == [[0, 1], [1, 0]]
    assert [b["name"] for b in manifest["bots"]] == ["one", "two"]
    assert manifest["bots"][0]["parameters"] == {"n": 3}
    assert Path(manifest["bots"][0]["path"]).name == "stop_at_n.py"
    assert manifest["bots"][0]["fingerprint"] == changed.plan.bots[0].code.digest
    assert manifest["experiment"]["pool"][0] == {"bot": manifest["bots"][0]["path"], "label": "one", "n": 3}
    assert set(manifest["versions"]) == {"skate_sim", "source", "numba", "numpy", "pandas", "python"}
    assert manifest["behaviour_version"] == changed.declaration.behaviour_version
    assert set(manifest["time"]) == {"started_at", "seconds", "games_played", "games_per_second"}
    assert not (tmp_path / "run" / "figures").exists()


def test_same_bytes_whatever_plays_the_games(tmp_path: Path) -> None:
    ways = [{"threads": 1}, {"threads": 2, "chunk": 7}, {"threads": 2, "chunk": 1000}]
    folders = []
    for number, way in enumerate(ways):
        found = simulate(POOL, games=400, seed=3, **way)
        folders.append(found.save(tmp_path / str(number), figures=number < 2))
    with ThreadPoolExecutor(2) as pool:
        found = simulate(POOL, games=400, seed=3, executor=pool, chunk=50)
        folders.append(found.save(tmp_path / "executor", figures=False))
    first = contents(folders[0])
    assert contents(folders[1]) == first
    manifest = first.pop("manifest.json")
    others = {k: v for k, v in first.items() if not k.startswith(("figures/", "report"))}
    assert json.loads(manifest)["files"].keys() == first.keys()
    for folder in folders[2:]:
        assert {k: v for k, v in contents(folder).items() if k != "manifest.json"} == others
    other_seed = simulate(POOL, games=400, seed=4).save(tmp_path / "other", figures=False)
    assert contents(other_seed)["tables/bots.csv"] != first["tables/bots.csv"]


def test_an_older_result_is_replaced_and_notes_are_kept(results: Results, tmp_path: Path) -> None:
    folder = simulate(POOL, games=40).save(tmp_path / "run")
    (folder / "notes").mkdir()
    (folder / "notes" / "mine.txt").write_text("keep me")
    (folder / "tables" / "mine.csv").write_text("keep me, too")
    results.save(folder, figures=False)
    assert Results.load(folder).games == 4000
    assert (folder / "notes" / "mine.txt").read_text() == "keep me"
    assert (folder / "tables" / "mine.csv").read_text() == "keep me, too"
    assert not (folder / "figures").exists(), "figures of the older result would not belong to this one"
    assert Results.load(results.save(folder, figures=False)).games == 4000


def test_an_older_result_stays_when_a_figure_fails(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = simulate(POOL, games=40).save(tmp_path / "run", figures=False)
    before = contents(folder)

    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("skate_sim.plots.write", fail)
    with pytest.raises(OSError, match="no space left"):
        results.save(folder)
    assert contents(folder) == before
    assert [p.name for p in tmp_path.iterdir()] == ["run"]
    with pytest.raises(OSError, match="no space left"):
        results.save(tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("error", [OSError("disk"), KeyboardInterrupt()])
def test_an_older_result_stays_when_the_swap_fails(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    folder = simulate(POOL, games=40).save(tmp_path / "run", figures=False)
    before, rename = contents(folder), Path.rename

    def fail(path: Path, target: Path) -> Path:
        if path.name.endswith(".new"):
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(type(error)):
        results.save(folder, figures=False)
    assert contents(folder) == before
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_a_folder_of_something_else_is_left_alone(results: Results, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    (tmp_path / "manifest.json").write_text('{"made_by": "somebody else", "files": {}}')
    with pytest.raises(FolderError, match="is not empty and holds no result of skate-sim"):
        results.save(tmp_path)
    with pytest.raises(FolderError, match="is a file"):
        check_folder(tmp_path / "thesis.txt")
    assert (tmp_path / "thesis.txt").read_text() == "ten years of work"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert check_folder(empty) == empty
    assert Results.load(results.save(empty, figures=False)).games == 4000


def test_what_cannot_be_loaded(results: Results, tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no result"):
        Results.load(tmp_path)
    folder = results.save(tmp_path / "run", figures=False)
    file = folder / "tables" / "bots.parquet"
    results.seats().to_parquet(file)
    with pytest.raises(FolderError, match=r"bots\.parquet is not as it was saved"):
        Results.load(folder)
    file.unlink()
    with pytest.raises(FolderError, match=r"bots\.parquet is not as it was saved"):
        Results.load(folder)
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(text.replace('"format": 1', '"format": 99'))
    with pytest.raises(FolderError, match="format 99; this version reads up to 1"):
        Results.load(folder)


def test_manifest_is_readable(results: Results) -> None:
    text = saving.as_json(results.manifest())
    assert '"lineups": [\n    [0, 1, 2, 3],\n    [1, 2, 3, 0],' in text
    assert json.loads(text) == results.manifest()


@pytest.mark.parametrize(("name", "why"), [("x" * 201, "more than 200 bytes"), ("bad\udcff", "not written in letters")])
def test_names_that_no_folder_can_have_are_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(saving.FolderError, match=why):
        check_folder(tmp_path / name)
