"""A game decision by decision, and a person's seat in it."""

from __future__ import annotations

import math

import pytest

from skate_sim import games
from skate_sim.bot_files import parse_bot
from skate_sim.games import YOU
from skate_sim.moments import seated, told_with_moments
from skate_sim.policy import BotError
from skate_sim.seat import End, Pause, SeatedGame
from skate_sim.simulation import tell_game
from skate_sim.story import with_next
from skate_sim.testing import plan_of
from tests.commands import invoke

BOTS = ["risk_threshold", "random_legal", "score_chaser"]
GAME = games.load("skate_legend")


def seat_one(number: int = 0, bots: list[str] | None = None) -> SeatedGame:
    plan = seated(plan_of(bots or BOTS), number)
    return SeatedGame(plan, number, [0], ["you", "b", "c"])


def test_watching_changes_no_game_and_sees_every_answer() -> None:
    plan = plan_of(BOTS)
    for number in range(3):
        events, moments = told_with_moments(plan, number)
        assert events == tell_game(plan, number)
        assert all(moment.chosen in moment.choices for moment in moments)
        acted = [m for m in moments if GAME.decisions[m.decision].name == "act"]
        assert all(m.chosen and not math.isnan(m.chosen.risk) for m in acted)
        assert [m.events for m in moments] == sorted(m.events for m in moments)


def test_falls_are_as_frequent_as_the_risks_say() -> None:
    plan = plan_of(["random_legal", "risk_threshold:limit=0.9", "stop_at_n:n=9"])
    expected = variance = falls = 0.0
    for number in range(30):
        events, moments = told_with_moments(plan, number)
        falls += sum(event["event"] == "fall" for event in events)
        for moment in moments:
            if moment.chosen and not math.isnan(moment.chosen.risk):
                expected += moment.chosen.risk
                variance += moment.chosen.risk * (1 - moment.chosen.risk)
    assert falls > 50
    assert abs(falls - expected) < 4 * math.sqrt(variance)


@pytest.mark.parametrize("bot", ["risk_threshold", "helmet_saver"])
def test_a_person_who_follows_a_bot_plays_its_game(bot: str) -> None:
    game = seat_one(bots=[bot, "random_legal", "score_chaser"])
    adviser = parse_bot(bot, GAME)
    now = game.advance(adviser)
    while isinstance(now, Pause):
        assert now.seat == 0
        assert now.hint is not None
        game.answers.append(now.hint.answer)
        now = game.advance(adviser)
    assert now.events[1:] == tell_game(game.plan, 0)[1:]


def test_answers_can_be_taken_back() -> None:
    game = seat_one()
    first = game.advance()
    assert isinstance(first, Pause)
    game.answers.append(first.choices[-1].answer)
    second = game.advance()
    assert isinstance(second, Pause)
    assert len(second.events) > len(first.events)
    game.answers.pop()
    again = game.advance()
    assert isinstance(again, Pause)
    assert (again.events, again.position, again.choices) == (first.events, first.position, first.choices)


def test_a_seat_hears_nothing_hidden() -> None:
    assert GAME.display is not None
    plan = plan_of(["random_legal"] * 3)
    seen = 0
    for number in range(5):
        events = tell_game(plan, number)
        cards = plan.resolved.tables["cards"]
        setup = GAME.display.heard(events[0], "", 1, plan.resolved)
        for seat in (0, 2):
            other = cards[events[0]["dealt"][seat]]["name"]
            assert other == cards[events[0]["dealt"][1]]["name"] or other not in setup
        for event in events[1:-1]:
            if event["event"] == "draw" and not event["face_up"] and event["seat"] != 1:
                seen += 1
                assert cards[event["card"]]["name"] not in GAME.display.heard(event, "X", 1, plan.resolved)
                assert cards[event["card"]]["name"] in GAME.display.heard(event, "X", event["seat"], plan.resolved)
    assert seen > 5


def test_a_hint_that_is_not_legal_is_refused() -> None:
    def act(view):
        return 99

    game = seat_one()
    from skate_sim.bot_files import as_code
    from skate_sim.policy import make_bot

    with pytest.raises(BotError, match="not legal"):
        game.advance(make_bot(as_code(act, GAME)))


def test_play_shows_risks_and_standings(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    done = invoke(capsys, "play", "--bots", ",".join(BOTS))
    assert done.code == 0
    events, moments = told_with_moments(plan_of(BOTS), 0)
    risky = [m for m in moments if m.chosen and 0 < m.chosen.risk < 1]
    assert len(risky) > 3
    for moment in risky:
        assert moment.chosen
        assert f"{moment.chosen.risk:.1%}  {BOTS[moment.seat]} plays" in done.out
    standing = next(m.scores for m in moments if events[m.events].get("round") == 2)
    assert f"Prestige: risk_threshold {standing[0]}, random_legal {standing[1]}, score_chaser {standing[2]}" in done.out
    assert "\x1b" not in done.out


def test_colours_on_a_terminal_only(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" in invoke(capsys, "play", "--bots", ",".join(BOTS)).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in invoke(capsys, "play", "--bots", ",".join(BOTS)).out


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    lines = iter(text.split("\n"))

    def answer(_: object, prompt: str = "") -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    monkeypatch.setattr("rich.console.Console.input", answer)


def test_human(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "u\nh\nh nobody\n77\n1\nu\n" + "1\n" * 300)
    done = invoke(capsys, "play", "--bots", ",".join(BOTS), "--human", "1")
    assert (done.code, done.err) == (0, "")
    for words in (
        "nothing to take back",
        "risk_threshold would answer 1 ",
        "Else: ",
        "no bot 'nobody'",
        "Found 77; valid: ",
        "Taken back.",
    ):
        assert words in done.out
    before, after = done.out.split("Taken back.")
    shown = [text.partition("\n  Round ")[2].partition("You: Play a card.")[0] for text in (before, after)]
    assert shown[0] == shown[1] != ""
    assert "Final scores" in done.out
    assert "1 You" in done.out
    assert "You plays" not in done.out
    assert "Rewards:" not in done.out, "which rewards come is hidden"

    typed(monkeypatch, "1\nq")
    assert invoke(capsys, "play", "--bots", ",".join(BOTS), "--human", "1").code == 130
    typed(monkeypatch, "1")
    assert invoke(capsys, "play", "--bots", ",".join(BOTS), "--human", "1").code == 130


def test_a_number_means_the_same_whatever_is_offered() -> None:
    """0 stops, 1 and 2 are the piles, then comes the hand as it lies."""
    assert GAME.display is not None
    offered, asked = set(), set()
    for number in (1, 2):
        game = seat_one(number, ["random_legal", "random_legal", "score_chaser"])
        adviser = parse_bot("random_legal", GAME)
        now = game.advance(adviser)
        while isinstance(now, Pause):
            keys = [key for choice in now.choices for key in choice.keys]
            assert len(set(keys)) == len(keys)
            for choice in now.choices:
                if choice.text.startswith(("stop", "pile", "hand")):
                    offered.add((choice.text.split()[0].rstrip(":"), choice.keys[0]))
                if choice.text.startswith("pile"):
                    assert choice.text.startswith(f"pile {choice.keys[0]}")
                if choice.text.startswith("hand"):
                    hand = dict(now.position)["Hand"].split("; ")
                    assert choice.text == f"hand: {hand[int(choice.keys[0]) - 3]}"
            if now.question in ("Play a card.", "Stop, or play a card?"):
                asked.add(now.question)
                assert ("s" in keys) == now.question.startswith("Stop")
            assert now.hint is not None
            game.answers.append(now.hint.answer)
            now = game.advance(adviser)
    assert {("stop", "0"), ("pile", "1"), ("pile", "2"), ("hand", "3"), ("hand", "4")} <= offered
    assert len(asked) == 2


def test_the_last_one_standing_is_not_said_to_stop() -> None:
    plan = plan_of(BOTS)
    events = tell_game(plan, 0)
    automatic = 0
    for number, event in enumerate(events[:-1]):
        if event["event"] == "stop":
            told = GAME.sentence(with_next(events, number), YOU, plan.resolved)
            alone = events[number + 1]["event"] == "reward"
            automatic += alone
            assert told.startswith("You are the last one standing and validate " if alone else "You stop and validate ")
    assert automatic


def test_human_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    done = invoke(capsys, "play", "--bots", ",".join(BOTS), "--human", "4")
    assert (done.code, "seats 1 to 3" in done.err) == (2, True)
    assert invoke(capsys, "play", "--human", "1", "--json").code == 2


def test_the_default_is_what_the_game_does() -> None:
    def reveal(view):
        return 1 if view.table.pile_top[0] < 0 else 2

    game = SeatedGame(seated(plan_of([reveal, "random_legal"]), 0), 0, [0], ["you", "b"])
    adviser = game.plan.bots[0]
    now = game.advance(adviser)
    while isinstance(now, Pause):
        assert now.hint is not None
        game.answers.append(now.hint.answer)
        now = game.advance(adviser)
    assert isinstance(now, End)
    assert now.events[1:] == tell_game(game.plan, 0)[1:]
