"""The exact solver against the published tables and against the listing of every order of tiny decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from tests.exact import PRINTED_DECK, CardKind, StopAtN, standing_after, stop_at_n

STANDING_AFTER = ("1", "1", "0.929711", "0.773317", "0.546824", "0.308982", "0.124312", "0.027880", "0")

#: n: chance to stand, mean points (0 if fallen), mean cards if standing.
STOP_AT_N = {
    1: ("0.997963", "1.2142", "1.105"),
    2: ("0.993399", "2.2964", "2.100"),
    3: ("0.914169", "3.1110", "3.091"),
    4: ("0.749723", "3.3661", "4.080"),
    5: ("0.520822", "2.9028", "5.066"),
    6: ("0.288036", "1.9165", "6.048"),
    7: ("0.113074", "0.8743", "7.027"),
}

TINY_DECKS = {
    "one card": [CardKind("red", points=2)],
    "one colour": [CardKind("red", copies=4), CardKind("red", points=3, broken=True, copies=2)],
    "all broken": [CardKind(c, broken=True, copies=2) for c in ("blue", "yellow", "green")],
    "grey never falls by colour": [CardKind("grey", copies=4), CardKind("blue", points=2, copies=3)],
    "grey falls by broken skateboards": [CardKind("grey", broken=True, copies=4), CardKind("green", copies=2)],
    "replays of several colours": [
        CardKind("green", effect="replay", copies=2),
        CardKind("red", points=2, effect="replay", times=2, copies=2),
        CardKind("grey", effect="replay"),
        CardKind("blue", copies=2),
    ],
    "broken replays": [
        CardKind("yellow", broken=True, effect="replay", copies=2),
        CardKind("grey", points=-1, broken=True, effect="replay", times=3),
        CardKind("red", points=4, effect="draw", copies=3),
    ],
    "nothing but replays": [CardKind("grey", effect="replay", times=2, copies=3), CardKind("blue", effect="replay")],
}


def digits(value: Fraction, like: str) -> str:
    """The value with as many decimals as a printed number."""
    return f"{float(value):.{len(like.partition('.')[2])}f}"


def test_blind_draws_match_the_published_table():
    found = [digits(standing_after(PRINTED_DECK, n), text) for n, text in enumerate(STANDING_AFTER, 1)]
    assert found == list(STANDING_AFTER)


@pytest.mark.parametrize("n", STOP_AT_N)
def test_stop_at_n_matches_the_published_table(n: int):
    result = stop_at_n(PRINTED_DECK, n)
    texts = STOP_AT_N[n]
    assert tuple(map(digits, (result.standing, result.points, result.mean_cards), texts)) == texts
    assert sum(result.cards.values()) == 1
    assert min(result.cards) == n


def test_eight_cards_are_the_most_that_stand():
    result = stop_at_n(PRINTED_DECK, 8)
    assert set(result.cards) == {8}
    assert 0 < result.standing < standing_after(PRINTED_DECK, 8)
    assert stop_at_n(PRINTED_DECK, 9) == StopAtN(Fraction(0), Fraction(0), {})


def test_edges():
    with pytest.raises(ValueError, match="2 draws from 1 cards"):
        standing_after([CardKind("red")], 2)
    with pytest.raises(ValueError, match="cannot stop without a card"):
        stop_at_n(PRINTED_DECK, 0)
    assert standing_after(PRINTED_DECK, 0) == 1
    assert stop_at_n([], 1) == StopAtN(Fraction(1), Fraction(0), {0: Fraction(1)})


@pytest.mark.parametrize("name", TINY_DECKS)
def test_blind_draws_of_tiny_decks(name: str):
    cards = one_by_one(TINY_DECKS[name])
    for n in range(len(cards) + 1):
        orders = list(permutations(cards, n))
        assert standing_after(TINY_DECKS[name], n) == Fraction(sum(map(stands, orders)), len(orders))


@pytest.mark.parametrize("name", TINY_DECKS)
def test_stop_at_n_of_tiny_decks(name: str):
    orders = list(permutations(one_by_one(TINY_DECKS[name])))
    for n in range(1, len(orders[0]) + 1):
        assert stop_at_n(TINY_DECKS[name], n) == summary([combo_of(iter(order), n) for order in orders])


def test_both_seats_of_a_two_player_round_have_the_same_chances():
    deck = [
        CardKind("green", effect="replay"),
        CardKind("red", points=3, broken=True, effect="replay"),
        CardKind("blue", copies=4),
        CardKind("yellow", points=2, broken=True, copies=2),
    ]
    rounds = [two_player_round(order, 3) for order in permutations(one_by_one(deck))]
    for seat in (0, 1):
        assert stop_at_n(deck, 3) == summary([combos[seat] for combos in rounds])


def one_by_one(deck: Sequence[CardKind]) -> list[CardKind]:
    return [kind for kind in deck for _ in range(kind.copies)]


def stands(combo: Sequence[CardKind]) -> bool:
    colours = Counter(card.colour for card in combo if card.colour != "grey")
    return max(colours.values(), default=0) < 3 and sum(card.broken for card in combo) < 3


def combo_of(pile: Iterator[CardKind], n: int) -> list[CardKind]:
    """Cards of a skater who takes from the pile alone; a combo that fell ends with the card that made it fall."""
    combo: list[CardKind] = []
    pending = 0
    while len(combo) < n or pending:
        card = next(pile, None)
        if card is None:
            break
        combo.append(card)
        if not stands(combo):
            break
        pending = max(pending - 1, 0) + card.replays
    return combo


def two_player_round(pile: Sequence[CardKind], n: int) -> list[list[CardKind]]:
    """Combos of two skaters who take turns at one pile; a Draw effect and the hands do not matter."""
    cards = iter(pile)
    combos: list[list[CardKind]] = [[], []]
    playing = [True, True]
    while any(playing):
        for seat, combo in enumerate(combos):
            pending = 1
            playing[seat] = playing[seat] and len(combo) < n
            while playing[seat] and pending:
                combo.append(next(cards))
                playing[seat] = stands(combo)
                pending += combo[-1].replays - 1
    return combos


def summary(combos: Sequence[Sequence[CardKind]]) -> StopAtN:
    standing = [combo for combo in combos if stands(combo)]
    sizes = Counter(len(combo) for combo in standing)
    return StopAtN(
        Fraction(len(standing), len(combos)),
        Fraction(sum(card.points for combo in standing for card in combo), len(combos)),
        {k: Fraction(count, len(standing)) for k, count in sorted(sizes.items())},
    )
