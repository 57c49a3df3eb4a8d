"""Games told in words, and the lists of bots, rules and data."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from skate_sim.play_command import split_bots
from tests.commands import ROOT, enter, invoke


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def test_play(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "play", "who.yaml", "--game", "5")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Skate Legend, game 5 of seed 7"
    assert "1 Careful, 2 stop_at_n:n=3" in done.out
    assert [line.split()[1] for line in lines if line.startswith("Round ")] == ["1", "2", "3", "4"]
    assert "  Careful plays " in done.out
    assert "Final scores" in done.out
    assert max(len(line) for line in lines) <= 100


def test_play_json_is_the_game_that_the_run_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {"stop_at_n": 0, "risk_threshold": 0}
    for number in range(4):
        events = [
            json.loads(line)
            for line in invoke(capsys, "play", "who.yaml", "-g", str(number), "--json").out.splitlines()
        ]
        assert (events[0]["event"], events[0]["game_number"], events[-1]["event"]) == ("setup", number, "end")
        for seat, end in zip(events[0]["seats"], events[-1]["seats"], strict=True):
            scores[seat["bot"]] += end["prestige"]
    rows = csv.DictReader(io.StringIO(invoke(capsys, "run", "who.yaml", "-g", "4", "--csv", "--no-files").out))
    assert [float(row["prestige"]) * 4 for row in rows] == pytest.approx(list(scores.values()))


def test_play_bots(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "play", "--bots", "stop_at_n:n=3,stop_at_n:n=3,random_legal", "--seed", "2")
    assert done.code == 0
    assert "1 stop_at_n:n=3 (1), 2 stop_at_n:n=3 (2), 3 random_legal" in done.out

    other = invoke(capsys, "play", "both.yaml", "--variant", "short", "--bots", "random_legal,stop_at_n", "--json")
    setup = json.loads(other.out.splitlines()[0])
    assert (setup["rules"]["rounds"], setup["seed"]) == (2, 7)
    assert [seat["bot"] for seat in setup["seats"]] == ["random_legal", "stop_at_n"]

    assert invoke(capsys, "play").code == 0, "without anything, some game is told"


def test_split_bots() -> None:
    assert split_bots("a,b:x=1,y=2, c.py ,d") == ["a", "b:x=1,y=2", "c.py", "d"]
    assert split_bots("a,x=1,b") == ["a:x=1", "b"]


def test_bots(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies/broken.py").write_text("def act(view:\n")
    done = invoke(capsys, "bots")
    assert done.code == 0
    assert "n=4 (1 to 20)" in done.out
    assert "cannot be loaded" in done.out
    listed = {record["bot"]: record for record in json.loads(invoke(capsys, "bots", "--json").out)}
    bundled = {path.stem for path in (ROOT / "strategies/skate_legend").glob("*.py")}
    assert set(listed) == bundled | {"broken"}
    assert listed["stop_at_n"]["parameters"]["n"]["high"] == 20

    one = invoke(capsys, "bots", "stop_at_n")
    assert "Stops once its combo holds n cards" in one.out
    assert "strategies/skate_legend/stop_at_n.py" in one.out
    assert json.loads(invoke(capsys, "bots", "stop_at_n", "--json").out) == listed["stop_at_n"]


def test_rules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "rules")
    assert done.code == 0
    for words in ("rulebook", "online", "grey_counts_as_color", "Perfect Landing", "needs_cards"):
        assert words in done.out
    online = json.loads(invoke(capsys, "rules", "--preset", "online", "--json").out)
    assert list(online["presets"]) == ["online"]
    assert online["tables"]["online"]["cards"]["airwalk_grab"]["effect"] == "reveal"
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, "rules", "--csv").out)))
    assert len(rows) == 21
    assert sum(int(row["copies"]) for row in rows) == 130
