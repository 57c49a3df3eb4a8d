"""How combos end: against exact fractions first, then against transcripts, then the identities that always hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from skate_sim import games, simulate, stats
from skate_sim.checks import checks_table
from skate_sim.findings import findings
from skate_sim.games.skate_legend.blind import blind_hazards, standing
from skate_sim.results import LoadedResults, Results
from skate_sim.simulation import play_games, tell_game
from skate_sim.step_tables import ends_of, step_table
from skate_sim.testing import plan_of
from tests.exact import ends_of_stop_at_n, standing_along, trick_deck
from tests.reference.variants import every_trick
from tests.runs import POOL
from tests.test_exact_kernel import DECKS

GAME = games.load("skate_legend")
(COMBOS,) = GAME.step_ledgers
CHECK = "every combo ended once, after as many steps as were counted"


# Known truth


@pytest.mark.parametrize("name", DECKS)
def test_blind_draws_are_exact(name: str) -> None:
    rows = GAME.resolve(GAME, 2, edits=DECKS[name]).tables["cards"]
    chances = standing(rows, grey_can_fall=False)
    assert chances == standing_along(trick_deck(rows), len(chances) - 1)
    assert chances[-1] == 0 or len(chances) == sum(kind.copies for kind in trick_deck(rows)) + 1


@pytest.mark.parametrize("grey_can_fall", [False, True])
def test_blind_draws_of_a_tiny_deck_are_those_of_all_its_orders(grey_can_fall: bool) -> None:
    kinds = [("grey", False, 3), ("grey", True, 1), ("blue", False, 2), ("red", True, 2)]
    rows = {f"c{n}": {"kind": "trick", "colour": c, "broken": b, "copies": k} for n, (c, b, k) in enumerate(kinds)}
    rows["reward"] = {"kind": "legendary", "colour": "blue", "broken": True, "copies": 1}
    cards = [(colour, broken) for colour, broken, copies in kinds for _ in range(copies)]

    def stands(combo: tuple[tuple[str, bool], ...]) -> bool:
        colours = Counter(c for c, _ in combo if c != "grey" or grey_can_fall)
        return max(colours.values(), default=0) < 3 and sum(broken for _, broken in combo) < 3

    for n, chance in enumerate(standing(rows, grey_can_fall)):
        orders = list(permutations(cards, n))
        assert float(chance) == pytest.approx(sum(map(stands, orders)) / len(orders), rel=1e-14)


def test_the_reference_follows_edits_and_rules() -> None:
    printed = blind_hazards(GAME.resolve(GAME, 4))
    assert [f"{100 * h:.2f}" for h in printed[:5]] == ["0.00", "0.00", "7.03", "16.82", "29.29"]
    assert printed[-1] == 1
    greys = {"cards.ollie.colour": "grey", "cards.ollie.copies": 300}
    free, bound = (blind_hazards(GAME.resolve(GAME, 4, rules={"grey_can_fall": g}, edits=greys)) for g in (False, True))
    assert len(bound) < 12 < len(free)
    assert free[2] < printed[2] < bound[2]


@pytest.mark.parametrize("n", [3, 5, 20])
@pytest.mark.parametrize("name", ["printed", "all broken", "many replays", "unlike points"])
def test_ends_of_stop_at_n_are_exact(name: str, n: int) -> None:
    """One round of two: nobody is cut short, nobody has a helmet, the piles last. Within 4 standard errors."""
    plan = plan_of([f"stop_at_n:n={n}"] * 2, rules={"rounds": 1}, edits=DECKS[name], count=150_000, seed=n)
    exact = ends_of_stop_at_n(trick_deck(plan.resolved.tables["cards"]), n)
    table = step_table(plan, play_games(plan)[0], COMBOS)
    table = table[table["bot"] == "all"].set_index("steps")
    sequences = int(table["reached"].loc[0])
    assert sequences == 300_000
    assert not table["last"].any()
    assert set(table.index) <= set(exact)
    for steps, row in table.iterrows():
        ends = exact[int(str(steps))]
        chances = {"stopped": ends.stopped, "fell": ends.fell, "tried": ends.tried}
        for column, chance in chances.items():
            share = float(chance)
            assert abs(row[column] / sequences - share) <= 4 * math.sqrt(share * (1 - share) / sequences) + 1e-12
        if row["tried"] > 0:
            hazard = float(ends.fell / ends.tried)
            assert abs(row["hazard"] - hazard) <= 4 * math.sqrt(hazard * (1 - hazard) / row["tried"]) + 1e-12
    if n == 20:  # it never stops, so each of its tricks is a blind draw
        hazards = [float(ends.fell / ends.tried) for ends in exact.values()]
        assert table["reference"].tolist() == pytest.approx(hazards[: len(table)], rel=1e-12)


# Transcripts


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("preset", ["rulebook", "online"])
def test_ends_are_those_of_the_transcripts(players: int, preset: str) -> None:
    bots = [*POOL, "helmet_saver"][-players:]
    plan = plan_of(bots, preset=preset, count=150, seed=players)
    told = np.zeros((len(plan.bots), COMBOS.capacity, 3), int)
    for number in range(plan.games):
        sizes = dict.fromkeys(range(players), 0)
        out = 0
        for event in tell_game(plan, number):
            seat = event.get("seat")
            if event["event"] == "trick":
                sizes[seat] += 1
            elif event["event"] in ("fall", "stop"):
                out += 1
                fell = event["event"] == "fall"
                ending = 1 if fell else 2 if out == players > 2 else 0
                told[plan.entry_of(number, seat), sizes[seat] - fell, ending] += 1
                sizes[seat], out = 0, out % players
    assert (ends_of(plan, play_games(plan)[0], COMBOS) == told).all()
    assert told[:, :, :2].any(axis=(0, 1)).all()


# Tables and identities


def test_the_table_is_a_life_table(results: Results) -> None:
    table = results.ledger("combos")
    assert list(dict.fromkeys(table["bot"])) == [*POOL, "all"]
    bots = results.bots().set_index("bot")
    for bot, part in table.groupby("bot"):
        part = part.reset_index(drop=True)
        assert part["steps"].tolist() == list(range(len(part)))
        ends = part[["stopped", "fell", "last"]].sum(axis=1)
        assert (part["reached"] - ends == part["reached"].shift(-1, fill_value=0)).all()
        assert (part["tried"] == part["reached"].shift(-1, fill_value=0) + part["fell"]).all()
        assert part[["stopped_share", "fell_share", "last_share"]].sum().sum() == pytest.approx(1)
        for row in part[part["tried"] > 0].to_dict("records"):
            found = row["hazard"], row["hazard_low"], row["hazard_high"]
            assert found == tuple(stats.wilson(row["fell"] / row["tried"], row["tried"]))
        seats = bots["seat_games"].sum() if bot == "all" else bots.loc[bot, "seat_games"]
        assert part["reached"].iloc[0] == 4 * seats
        if bot != "all":
            assert part["fell"].sum() == round(bots.loc[bot, "falls"] * seats)
            assert (part["steps"] * ends).sum() + part["fell"].sum() == round(bots.loc[bot, "tricks"] * seats)
    of_bots, of_all = table[table["bot"] != "all"], table[table["bot"] == "all"].set_index("steps")
    assert (of_bots.groupby("steps")["tried"].sum() == of_all["tried"]).all()
    assert of_all["last"].sum() == 4 * results.games
    with pytest.raises(ValueError, match="no ledger 'combo'; did you mean 'combos'"):
        results.ledger("combo")


def test_the_check_tells_when_ends_are_amiss() -> None:
    found = simulate(POOL, games=200, seed=3)
    place = GAME.ledger_place(COMBOS)
    changes: Mapping[str, tuple[int, int]] = {"one more": (1, 0), "a step more": (-1, 1), "one fell": (-1, 0)}
    for change, (here, above) in changes.items():
        tallies = replace(found.tallies, ledger=found.tallies.ledger.copy())
        cells = tallies.ledger[0, place].reshape(COMBOS.capacity, 3)
        cells[3, 0] += here
        cells[4, 0] += above
        cells[3, 1] += change == "one fell"
        checks = checks_table(found.plan, tallies, found.games).set_index("check")
        assert not checks.loc[CHECK, "holds"], change
        assert "not for stop_at_n:n=3" in checks.loc[CHECK, "detail"]
    assert found.checks().set_index("check").loc[CHECK, "holds"]


def test_combos_longer_than_the_ledger_are_in_its_last_row() -> None:
    edits = every_trick(colour="grey", broken=False, effect="replay")
    found = simulate(["stop_at_n"], players=2, games=60, edits=edits)
    table = found.ledger("combos")
    last = table[(table["bot"] == "all") & (table["steps"] == COMBOS.capacity - 1)].iloc[0]
    assert last["reached"] > 0
    assert math.isnan(last["hazard"])
    assert found.checks()["holds"].all()


def test_results_without_the_table_do_without_it(results: Results) -> None:
    """As an older version saved them."""
    tables = {name: table for name, table in results.tables().items() if name != "ledger_combos"}
    older = LoadedResults(results.manifest(), tables)
    assert older.ledger_names() == ["legendaries"]
    assert not [name for name in older.figures() if "combos" in name]
    assert "Combos" not in [finding.title for finding in findings(older)]
    with pytest.raises(ValueError, match="no ledger 'combos'; valid: legendaries"):
        older.ledger("combos")


# What is printed


def test_the_printed_table_has_hazards_and_the_reference(results: Results) -> None:
    titles = [finding.title for finding in findings(results)]
    assert "Combos" in titles
    (finding,) = (f for f in findings(results) if f.title == "Combos")
    assert list(finding.columns) == ["Combo", "Stopped", "Fell", "Last", "Fall risk", "Reference"]
    assert [row[-1] for row in finding.rows][:4] == ["0%", "0%", "7.03%", "16.8%"]
    assert [row[0] for row in finding.rows] == [str(n) for n in range(len(finding.rows))]
    everything = [finding.title for finding in findings(results, everything=True)]
    assert {f"Combos: {bot}" for bot in POOL} < set(everything)


# What every game declares


@pytest.mark.parametrize("game", [games.load(name) for name in games.names()], ids=lambda game: game.name)
def test_step_ledgers_are_declared_in_full(game: games.Game) -> None:
    names = [ledger.name for ledger in game.every_ledger]
    assert len(names) == len(set(names))
    places = [game.ledger_place(ledger) for ledger in game.every_ledger]
    assert [p.start for p in places] == [0, *(p.stop for p in places[:-1])]
    for ledger in game.step_ledgers:
        assert ledger.failure in ledger.endings
        assert ledger.axis in game.axes
        assert {game.outcome(name).level for name in (ledger.failures_in, ledger.steps_in)} == {"seat"}
        if ledger.reference:
            assert ledger.reference_label
            for seats in game.seats:
                exact = ledger.reference(game.resolve(game, seats))
                assert len(exact) > 0
                assert all(0 <= hazard <= 1 for hazard in exact)
