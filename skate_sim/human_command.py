"""``skate-sim play --human``: a person at the table, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from skate_sim.console import output, say
from skate_sim.experiment import ExperimentError
from skate_sim.moments import seated
from skate_sim.policy import BotError, parse_bot
from skate_sim.seat import End, Pause, SeatedGame
from skate_sim.simulation import Plan, prepare
from skate_sim.story import Story, Teller, risk_style, risk_text, seat_names

HELP = "Answer with a number. u takes back, h or h BOT asks a bot what it would do, q leaves."


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
    bots = [replace(bot, label="Human") if seat in own else bot for seat, bot in enumerate(table.bots)]
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
        self._tell(now, None)

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
        for number, choice in enumerate(pause.choices, 1):
            risk = risk_text(choice.risk)
            words = f"  {risk} {self.game.display.risk_word}" if risk else ""
            answer = self.story.coloured(choice.text)
            self.console.print(Text.assemble((f"  {number} ", "bold"), answer, (words, risk_style(choice.risk))))

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
            elif words[0].isdecimal() and 1 <= int(words[0]) <= len(pause.choices) and len(words) == 1:
                self.game.answers.append(pause.choices[int(words[0]) - 1].answer)
                return self.game.advance()
            else:
                self.console.print(f"An answer is a number from 1 to {len(pause.choices)}. {HELP}")

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
        number = now.choices.index(now.hint) + 1
        self.console.print(Text(f"{bot.full_name}: {number} ").append_text(self.story.coloured(now.hint.text)))
