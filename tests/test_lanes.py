"""Eight numbers at once: a combo's numbers, and what a card adds to them, are in the same order."""

from __future__ import annotations

import numpy as np
import pytest

from skate_sim import games, simulate
from skate_sim.bits import LANES, lanes_above, lanes_adder, lanes_clearer
from skate_sim.bot_code import compile_bot, only_answer
from skate_sim.bot_files import find_code
from skate_sim.games.skate_legend.cards import COLOURS, LANE_BROKEN, LANE_POINTS, LANE_SPECIAL
from skate_sim.games.skate_legend.state import SKATER_DTYPE
from skate_sim.jit import entry_point

SEVEN = 7


def test_a_combo_has_its_numbers_in_the_order_of_the_lanes() -> None:
    fields = SKATER_DTYPE.fields
    assert fields is not None
    first = fields["colours"][1]
    lanes = {"broken": LANE_BROKEN, "combo_points": LANE_POINTS, "special": LANE_SPECIAL}
    assert {name: (fields[name][1] - first) // 4 for name in lanes} == lanes
    assert COLOURS + len(lanes) == LANES


def test_every_card_adds_what_it_is() -> None:
    game = games.load("skate_legend")
    deck = game.resolve(game, 4, "rulebook", {}, {"cards.ollie.needs_cards": 3}).setup.deck
    for card in deck.cards[: deck.card_types]:
        wanted = np.zeros(LANES, int)
        wanted[card.colour] = 1
        wanted[LANE_BROKEN], wanted[LANE_POINTS] = card.broken, card.points
        wanted[LANE_SPECIAL] = card.legendary or card.conditional
        assert card.adds.tolist() == wanted.tolist()


def test_lanes_are_added_cleared_and_compared() -> None:
    record = np.dtype([("before", np.int64), ("first", np.int32, (3,)), ("rest", np.int32, (5,)), ("end", np.int32)])
    other = np.dtype([("one", np.int32), ("more", np.int32, (LANES,))])
    add, above, clear = lanes_adder("first", "more"), lanes_above("first", 2), lanes_clearer("first")

    @entry_point
    def run(a, b):  # type: ignore[no-untyped-def]
        add(a, b)
        bits = above(a)
        clear(b)
        return bits

    clear = lanes_clearer("more")
    a, b = np.zeros(1, record), np.zeros(1, other)
    a["before"], a["end"], b["one"] = SEVEN, SEVEN, SEVEN
    a["first"], a["rest"], b["more"] = [0, 1, 2], [3, -4, 5, 6, 7], [2, 2, 0, -1, 9, -9, 0, 1]
    assert run(a[0], b[0]) == sum(1 << lane for lane, n in enumerate([2, 3, 2, 2, 5, -4, 6, 8]) if n > 2)
    assert [*a["first"][0], *a["rest"][0]] == [2, 3, 2, 2, 5, -4, 6, 8]
    assert b["more"].tolist() == [[0] * LANES]
    assert (a["before"], a["end"], b["one"]) == (SEVEN, SEVEN, SEVEN)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("return False", 0),
        ("return 3", 3),
        ("return SEVEN", SEVEN),
        ("return None", None),
        ("return view.me.helmets", None),
        ("x = 3; return x", None),
        ("return 1.5", None),
        ("return 1 << 63", None),
        ("return 'no'", None),
        ("return UNKNOWN", None),
    ],
)
def test_a_function_with_one_answer_is_known(source: str, answer: int | None) -> None:
    space = {"SEVEN": SEVEN}
    exec(f"def act(view):\n    {source}", space)
    assert only_answer(space["act"]) == answer  # type: ignore[arg-type]


def test_bots_with_one_answer_play_the_same_games_unasked() -> None:
    assert compile_bot(find_code("stop_at_n", games.load("skate_legend"))).fixed == {1: 0, 2: 1, 3: 1}

    class Asked:
        """stop_at_n, with answers that it has to work out."""

        def act(view):  # type: ignore[no-untyped-def]  # noqa: N805
            if view.me.combo_size >= 4 and view.table.may_stop:
                return 0
            if view.table.pile_size[0] > 0:
                return 1
            return 2 if view.table.pile_size[1] > 0 else 0

        def helmet(view):  # type: ignore[no-untyped-def]  # noqa: N805
            return view.table.seats > SEVEN

        def draw(view):  # type: ignore[no-untyped-def]  # noqa: N805
            return 1 + (view.table.seats > SEVEN)

    class Unasked(Asked):
        """The same with constants."""

        act = Asked.act

        def helmet(view):  # type: ignore[no-untyped-def]  # noqa: N805
            return False

        def draw(view):  # type: ignore[no-untyped-def]  # noqa: N805
            return 1

    tables = [
        simulate([bot, "risk_threshold"], players=4, games=2_000).bots().drop(columns="bot") for bot in (Asked, Unasked)
    ]
    assert tables[0].equals(tables[1])
