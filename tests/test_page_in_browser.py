"""The page of a run in a headless browser: no complaint, nothing too wide, text that can be read, tables that sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skate_sim.report.tables import sort_key
from skate_sim.results import Results
from skate_sim.saving import REPORT
from tests.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")

#: Texts whose contrast with what is behind them is below 4.5, or 3 where they are large.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (c) => c.slice(0, 3).map((p) => p / 255)
    .map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4))
    .reduce((sum, p, i) => sum + p * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = rgba(getComputedStyle(node).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll("main *:not(svg *)")) {
    const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || node.closest("svg")) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(rgba(style.color)), light(behind(node))].sort((x, y) => y - x);
    const enough = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    if ((a + 0.05) / (b + 0.05) < enough) poor.push([node.tagName, node.className, node.textContent.slice(0, 40)]);
  }
  return poor;
})()"""

OPEN_ALL = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as made:
        yield made


@pytest.fixture(scope="module")
def file(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / REPORT
    path.write_text(results.report(), encoding="utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_a_browser_shows_it_without_a_complaint(browser: Browser, file: Path, width: int, dark: bool) -> None:
    browser.open(file, width, dark=dark)
    browser.run(OPEN_ALL)
    assert browser.complaints() == []
    assert browser.run("document.documentElement.scrollWidth") <= width
    wide = "[...document.querySelectorAll('main *')].filter((n) => !n.closest('.scroll, .unseen, svg') && "
    assert (
        browser.run(wide + f"n.getBoundingClientRect().right > {width} + 1).map((n) => n.outerHTML.slice(0, 80))") == []
    )
    assert browser.run(CONTRAST) == []
    paper = browser.run("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")


def test_tables_sort_by_any_column_and_back(browser: Browser, file: Path) -> None:
    browser.open(file, 1280)
    press = "(n) => document.querySelectorAll('table.sorts')[0].tHead.rows[0].cells[n].querySelector('button').click()"
    column = (
        "(n) => [...document.querySelectorAll('table.sorts')[0].tBodies[0].rows].map((r) => r.cells[n].textContent)"
    )
    head = "(n) => document.querySelectorAll('table.sorts')[0].tHead.rows[0].cells[n].ariaSort"
    browser.run(f"({press})(2)")
    down = [sort_key(cell) or 0 for cell in browser.run(f"({column})(2)")]
    assert down == sorted(down, reverse=True)
    assert browser.run(f"({head})(2)") == "descending"
    browser.run(f"({press})(2)")
    assert [sort_key(cell) or 0 for cell in browser.run(f"({column})(2)")] == down[::-1]
    browser.run(f"({press})(0)")
    names = browser.run(f"({column})(0)")
    assert names == sorted(names)
    assert browser.run(f"({head})(2)") is None
    assert len(set(names)) == 4


def test_links_open_the_game_and_print_is_light(browser: Browser, file: Path) -> None:
    browser.open(file, 1280)
    assert browser.run("document.querySelectorAll('details[open]').length") == 0
    browser.run("document.querySelector('a[href=\"#game-upset\"]').click()")
    browser.run("new Promise((done) => setTimeout(done, 100))")
    assert browser.run("document.querySelector('#game-upset').open")
    browser.open(file, 1000, dark=True, media="print")
    assert browser.run("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.run("document.querySelector('#game-upset').open = true")
    assert browser.run(CONTRAST) == []
