"""Keyed random streams: a game is a function of (seed, game number) and of nothing else.

Every source of luck has a key of its own, and the words of a stream are numbered: word ``i`` of a stream can
be had without its predecessors. Nothing that happens in a game can shift the luck of anything else in it.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014): word ``i`` of the stream with key ``k`` is ``mix(k + (i + 1) * GAMMA)``. Keys are hashes of (seed, game
number, source, and what the source depends on), made with the same mixing function.

A game never touches a stream by hand. It has two primitives: :func:`draw_remaining`, one of the cards not yet
drawn, each equally likely; and :func:`below`, a keyed die.
"""

from __future__ import annotations

import numpy as np

from skate_sim.bits import LANES, SEVEN, lowest_bit, members
from skate_sim.jit import compiled, merged

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_KEY_STEP = np.uint64(0xD1342543DE82EF95)
_LOW_32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_WORD_BITS = np.uint64(64)
_SHIFT_6 = np.uint64(6)
_SHIFT_32 = np.uint64(32)
_MASK_63 = np.uint64(63)
_SEVEN, _EIGHT, _MASK_7 = np.uint64(SEVEN), np.uint64(LANES), np.uint64((1 << SEVEN) - 1)

#: Record of one bot's own luck: the stream's key, and the number of the next word.
LUCK_DTYPE = np.dtype([("key", np.uint64), ("next_word", np.uint64)], align=True)


@merged
def mix(z):
    """Bijective 64-bit mixing (Stafford's variant 13, the finaliser of SplitMix64)."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@merged
def game_key(seed, game):
    """Key of one game. Both arguments are uint64; distinct game numbers of a seed never share a key."""
    return mix(mix(seed + GAMMA) + game * GAMMA)


@merged
def stream_key(key, source, part, seat):
    """Key of a stream inside a game: its source of luck, and the part of the game and seat it belongs to.

    Parameters
    ----------
    key : uint64
        Key of the game.
    source, part, seat : int
        Small non-negative numbers, below 256 each.
    """
    label = (np.uint64(source) << np.uint64(16)) | (np.uint64(part) << np.uint64(8)) | np.uint64(seat)
    return mix(key ^ ((label + _ONE) * _KEY_STEP))


@merged
def one_way_key(key, source, part, seat):
    """Key of a stream that a bot may read: unlike ``stream_key``, the game's key cannot be had back from it."""
    label = (np.uint64(source) << np.uint64(16)) | (np.uint64(part) << np.uint64(8)) | np.uint64(seat)
    step = (label + _ONE) * _KEY_STEP
    return mix(key ^ step) + mix((key + GAMMA) ^ step)


@merged
def word(key, index):
    """Word ``index`` (uint64) of a stream: 64 random bits."""
    return mix(key + (index + _ONE) * GAMMA)


@merged
def first_word(key):
    """Where a stream begins, for reading it word by word: see ``word_at`` and ``after``."""
    return key + GAMMA


@merged
def after(place):
    """The place of the next word of a stream."""
    return place + GAMMA


@merged
def word_at(place):
    """The word at a place of a stream: ``word(key, i)`` at the i-th place after the first."""
    return mix(place)


@merged
def below(bits, limit):
    """A whole number from 0 to ``limit - 1`` out of 64 random bits (uint64 in, uint64 out).

    The high half of the product (Lemire, "Fast random integer generation in an interval", 2019); ``limit`` is
    below 2**32, so the bias is below ``limit / 2**64``.
    """
    limit = np.uint64(limit)
    high = (bits >> _SHIFT_32) * limit
    low = ((bits & _LOW_32) * limit) >> _SHIFT_32
    return (high + low) >> _SHIFT_32


@merged
def is_in(urn, slot):
    """Whether a physical card (slot number, uint64) is still in the urn, a bit set of 64-bit words."""
    return _bit_of(urn, slot) != _ZERO


@merged
def _bit_of(urn, slot):
    return (urn[slot >> _SHIFT_6] >> (slot & _MASK_63)) & _ONE


@merged
def put_in(urn, slot):
    """Put a physical card into a bit set."""
    urn[slot >> _SHIFT_6] |= _ONE << (slot & _MASK_63)


@merged
def take_out(urn, slot):
    """Take a physical card out of a bit set."""
    urn[slot >> _SHIFT_6] &= ~(_ONE << (slot & _MASK_63))


@merged
def draw_remaining(urn, remaining, slot_bits, key, index):
    """Take one of the remaining cards out of an urn; see :func:`find_remaining`."""
    slot = find_remaining(urn, remaining, slot_bits, key, index)
    take_out(urn, slot)
    return slot


@merged
def find_remaining(urn, remaining, slot_bits, key, index):
    """One of the cards that remain in an urn, each equally likely; it stays there.

    Card number ``index`` of a stream is the first slot still in the urn among the proposals that its word
    spells (``64 // slot_bits`` numbers of ``slot_bits`` bits); if none of them is, it is picked among the
    remaining directly. So a card drawn elsewhere changes this draw only if it was the very card proposed.

    Parameters
    ----------
    urn : array of uint64
        Bit set of the physical cards that remain.
    remaining : uint64
        How many bits are set; at least 1.
    slot_bits : uint64
        Bits of a slot number, at most 32; every slot in the urn is below ``2**slot_bits``.
    key, index : uint64
        Stream, and the number of the draw in it.
    """
    return first_remaining(urn, remaining, slot_bits, word(key, index))


@merged
def first_remaining(urn, remaining, slot_bits, bits):
    """The card that a word of a stream picks among those that remain; see :func:`find_remaining`."""
    # Several proposals without a branch between them: which of them remains cannot be predicted.
    if slot_bits == _SEVEN and len(urn) > 1:
        found = members(urn[_ZERO], urn[_ONE], bits)
        if found != _ZERO:
            return (bits >> (lowest_bit(found) * _SEVEN)) & _MASK_7
        return _find_late(urn, remaining, slot_bits, bits, _EIGHT * _SEVEN)
    mask = (_ONE << slot_bits) - _ONE
    first_in = _bit_of(urn, bits & mask)
    if (first_in | _bit_of(urn, (bits >> slot_bits) & mask)) != _ZERO:
        return (bits >> (slot_bits & (first_in - _ONE))) & mask
    return _find_late(urn, remaining, slot_bits, bits, slot_bits + slot_bits)


@compiled
def _find_late(urn, remaining, slot_bits, bits, used):
    """The same one by one, when the proposals in the first ``used`` bits are gone."""
    mask = (_ONE << slot_bits) - _ONE
    late = bits >> used
    while used + slot_bits <= _WORD_BITS:
        if is_in(urn, late & mask):
            return late & mask
        late >>= slot_bits
        used += slot_bits
    return _nth_in(urn, below(mix(bits ^ _KEY_STEP), remaining))


@compiled
def _nth_in(urn, n):
    """Slot number of the n-th set bit (counted from 0) of a bit set that has at least n + 1."""
    number = _ZERO
    left = urn[number]
    while True:
        while left == _ZERO:
            number += _ONE
            left = urn[number]
        if n == _ZERO:
            return (number << _SHIFT_6) + lowest_bit(left)
        left &= left - _ONE
        n -= _ONE


@merged
def random(luck):
    """A random number from 0 (included) to 1 (excluded), from a bot's own luck."""
    bits = word(luck.key, luck.next_word)
    luck.next_word += _ONE
    return (bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@merged
def random_below(luck, limit):
    """A random whole number from 0 to ``limit - 1``, each equally likely, from a bot's own luck."""
    bits = word(luck.key, luck.next_word)
    luck.next_word += _ONE
    return np.int64(below(bits, np.uint64(limit)))
