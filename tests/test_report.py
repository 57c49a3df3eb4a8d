"""The page of a run: what it says, that it is whole in itself, and how it behaves in a browser."""

from __future__ import annotations

import html
import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest

from skate_sim.api import simulate
from skate_sim.console import Finding
from skate_sim.report.tables import shown, sort_key
from skate_sim.report.words import finding
from skate_sim.results import Results
from skate_sim.saving import REPORT, changed_files, manifest_of
from tests.commands import enter, invoke

EVIL = "<script>alert('x')</script> & \"quotes\""


class Outline(HTMLParser):
    """Ids, links, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "xlink:href") and (value or "").startswith("#"):
                self.targets.append((value or "")[1:])
            elif name in ("src", "href", "xlink:href", "srcset", "action"):
                self.loads.append(value or "")
            elif value and "url(#" in value:
                self.targets += re.findall(r"url\(#([^)]*)\)", value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(results: Results) -> str:
    return results.report()


def test_the_page_is_whole_in_itself(text: str) -> None:
    outline = Outline(text)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids)), "every id is there once"
    assert set(outline.targets) <= set(outline.ids), "every link has a target"
    assert set(outline.loads) <= {"data:,"}, "nothing is loaded"
    assert "@import" not in text
    assert "/tmp" not in text


def test_it_says_what_was_asked_found_and_run(text: str, results: Results) -> None:
    assert "<h1>Who wins?</h1>" in text
    best = results.bots().sort_values("win_share").iloc[-1]
    assert f"{best['bot']} is ahead: win share {100 * best['win_share']:.0f}"[:-1] in text
    assert "where a fair share is 25%" in text
    for bot in results.plan.bots:
        assert bot.code.text.replace("'", "&#39;") in text
    assert "None: everything is as in the preset." in text
    assert "4,000 games of seed 7 were played" in text
    for title in ("The median game", "The biggest upset", "The longest combo", "Kick Flip&#39;s worst day"):
        assert f"<h3>{title}</h3>" in text
    assert "Found among games 0 to 1999 of seed 7, not among all 4,000." in text
    assert text.count('<svg class="figure" role="img"') == len(results.figures()) + 1
    assert len(re.findall(r'<svg class="figure"[^>]*><title id="f-[a-z_]+-title">[^<]{20,}</title>', text)) > 5
    assert '<b class="risk"' in text


def test_the_same_games_have_the_same_page(results: Results, text: str) -> None:
    again = Results(results.plan, results.tallies, results.games, 99.0, question="Who wins?", name="small")
    assert again.report() == text


def test_what_users_write_is_escaped() -> None:
    edits = {"cards.ollie.name": EVIL}
    bots = {EVIL: "stop_at_n", "b": "risk_threshold"}
    results = simulate(bots, games=40, question=EVIL, name=EVIL, edits=edits)
    text = results.report()
    assert "alert" in text
    assert "<script>alert" not in text
    assert text.count("<script>") == 1
    assert Outline(text).open == []


def test_changes_are_listed() -> None:
    results = simulate(["stop_at_n", "risk_threshold"], games=20, rules={"rounds": 3}, edits={"cards.kick_flip": None})
    text = results.report()
    assert '<th scope="row">rules.rounds</th><td>4</td><td>3</td>' in text
    assert '<th scope="row">cards.kick_flip</th>' in text
    assert "<td>removed</td>" in text


def test_a_finding_claims_no_more_than_its_intervals() -> None:
    few = simulate(["stop_at_n:n=4", "risk_threshold:limit=0.2", "risk_threshold:limit=0.21"], games=60)
    table = few.bots()
    best = table.loc[table["win_share"].idxmax()]
    leaders = [row["bot"] for _, row in table.iterrows() if row["win_share_high"] >= best["win_share_low"]]
    assert len(leaders) > 1
    said = " ".join(finding(few))
    assert "cannot be told" in said or "No bot can be told" in said
    assert "is ahead" not in said


def test_a_page_of_one_bot_and_of_none_else(mirror: Results) -> None:
    assert "random_legal has a win share of" in mirror.report()


def test_sort_keys_are_the_first_numbers() -> None:
    texts = ["26.31% ± 0.09", "0.4% (0.1 to 1.2)", "1,234", "–", "-3.5 ± 1", "5 (from 4.9)"]
    assert [sort_key(text) for text in texts] == [26.31, 0.4, 1234, None, -3.5, 5]


def test_saving_writes_the_page_and_notes_it(
    results: Results, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = results.save(tmp_path / "r")
    assert REPORT in manifest_of(folder)["files"]
    assert changed_files(folder, manifest_of(folder)) == []
    figures = re.compile(r'<svg class="figure".*?</svg>', re.DOTALL)  # laid out for the resolution of the other file
    written = (folder / REPORT).read_text(encoding="utf-8")
    assert figures.sub("", written) == figures.sub("", text)
    assert len(figures.findall(written)) == len(results.figures()) + 1
    monkeypatch.setattr(Results, "figures", lambda _: {})  # what follows is about the page alone
    assert not (results.save(tmp_path / "r", report=False) / REPORT).exists()
    assert not (results.save(tmp_path / "r", figures=False) / REPORT).exists()
    assert (results.save(tmp_path / "r", figures=False, report=True) / REPORT).exists()


def test_the_page_of_a_stored_run_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(tmp_path, monkeypatch)
    done = invoke(capsys, "run", "who.yaml", "-g", "400")
    assert "report.html" in done.out
    folder = Path("results/who")
    before = (folder / REPORT).read_bytes()
    (folder / REPORT).write_text("spoilt")
    assert invoke(capsys, "report", str(folder)).code == 0
    assert (folder / REPORT).read_bytes() == before
    assert changed_files(folder, manifest_of(folder)) == []
    assert [p.name for p in folder.iterdir() if p.name.startswith(".")] == []
    invoke(capsys, "run", "who.yaml", "-g", "400", "--no-report")
    assert not (folder / REPORT).exists()
    assert (folder / "figures").exists()
    assert invoke(capsys, "report", str(folder)).code == 0
    assert REPORT in manifest_of(folder)["files"]
    assert invoke(capsys, "report", "nowhere").code == 2


def test_commands_of_the_page_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(tmp_path, monkeypatch)
    monkeypatch.setattr(Results, "figures", lambda _: {})  # it is about the games told
    (tmp_path / "who.yaml").rename("who wins.yaml")
    for named, told in (("who wins", "'who wins.yaml'"), ("push_your_luck", "push_your_luck")):
        assert invoke(capsys, "run", named, "-g", "100", "-q").code == 0
        page = html.unescape(Path("results", named, REPORT).read_text(encoding="utf-8"))
        commands = re.findall("To see it in the terminal: <code>skate-sim (play [^<]*)<", page)
        assert len(commands) == page.count('<details class="story"')
        assert all(re.fullmatch(rf"play {told} --game \d+ --seed \d+", command) for command in commands)
        assert invoke(capsys, *shlex.split(commands[0])).code == 0


def test_a_page_says_why_no_game_is_told(results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = results.save(tmp_path / "r", figures=False)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["bots"][0]["fingerprint"] = "0" * 40
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert invoke(capsys, "report", str(folder)).code == 0
    text = (folder / REPORT).read_text(encoding="utf-8")
    assert "No game can be told: bot stop_at_n:n=3 has changed since" in text
    assert "The median game" not in text


def test_rows_that_the_terminal_indents_have_their_whole_name() -> None:
    finding = Finding(
        "Held", ["Name", "Worth"], [["Kick Flip", "1"], ["  a bot", "2"], ["180°", "3"], ["  a bot", "4"]]
    )
    names = [row[0][0] for row in shown(finding).rows]
    assert names == ["Kick Flip", "Kick Flip, a bot", "180°", "180°, a bot"]
