"""Told games are those of the run, with the exact risks; the games worth telling are what they are said to be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from skate_sim import games
from skate_sim.games.skate_legend.faces import face
from skate_sim.games.skate_legend.transcript import told_so_far
from skate_sim.report.search import notable_games, search
from skate_sim.report.told import risks, tell
from skate_sim.simulation import Plan, new_state
from skate_sim.testing import plan_of

SHARES = np.array([0.3, 0.4, 0.2, 0.1])


@pytest.fixture(scope="module")
def plan() -> Plan:
    made = plan_of(["stop_at_n:n=3", "risk_threshold", "stop_at_n:n=5", "legend_hunter"], count=2000)
    made.prepare()
    return made


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_watching_changes_no_game(plan: Plan) -> None:
    """The watched game asks each bot what the told one does: every choice is followed by what was chosen."""
    followed = 0
    for number in range(12):
        told = tell(plan, number)
        for choice in told.choices:
            event = told.events[choice.before]
            assert event["seat"] == choice.seat
            chosen = next(o for o in choice.position.options if o.answer == choice.answer)
            if chosen.text == "stop":
                assert event["event"] == "stop"
            else:
                assert event["event"] == "trick"
                assert event["source"] == chosen.text.removeprefix("from the ")
                assert not chosen.row or event["card"] == chosen.row
            followed += 1
    assert followed > 400


def test_events_so_far_are_those_that_are_told(plan: Plan) -> None:
    state = new_state(plan)
    state[0].engine.log_on = 1
    layout = plan.layout
    rows = np.zeros((1, 4, len(layout.seat_columns)), np.int32), np.zeros((1, len(layout.game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), layout.ledger_cells), np.int64)
    plan.game.play_batch(state, np.uint64(plan.seed), 3, 1, layout.lineups, *rows, ledger)
    for size in range(int(state[0].engine.log_size), 0, -1):
        state[0].engine.log_size = size
        assert told_so_far(state[0]) == len(list(plan.game.tell(state[0], plan.resolved))) - 1


def test_a_risk_is_that_of_the_cards_not_seen() -> None:
    """By hand: of all printed cards that the seat has not seen, the share that would be the third of its kind."""
    plan = plan_of(["stop_at_n:n=3", "stop_at_n:n=5", "stop_at_n:n=4"], count=6)  # they play no card of their hand
    by_hand = [pair for number in range(6) for pair in risks_by_hand(plan, number)]
    assert sum(expected > 0 for _, expected in by_hand) > 30
    assert all(shown == {float(expected)} for shown, expected in by_hand)


def risks_by_hand(plan: Plan, number: int) -> Iterator[tuple[set[float | None], Fraction]]:
    """Risks shown and by hand of a game's face-down cards, until the discard pile is shuffled."""
    told, cards = tell(plan, number), plan.resolved.tables["cards"]
    seen = {seat: [row] for seat, row in enumerate(told.events[0]["dealt"])}
    for at, event in enumerate(told.events[1:-1], 1):
        if event["event"] == "reshuffle":
            return
        for choice in (c for c in told.choices if c.before == at):
            combo = [cards[row] for row in choice.position.groups["Combo"]]
            rest = {row: c["copies"] - seen[choice.seat].count(row) for row, c in cards.items() if c["kind"] == "trick"}
            colours = {c["colour"] for c in combo if [d["colour"] for d in combo].count(c["colour"]) >= 2}
            boards = sum(c["broken"] for c in combo) >= 2
            bad = [n for row, n in rest.items() if cards[row]["colour"] in colours or (boards and cards[row]["broken"])]
            shown = {o.risk for o in choice.position.options if o.row == ""}
            if shown:
                yield shown, Fraction(sum(bad), sum(rest.values()))
        if event["event"] == "reveal" or (event["event"] == "trick" and not event["face_up"]):
            for known in seen.values():
                known.append(event["card"])
        elif event["event"] == "draw" and not event["face_up"]:
            seen[event["seat"]].append(event["card"])


def test_risks_say_where_it_came_about(plan: Plan) -> None:
    told = tell(plan, 1)
    table = risks(told)
    fell = [e for e in told.events if e["event"] == "fall"]
    assert table["mishap"].sum() <= len(fell)
    assert (table.loc[table["mishap"], "risk"] > 0).all()
    assert (table["least"] <= table["risk"]).all()
    assert table["risk"].between(0, 1).all()
    assert set(table["seat"]) <= {1, 2, 3, 4}
    safe = table[table["risk"] == 0]
    assert len(safe)
    assert not safe["mishap"].any()


def test_games_worth_telling_are_what_they_are_said_to_be(plan: Plan) -> None:
    seen = search(plan, 300, SHARES)
    found = {notable.name: number for notable, number in notable_games(seen)}
    assert list(found) == ["median", "upset", "longest_combo", "kick_flip"]
    assert len(set(found.values())) == len(found)
    told = {name: tell(plan, number) for name, number in found.items()}
    longest = max(len(e["validated"]) for e in told["longest_combo"].events if e["event"] == "stop")
    assert longest == seen.along("round_cards", "round").max()
    [winner] = [s["seat"] for s in told["upset"].events[-1]["seats"] if s["win_share"] == "1"]
    alone = (seen.seat_columns["win_share"] == 60).any(axis=1)
    least = SHARES[seen.entries[alone, seen.seat_columns["win_share"][alone].argmax(axis=1)]].min()
    assert SHARES[plan.entry_of(found["upset"], winner)] == least
    assert any("kick_flip" in e["cards"] for e in told["kick_flip"].events if e["event"] == "fall")
    assert (
        abs(seen.game_columns["winning_prestige"][found["median"]] - np.median(seen.game_columns["winning_prestige"]))
        < 1
    )


def test_what_befell_a_row_is_counted_game_by_game(plan: Plan) -> None:
    lost = search(plan, 60, SHARES).seen("legendaries", "kick_flip", "lost")
    for number in range(60):
        told = tell(plan, number)
        falls = [e for e in told.events if e["event"] == "fall" and "kick_flip" in e["cards"]]
        fallen = [sum(e["seat"] == seat for e in falls) for seat in range(4)]
        assert [int(lost[number, plan.entry_of(number, seat)]) for seat in range(4)] == fallen
    assert lost.any()


def test_a_game_without_a_card_has_no_worst_day_of_it() -> None:
    plan = plan_of(["stop_at_n:n=3", "risk_threshold"], count=60, edits={"cards.kick_flip": None})
    plan.prepare()
    assert "kick_flip" not in [n.name for n, _ in notable_games(search(plan, 60, SHARES[:2]))]


def test_faces_of_all_printed_cards_differ_and_can_be_read() -> None:
    game = games.load("skate_legend")
    resolved = game.resolve(game, 4, None, {}, {})
    faces = {row: face("cards", row, resolved) for row in resolved.tables["cards"]}
    assert len({f.words for f in faces.values()}) == len(faces)
    assert all(contrast(f.fill, f.ink) >= 4.5 for f in faces.values())
    assert len({f.corner for f in faces.values()}) == len({f.fill for f in faces.values()}) == 5
    assert faces["kick_flip"].words == "Kick Flip: green, 5 Prestige, Legendary, Replay 2 times"
    assert [s.name for s in faces["casper_slide"].symbols] == ["Legendary", "broken skateboard", "condition"]
