"""The package's kernel against the reference engine, event by event; and the reference engine by itself.

``REFERENCE_GAMES=100000`` compares about so many games instead of some eight thousand; a small number, for slow
modes such as compilation off, plays one game of so many of the variants.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from math import sqrt
from typing import Any

import pytest

from skate_sim.simulation import tell_game
from skate_sim.testing import plan_of, transcript_lines
from tests.exact import stop_at_n, trick_deck
from tests.reference import PRESETS, PRINTED, Game, first_difference
from tests.reference.luck import Stream
from tests.reference.variants import DECKS, Variant, all_variants, single_flips

VARIANTS = all_variants()
WANTED = int(os.environ.get("REFERENCE_GAMES", "0")) or sum(v.games for v in VARIANTS)
if len(VARIANTS) > WANTED:
    VARIANTS = [replace(v, games=1) for v in VARIANTS[:: -(-len(VARIANTS) // WANTED)]]
SCALE = WANTED / sum(v.games for v in VARIANTS)
SEED = 2**64 - 59


def reference_game(variant: Variant, game_number: int, seed: int = SEED, **options: Any) -> Game:
    rules = variant.resolved_rules()
    return Game(variant.cards(), rules, variant.reference_bots(), seed, game_number, **options)


# --- The kernel against the reference ---


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_kernel_tells_the_same_games(variant: Variant):
    plan = plan_of(variant.bot_names(), preset=variant.preset, rules=variant.rules, edits=variant.edits, seed=SEED)
    cards, rules, bots = variant.cards(), variant.resolved_rules(), variant.reference_bots()
    for number in range(round(variant.games * SCALE)):
        setup, *lines = tell_game(plan, number)
        game = Game(cards, rules, bots, SEED, number)
        expected = {"rules": rules, "cards": cards} | game.setup
        found = {name: setup[name] for name in expected}
        where = f"{variant}; rules {variant.rules}; edits {variant.edits}; seed {SEED}, game {number}"
        assert found == expected, where
        difference = first_difference(game.play(), lines)
        assert difference is None, f"{where}\n{difference}"


def test_enough_games_are_compared():
    assert sum(v.games for v in all_variants()) >= 8000
    assert {v.seats for v in all_variants()} == {2, 3, 4, 5}
    assert len({str(v) for v in all_variants()}) == len(all_variants())


def test_every_flip_of_a_switch_changes_some_game():
    """A lone skater with an empty combo is rare: its switch takes many games of the busy deck."""
    changed: dict[tuple[str, Any], bool] = {}
    for variant in sorted(single_flips(), key=lambda v: "busy" not in str(v)):
        ((switch, value),) = variant.rules.items()
        same = replace(variant, rules={})
        stories = ((reference_game(v, n).play() for v in (variant, same)) for n in range(40 * variant.games))
        changed[switch, value] = changed.get((switch, value)) or any(flipped != plain for flipped, plain in stories)
    assert [flip for flip, some in changed.items() if not some] == []


def test_whole_transcripts_agree():
    variant = Variant("one", 3, 1, bots=("stop_at_n:n=4", "random_legal", "stop_at_n:n=2"))
    setup, *lines = transcript_lines(variant.bot_names(), 7, seed=11)
    assert (setup["seed"], setup["game_number"], setup["preset"]) == (11, 7, "rulebook")
    assert [seat["bot"] for seat in setup["seats"]] == ["stop_at_n", "random_legal", "stop_at_n"]
    assert first_difference(reference_game(variant, 7, seed=11).play(), lines) is None


def test_a_difference_is_pointed_at():
    lines = reference_game(VARIANTS[0], 0).play()
    changed = [*lines[:5], {**lines[5], "seat": 9}, *lines[6:]]
    text = first_difference(lines, changed)
    assert text is not None
    assert text.startswith("line 5 differs in seat\n")
    assert first_difference(lines, lines[:-1]).startswith(f"line {len(lines) - 1} differs: the kernel tells less")


# --- The reference by itself ---


def test_words_are_those_of_splitmix64():
    stream = Stream(0, 0)
    stream.key = 1234567
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [stream.word(i) for i in range(4)] == published


def test_printed_cards_add_up():
    tricks = [cells for cells in PRINTED.values() if cells["kind"] == "trick"]
    by_colour: Counter[str] = Counter()
    by_effect: Counter[str] = Counter()
    for cells in tricks:
        by_colour[cells["colour"]] += cells["copies"]
        by_effect[cells["effect"]] += cells["copies"]
    assert by_colour == {"blue": 32, "yellow": 24, "red": 36, "green": 28}
    assert by_effect == {"draw": 22, "replay": 12, "reveal": 10, "none": 76}
    assert sum(cells["copies"] for cells in tricks if cells["broken"]) == 26
    assert sum(cells["copies"] * cells["points"] for cells in tricks) == 132
    assert len(PRINTED) - len(tricks) == 10


@pytest.mark.parametrize("variant", VARIANTS[::3], ids=str)
def test_no_card_or_helmet_is_lost_or_doubled(variant: Variant):
    def check(game: Game) -> None:
        assert sorted(cards_on(game)) == everything
        helmets = sum(s.helmets + bool(s.combo.helmet) for s in game.skaters)
        supply = game.rules["helmet_supply"]
        assert supply == "unlimited" or helmets + game.supply == supply

    for number in range(2):
        game = reference_game(variant, number)
        everything = sorted(game.card_of)
        game.watch = check
        game.play()


def cards_on(game: Game) -> list[int]:
    """Every physical card, wherever it lies."""
    held = [pair for s in game.skaters for pair in (*s.hand, *s.combo.cards, *s.validated)]
    return [*game.piles.cards(), *game.box, *(slot for slot, _ in [*held, *game.reward_pile])]


@pytest.mark.parametrize("variant", VARIANTS[1::3], ids=str)
def test_the_story_makes_sense(variant: Variant):
    for number in range(2):
        game = reference_game(variant, number)
        *events, end = game.play()
        check_turns(events)
        check_scores(events, end["seats"], game)


def check_turns(events: list[dict[str, Any]]) -> None:
    """Nobody acts after falling or stopping; the ender starts the next round; combos are told as played."""
    combos: dict[int, list[str]] = {}
    out: set[int] = set()
    ender = None
    for event in events:
        kind, seat = event["event"], event["seat"]
        if kind in ("trick", "helmet", "draw", "reveal", "lapse", "fall", "stop"):
            assert seat not in out
        if kind == "trick":
            assert combos or out or ender in (None, seat)
            combos.setdefault(seat, []).append(event["card"])
        if kind == "fall":
            assert event["cards"] == combos[seat]
        if kind in ("fall", "stop"):
            out.add(seat)
        if kind == "stop":
            left = Counter(event["validated"]) + Counter(event["discarded"])
            assert sum((left - Counter(combos.get(seat, []))).values()) <= 1  # Perfect Landing may have joined
            assert not Counter(combos.get(seat, [])) - left
        if kind == "round_end":
            ender, combos, out = seat, {}, set()


def check_scores(events: list[dict[str, Any]], results: list[dict[str, Any]], game: Game) -> None:
    """Prestige is what was validated, the last reward, and the helmets."""
    for result in results:
        mine = [e for e in events if e["seat"] == result["seat"]]
        points = sum(e["points"] for e in mine if e["event"] == "stop")
        if not game.rules["perfect_landing_in_combo"]:
            last = [e["card"] for e in mine if e["event"] == "reward" and e["round"] == game.rules["rounds"]]
            points += sum(game.cards[card]["points"] for card in last)
        assert result["prestige"] == points + game.rules["helmet_points"] * result["helmets_kept"]
        parts = ("tricks", "legendaries", "perfect_landing", "helmets")
        assert result["prestige"] == sum(result[part] for part in parts)
    best = max(result["prestige"] for result in results)
    winners = [result for result in results if result["prestige"] == best]
    share = "1" if len(winners) == 1 else f"1/{len(winners)}"
    assert [r["win_share"] for r in results] == [share if r in winners else "0" for r in results]


FOG = {"name": "Fog", "colour": "grey", "points": 2, "broken": True, "effect": "replay", "copies": 20}


@pytest.mark.parametrize(("edits", "n"), [({}, 4), (DECKS["three times the cards"], 3), ({"cards.fog": FOG}, 3)])
def test_first_round_of_two_players_has_the_exact_chances(edits: dict[str, Any], n: int):
    games = 800
    variant = Variant("exact", 2, games, rules={"rounds": 1}, edits=edits, bots=(f"stop_at_n:n={n}",) * 2)
    exact = stop_at_n(trick_deck(variant.cards()), n)
    stood = cards = 0
    for number in range(games):
        for event in reference_game(variant, number).play():
            if event["event"] == "stop":
                stood += 1
                cards += len(event["validated"])
    share = float(exact.standing)
    assert abs(stood - 2 * games * share) < 4 * sqrt(2 * games * share * (1 - share))
    assert abs(cards / stood - float(exact.mean_cards)) < 0.1


def test_presets_know_the_same_switches():
    assert PRESETS["rulebook"].keys() == PRESETS["online"].keys()
