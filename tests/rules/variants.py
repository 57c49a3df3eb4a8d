"""Games of any kind for property tests: rules, decks, seats, seeds and bots."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from skate_sim.games.skate_legend import GAME
from skate_sim.games.skate_legend.cards import COLOUR_NAMES, EFFECT_NAMES, NEEDS
from skate_sim.simulation import Plan, tell_game
from skate_sim.testing import plan_of

from .decks import of_kind
from .games import Told

BOTS = ("random_legal", "random_legal", "stop_at_n:n=3", "stop_at_n:n=6", "stop_at_n:n=12")


def _switch_values(name: str) -> st.SearchStrategy[Any]:
    switch = next(s for s in GAME.switches if s.name == name)
    if switch.kind == "flag":
        return st.booleans()
    if switch.kind == "choice":
        return st.sampled_from(switch.choices)
    few = {"rounds": (1, 5), "helmet_min_same_color": (1, 3), "helmet_supply": (0, 3), "helmet_points": (-2, 5)}
    return st.integers(*few[name]) | st.sampled_from(switch.choices or (few[name][1],))


RULES = st.fixed_dictionaries({}, optional={s.name: _switch_values(s.name) for s in GAME.switches})

CELLS = st.fixed_dictionaries(
    {},
    optional={
        "colour": st.sampled_from(COLOUR_NAMES),
        "points": st.integers(-3, 9),
        "broken": st.booleans(),
        "effect": st.sampled_from(EFFECT_NAMES),
        "times": st.integers(1, 3),
        "copies": st.integers(1, 12),
        **{f"needs_{need}": st.integers(0, 3) for need in NEEDS},
    },
)


@st.composite
def decks(draw: st.DrawFn) -> dict[str, Any]:
    """Edits: the printed deck, or a small one, with a few cards bent."""
    edits: dict[str, Any] = {}
    if draw(st.booleans()):
        edits = {f"cards.{card}": {"copies": draw(st.integers(0, 3))} for card in of_kind("trick")}
        edits["cards.ollie"] = {"copies": draw(st.integers(5, 9))}
    for card in draw(st.lists(st.sampled_from(of_kind("trick") + of_kind("legendary")), max_size=4, unique=True)):
        edits[f"cards.{card}"] = edits.get(f"cards.{card}", {}) | draw(CELLS)
    if draw(st.booleans()):
        edits["cards.perfect_landing"] = {k: v for k, v in draw(CELLS).items() if k != "copies"}
    return edits


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A variant of the game with its bots."""
    seats = draw(st.integers(2, 5))
    return plan_of(
        [draw(st.sampled_from(BOTS)) for _ in range(seats)],
        preset=draw(st.sampled_from(sorted(GAME.presets))),
        rules=draw(RULES),
        edits=draw(decks()),
        seed=draw(st.integers(0, 2**63 - 1)),
    )


def told(plan: Plan, games: int = 3) -> list[Told]:
    """The first games of a plan."""
    return [Told(tell_game(plan, number)) for number in range(games)]
