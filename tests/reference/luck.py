"""The keyed random streams, written anew on Python's whole numbers (SplitMix64, all modulo 2**64)."""

from __future__ import annotations

REWARD_PILE, FIRST_SKATER, DEAL, SEAT_ROUND, BOT_LUCK = range(5)

_ALL = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_KEY_STEP = 0xD1342543DE82EF95

#: In a seat's stream of a round: where the words for each use begin.
_TRICKS, _DRAWS, _REVEALS = (part * 2**32 for part in range(3))


def mix(z: int) -> int:
    """Scramble 64 bits."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
    return z ^ (z >> 31)


def game_key(seed: int, game_number: int) -> int:
    """Key of a game."""
    return mix((mix((seed + _GAMMA) & _ALL) + game_number * _GAMMA) & _ALL)


def below(bits: int, limit: int) -> int:
    """A whole number from 0 to limit - 1 out of 64 random bits."""
    return bits * limit >> 64


class Stream:
    """The numbered words of one source of luck."""

    def __init__(self, game: int, source: int, part: int = 0, seat: int = 0) -> None:
        label = source << 16 | part << 8 | seat
        self.key = mix(game ^ ((label + 1) * _KEY_STEP & _ALL))

    def word(self, index: int) -> int:
        """Word number index: 64 random bits."""
        return mix((self.key + (index + 1) * _GAMMA) & _ALL)

    def draw(self, urn: set[int], slot_bits: int, index: int) -> int:
        """Take one of the urn's cards: the first that the word proposes, or else any of the remaining."""
        bits = self.word(index)
        for shift in range(0, 64 - slot_bits + 1, slot_bits):
            slot = bits >> shift & ((1 << slot_bits) - 1)
            if slot in urn:
                break
        else:
            slot = sorted(urn)[below(mix(bits ^ _KEY_STEP), len(urn))]
        urn.remove(slot)
        return slot


class SeatLuck:
    """Luck of one seat in one round: its face-down cards by use, and its bot's own words."""

    def __init__(self, game: int, round_number: int, seat: int) -> None:
        self.stream = Stream(game, SEAT_ROUND, round_number, seat)
        self.used = dict.fromkeys((_TRICKS, _DRAWS, _REVEALS), 0)
        self.bot = Stream(game, BOT_LUCK, round_number, seat)
        step = ((BOT_LUCK << 16 | round_number << 8 | seat) + 1) * _KEY_STEP & _ALL
        self.bot.key = (mix(game ^ step) + mix((game + _GAMMA & _ALL) ^ step)) & _ALL
        self.bot_words = 0

    def _next(self, use: int) -> int:
        self.used[use] += 1
        return use + self.used[use] - 1

    def trick(self, urn: set[int], slot_bits: int) -> int:
        """Take a face-down card that is played."""
        return self.stream.draw(urn, slot_bits, self._next(_TRICKS))

    def drawn(self, urn: set[int], slot_bits: int) -> int:
        """Take a face-down card that a Draw adds to the hand."""
        return self.stream.draw(urn, slot_bits, self._next(_DRAWS))

    def revealed(self, urn: set[int], slot_bits: int) -> int:
        """Take a face-down card that a Reveal turns."""
        return self.stream.draw(urn, slot_bits, self._next(_REVEALS))

    def below(self, limit: int) -> int:
        """A number of the bot's own luck, from 0 to limit - 1."""
        self.bot_words += 1
        return below(self.bot.word(self.bot_words - 1), limit)
