"""A redeal looks the same to the seat, keeps every card, and is one of all possibilities, each equally likely."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skate_sim import games
from skate_sim.bot_files import parse_bot
from skate_sim.bot_watch import Question, call_compiled, play_one, record_at, seating_plan, watch_game
from skate_sim.games import MEMO_DTYPE, PARAMS_DTYPE
from skate_sim.rng import LUCK_DTYPE
from skate_sim.simulation import Plan, new_state

GAME = games.load("skate_legend")
RECORDS = [*GAME.view_parts.values(), MEMO_DTYPE, PARAMS_DTYPE, LUCK_DTYPE]
ERRORS = 4.0
#: A deck of seven cards; each of three seats is dealt one.
TINY = {f"cards.{card}.copies": 0 for card, row in GAME.tables[0].rows.items() if row["kind"] == "trick"} | {
    "cards.handplant.copies": 2,
    "cards.boardslide.copies": 2,
    "cards.manual.copies": 2,
    "cards.ollie.copies": 1,
}


class EnoughError(Exception):
    """Ends a game that has been watched for long enough."""


def table(
    bot: str, seats: int, preset: str = "rulebook", rules: dict[str, Any] | None = None, edits: Any = None
) -> Plan:
    resolved = GAME.resolve(GAME, seats, preset, rules or {}, edits or {})
    return seating_plan(resolved, [parse_bot(bot, GAME)] * seats, 5)


def watch(plan: Plan, number: int, look: Callable[[np.ndarray, Question], None]) -> Any:
    """Play a game while ``look`` sees the state at every question."""
    state = new_state(plan)
    hooks = {d: int(state[0].engine.entries[0].hooks[d]) for d in range(len(GAME.decisions))}

    def answering(question: Question) -> int:
        look(state, question)
        return call_compiled(hooks[question.decision], question.places, RECORDS)

    return watch_game(plan, state, number, range(plan.resolved.seats), answering)


def first_question(plan: Plan, number: int = 0) -> tuple[np.ndarray, int]:
    """A copy of the state at the first question of a game, and the seat that is asked."""
    found: list[tuple[np.ndarray, int]] = []

    def look(state: np.ndarray, question: Question) -> None:
        found.append((copy_of(state), question.seat))
        raise EnoughError

    with pytest.raises(EnoughError):
        watch(plan, number, look)
    return found[0]


def copy_of(state: np.ndarray) -> np.ndarray:
    """A copy to the last bit, padding included."""
    return np.frombuffer(bytearray(state.tobytes()), np.dtype((np.record, GAME.state_dtype)))


def redealt(state: np.ndarray, seat: int, key: int) -> np.ndarray:
    copy = copy_of(state)
    GAME.redeal(copy[0], seat, np.uint64(key))
    return copy


def slots_of(words: np.ndarray) -> list[int]:
    return [64 * i + bit for i, word in enumerate(words.tolist()) for bit in range(64) if word >> bit & 1]


def hand_slots(state: Any, seat: int) -> list[int]:
    return state.hidden.hand_slot[seat, : state.hands[seat].count].tolist()


def slots_out_of_play(state: Any) -> list[int]:
    """Slots of the face-down cards and of all hands, in order."""
    hands = [slot for seat in range(state.table.seats) for slot in hand_slots(state, seat)]
    return sorted(slots_of(state.hidden.urn) + hands)


def visible(state: np.ndarray, seat: int) -> dict[str, bytes]:
    """All that a seat sees, and all that is public or its own among what only the kernel sees."""
    record = state[0]
    parts = {
        "table": record.table,
        "hand": record.hands[seat],
        "memo": record.memo[seat],
        "luck": record.luck[seat],
        "rules": record.setup.rules,
        "deck": record.setup.deck,
        "seats": record.engine.seat_entry,
        "discard": record.hidden.discard,
        "tops": record.hidden.top_slot,
        "combos": record.hidden.combo_slot,
        "own slots": record.hidden.hand_slot[seat],
        "rewards": record.hidden.reward_card[: record.hidden.reward_index + 1],
        "outcomes": record.seat_out,
        "game": record.game_out,
    }
    return {name: part.tobytes() for name, part in parts.items()}


def packed_classes(deck: Any, cards: Counter[int]) -> list[int]:
    """Cards counted by colour, whole and broken skateboards, 12 bits a colour."""
    packed = [0, 0]
    for card, count in cards.items():
        packed[int(deck.cards[card].broken)] += count << (12 * int(deck.cards[card].colour))
    return packed


def check_hands(state: Any) -> None:
    """Each hand holds the cards of its slots, and its counts of unseen cards are right."""
    for seat in range(state.table.seats):
        hand, known = state.hands[seat], state.table.skaters[seat]
        cards = hand.cards[: hand.count].tolist()
        assert cards == [state.setup.slots.card[slot] for slot in hand_slots(state, seat)]
        assert hand.legendaries == sum(int(state.setup.deck.cards[card].legendary) for card in cards)
        unseen = Counter(cards) - Counter(known.known[: known.known_size].tolist())
        assert +Counter(dict(enumerate(hand.unseen.tolist()))) == unseen
        assert hand.unseen_size == unseen.total() == hand.count - known.known_size
        assert hand.unseen_class.tolist() == packed_classes(state.setup.deck, unseen)


def check_unseen(state: Any) -> None:
    """The public count of unseen cards is that of the urn and of the hands' unseen cards."""
    unseen = Counter(int(state.setup.slots.card[slot]) for slot in slots_of(state.hidden.urn))
    for seat in range(state.table.seats):
        unseen += Counter(dict(enumerate(state.hands[seat].unseen.tolist())))
    assert +Counter(dict(enumerate(state.table.unseen.tolist()))) == +unseen
    assert len(slots_of(state.hidden.urn)) == state.hidden.urn_size
    tops = sum(top >= 0 for top in state.table.pile_top.tolist())
    assert state.hidden.urn_size + tops == state.table.pile_size.sum()


def check_rewards(state: Any) -> None:
    """No Legendary is on the reward pile twice, the last reward is the last, and the rest is left over."""
    hidden, slots, rounds = state.hidden, state.setup.slots, int(state.table.rounds)
    rewards = hidden.reward_card[: rounds - 1].tolist()
    left = [int(slots.legend_card[slot]) for slot in slots_of(hidden.reward_urn)]
    assert Counter(rewards + left) == Counter(int(slots.legend_card[slot]) for slot in slots_of(slots.legend_urn))
    assert hidden.reward_card[rounds - 1] == state.setup.deck.last_reward
    first = int(slots.first_reward)
    assert slots.card[first : first + rounds].tolist() == hidden.reward_card[:rounds].tolist()


@pytest.mark.parametrize("preset", GAME.presets)
@pytest.mark.parametrize("seats", sorted(GAME.seats))
def test_looks_the_same_and_keeps_every_card(preset: str, seats: int) -> None:
    plan = table("random_legal", seats, preset)
    changed = Counter()

    def look(state: np.ndarray, question: Question) -> None:
        seat, before = question.seat, state[0]
        after = redealt(state, seat, question.number)
        assert visible(after, seat) == visible(state, seat)
        assert not np.array_equal(after[0].hidden.seat_key, before.hidden.seat_key)
        for other in range(seats):
            if other != seat:
                changed["luck"] += after[0].luck[other].key != before.luck[other].key
                changed["hand"] += hand_slots(after[0], other) != hand_slots(before, other)
        assert slots_out_of_play(before) == slots_out_of_play(after[0])
        for checked in (before, after[0]):
            check_hands(checked)
            check_unseen(checked)
            check_rewards(checked)
        again = redealt(state, seat, question.number)
        assert again.tobytes() == after.tobytes()

    for number in range(2):
        watch(plan, number, look)
    assert min(changed["luck"], changed["hand"]) > 25


def test_view_has_nothing_else() -> None:
    """The records that a bot is given are among those compared above."""
    plan = table("random_legal", 3)

    def look(state: np.ndarray, question: Question) -> None:
        seat, base = question.seat, state.ctypes.data
        parts = dict(zip(GAME.view_parts, question.places, strict=False))
        given = {name: record_at(place, GAME.view_parts[name]) for name, place in parts.items()}
        seen = visible(state, seat)
        assert given["table"].tobytes() == seen["table"]
        assert given["hand"].tobytes() == seen["hand"]
        assert set(given["setup"].dtype.names) == {"rules", "deck"}
        offset = GAME.state_dtype.fields["table"][1]
        assert base + offset <= parts["me"] < base + offset + GAME.view_parts["table"].itemsize
        raise EnoughError

    with pytest.raises(EnoughError):
        watch(plan, 0, look)


def assert_uniform(counts: Counter[Any], outcomes: int, draws: int) -> None:
    """Every outcome occurs equally often, within four standard errors."""
    share = 1 / outcomes
    error = math.sqrt(draws * share * (1 - share))
    assert len(counts) == outcomes
    assert counts.total() == draws
    assert all(abs(count - draws * share) < ERRORS * error for count in counts.values()), counts


def test_hands_and_piles_are_uniform() -> None:
    """Tiny deck: two unseen hands of one card each, from six unseen cards."""
    state, seat = first_question(table("stop_at_n", 3, edits=TINY))
    others = [s for s in range(3) if s != seat]
    draws, counts = 6_000, Counter()
    for key in range(draws):
        after = redealt(state, seat, key)[0]
        counts[tuple(slot for other in others for slot in hand_slots(after, other))] += 1
    assert_uniform(counts, 6 * 5, draws)


def test_rewards_to_come_are_uniform() -> None:
    """Eight Legendaries are not on top: each ordered pair may be the next two rewards."""
    state, seat = first_question(table("stop_at_n", 3))
    draws, counts = 8_000, Counter()
    for key in range(draws):
        counts[tuple(redealt(state, seat, key)[0].hidden.reward_card[1:3].tolist())] += 1
    assert_uniform(counts, 8 * 7, draws)


def test_next_face_down_card_is_uniform() -> None:
    """The seat's own luck to come is drawn anew, too: the card that it takes next is any that it has not seen."""
    plan = table("stop_at_n", 3, edits=TINY)
    draws, counts = 2_000, Counter()

    for key in range(draws):

        def look(state: np.ndarray, question: Question, key: int = key) -> None:
            if question.number == 1:
                GAME.redeal(state[0], question.seat, np.uint64(key))
                return
            skaters = state[0].table.skaters
            (seat,) = (s for s in range(3) if skaters[s].combo_size)
            counts[int(state[0].hidden.combo_slot[seat, 0])] += 1
            raise EnoughError

        with pytest.raises(EnoughError):
            watch(plan, 0, look)
    assert_uniform(counts, 6, draws)


@pytest.mark.parametrize(("preset", "seats"), [("rulebook", 2), ("online", 5)])
def test_redeals_in_play_change_nothing_in_the_long_run(preset: str, seats: int) -> None:
    """Bots that cannot peek do as well when all that is hidden is drawn anew at every question of the game."""
    plan = table("random_legal", seats, preset)
    prestige = [c.name for c in plan.layout.seat_columns].index("prestige")
    state, games_played = new_state(plan), 600
    plain = np.array([play_one(plan, state, n)[0][:, prestige].mean() for n in range(5 * games_played)])

    keys = itertools.count()

    def look(state: np.ndarray, question: Question) -> None:
        GAME.redeal(state[0], question.seat, np.uint64(next(keys)))

    mixed = np.array([watch(plan, n, look)[0][:, prestige].mean() for n in range(games_played)])
    error = math.sqrt(plain.var() / len(plain) + mixed.var() / len(mixed))
    assert abs(plain.mean() - mixed.mean()) < ERRORS * error
