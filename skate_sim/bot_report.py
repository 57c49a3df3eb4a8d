"""What a check of a bot found: promises kept or broken, traits, and what its decisions cost."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skate_sim.bot_files import available_bots
from skate_sim.digits import counted
from skate_sim.policy import Bot
from skate_sim.simulation import Plan

#: The promises of a bot, with what keeping them means.
PROMISES: Mapping[str, str] = {
    "legal": "every answer is legal, and no question makes it raise an exception",
    "repeatable": "asked twice, it answers, remembers and draws the same",
    "writes nothing": "it changes nothing but its memory",
    "fair luck": "it takes its random numbers one after the other, and nothing else from its luck",
    "no peeking": "it answers the same when all that is hidden from it is drawn anew",
    "plain Python": "it answers, remembers and draws the same compiled and as plain Python",
    "fresh memory": "a game comes out the same whatever was played before it",
    "traits": "it does what it declares, and nothing that it declares never to do",
}


@dataclass(frozen=True, eq=False)
class Place:
    """A question in a game, or the whole game when ``question`` is 0."""

    plan: Plan
    game_number: int
    seat: int = 0
    question: int = 0
    decision: str = ""

    def __str__(self) -> str:
        resolved = self.plan.resolved
        text = f"preset {resolved.preset}, {resolved.seats} seats, game {self.game_number} of seed {self.plan.seed}"
        return text + (f", seat {self.seat + 1}, question {self.question} ({self.decision})" if self.question else "")

    @property
    def command(self) -> str:
        """How to see the game: a command line, or Python when a bot has no file."""
        plan, preset = self.plan, self.plan.resolved.preset
        bots = [_spelled(bot) for bot in plan.bots]
        if any(bot.code.path is None for bot in plan.bots):
            seats = [repr(s) if b.code.path else b.code.name for b, s in zip(plan.bots, bots, strict=True)]
            return f"transcript_lines([{', '.join(seats)}], {self.game_number}, seed={plan.seed}, preset={preset!r})"
        words = ["skate-sim", "play", "--bots", ",".join(bots), "--seed", plan.seed, "--game", self.game_number]
        if preset != plan.game.default_preset:
            words += ["--preset", preset]
        return shlex.join(str(word) for word in words)


def _spelled(bot: Bot) -> str:
    """A bot as a command line names it."""
    code = bot.code
    name = code.name
    if code.path is not None and available_bots(code.game).get(name) != code.path:
        name = min((str(code.path), os.path.relpath(code.path)), key=len)
    chosen = [f"{k}={v}" for k, v in bot.values.items() if v != code.parameters[k].default]
    return name + (":" + ",".join(chosen) if chosen else "")


@dataclass
class Promise:
    """A promise, and whether it was kept.

    Attributes
    ----------
    times : int
        How often it was put to the test.
    broken : int
        How often it was not kept.
    finding : str
        What happened the first time that it was not.
    command : str
        How to see that game.
    """

    name: str
    times: int = 0
    broken: int = 0
    finding: str = ""
    command: str = ""

    @property
    def meaning(self) -> str:
        """What keeping it means."""
        return PROMISES[self.name]

    def fail(self, place: Place, what: str) -> None:
        """Count a test that failed, and keep what happened if it is the first."""
        self.times += 1
        self.broken += 1
        if self.broken == 1:
            self.finding, self.command = f"{place}: {what}", place.command


@dataclass(frozen=True)
class DecisionReport:
    """How often a decision was asked for, and what it costs the bot to answer."""

    name: str
    defined: bool  # by the bot; if not, the game's default answered
    asked: int
    nanoseconds: float | None  # compiled, a decision; None when not measured


@dataclass
class TraitReport:
    """Whether the bot has a trait, as measured, and as declared (None: it does not say)."""

    name: str
    help: str
    declared: bool | None
    seen: int = 0  # answers that showed it
    first: Place | None = None
    holds: bool = False


@dataclass(frozen=True, eq=False)
class BotReport:
    """All that a check of a bot found."""

    bot: Bot
    games: int
    seed: int
    promises: tuple[Promise, ...]
    decisions: tuple[DecisionReport, ...]
    traits: tuple[TraitReport, ...]

    @property
    def passed(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken

    @property
    def broken(self) -> tuple[Promise, ...]:
        """The promises that were not kept."""
        return tuple(p for p in self.promises if p.broken)

    @property
    def questions(self) -> int:
        """Questions that were put to it, or to the game's default for it."""
        return sum(d.asked for d in self.decisions)

    @property
    def nanoseconds(self) -> float | None:
        """Mean cost of a decision that it answers itself, each kind as often as it was asked for."""
        timed = [d for d in self.decisions if d.nanoseconds is not None]
        asked = sum(d.asked for d in timed)
        return sum(d.asked * (d.nanoseconds or 0.0) for d in timed) / asked if asked else None

    def __str__(self) -> str:
        asked = f"{counted(self.games, 'game')}, {counted(self.questions, 'question')}"
        lines = [f"{self.bot.full_name}: {asked}, seed {self.seed}"]
        for promise in self.promises:
            verdict = "broken" if promise.broken else "kept" if promise.times else "not tested"
            lines.append(f"{promise.name}: {verdict}" + (f"; {promise.finding}" if promise.broken else ""))
            if promise.command:
                lines.append(f"  to see that game: {promise.command}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return {
            "bot": self.bot.code.name,
            "parameters": dict(self.bot.values),
            "game": self.bot.code.game.name,
            "games": self.games,
            "seed": self.seed,
            "passed": self.passed,
            "questions": self.questions,
            "nanoseconds": self.nanoseconds,
            "promises": [
                {"name": p.name, "meaning": p.meaning, "times": p.times, "broken": p.broken}
                | ({"finding": p.finding, "command": p.command} if p.broken else {})
                for p in self.promises
            ],
            "decisions": [vars(d) for d in self.decisions],
            "traits": [
                {"name": t.name, "help": t.help, "holds": t.holds, "seen": t.seen, "declared": t.declared}
                for t in self.traits
            ],
        }
