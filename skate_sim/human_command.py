"""``skate-sim play --human``: a person at the table, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from skate_sim.bot_files import parse_bot
from skate_sim.console import output, say
from skate_sim.experiment import ExperimentError
from skate_sim.games import YOU
from skate_sim.moments import Choice, seated
from skate_sim.policy import BotError
from skate_sim.seat import End, Pause, SeatedGame
from skate_sim.simulation import Plan, prepare
from skate_sim.story import Story, Teller, risk_style, risk_text, seat_names

HELP = "Answer with the number before a choice. u takes back, h or h BOT asks a bot what it would do, q leaves."


def take_seats(plan: Plan, number: int, seats: Sequence[int]) -> None:
    """Let a person play seats (from 1) of a game against the bots in the others.

    Raises
    ------
    ExperimentError
        No such seat, or a game that cannot be shown.
    KeyboardInterrupt
        The person left.
    """
    if plan.game.display is None:
        raise ExperimentError(f"{plan.game.title} does not declare what to show a person; it can only be told")
    for seat in seats:
        if not 1 <= seat <= plan.resolved.seats:
            raise ExperimentError(f"found seat {seat}; this table has the seats 1 to {plan.resolved.seats}")
    table = seated(plan, number)
    prepare(table)
    own = sorted({seat - 1 for seat in seats})
    called = YOU if len(own) == 1 else "Player"
    bots = [replace(bot, label=called) if seat in own else bot for seat, bot in enumerate(table.bots)]
    adviser = table.bots[own[0]].full_name
    table = replace(table, bots=tuple(bots))
    game = SeatedGame(table, number, own, seat_names(table, number))
    _Sitting(output(), game, adviser).play()


class _Sitting:
    """A person at the table: what was shown, and what is asked."""

    def __init__(self, console: Console, game: SeatedGame, adviser: str) -> None:
        self.console, self.game, self.adviser = console, game, adviser
        self.story = Story(game.plan.resolved, game.names)
        self.teller = Teller(console, self.story)
        self.shown = 0

    def play(self) -> None:
        """Play to the end."""
        heading = {"preset": self.game.plan.resolved.preset, "game_number": self.game.number}
        self.console.print(self.story.heading(heading | {"seed": self.game.plan.seed}))
        say(self.console, HELP)
        now = self.game.advance()
        while isinstance(now, Pause):
            self._tell(now, now.seat)
            self._show(now)
            now = self._respond(now)
        self._tell(now, self.game.seats[0] if len(self.game.seats) == 1 else None)

    def _tell(self, now: Pause | End, seat: int | None) -> None:
        """What happened since, as the seat takes it in."""
        if self.shown == 0:
            viewer = next(iter(self.game.seats)) if seat is None else seat
            self.console.print(self.story.line(now.events[0], viewer))
            self.shown = 1
        self.teller.tell(now.events, now.moments, self.shown, seat=seat)
        self.shown = len(now.events)

    def _show(self, pause: Pause) -> None:
        """The position and the answers."""
        self.console.print()
        for heading, line in pause.position:
            text = Text(f"  {heading}: ", "dim").append_text(self.story.coloured(line))
            for part_number, part in enumerate(text.wrap(self.console, self.console.width - 4)):
                part.rstrip()
                self.console.print(Text("    " if part_number else "").append_text(part))
        self.console.print(Text(f"{self.game.names[pause.seat]}: {pause.question}", "bold"))
        for choice in _in_order(pause.choices):
            words = self._risk_words(choice)
            self.console.print(
                Text.assemble(
                    (f"  {' or '.join(choice.keys)} ", "bold"),
                    self.story.coloured(choice.text),
                    (f"  {words}" if words else "", risk_style(choice.risk)),
                )
            )

    def _risk_words(self, choice: Choice) -> str:
        risk = risk_text(choice.risk)
        return f"{risk} {self.game.display.risk_word}" if risk else ""

    def _respond(self, pause: Pause) -> Pause | End:
        """Ask until there is an answer, or one is taken back; the game as it is then."""
        while True:
            words = self._read().split()
            if not words:
                continue
            if words[0] == "q":
                raise KeyboardInterrupt
            if words[0] == "u":
                if self.game.answers:
                    return self._undo()
                self.console.print("There is nothing to take back.")
            elif words[0] == "h":
                self._hint(words[1] if len(words) > 1 else self.adviser)
            elif len(words) == 1 and (meant := [c for c in pause.choices if words[0] in c.keys]):
                self.game.answers.append(meant[0].answer)
                return self.game.advance()
            else:
                valid = ", ".join(" or ".join(choice.keys) for choice in _in_order(pause.choices))
                self.console.print(f"Found {' '.join(words)}; valid: {valid}. {HELP}")

    def _read(self) -> str:
        try:
            return self.console.input("> ")
        except EOFError:
            raise KeyboardInterrupt from None

    def _undo(self) -> Pause | End:
        self.game.answers.pop()
        now = self.game.advance()
        self.console.print("Taken back.")
        self.shown = len(now.events)
        self.teller.group = now.events[-1].get("round")
        return now

    def _hint(self, name: str) -> None:
        """What a bot would do."""
        try:
            bot = parse_bot(name, self.game.plan.game)
            now = self.game.advance(bot)
        except BotError as error:
            self.console.print(Text(str(error)))
            return
        assert isinstance(now, Pause)
        assert now.hint is not None
        self.console.print(Text(f"{bot.full_name} would answer ").append_text(self._advised(now.hint)))
        others = [self._advised(choice) for choice in _in_order(now.choices) if choice != now.hint]
        if others:
            self.console.print(Text("  Else: ").append_text(Text("; ").join(others)))

    def _advised(self, choice: Choice) -> Text:
        """An answer with its key and risk, on one line."""
        words = self._risk_words(choice)
        return (
            Text(f"{choice.keys[0]} ")
            .append_text(self.story.coloured(choice.text))
            .append(f", {words}" if words else "")
        )


def _in_order(choices: Sequence[Choice]) -> list[Choice]:
    """Answers by the number that is typed for them."""
    return sorted(choices, key=lambda choice: int(choice.keys[0]))
