"""Experiment files: forms, defaults, variants, where they are found, and that they play what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from skate_sim.experiment import Experiment, ExperimentError, find_experiment, load_experiment
from skate_sim.experiment_file import nested_edits
from skate_sim.locations import bundled
from skate_sim.yaml_source import SourceError, read_source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(folder: Path, text: str) -> Experiment:
    (folder / "x.yaml").write_text(text)
    return load_experiment("x.yaml")


def test_all_forms(folder: Path) -> None:
    (folder / "my_bot.py").write_text(
        "from skate_sim import parameter\nn = parameter(1, low=0, high=5, help='x')\n\n\n"
        "def act(view, n):\n    return n\n"
    )
    experiment = load(
        folder,
        """\
# How far should a skater push?

preset: online
rules: {rounds: 3, helmet_supply: unlimited}
edits:
  cards.kick_flip.points: 4
  cards.ollie: remove
  cards.super_ollie: {name: Super Ollie, colour: green, points: 3, copies: 4}
  cards:
    180: {points: 3}
    manual.points: 2
pool:
  - risk_threshold
  - risk_threshold: {limit: 0.2}
  - stop_at_n:
  - "stop_at_n:n=3"
  - {bot: ./my_bot.py, label: Mine, n: 2}
  - {bot: helmet_saver}
players: 3
games: 1e4
seed: 0x10
""",
    )
    assert experiment.name == "x"
    assert experiment.question == "How far should a skater push?"
    assert [bot.name for bot in experiment.bots] == [
        "risk_threshold",
        "risk_threshold:limit=0.2",
        "stop_at_n",
        "stop_at_n:n=3",
        "Mine",
        "helmet_saver",
    ]
    assert (experiment.players, experiment.rotated, experiment.games, experiment.seed) == (3, True, 10_000, 16)
    resolved = experiment.plan().resolved
    assert (resolved.preset, resolved.rules["rounds"]) == ("online", 3)
    cards = resolved.tables["cards"]
    assert (cards["kick_flip"]["points"], cards["180"]["points"], cards["manual"]["points"]) == (4, 3, 2)
    assert "ollie" not in cards
    assert cards["super_ollie"]["copies"] == 4


def test_defaults(folder: Path) -> None:
    experiment = load(folder, "seats: [stop_at_n, stop_at_n, random_legal]")
    assert (experiment.question, experiment.preset, experiment.seed, experiment.players) == ("", None, 1, 3)
    assert not experiment.rotated
    assert experiment.plan().resolved.preset == "rulebook"
    assert load(folder, "pool: [stop_at_n, random_legal]").players == 2


def test_question_of_the_file_goes_before_its_first_comment(folder: Path) -> None:
    assert load(folder, "# Comment\nquestion: Why?\nseats: [stop_at_n, stop_at_n]").question == "Why?"
    assert load(folder, "seats: [stop_at_n, stop_at_n]\n# Not first").question == ""


def test_frozen(folder: Path) -> None:
    experiment = load(folder, "seats: [stop_at_n, stop_at_n]")
    with pytest.raises(ValidationError, match="frozen"):
        experiment.games = 3


VARIANTS = """\
rules: {rounds: 3, grey_can_fall: true}
edits:
  cards.ollie: {points: 2, copies: 5}
  cards.manual.points: 3
pool: [stop_at_n, random_legal]
variants:
  same:
  other:
    preset: online
    rules: {rounds: 2}
    edits: {cards: {ollie.points: 4, manual: remove}}
  table: {seats: [stop_at_n, stop_at_n, stop_at_n]}
"""


def test_variants(folder: Path) -> None:
    experiment = load(folder, VARIANTS)
    assert list(experiment.each()) == ["same", "other", "table"]
    same, other, table = experiment.variants.values()
    assert same.rules == {"rounds": 3, "grey_can_fall": True}
    assert other.preset == "online"
    assert other.rules == {"rounds": 2, "grey_can_fall": True}
    assert other.edits == {"cards": {"ollie": {"points": 4, "copies": 5}, "manual": "remove"}}
    assert same.edits["cards"]["ollie"] == {"points": 2, "copies": 5}
    assert (table.rotated, table.players, len(table.bots)) == (False, 3, 3)
    assert experiment.one("other") is other
    assert (repr(experiment), repr(same)) == (
        "<Experiment x: variants same, other, table>",
        "<Experiment same: stop_at_n, random_legal>",
    )
    with pytest.raises(ExperimentError, match="name one; valid: same, other, table"):
        experiment.plan()
    with pytest.raises(ExperimentError, match="no variant 'othr'; did you mean 'other'"):
        experiment.simulate("othr")
    with pytest.raises(ExperimentError, match="it has none"):
        same.one("other")


def test_a_mistake_is_reported_where_it_stands(folder: Path) -> None:
    for wrong, right in (
        ("manual.points: 3", "x.yaml:4: edits.cards"),
        ("ollie.points: 4", "x.yaml:11: variants.other.edits"),
    ):
        with pytest.raises(ExperimentError, match=right):
            load(folder, VARIANTS.replace(wrong, wrong.split(":")[0] + ": high"))


def test_where_an_experiment_is_found(folder: Path) -> None:
    assert find_experiment("push_your_luck") == bundled("experiments") / "push_your_luck.yaml"
    (folder / "experiments").mkdir()
    (folder / "experiments/push_your_luck.yaml").touch()
    assert find_experiment("push_your_luck") == Path("experiments/push_your_luck.yaml")
    (folder / "push_your_luck.yaml").touch()
    assert find_experiment("push_your_luck") == Path("push_your_luck.yaml")
    (folder / "push_your_luck").touch()
    assert find_experiment("push_your_luck") == Path("push_your_luck")
    assert find_experiment(folder / "push_your_luck.yaml") == folder / "push_your_luck.yaml"


def test_bots_are_found_next_to_the_experiment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/near.py").write_text("def act(view):\n    return 1\n")
    (folder / "sub/x.yaml").write_text("seats: [near, ./near.py]")
    bots = load_experiment("sub/x.yaml").bots
    assert {bot.code.path for bot in bots} == {folder / "sub/near.py"}


def test_it_plays_what_it_says(folder: Path) -> None:
    experiment = load(
        folder, "pool: [stop_at_n, random_legal]\nrules: {rounds: 2}\ngames: 100\nseed: 9\nquestion: Why?"
    )
    results = experiment.simulate()
    manifest = results.manifest()
    assert (results.name, results.question, results.games) == ("x", "Why?", 100)
    assert (manifest["seed"], manifest["rules"]["rounds"], manifest["seats"]) == (9, 2, 2)
    other = experiment.simulate(games=50, seed=3)
    assert (other.games, other.manifest()["seed"]) == (50, 3)


def test_edits_in_any_form_are_the_same() -> None:
    flat = nested_edits({"cards.ollie.points": 3, "cards.ollie.copies": 2, "cards.manual": None})
    nested = nested_edits({"cards": {"ollie": {"points": 3, "copies": 2}, "manual": "remove"}})
    mixed = nested_edits({"cards.ollie": {"points": 3}, "cards": {"ollie.copies": 2, "manual": "remove"}})
    assert flat == nested == mixed


def test_values_are_read_as_people_write_them() -> None:
    data = read_source(
        "a: 1e6\nb: 1_000\nc: 010\nd: 2020-01-01\ne: 12:30\nf: .5\ng: yes\nh: 0x1F\ni: -3\n180: x\n"
    ).data
    assert data == {
        "a": 1e6,
        "b": 1000,
        "c": "010",
        "d": "2020-01-01",
        "e": "12:30",
        "f": 0.5,
        "g": True,
        "h": 31,
        "i": -3,
        "180": "x",
    }
    assert read_source("").data is None


def test_lines_of_keys() -> None:
    source = read_source("a:\n  b.c:\n    d: 1\n  e:\n  - f: 2\n  - g\n")
    for path, line in [
        (("a",), 1),
        (("a", "b.c"), 2),
        (("a", "b", "c", "d"), 3),
        (("a", "b"), 2),
        (("a", "e", 0, "f"), 5),
        (("a", "e", 1), 6),
        (("a", "e", 1, "missing"), 6),
        (("missing",), 1),
    ]:
        assert source.line(path) == line, path
    assert source.depth(("a", "b", "x")) == 1
    assert source.depth(("a", "b", "c", "d")) == 4


def test_an_alias_may_not_contain_itself() -> None:
    with pytest.raises(SourceError, match="contains it"):
        read_source("a: &x [1, *x]")
