"""Tables against the rows of the games themselves, computed anew with pandas; and checks that can fail."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from skate_sim import stats
from skate_sim.api import simulate
from skate_sim.bot_files import parse_bot
from skate_sim.games import load, row_columns
from skate_sim.observed import display_names
from skate_sim.policy import Bot
from skate_sim.results import Results
from skate_sim.simulation import Plan, make_plan, new_state, play_games, tell_game
from tests.runs import POOL


def rows_of(plan: Plan) -> pd.DataFrame:
    """Every seat of every game of a plan, a row each, as the kernel hands them out; shares in 0 to 1."""
    columns, game_columns = (row_columns(plan.resolved, level) for level in ("seat", "game"))
    seat_rows = np.zeros((plan.games, plan.resolved.seats, len(columns)), np.int32)
    game_rows = np.zeros((plan.games, len(game_columns)), np.int32)
    ledger = np.zeros((len(plan.bots), plan.layout.ledger_cells), np.int64)
    state = new_state(plan)
    where = (np.uint64(plan.seed), 0, plan.games, plan.layout.lineups)
    assert plan.game.play_batch(state, *where, seat_rows, game_rows, ledger) == plan.games
    table = pd.DataFrame(seat_rows.reshape(-1, len(columns)), columns=[c.name for c in columns])
    table["win_share"] /= plan.game.share_units
    games = pd.DataFrame(game_rows, columns=[c.name for c in game_columns])
    table = pd.concat([table, games.loc[games.index.repeat(plan.resolved.seats)].reset_index(drop=True)], axis=1)
    number = np.arange(plan.games).repeat(plan.resolved.seats)
    seat = np.tile(np.arange(plan.resolved.seats), plan.games)
    names = display_names(plan.bots)
    bot = [names[plan.entry_of(g, s)] for g, s in zip(number, seat, strict=True)]
    return table.assign(game=number, seat=seat + 1, bot=bot, lineup=number % len(plan.layout.lineups))


@pytest.fixture(scope="module")
def rows(results: Results) -> pd.DataFrame:
    return rows_of(results.plan)


def seat_outcomes(results: Results) -> list[str]:
    return [o.name for o in results.declaration.outcomes if o.level == "seat" and o.axis is None]


# Bots


def test_bots_have_the_means_and_spreads_of_their_games(results: Results, rows: pd.DataFrame) -> None:
    table = results.bots().set_index("bot")
    assert list(table.index) == POOL
    assert (table["games"] == 4000).all()
    by_bot = rows.groupby("bot")
    for name in seat_outcomes(results):
        for bot in POOL:
            assert table.loc[bot, name] == pytest.approx(by_bot[name].mean()[bot], abs=1e-12), name
            assert table.loc[bot, f"{name}_sd"] == pytest.approx(by_bot[name].std()[bot], abs=1e-9), name
            assert table.loc[bot, f"{name}_low"] <= table.loc[bot, name] <= table.loc[bot, f"{name}_high"]


def test_intervals_take_lineups_as_strata(results: Results, rows: pd.DataFrame) -> None:
    variances = rows.groupby(["bot", "lineup"])["prestige"].var().unstack()
    expected = 1.96 * np.sqrt((variances / 1000).sum(axis=1)) / 4
    table = results.bots().set_index("bot")
    half = (table["prestige_high"] - table["prestige_low"]) / 2
    assert half.to_dict() == pytest.approx(expected.to_dict(), rel=1e-3)


def test_quantiles_are_those_of_the_games(results: Results, rows: pd.DataFrame) -> None:
    table = results.bots().set_index("bot")
    for bot in POOL:
        scores = rows.loc[rows["bot"] == bot, "prestige"]
        for name, q in (("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95)):
            assert table.loc[bot, name] == np.quantile(scores, q, method="inverted_cdf")
            assert table.loc[bot, f"{name}_low"] <= table.loc[bot, name] <= table.loc[bot, f"{name}_high"]


def test_a_bot_with_two_seats_is_seen_once_a_game(pairs: Results) -> None:
    rows = rows_of(pairs.plan)
    table = pairs.bots().set_index("bot")
    assert (table["games"] == 4000).all()
    assert (table["seat_games"] == 8000).all()
    for bot in table.index:
        of_game = rows[rows["bot"] == bot].groupby(["lineup", "game"])["prestige"].mean()
        assert table.loc[bot, "prestige"] == pytest.approx(of_game.mean())
        variance = (of_game.groupby("lineup").var() / 1000).sum() / 16
        half = (table.loc[bot, "prestige_high"] - table.loc[bot, "prestige_low"]) / 2
        assert half == pytest.approx(1.9614 * math.sqrt(variance), rel=1e-3)
        assert table.loc[bot, "prestige_sd"] == pytest.approx(rows.loc[rows["bot"] == bot, "prestige"].std())


def test_each_seat_of_a_bot_weighs_the_same(results: Results) -> None:
    bots, resolved = list(results.plan.bots[:2]), load("skate_legend").resolve(results.declaration, 3)
    plan = make_plan(resolved, bots, np.array([[0, 0, 1], [0, 1, 1]]), 2000, 7)
    rows, table = rows_of(plan), Results(plan, play_games(plan, threads=1)[0], 2000, 1.0).bots().set_index("bot")
    for bot, row in table.iterrows():
        for name in ("win_share", "prestige", "falls"):
            assert row[name] == pytest.approx(rows.loc[rows["bot"] == bot, name].mean()), name
        assert row["seat_games"] == 3000


def test_a_bot_that_sits_everywhere_has_all_wins(mirror: Results) -> None:
    [row] = mirror.bots().to_dict("records")
    assert row["win_share"] == row["win_share_low"] == row["win_share_high"] == pytest.approx(1 / 3)
    assert row["prestige_low"] < row["prestige"] < row["prestige_high"]


# Seats, axes, game


def test_seats_are_told_apart(results: Results, rows: pd.DataFrame) -> None:
    table = results.seats()
    expected = rows.groupby(["bot", "seat"])["win_share"].mean()
    own = table[table["bot"] != "all"].set_index(["bot", "seat"])
    assert len(own) == 16
    assert own["win_share"].to_dict() == pytest.approx(expected.to_dict())
    everyone = table[table["bot"] == "all"].set_index("seat")
    assert everyone["win_share"].to_dict() == pytest.approx(rows.groupby("seat")["win_share"].mean().to_dict())
    assert everyone["win_share"].sum() == pytest.approx(1)
    assert (everyone["games"] == 4000).all()


def test_along_an_axis(results: Results, rows: pd.DataFrame) -> None:
    table = results.along("round").set_index(["bot", "round"])
    assert len(table) == 16
    for bot in POOL:
        for place in range(1, 5):
            for name in ("round_falls", "round_tricks", "round_points"):
                of_bot = rows.loc[rows["bot"] == bot, f"{name}_{place}"]
                assert table.loc[(bot, place), name] == pytest.approx(of_bot.mean(), abs=1e-12)
    with pytest.raises(ValueError, match="did you mean 'round'"):
        results.along("rounds")


def test_outcomes_of_the_game(results: Results, rows: pd.DataFrame) -> None:
    table = results.game().set_index("outcome")
    once = rows.drop_duplicates("game")
    for name in ("turns", "margin", "winning_prestige", "splits"):
        assert table.loc[name, "mean"] == pytest.approx(once[name].mean())
        assert table.loc[name, "sd"] == pytest.approx(once[name].std())
    assert table.loc["starter_share", "mean"] == pytest.approx(once["starter_share"].mean() / 60)
    assert table.loc["starter_share", "low"] < 0.25 < table.loc["starter_share", "high"]


# Distributions


def test_distributions_count_every_game(results: Results, rows: pd.DataFrame) -> None:
    table = results.distribution("prestige")
    for bot in POOL:
        counted = table[table["bot"] == bot].set_index("value")["count"]
        expected = rows.loc[rows["bot"] == bot, "prestige"].value_counts()
        assert {int(v): n for v, n in counted.items() if n} == expected.to_dict()
    assert table.groupby("bot")["share"].sum().to_dict() == pytest.approx(dict.fromkeys(POOL, 1.0))
    assert len({tuple(part["value"]) for _, part in table.groupby("bot")}) == 1, "all bots have the same values"
    assert (table["share_low"] <= table["share"]).all()
    shares = results.distribution("win_share")["value"].unique()
    assert {0, 0.5, 1} <= set(shares) <= {0, 0.25, 20 / 60, 0.5, 1}, "a share has no values in between"
    assert results.distribution("turns")["bot"].unique() == ["all"]
    with pytest.raises(ValueError, match="no histogram 'prestig'; did you mean 'prestige'"):
        results.distribution("prestig")


def test_what_a_histogram_does_not_cover_is_marked() -> None:
    found = simulate(POOL[2:], games=500, edits={"cards.manual.points": 99})
    table = found.distribution("prestige")
    above = table[table["open_end"] == "above"]
    assert set(above["label"]) == {"≥ 121"}
    assert (above["value"] == 121).all()
    assert above["count"].sum() > 0
    assert (table.groupby("bot")["count"].sum() == 500).all()
    assert found.checks()["holds"].all()


# Ledgers


def test_ledger_counts_what_the_transcripts_tell(results: Results) -> None:
    plan = replace(results.plan, games=80)
    found = simulate(POOL, games=80, seed=7)
    told: Counter[tuple[str, str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for number in range(80):
        events = tell_game(plan, number)
        shares = [Fraction(seat["win_share"]) for seat in events[-1]["seats"]]
        for event in events:
            bot = POOL[plan.entry_of(number, event["seat"])] if event.get("seat") is not None else ""
            if event["event"] == "reward":
                told[bot, event["card"], "taken"] += 1
                won[bot, event["card"]] += shares[event["seat"]]  # type: ignore[assignment]
            for field, name in (("cards", "lost"), ("validated", "scored"), ("discarded", "unmet")):
                for card in event.get(field, []) if event["event"] in ("fall", "stop") else []:
                    told[bot, card, name] += 1
            if event["event"] == "trick":
                told[bot, event["card"], "played"] += 1
    table = found.ledger("legendaries").set_index(["bot", "row"])
    for event in ("taken", "played", "lost", "unmet"):
        for bot in POOL:
            for card in table.loc[bot].index:
                assert table.loc[(bot, card), event] == told[bot, card, event], (bot, card, event)
                if event == "taken" and told[bot, card, event]:
                    share = float(won[bot, card] / told[bot, card, event])
                    assert table.loc[(bot, card), "win_share_when_taken"] == pytest.approx(share)
    assert table.loc["all", "taken"].sum() == 80 * 4
    assert table.loc["all", "taken"].sum() == sum(table.loc[bot, "taken"].sum() for bot in POOL)


def test_ledger_rates_values_and_win_shares(results: Results) -> None:
    table = results.ledger("legendaries")
    row = table[(table["bot"] == "risk_threshold") & (table["row"] == "kick_flip")].iloc[0]
    assert row["name"] == "Kick Flip"
    assert tuple(row[["scored_rate", "scored_rate_low", "scored_rate_high"]]) == pytest.approx(
        stats.wilson(row["scored"] / row["taken"], row["taken"])
    )
    assert row["taken_per_game"] == row["taken"] / 4000
    assert row["value"] == pytest.approx(5 * row["scored"] / row["taken"])
    assert row["value_low"] < row["value"] < row["value_high"]
    assert 0 < row["win_share_when_taken_low"] < row["win_share_when_taken"] < row["win_share_when_taken_high"] < 1
    with pytest.raises(ValueError, match="no ledger 'cards'; valid: legendaries, combos"):
        results.ledger("cards")


def test_ledger_follows_edits_of_values() -> None:
    edits = {"cards.kick_flip.points": -2}
    table = simulate(POOL[2:], games=400, edits=edits).ledger("legendaries")
    row = table[(table["bot"] == "all") & (table["row"] == "kick_flip")].iloc[0]
    rate = stats.wilson(row["scored"] / row["taken"], row["taken"])
    expected = (-2 * rate.mean, -2 * rate.high, -2 * rate.low)
    assert tuple(row[["value", "value_low", "value_high"]]) == pytest.approx(expected)


# Checks


def test_checks_hold(results: Results, pairs: Results, mirror: Results) -> None:
    for found in (results, pairs, mirror):
        assert found.checks()["holds"].all(), found.checks().to_string()
    assert mirror.checks()["check"].str.contains("plays itself").sum() == 1


def broken(results: Results, name: str, at: tuple[int, ...], by: int) -> list[str]:
    """Checks that fail when one number of the tallies is off."""
    array = getattr(results.tallies, name).copy()
    array[at] += by
    found = Results(results.plan, replace(results.tallies, **{name: array}), results.games, 1.0).checks()
    return found.loc[~found["holds"], "check"].tolist()


def test_checks_can_fail(results: Results, mirror: Results) -> None:
    names = [c.name for c in results.plan.layout.seat_columns]
    points, shares = names.index("helmet_points"), names.index("win_share")
    assert broken(results, "seat_sums", (0, 0, points), 1) == ["the parts of Prestige add up to it"]
    assert "the win shares of each game add up to one" in broken(results, "seat_sums", (0, 0, shares), 1)
    assert "histograms agree with the sums" in broken(results, "seat_bins", (0, 20), 1)
    assert "every game is counted once" in broken(results, "games", (0,), 1)
    assert "every lineup is played equally often" in broken(results, "games", (0,), 1)
    uneven = mirror.tallies.seat_sums.copy()
    uneven[0, 0, shares] += 60 * 300
    uneven[0, 1, shares] -= 60 * 300
    found = Results(mirror.plan, replace(mirror.tallies, seat_sums=uneven), mirror.games, 1.0).checks()
    assert "seats are alike when random_legal plays itself" in found.loc[~found["holds"], "check"].tolist()


# Names and views


def test_display_names_differ() -> None:
    game = load("skate_legend")
    three, four = parse_bot("stop_at_n:n=3", game), parse_bot("stop_at_n:n=4", game)
    labelled = [Bot(three.code, three.values, "same"), Bot(four.code, four.values, "same")]
    assert display_names([three, four]) == ["stop_at_n:n=3", four.name]
    assert display_names(labelled) == [b.full_name for b in labelled]
    near = [Bot(three.code, {"n": 3}, "x"), Bot(three.code, {"n": 3.0000001}, "x")]
    assert len(set(display_names(near))) == 2
    assert display_names([Bot(three.code, three.values, "all")]) == ["stop_at_n:n=3"]


def test_html_shows_and_escapes(results: Results) -> None:
    html = results._repr_html_()
    assert html.count("<svg") == html.count("</svg>") == 1
    assert 'role="img" aria-label="win shares' in html
    assert "<?xml" not in html
    assert "http://www.w3.org/1999/xlink" in html
    assert "Who wins?" in html
    assert html.index("risk_threshold") < html.index("random_legal"), "best first"
    assert "Win share" in html
    odd = Results(results.plan, results.tallies, results.games, 1.0, question="<script>")
    assert "<script>" not in odd._repr_html_()
    assert "stopped early" not in html


def test_returned_tables_are_the_callers(results: Results) -> None:
    table = results.bots()
    table["win_share"] = 0.0
    assert results.bots()["win_share"].sum() > 0.99


def test_a_partial_run_says_so(results: Results) -> None:
    planned = replace(results.plan, games=8000)
    found = Results(planned, results.tallies, 4000, 2.0)
    assert found.partial
    assert "stopped early" in found._repr_html_()
    assert "stopped early" in repr(found)
    assert found.manifest()["games_planned"] == 8000
    pd.testing.assert_frame_equal(found.bots(), results.bots())
