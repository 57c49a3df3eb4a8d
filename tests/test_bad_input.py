"""Every mistake in an experiment or a bot is one message that says where it is and what would be valid."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import skate_sim
from tests.commands import invoke

PAIR = "pool: [risk_threshold, helmet_saver]\nplayers: 2\n"
BOTS = "stop_at_n, risk_threshold"


class Bad(NamedTuple):
    """A bad file: its text, the line and key of the mistake, and what else the message says."""

    name: str
    text: str
    line: int
    key: str
    says: tuple[str, ...]


FILES = [
    Bad("empty file", "", 1, "", ("an empty file", "seats, pool")),
    Bad("only a comment", "# Why?\n", 1, "", ("an empty file",)),
    Bad("a text", "risk_threshold", 1, "", ("'risk_threshold'", "keys such as")),
    Bad("a list", "- risk_threshold\n- helmet_saver\n", 1, "", ("a list", "keys such as")),
    Bad("unclosed bracket", "pool: [risk_threshold\ngames: 100\n", 2, "", ("not valid YAML", "line 1")),
    Bad("tab", "rules:\n\trounds: 3\n", 2, "", ("found a tab", "spaces")),
    Bad("two documents", f"{PAIR}---\n{PAIR}", 3, "", ("second document", "a file holds one")),
    Bad("forbidden character", "seed: 1\ngames: \x07\n", 2, "", ("U+0007",)),
    Bad("strange tag", f"{PAIR}seed: !!python/object 1\n", 3, "seed", ("python/object", "not read")),
    Bad("duplicate key", f"{PAIR}seed: 1\nseed: 2\n", 4, "seed", ("twice", "line 3")),
    Bad(
        "duplicate row",
        f"{PAIR}edits:\n  cards.ollie: remove\n  cards.ollie: remove\n",
        5,
        "edits.cards.ollie",
        ("twice",),
    ),
    Bad("list as a key", f"{PAIR}? [a, b]\n: 1\n", 3, "", ("keys are words",)),
    Bad("unknown key", f"{PAIR}gmaes: 100\n", 3, "gmaes", ("did you mean 'games'", "variants")),
    Bad("key is a number", f"{PAIR}180: 100\n", 3, "180", ("no such key", "valid:")),
    Bad("games is a word", f"{PAIR}games: many\n", 3, "games", ("'many'", "a whole number from 1")),
    Bad("games is zero", f"{PAIR}games: 0\n", 3, "games", ("found 0", "from 1")),
    Bad("games is negative", f"{PAIR}games: -5\n", 3, "games", ("found -5", "from 1")),
    Bad("games is half", f"{PAIR}games: 1.5\n", 3, "games", ("found 1.5", "a whole number")),
    Bad("games is true", f"{PAIR}games: yes\n", 3, "games", ("found true", "a whole number")),
    Bad("seed is negative", f"{PAIR}seed: -1\n", 3, "seed", ("found -1", "0 to 18446744073709551615")),
    Bad("seed is too large", f"{PAIR}seed: 18446744073709551616\n", 3, "seed", ("0 to 18446744073709551615",)),
    Bad("seed has leading zeros", f"{PAIR}seed: 010\n", 3, "seed", ("'010'", "a whole number")),
    Bad("unknown game", f"{PAIR}game: skate_legends\n", 3, "game", ("did you mean 'skate_legend'",)),
    Bad("game is true", f"{PAIR}game: on\n", 3, "game", ("found true", "name of a game")),
    Bad("unknown preset", f"{PAIR}preset: onlin\n", 3, "preset", ("did you mean 'online'", "rulebook, online")),
    Bad("preset is a number", f"{PAIR}preset: 1\n", 3, "preset", ("found 1", "name of a preset")),
    Bad("unknown switch", f"{PAIR}rules:\n  round: 3\n", 4, "rules.round", ("did you mean 'rounds'",)),
    Bad("switch out of range", f"{PAIR}rules: {{rounds: 99}}\n", 3, "rules.rounds", ("found 99", "1 to 10")),
    Bad(
        "switch of a wrong type",
        f"{PAIR}rules: {{allow_empty_stop: 1}}\n",
        3,
        "rules.allow_empty_stop",
        ("true or false",),
    ),
    Bad("unknown choice", f"{PAIR}rules: {{reshuffle: never}}\n", 3, "rules.reshuffle", ("'never'", "when_needed")),
    Bad("rules is a list", f"{PAIR}rules: [rounds]\n", 3, "rules", ("a list", "{switch: value}")),
    Bad("unknown table", f"{PAIR}edits:\n  card.ollie.points: 2\n", 4, "edits.card", ("did you mean 'cards'",)),
    Bad("unknown row", f"{PAIR}edits:\n  cards.olie.points: 2\n", 4, "edits.cards.olie", ("did you mean 'ollie'",)),
    Bad("unknown column", f"{PAIR}edits:\n  cards.ollie.pts: 2\n", 4, "edits.cards.ollie.pts", ("Valid:", "points")),
    Bad("cell out of range", f"{PAIR}edits:\n  cards.180.points: 999\n", 4, "edits.cards.180.points", ("-99 to 99",)),
    Bad(
        "cell of a wrong type",
        f"{PAIR}edits:\n  cards:\n    180: {{points: high}}\n",
        5,
        "edits.cards.180.points",
        ("'high'",),
    ),
    Bad(
        "unknown colour",
        f"{PAIR}edits: {{cards.ollie.colour: pink}}\n",
        3,
        "edits.cards.ollie.colour",
        ("'pink'", "green"),
    ),
    Bad(
        "new row lacks columns",
        f"{PAIR}edits: {{cards.new: {{name: New}}}}\n",
        3,
        "edits.cards.new",
        ("colour, points",),
    ),
    Bad(
        "removed and edited",
        f"{PAIR}edits:\n  cards.ollie: remove\n  cards.ollie.points: 2\n",
        5,
        "edits.cards.ollie.points",
        ("second edit",),
    ),
    Bad("a deck without Trick cards", f"{PAIR}edits:\n  cards.perfect_landing: remove\n", 3, "edits", ("exactly one",)),
    Bad("edits is a number", f"{PAIR}edits: 3\n", 3, "edits", ("found 3", "{table.row.column: value}")),
    Bad("no bots", "seed: 1\n", 1, "", ("neither seats nor pool",)),
    Bad("seats and pool", f"seats: [{BOTS}]\n{PAIR}", 2, "pool", ("both seats and pool",)),
    Bad("nothing in the pool", "players: 2\npool:\n", 2, "pool", ("found nothing", "a list of bots")),
    Bad("seats is a word", "seats: risk_threshold\n", 1, "seats", ("'risk_threshold'", "a list of bots")),
    Bad("too few seats", "seats: [stop_at_n]\n", 1, "seats", ("found 1", "2, 3, 4, 5")),
    Bad("too many seats", f"seats: [{', '.join(['stop_at_n'] * 6)}]\n", 1, "seats", ("found 6", "2, 3, 4, 5")),
    Bad("too many players", f"pool: [{BOTS}]\nplayers: 9\n", 2, "players", ("found 9", "2, 3, 4, 5")),
    Bad("players contradict seats", f"seats: [{BOTS}]\nplayers: 4\n", 2, "players", ("found 4", "seats has 2")),
    Bad("uneven pool", "pool: [stop_at_n, helmet_saver, random_legal]\nplayers: 4\n", 1, "pool", ("equally often",)),
    Bad(
        "no table",
        "pool: [stop_at_n, risk_threshold]\nedits: {ollie.points: 3}\n",
        2,
        "edits.ollie",
        ("did you mean 'cards.ollie'?",),
    ),
    Bad(
        "no space after a colon",
        "pool: [stop_at_n, risk_threshold]\nedits: {cards.ollie.points:3}\n",
        2,
        "edits.cards.ollie.points:3",
        ("no column 'points:3'; a space belongs after the colon, as in points: 3",),
    ),
    Bad("same bot twice", "pool:\n  - stop_at_n\n  - stop_at_n: {n: 4}\n", 3, "pool.2", ("again", "pool.1")),
    Bad(
        "two labels",
        "seats:\n  - {bot: stop_at_n, label: A}\n  - {bot: stop_at_n, label: B}\n",
        3,
        "seats.2",
        ("one label",),
    ),
    Bad("unknown bot", "seats:\n  - stop_at_n\n  - risk_treshold\n", 3, "seats.2", ("did you mean 'risk_threshold'",)),
    Bad("bot is true", "seats:\n  - stop_at_n\n  - yes\n", 3, "seats.2", ("found true", "a bot is a name")),
    Bad("bot is a number", "seats:\n  - stop_at_n\n  - 360\n", 3, "seats.2", ("found 360", "a bot is a name")),
    Bad("unknown parameter", "seats:\n  - stop_at_n\n  - stop_at_n: {m: 3}\n", 3, "seats.2.stop_at_n.m", ("valid: n",)),
    Bad("parameter out of range", "seats:\n  - stop_at_n\n  - {bot: stop_at_n, n: 99}\n", 3, "seats.2.n", ("1 to 20",)),
    Bad(
        "parameter is a word", "seats:\n  - stop_at_n\n  - stop_at_n: {n: few}\n", 3, "seats.2.stop_at_n.n", ("'few'",)
    ),
    Bad(
        "parameter without name",
        "seats:\n  - stop_at_n\n  - stop_at_n: 5\n",
        3,
        "seats.2",
        ("found 5", "{parameter: number}"),
    ),
    Bad(
        "label is a number",
        "seats:\n  - stop_at_n\n  - {bot: stop_at_n, label: 5}\n",
        3,
        "seats.2",
        ("label is a text",),
    ),
    Bad(
        "missing bot file",
        "seats:\n  - stop_at_n\n  - ./my_bat.py\n",
        3,
        "seats.2",
        ("no bot file", "did you mean 'my_bot.py'"),
    ),
    Bad(
        "unknown key in a variant",
        f"{PAIR}variants:\n  a: {{gamse: 3}}\n",
        4,
        "variants.a.gamse",
        ("no such key", "preset"),
    ),
    Bad("mistake in a variant", f"{PAIR}variants:\n  a:\n  b: {{preset: x}}\n", 5, "variants.b.preset", ("rulebook",)),
    Bad("bad name of a variant", f"{PAIR}variants:\n  ../a: {{}}\n", 3, "variants", ("'../a'", "letters")),
    Bad("question is a list", f"{PAIR}question: [why]\n", 3, "question", ("a list", "a line of text")),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder with one bot in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text("def act(view):\n    return 0\n")
    return tmp_path


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.name)
def test_bad_file(bad: Bad, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.yaml").write_text(bad.text)
    done = invoke(capsys, "run", "x.yaml", "--games", "100")
    assert (done.code, done.out) == (2, "")
    start = f"Error: x.yaml:{bad.line}: {bad.key + ': ' if bad.key else ''}"
    assert done.err.startswith(start)
    assert done.err.count("\n") == 1, "more than one line"
    for words in bad.says:
        assert words in done.err[len(start) :]
    assert not (folder / "results").exists()


MISSING = [
    ("push_your_lack", "did you mean 'push_your_luck'"),
    ("y.yaml", "no experiment 'y.yaml'"),
    ("nowhere/x.yaml", "nowhere has none"),
    ("there", "found the folder there"),
    ("binary.yaml", "UTF-8"),
]


@pytest.mark.parametrize(("name", "says"), MISSING)
def test_missing_file(name: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "there").mkdir()
    (folder / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    done = invoke(capsys, "run", name)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("Error: ")
    assert says in done.err


def test_folder_that_is_no_result_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.yaml").write_text(PAIR)
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("precious")
    done = invoke(capsys, "run", "x.yaml", "--games", "100", "--out", "mine")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "mine is not empty" in done.err
    assert (folder / "mine" / "notes.txt").read_text() == "precious"


OPTIONS = [
    (("run",), "Missing argument 'FILE'"),
    (("run", "x.yaml", "--games", "0"), "found 0; it is a whole number from 1"),
    (("run", "x.yaml", "--games", "1.5"), "found '1.5'"),
    (("run", "x.yaml", "--seed", "-1"), "from 0 to 18446744073709551615"),
    (("run", "x.yaml", "--threads", "0"), "from 1"),
    (("run", "x.yaml", "--game", "3"), "--games"),
    (("play", "--bots", "risk_treshold,stop_at_n"), "did you mean 'risk_threshold'"),
    (("play", "--bots", "stop_at_n:n=99,stop_at_n"), "1 to 20"),
    (("play", "--bots", "stop_at_n:n,stop_at_n"), "name=number"),
    (("play", "--bots", "stop_at_n"), "1 seat;"),
    (("play", "--bots", ","), "no bots"),
    (("play", "x.yaml", "--variant", "b"), "no variant 'b'"),
    (("play", "--variant", "b"), "no file"),
    (("play", "--game", "-1"), "from 0"),
    (("bots", "risk_treshold"), "did you mean 'risk_threshold'"),
    (("bots", "--game", "chess"), "no game 'chess'"),
    (("rules", "--preset", "onlin"), "did you mean 'online'"),
    (("frobnicate",), "No such command"),
]


@pytest.mark.parametrize(
    ("arguments", "says"), OPTIONS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_bad_option(arguments: tuple[str, ...], says: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.yaml").write_text(PAIR)
    done = invoke(capsys, *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("Error: ") == 1
    assert "Traceback" not in done.err


@pytest.mark.parametrize("word", ["rules", "edits"])
def test_rules_and_edits_are_mappings(word: str) -> None:
    with pytest.raises(ValueError, match=rf"found {word}=\[1\]; {word} is a mapping of names to values"):
        skate_sim.simulate(["stop_at_n", "risk_threshold"], games=10, **{word: [1]})


def test_a_terminal_of_one_column_is_written_to_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "1")
    result = invoke(capsys, "run", "two_players", "-g", "200", "--no-files")
    assert result.code == 0, result
