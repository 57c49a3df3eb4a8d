"""``rank``: how a bot does and what it does otherwise; ``play`` of stored results."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest

from skate_sim.api import simulate
from skate_sim.bot_findings import contrasts, otherwise, run_findings
from skate_sim.rank_command import rank_sentences
from skate_sim.results import Results
from tests.commands import enter, invoke


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with experiments."""
    return enter(tmp_path, monkeypatch)


def test_rank(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rank = ("rank", "stop_at_n:n=3", "--games", "4000")
    done = invoke(capsys, *rank)
    assert done.code == 0
    assert "Skate Legend, 4 skaters, rulebook rules. 4," in done.out
    for words in ("stop_at_n:n=3 has rank", "a fair share is 25%", "Prestige compared with", "\nRanking\n", "\nBots\n"):
        assert words in done.out
    for other in ("risk_threshold", "helmet_saver", "legend_hunter", "score_chaser", "random_legal", "stop_at_n "):
        assert other in done.out, "all bundled bots are there"
    assert not (folder / "results").exists()

    record = json.loads(invoke(capsys, *rank, "--json").out)
    assert list(record["findings"]) == ["stop_at_n:n=3"]
    assert len(record["tables"]["bots"]) == 7
    rows = list(csv.DictReader(io.StringIO(invoke(capsys, *rank, "--csv").out)))
    assert {row["outcome"] for row in rows} == {"win_share"}
    assert len(rows) == 7


def test_rank_against_some(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "rank", "stop_at_n", "--against", "risk_threshold", "--games", "1000", "--seats", "4")
    assert done.code == 0
    assert "4 skaters" in done.out
    assert "of 2: win share" in done.out
    alone = invoke(capsys, "rank", "stop_at_n", "--against", "stop_at_n")
    assert (alone.code, "stop_at_n against itself; name others with --against" in alone.err) == (2, True)
    missing = invoke(capsys, "rank", "nobody")
    assert (missing.code, "no bot 'nobody'" in missing.err) == (2, True)


def test_what_a_bot_does_otherwise_is_in_the_tables(results: Results) -> None:
    names = results.bots().sort_values("win_share")["bot"].tolist()
    last, best = names[0], names[-1]
    parts, others = contrasts(results, last, best)
    table = results.bots().set_index("bot")
    score = table.loc[last, "prestige"] - table.loc[best, "prestige"]
    assert math.isclose(sum(c.difference.mean for c in parts), score, rel_tol=1e-9), "the parts make up the score"
    assert [c.effect for c in others] == sorted((c.effect for c in others), reverse=True)
    names_of = [c.outcome.name for c in others]
    assert "round_falls" in names_of
    assert "falls" not in names_of, "it is the sum of the falls by round"
    falls = next(c for c in others if c.outcome.name == "round_falls")
    by_round = results.along("round").groupby("bot")["round_falls"].mean()
    assert math.isclose(falls.one.mean, by_round[last])
    assert falls.told(best).startswith("Fall rate a round: ")
    assert all("±" in text or " to " in text or "from" in text for text in otherwise(results, last, best)), (
        "every number has its interval"
    )
    sentences = rank_sentences(results, last)
    assert sentences[0].startswith(f"{last} has rank {len(names)} of {len(names)}: win share ")


def test_bots_that_play_alike_are_not_told_apart() -> None:
    """Of twins that differ in a parameter that changes nothing, no difference is certain."""

    def one(view, limit=0.3, nothing=1):
        return -1 if nothing < 0 else (0 if view.table.may_stop and view.me.combo_size >= 4 else 1)

    for seed in range(1, 7):
        found = simulate([(one, {"nothing": n}) for n in (1, 2)], players=2, games=600, seed=seed)
        names = found.bots()["bot"].tolist()
        assert otherwise(found, *names) == [
            f"In nothing that is shown does it play otherwise than {names[1]} beyond doubt."
        ]


def test_a_run_says_first_who_leads(folder: Path, capsys: pytest.CaptureFixture[str], results: Results) -> None:
    table = results.bots().sort_values("win_share", ascending=False)
    [finding, *_] = run_findings(results)
    assert finding.startswith(f"{table['bot'].iloc[0]} ")
    assert f"Last is {table['bot'].iloc[-1]} with " in finding
    printed = invoke(capsys, "run", "who.yaml").out
    assert 0 < printed.index(" - ") < printed.index("\nBots\n")
    stored = invoke(capsys, "show", "results/who").out
    assert printed.partition(" - ")[2].splitlines()[0] in stored
    said = printed.partition(" - ")[2].partition("\n\n")[0].split()
    assert " ".join(said)[:40] in (folder / "results/who/report.html").read_text()


def test_leaders_are_those_of_the_ranking() -> None:
    found = simulate(["stop_at_n", "stop_at_n:n=5", "stop_at_n:n=3"], players=3, games=300, seed=2)
    ranking = found.ranking().query("outcome == 'win_share'")
    leaders = ranking[ranking["best_rank"] == 1]["bot"].tolist()
    finding = run_findings(found)[0]
    apart = len(leaders) == 1
    assert finding.startswith(
        f"{leaders[0]} is ahead" if apart else ("No bot can" if len(leaders) == 3 else leaders[0])
    )
    assert np.isfinite(ranking["value"]).all()


def test_play_a_stored_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "run", "who.yaml", "--no-figures", "--quiet")
    invoke(capsys, "run", "three.yaml", "--no-figures", "--quiet")
    told = invoke(capsys, "play", "who.yaml", "--game", "5", "--json")
    assert told.code == 0
    assert invoke(capsys, "play", "results/who", "--game", "5", "--json") == told
    variant = invoke(capsys, "play", "results/three", "--variant", "worth_2", "--json")
    assert variant.code == 0
    assert variant == invoke(capsys, "play", "three.yaml", "--variant", "worth_2", "--json")
    for arguments, words in (
        (("results/three",), "name one with --variant: worth_2"),
        (("results/three", "--variant", "worth"), "did you mean 'worth_2'"),
        (("results/who", "--bots", "stop_at_n,stop_at_n"), "stored games have their own bots"),
    ):
        done = invoke(capsys, "play", *arguments)
        assert (done.code, words in done.err) == (2, True)
