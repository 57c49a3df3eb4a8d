"""Face-down cards: what a word of luck picks from an urn, at once and ahead; and records on lines of the cache."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from skate_sim import games
from skate_sim.bits import LANES, SEVEN, members
from skate_sim.bot_watch import Question, call_compiled, seating_plan, watch_game
from skate_sim.cache_lines import LINE, record_of_lines, zero_record
from skate_sim.games import MEMO_DTYPE, PARAMS_DTYPE
from skate_sim.games.skate_legend.cards import NO_SLOT, SLOT_WORDS
from skate_sim.jit import entry_point
from skate_sim.policy import parse_bot
from skate_sim.rng import LUCK_DTYPE, find_remaining, first_proposed, word
from skate_sim.simulation import new_state
from tests.reference.luck import Stream

GAME = games.load("skate_legend")
GAMMA = 0x9E3779B97F4A7C15


@entry_point
def _members(low, high, numbers):  # type: ignore[no-untyped-def]
    return members(low, high, numbers)


@entry_point
def _found(urn, remaining, slot_bits, key, index):  # type: ignore[no-untyped-def]
    return find_remaining(urn, remaining, slot_bits, key, index)


@entry_point
def _ahead(urn, slot_bits, key, index):  # type: ignore[no-untyped-def]
    return first_proposed(urn, slot_bits, word(key, index), NO_SLOT)


def bit_set(slots: set[int]) -> np.ndarray:
    """An urn of the kernel."""
    words = [sum(1 << slot % 64 for slot in slots if slot // 64 == number) for number in range(SLOT_WORDS)]
    return np.array(words, np.uint64)


def test_members_of_a_set_are_found_eight_at_once() -> None:
    dice = random.Random(1)
    for _ in range(300):
        both, numbers = dice.getrandbits(128) & dice.getrandbits(128), dice.getrandbits(64)
        low, high = both & (1 << 64) - 1, both >> 64
        proposed = [numbers >> SEVEN * lane & 127 for lane in range(LANES)]
        wanted = sum((both >> number & 1) << lane for lane, number in enumerate(proposed))
        assert _members(np.uint64(low), np.uint64(high), np.uint64(numbers)) == wanted


@pytest.mark.parametrize("slot_bits", [7, 8, 9])
def test_a_card_is_drawn_as_the_reference_draws_it(slot_bits: int) -> None:
    """Down to the last card, so that words without a card that remains are among them."""
    for key in range(12):
        stream = Stream(key, 3)
        urn = set(random.Random(key).sample(range(1 << slot_bits), 100))
        for index in range(100):
            bits, left = bit_set(urn), np.uint64(len(urn))
            found = _found(bits, left, np.uint64(slot_bits), np.uint64(stream.key), np.uint64(index))
            assert found == stream.draw(urn, slot_bits, index)


def test_a_card_found_ahead_is_the_one_drawn_while_it_is_there() -> None:
    """Other cards may leave in between; only most cards are found ahead, and none in a deck of more than 127."""
    dice, found, kept = random.Random(5), 0, 0
    for key in range(400):
        stream = Stream(key, 3)
        urn = set(dice.sample(range(128), dice.randint(10, 120)))
        words = np.uint64(stream.key), np.uint64(0)
        ahead = int(_ahead(bit_set(urn), np.uint64(SEVEN), *words))
        assert _ahead(bit_set(urn), np.uint64(SEVEN + 1), *words) == NO_SLOT
        urn -= set(dice.sample(sorted(urn), 5))
        found += ahead != NO_SLOT
        if ahead in urn:
            kept += 1
            assert ahead == stream.draw(urn, SEVEN, 0)
    assert found > 350
    assert kept > 250


def test_no_urn_has_the_slot_that_stands_for_none() -> None:
    everything = np.full(SLOT_WORDS - 1, ~np.uint64(0))
    assert len(everything) * 64 == NO_SLOT
    state = GAME.new_state(GAME.resolve(GAME, 2, None, None, None))[0]
    for urn in (state.hidden.urn, state.hidden.discard, state.setup.slots.urn):
        assert len(urn) == SLOT_WORDS
        assert urn[-1] == 0


def test_records_begin_with_a_line_of_the_cache() -> None:
    inner = record_of_lines([("first", np.int32), ("many", np.uint8, (70,))])
    outer = record_of_lines([("flag", np.uint8), ("word", np.uint64), ("inner", inner, (3,)), ("end", np.int16)])
    assert inner.itemsize == 2 * LINE
    fields = outer.fields
    assert fields is not None
    assert {name: fields[name][1] for name in fields} == {"flag": 0, "word": 8, "inner": LINE, "end": 7 * LINE}
    assert outer.itemsize == 8 * LINE
    assert outer.isalignedstruct
    record = zero_record(outer)
    assert record.ctypes.data % LINE == 0
    assert not record.tobytes().strip(b"\0")


def test_skaters_and_cards_lie_on_lines_of_the_cache() -> None:
    """Each seat's numbers that one vector holds, and each card's, would else lie across two lines."""
    for seats in (2, 5):
        state = GAME.new_state(GAME.resolve(GAME, seats, None, None, None))[0]
        for skater in state.table.skaters:
            assert skater.__array_interface__["data"][0] % LINE == 0
        for card in state.setup.deck.cards:
            assert card.__array_interface__["data"][0] % LINE == 0


def drawn_now(state: Any, seat: int) -> int:
    """The card that a seat's next trick takes from a pile, from the words of its luck."""
    urn = {slot for slot in range(NO_SLOT) if int(state.hidden.urn[slot // 64]) >> slot % 64 & 1}
    stream = Stream(0, 0)
    stream.key = (int(state.hidden.trick_luck[seat]) - GAMMA) % 2**64
    return stream.draw(urn, int(state.setup.slots.slot_bits), 0) if urn else NO_SLOT


@pytest.mark.parametrize("redealing", [False, True])
def test_no_card_found_ahead_is_out_of_date(redealing: bool) -> None:
    """At every question: what was found ahead is gone from the urn, or it is what the luck says now.

    The deck is so small that a round reshuffles it several times, and skaters fall before it is their turn again.
    """
    deck = {f"cards.{card}.copies": 0 for card, row in GAME.tables[0].rows.items() if row["kind"] == "trick"}
    edits = deck | {"cards.pop_shove_it.copies": 12, "cards.melon_grab.copies": 10}
    resolved = GAME.resolve(GAME, 5, "rulebook", {"reshuffle": "when_emptied"}, edits)
    plan = seating_plan(resolved, [parse_bot("stop_at_n:n=9", GAME)] * 5, 5)
    state, seen = new_state(plan), 0
    hooks = {d: int(state[0].engine.entries[0].hooks[d]) for d in range(len(GAME.decisions))}
    records = [*GAME.view_parts.values(), MEMO_DTYPE, PARAMS_DTYPE, LUCK_DTYPE]

    def answering(question: Question) -> int:
        nonlocal seen
        if redealing and question.number % 3 == 0:
            GAME.redeal(state[0], question.seat, np.uint64(question.number))
        urn, ahead = state[0].hidden.urn, state[0].hidden.ahead
        for seat in range(5):
            slot = int(ahead[seat])
            if int(urn[slot // 64]) >> slot % 64 & 1:
                seen += 1
                assert slot == drawn_now(state[0], seat)
        return call_compiled(hooks[question.decision], question.places, records)

    for number in range(40):
        watch_game(plan, state, number, range(5), answering)
    assert seen > 500
