"""What is measured of a bot while it plays: its traits, what it is asked, and positions to measure its cost in."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from skate_sim.bot_cost import nanoseconds
from skate_sim.bot_report import DecisionReport, Place, Promise, TraitReport
from skate_sim.games import COMMON_TRAITS
from skate_sim.plain_code import plain
from skate_sim.policy import BotCode

#: Positions of each decision in which its cost is measured.
TIMED = 32


class Measures:
    """Counts what a bot is asked and what its answers show; ``dice`` chooses the positions that are kept."""

    def __init__(self, code: BotCode, dice: random.Random) -> None:
        self._code, self.names = code, code.game.decision_names()
        self.asked: Counter[int] = Counter()
        self.answers = 0
        self._offered: Counter[int] = Counter()
        self._positions: dict[int, list[list[bytes]]] = {}
        self._dice = dice
        self._tests = {t.name: plain(t.shows) for t in code.game.traits}
        helps = {**COMMON_TRAITS, **{t.name: t.help for t in code.game.traits}}
        self._traits = {n: TraitReport(n, text, code.traits.get(n)) for n, text in helps.items()}

    def note_answer(
        self, view: Any, decision: int, answer: int, draws: bool, remembers: bool, place: Callable[[], Place]
    ) -> None:
        """Note which traits an answer shows; ``draws`` and ``remembers`` say whether luck and memory changed."""
        self.answers += 1
        shown = {"deterministic": draws, "remembers": remembers}
        with np.errstate(all="ignore"):
            shown |= {name: bool(shows(view, decision, answer)) for name, shows in self._tests.items()}
        for name in (n for n, is_shown in shown.items() if is_shown):
            trait = self._traits[name]
            trait.seen += 1
            trait.first = trait.first or place()

    def keep_position(self, decision: int, position: list[bytes]) -> None:
        """Keep the records of a position, perhaps: each that is offered has the same chance."""
        self._offered[decision] += 1
        kept = self._positions.setdefault(decision, [])
        number = len(kept) if len(kept) < TIMED else self._dice.randrange(self._offered[decision])
        if number < TIMED:
            kept[number : number + 1] = [position]

    def traits(self, promise: Promise) -> tuple[TraitReport, ...]:
        """Say which traits the bot has, and count the promise as broken where it declares otherwise."""
        for trait in self._traits.values():
            trait.holds = (trait.seen == 0) == (trait.name == "deterministic")
            if trait.declared is not None:
                promise.times += 1
                if trait.holds != trait.declared:
                    self._contradict(trait, promise)
        return tuple(self._traits.values())

    def _contradict(self, trait: TraitReport, promise: Promise) -> None:
        says = f"it declares {trait.name}: {trait.declared}"
        promise.broken += 1
        if promise.broken == 1 and trait.first is None:
            promise.finding = f"{says}, but none of its {self.answers} answers shows that"
        elif promise.broken == 1 and trait.first is not None:
            promise.finding = f"{says}, but {trait.first} shows the contrary"
            promise.command = trait.first.command

    def decisions(self, hooks: Mapping[int, int]) -> tuple[DecisionReport, ...]:
        """How often each decision was asked for; and what it costs, where a hook's address is given."""
        found = []
        for number, name in enumerate(self.names):
            cost = nanoseconds(hooks[number], self._positions.get(number, [])) if number in hooks else None
            found.append(DecisionReport(name, name in self._code.hooks, self.asked[number], cost))
        return tuple(found)
