"""The documentation: what it shows runs, made pages are fresh, and links lead somewhere."""

from __future__ import annotations

import os
import re
import runpy
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from skate_sim.cli import main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
#: Blocks of these are run; ``text`` is for what cannot be.
RUN = {"bash", "python", "yaml"}


class Block(NamedTuple):
    """A block of code on a page, and the file that it is the text of, if it says so."""

    language: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', text, flags=re.DOTALL | re.MULTILINE)
    assert len(found) * 2 == len(re.findall(r"^```", text, flags=re.MULTILINE)), "a fence is not understood"
    return [Block(*block) for block in found]


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.language in RUN for b in blocks(p))], ids=lambda p: p.stem)
def test_code_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if block.title:
            path = Path(block.title)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(re.sub(r"(?m)^games: .*$", "games: 400", block.text), encoding="utf-8")
        elif block.language == "python":
            code = re.sub(r"games=[\d_]+", "games=400", block.text)
            exec(compile(code, str(tmp_path / "page.py"), "exec"), space)
        elif block.language == "bash":
            for line in block.text.splitlines():
                run_line(line)


def run_line(line: str) -> None:
    words = shlex.split(line, comments=True)
    if words[0] == "cd":
        os.chdir(words[1])
        return
    assert words[0] == "skate-sim", f"how is this run? {line}"
    if words[1] == "run":
        words += ["--no-figures"] if "--games" in words else ["--no-figures", "--games", "400"]
    if words[1] in ("check", "rank"):
        words += ["--games", "20" if words[1] == "check" else "400"]
    outcome = CliRunner().invoke(main, words[1:])
    assert outcome.exit_code == 0, f"{line}: {outcome.output}"
    assert outcome.output.strip()


@pytest.mark.parametrize("name", ["bots", "cli", "rules"])
def test_made_page_is_fresh(name: str) -> None:
    made = runpy.run_path(str(DOCS / f"make_{name}.py"))["page"]()
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == made, f"run python docs/make_{name}.py"


def test_every_reading_has_its_test_and_is_on_the_page() -> None:
    tested = re.findall(
        r"def test_reading_(\d+)_", (DOCS.parent / "tests/test_readings.py").read_text(encoding="utf-8")
    )
    readings = runpy.run_path(str(DOCS / "make_rules.py"))["READINGS"]
    assert {int(number) for number in tested} == set(range(1, len(readings) + 1))


def test_map_of_the_code_is_complete() -> None:
    text = (DOCS / "design.md").read_text(encoding="utf-8")
    rows = re.findall(r"`([\w*/]+(?:\.py|/))`", text[text.index("|---|---|", text.index("## A map")) :])
    package = DOCS.parent / "skate_sim"
    mapped = {path for row in rows for path in ([package / row] if row.endswith("/") else package.glob(row))}
    assert all(path.exists() for path in mapped)
    assert len(rows) > 60
    others = {"__init__.py", "__main__.py", "testing.py", "locations.py"}
    assert {p.name for p in package.glob("*.py") if p not in mapped} <= others


def test_every_command_is_in_the_reference() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name, command in main.commands.items():
        assert f"## skate-sim {name}" in text
        assert all(option in text for parameter in command.params for option in parameter.opts if option[0] == "-")


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r"[\w/]+\.md", (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8"))
    assert {str(p.relative_to(DOCS)) for p in PAGES} == set(named)
