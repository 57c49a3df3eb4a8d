"""Face-down cards: what a word of luck picks from an urn; and records on lines of the cache."""

from __future__ import annotations

import random

import numpy as np
import pytest

from skate_sim import games
from skate_sim.bits import LANES, SEVEN, members
from skate_sim.cache_lines import LINE, record_of_lines, zero_record
from skate_sim.games.skate_legend.cards import SLOT_WORDS
from skate_sim.jit import entry_point
from skate_sim.rng import find_remaining
from tests.reference.luck import Stream

GAME = games.load("skate_legend")


@entry_point
def _members(low, high, numbers):  # type: ignore[no-untyped-def]
    return members(low, high, numbers)


@entry_point
def _found(urn, remaining, slot_bits, key, index):  # type: ignore[no-untyped-def]
    return find_remaining(urn, remaining, slot_bits, key, index)


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
