"""Expectations in an experiment: judged by intervals, printed, saved, verified, and told by the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import skate_sim
from skate_sim.comparison_results import ComparisonResults
from skate_sim.expectations import as_expectation
from skate_sim.experiment import ExperimentError, load_experiment
from skate_sim.results import Results
from skate_sim.verification import verify
from tests.commands import COMPARED, EXPERIMENT, ROOT, enter, invoke

HOLDS = "  - {outcome: win_share, bot: Careful, above: 90}\n"
FAILS = "  - {outcome: prestige, bot: Careful, between: [1, 2]}\n"
UNDECIDED = "  - {outcome: turns, above: %r}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


def turns(folder: Path) -> float:
    """Mean number of turns, which is in the middle of its interval."""
    found = skate_sim.run("who.yaml")
    assert isinstance(found, Results)
    return float(found.game().set_index("outcome").loc["turns", "mean"])


def test_exit_codes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    undecided = UNDECIDED % turns(folder)
    for lines, code, verdicts in (
        (HOLDS, 0, ["HOLDS"]),
        (HOLDS + FAILS, 1, ["HOLDS", "FAILS"]),
        (HOLDS + undecided, 3, ["HOLDS", "UNDECIDED"]),
        (FAILS + undecided, 1, ["FAILS", "UNDECIDED"]),
    ):
        (folder / "hope.yaml").write_text(EXPERIMENT + "expect:\n" + lines)
        done = invoke(capsys, "run", "hope.yaml", "--no-figures")
        assert done.code == code, done.out + done.err
        rows = done.out.partition("\nExpectations\n")[2].partition("Holds:")[0].splitlines()
        found = [w for line in rows for w in line.split() if w in ("HOLDS", "FAILS", "UNDECIDED")]
        assert found == verdicts
        assert (folder / "results/hope/tables/expectations.csv").is_file()
    assert invoke(capsys, "run", "hope.yaml", "--no-files", "-q").code == 1


def test_numbers_are_those_of_the_tables(folder: Path) -> None:
    lines = HOLDS + FAILS + "  - {outcome: win_share, bot: Careful, seat: 2, above: 90}\n"
    (folder / "hope.yaml").write_text(EXPERIMENT + "expect:\n" + lines + "  - {outcome: falls, seat: 1, below: 3}\n")
    found = skate_sim.run("hope.yaml")
    assert isinstance(found, Results)
    table, bots, seats = found.tables()["expectations"], found.bots().set_index("bot"), found.seats()
    for row, name in ((0, "win_share"), (1, "prestige")):
        expected = bots.loc["Careful", [name, f"{name}_low", f"{name}_high"]].tolist()
        assert table.loc[row, ["value", "low", "high"]].tolist() == expected
    its = seats[(seats["bot"] == "Careful") & (seats["seat"] == 2)].iloc[0]
    assert table.loc[2, "low"] == its["win_share_low"]
    its = seats[(seats["bot"] == "all") & (seats["seat"] == 1)].iloc[0]
    assert table.loc[3, "high"] == its["falls_high"]
    assert table["verdict"].tolist() == ["holds", "fails", "holds", "holds"]
    assert table["above"].tolist()[:2] == [90, 1]
    folder_of_it = found.save(folder / "saved", figures=False)
    assert verify(folder_of_it, everything=True).problems == ()
    manifest = json.loads((folder_of_it / "manifest.json").read_text())
    assert manifest["expect"][1] == {"outcome": "prestige", "bot": "Careful", "above": 1, "below": 2}


def test_differences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "hope.yaml").write_text(
        COMPARED + "expect:\n"
        "  - {outcome: prestige, bot: Careful, variant: worth_2, difference: true, above: 0}\n"
        "  - {outcome: prestige, bot: Careful, variant: again, difference: true, between: [0, 0]}\n"
        "  - {outcome: win_share, bot: Careful, variant: worth_2, difference: true, below: -5}\n"
        "  - {outcome: win_share, bot: Careful, variant: printed, above: 90}\n"
    )
    found = skate_sim.run("hope.yaml")
    assert isinstance(found, ComparisonResults)
    assert [j.verdict for j in found.verdicts()] == ["holds", "holds", "fails", "holds"]
    differences = found.differences()
    row = differences[(differences["outcome"] == "prestige") & (differences["bot"] == "Careful")].iloc[0]
    assert found.tables()["expectations"].loc[0, "low"] == row["low"]
    done = invoke(capsys, "run", "hope.yaml", "--no-figures")
    assert done.code == 1
    assert "below -5 % points" in done.out
    assert "0 exactly" in done.out.partition("\nExpectations\n")[2]
    assert verify("results/hope", everything=True).problems == ()


def test_with_precision_intervals_are_valid_at_every_look(folder: Path) -> None:
    (folder / "hope.yaml").write_text(EXPERIMENT + "precision: 1\nexpect:\n" + HOLDS)
    found = skate_sim.run("hope.yaml", games=20_000)
    assert isinstance(found, Results)
    assert found.level > 0.99
    estimate = found.verdicts()[0].estimate
    assert estimate.low == found.bots().set_index("bot").loc["Careful", "win_share_low"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{outcome: wins, bot: Careful, above: 1}", "hope.yaml:9: expect.1.outcome: no outcome 'wins'"),
        ("{outcome: win_share, bot: Carefull, above: 1}", "expect.1.bot: no bot 'Carefull'; did you mean 'Careful'"),
        ("{outcome: win_share, above: 1}", "win_share is of a bot; name it, as in bot: stop_at_n"),
        ("{outcome: win_share, bot: Careful, seat: 3, above: 1}", "expect.1.seat: found 3; seats are 1 to 2"),
        ("{outcome: turns, bot: Careful, above: 1}", "turns is of the game as a whole; leave out bot"),
        ("{outcome: turns, variant: x, above: 1}", "expect.1.variant: found no variants in the experiment"),
        ("{outcome: turns, difference: true, above: 1}", "expect.1.difference: found no variants"),
        ("{outcome: turns}", "hope.yaml:9: expect.1: found neither above, below nor between"),
        ("{outcome: turns, above: 3, below: 2}", "found 3 to 2; the low end comes first"),
        ("{outcome: turns, between: 3}", "found 3 for between"),
        ("{outcome: turns, above: x}", "found 'x'; above, below and between are numbers"),
        ("{outcome: turns, over: 3}", "found the key 'over'; an expectation has outcome"),
        ("{outcome: 3, above: 3}", "found 3 for outcome; it is a name"),
        ("{outcome: turns, seat: 0, above: 3}", "found 0 for seat; seats count from 1"),
        ("{outcome: turns, difference: 3, above: 3}", "found 3 for difference"),
        ("turns", "found 'turns'; expect is a list of lines"),
    ],
)
def test_mistakes(line: str, message: str, folder: Path) -> None:
    (folder / "hope.yaml").write_text(f"{EXPERIMENT}expect:\n  - {line}\n")
    with pytest.raises(ExperimentError) as caught:
        load_experiment("hope.yaml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{outcome: turns, above: 1}", "found no variant, but the experiment has some"),
        ("{outcome: turns, variant: worth_3, above: 1}", "no variant 'worth_3'; did you mean 'worth_2'"),
        ("{outcome: turns, variant: printed, difference: true, above: 1}", "found printed, the baseline"),
    ],
)
def test_mistakes_with_variants(line: str, message: str, folder: Path) -> None:
    (folder / "hope.yaml").write_text(f"{COMPARED}expect:\n  - {line}\n")
    with pytest.raises(ExperimentError) as caught:
        load_experiment("hope.yaml")
    assert message in str(caught.value)


def test_round_trip() -> None:
    for line in (
        {"outcome": "turns", "above": 0.0},
        {"outcome": "a", "bot": "b", "variant": "c", "seat": 2, "below": 3},
    ):
        assert as_expectation(line).as_dict() == line
    both = as_expectation({"outcome": "a", "between": [1, 2], "difference": True})
    assert as_expectation(both.as_dict()) == both


PAIRS = """# Who beats whom?
pool: [risk_threshold, stop_at_n, helmet_saver]
players: 3
games: 1500
pairs: {size: 2}
expect:
"""


def test_one_bot_against_another(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several lines are a matrix; their numbers are those of the table of pairs."""
    lines = [
        "  - {outcome: win_share, bot: risk_threshold, versus: stop_at_n, above: 10}\n",
        "  - {outcome: win_share, bot: stop_at_n, versus: helmet_saver, between: [-50, -20]}\n",
    ]
    (folder / "pairs.yaml").write_text(PAIRS + "".join(lines))
    assert invoke(capsys, "run", "pairs.yaml", "--no-figures", "-q").code == 0
    found = skate_sim.run("pairs.yaml")
    table = found.tables()["pairs"].set_index(["bot", "against"])
    for row in found.tables()["expectations"].to_dict("records"):
        assert row["value"] == table.loc[(row["bot"], row["versus"]), "value"]
        assert row["low"] == table.loc[(row["bot"], row["versus"]), "low"]
    (folder / "pairs.yaml").write_text(PAIRS + lines[0].replace("above", "below"))
    assert invoke(capsys, "run", "pairs.yaml", "--no-files", "-q").code == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{outcome: win_share, bot: risk_threshold, versus: stop_at, above: 1}", "no bot 'stop_at' to compare"),
        ("{outcome: win_share, bot: stop_at_n, versus: stop_at_n, above: 1}", "no bot 'stop_at_n' to compare"),
        ("{outcome: falls, bot: stop_at_n, versus: risk_threshold, above: 1}", "pairs are compared by win_share"),
        ("{outcome: win_share, bot: stop_at_n, versus: risk_threshold, seat: 1, above: 1}", "it stands alone"),
    ],
)
def test_mistakes_with_pairs(line: str, message: str, folder: Path) -> None:
    (folder / "pairs.yaml").write_text(f"{PAIRS}  - {line}\n")
    with pytest.raises(ExperimentError, match=message):
        load_experiment("pairs.yaml")
    (folder / "pairs.yaml").write_text(f"{PAIRS}  - {line}\n".replace("pairs: {size: 2}\n", ""))
    with pytest.raises(ExperimentError, match="found no pairs in the experiment"):
        load_experiment("pairs.yaml")


@pytest.mark.parametrize("precision", ["", "precision: 1\n"])
def test_lines_are_not_corrected_for_each_other_as_the_documents_say(precision: str, folder: Path) -> None:
    estimates = []
    for lines in (HOLDS, HOLDS + FAILS + UNDECIDED % 9):
        (folder / "hope.yaml").write_text(EXPERIMENT + precision + "expect:\n" + lines)
        found = skate_sim.run("hope.yaml")
        assert isinstance(found, Results)
        estimates.append(found.verdicts()[0].estimate)
    assert estimates[0] == estimates[1]
    for page, words in (
        ("README.md", "is not corrected for"),
        ("docs/statistics.md", "Neither is corrected for the number of lines"),
        ("docs/howto/reach_a_precision.md", "not the number of bots"),
    ):
        assert words in " ".join((ROOT / page).read_text(encoding="utf-8").split()), page
