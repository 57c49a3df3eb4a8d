"""Puts a bot's promises to the test at every question of the games that it plays."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from skate_sim.bot_code import compile_bot, own_record
from skate_sim.bot_measures import Measures
from skate_sim.bot_report import PROMISES, BotReport, Place, Promise
from skate_sim.bot_watch import Question, call_compiled, read, record_at, write
from skate_sim.games import MAX_ANSWERS, MEMO_DTYPE, PARAMS_DTYPE
from skate_sim.plain_code import plain, plain_hooks
from skate_sim.pointers import CRASHED, NO_HOOK
from skate_sim.policy import Bot
from skate_sim.rng import LUCK_DTYPE
from skate_sim.simulation import Plan

#: Questions of a decision that are examined at a table in any case, and one in so many after that: the tests of
#: a position that need many calls.
ALWAYS, ONE_IN = 50, 7
#: How often all that is hidden is drawn anew in a position.
REDEALS = 4
#: How often a bot is asked again in a position before it is said that it repeats itself.
REPEATS = 20
_OTHER_KEY = 0x5DEECE66D


class _Reply(NamedTuple):
    """What a bot leaves behind: its answer, its memory, and its luck."""

    answer: int
    memo: bytes
    luck: bytes


class Examiner:
    """Stands between the kernel and a bot, and tests the bot at every question."""

    def __init__(self, bot: Bot, seed: int) -> None:
        code = bot.code
        self.bot, self.game, self.seed = bot, code.game, seed
        self.hooks, self.plain = compile_bot(code).addresses, plain_hooks(code)
        self.plain_view, self.is_legal = plain(self.game.make_view), plain(self.game.is_legal)
        self.dtypes = [*self.game.view_parts.values(), MEMO_DTYPE, PARAMS_DTYPE, LUCK_DTYPE]
        self.own = {"memo": own_record(code, "memo"), "params": own_record(code, "params")}
        self.promises = {name: Promise(name) for name in PROMISES}
        self.scratch = np.zeros(1, self.game.state_dtype).view(np.recarray)
        self.asked_here: Counter[int] = Counter()
        self.dice = random.Random(seed)
        self.measures = Measures(code, self.dice)

    def enter_table(self) -> None:
        """Begin another preset or number of seats."""
        self.asked_here.clear()

    def sit(self, plan: Plan, state: np.ndarray, number: int) -> None:
        """Begin a game."""
        self.plan, self.state, self.number = plan, state, number

    def report(self, games: int) -> BotReport:
        """All that was found; measures the cost now."""
        traits = self.measures.traits(self.promises["traits"])
        hooks = {} if self.promises["writes nothing"].broken else self.hooks  # else who knows what it would write to
        decisions = self.measures.decisions(hooks)
        return BotReport(self.bot, games, self.seed, tuple(self.promises.values()), decisions, traits)

    def answer(self, question: Question) -> int:
        """Answer a question as the bot does, after all that it is put through."""
        decision = question.decision
        self.measures.asked[decision] += 1
        self.asked_here[decision] += 1
        if decision not in self.hooks:
            return NO_HOOK
        examined = self.asked_here[decision] <= ALWAYS or self.asked_here[decision] % ONE_IN == 0
        if examined:
            self.scratch.view(np.uint8)[:] = self.state.view(np.uint8)
        self.question, self.places, self.before = question, question.places, self._left(question.places)
        self.first = self._ask(self.before)
        self._test("repeatable", self._repeats(1))
        self._test_luck()
        if self.first.answer == CRASHED:
            self._test("legal", self._what_it_raises())
        else:
            if examined:
                self._examine()
            self._judge_answer()
        self._restore(self.places, self.first)
        return self.first.answer

    def _examine(self) -> None:
        """The tests that need a copy of the state or many calls; ``scratch`` has the state as it was before."""
        self._restore(self.places, self.before)
        same = np.array_equal(self.scratch.view(np.uint8), self.state.view(np.uint8))
        self._test("writes nothing", "" if same else "it changed something that is not its memory")
        position = [read(p, d.itemsize) for p, d in zip(self.places, self.dtypes, strict=True)]
        self.measures.keep_position(self.question.decision, position)
        for test in (self._test_plain, self._test_redeals, self._test_luck_key):
            if not self.promises["repeatable"].broken:  # else no two answers can be compared
                test()

    # What a position is made of, and asking in it

    def _left(self, places: tuple[int, ...], answer: int = 0) -> _Reply:
        return _Reply(answer, read(places[-3], MEMO_DTYPE.itemsize), read(places[-1], LUCK_DTYPE.itemsize))

    def _restore(self, places: tuple[int, ...], reply: _Reply) -> None:
        write(places[-3], reply.memo)
        write(places[-1], reply.luck)

    def _ask(self, before: _Reply, places: tuple[int, ...] | None = None) -> _Reply:
        """What the compiled bot does with a memory and luck, here or in another copy of the state."""
        places = places or self.places
        self._restore(places, before)
        return self._left(places, call_compiled(self.hooks[self.question.decision], places, self.dtypes))

    def _ask_plain(self) -> _Reply:
        """What the bot does as plain Python, where it can change nothing that it sees."""
        memo, luck = (np.frombuffer(bytearray(kept), np.uint8) for kept in self.before[1:])
        memo_record = record_at(memo.ctypes.data, self.own["memo"], writable=True)
        luck_record = record_at(luck.ctypes.data, LUCK_DTYPE, writable=True)
        params = record_at(self.places[-2], self.own["params"])
        with np.errstate(all="ignore", divide="raise"):  # a bot's division by zero is an error when compiled, too
            answer = self.plain[self.question.decision](*self._seen(), memo_record, params, luck_record)
        return _Reply(int(answer), memo.tobytes(), luck.tobytes())

    def _seen(self) -> list[Any]:
        """The records of the view."""
        return [record_at(p, d) for p, d in zip(self.places[:-3], self.dtypes[:-3], strict=True)]

    def _place(self) -> Place:
        """Where the question is."""
        question = self.question
        return Place(self.plan, self.number, question.seat, question.number, self.measures.names[question.decision])

    # The tests: each gives what is wrong in words, nothing when the promise was kept

    def _test(self, promise: str, wrong: str) -> None:
        if wrong:
            self.promises[promise].fail(self._place(), wrong)
        else:
            self.promises[promise].times += 1

    def _compare(self, promise: str, reply: _Reply, how: str) -> None:
        """Test that a reply is the first one; a bot that does not repeat itself breaks that promise instead."""
        if reply == self.first:
            self._test(promise, "")
        elif wrong := self._repeats(REPEATS):
            self._test("repeatable", wrong)
        else:
            self._test(promise, f"{how}, {self._difference(reply)}")

    def _repeats(self, times: int) -> str:
        for _ in range(times):
            again = self._ask(self.before)
            if again != self.first:
                return f"asked again, {self._difference(again)}"
        return ""

    def _judge_answer(self) -> None:
        """Whether the answer is legal, and which traits it shows."""
        view, decision, answer = self.plain_view(*self._seen()), self.question.decision, self.first.answer
        if not self.is_legal(view, decision, answer):
            legal = [self._text(other) for other in range(MAX_ANSWERS) if self.is_legal(view, decision, other)]
            self._test("legal", f"it answers {self._text(answer)}; legal answers: {', '.join(legal)}")
            return
        self._test("legal", "")
        draws, remembers = self.first.luck != self.before.luck, self.first.memo != self.before.memo
        self.measures.note_answer(view, decision, answer, draws, remembers, self._place)

    def _what_it_raises(self) -> str:
        try:
            self._ask_plain()
        except Exception as error:
            return f"it raises {_told(error)}"
        return "it raises an exception"

    def _test_luck(self) -> None:
        """Whether it takes its random numbers in order."""
        (key, number), (new_key, new_number) = (
            np.frombuffer(reply.luck, np.uint64).tolist() for reply in (self.before, self.first)
        )
        wrong = "it went back to random numbers that it had before" if new_number < number else ""
        self._test("fair luck", "it changed the key of its luck" if key != new_key else wrong)

    def _test_luck_key(self) -> None:
        """Whether a bot that draws no random number looks at its luck all the same."""
        if self.first.luck == self.before.luck:
            luck = np.frombuffer(bytearray(self.before.luck), LUCK_DTYPE)
            luck["key"] ^= np.uint64(_OTHER_KEY)
            reply = self._ask(self.before._replace(luck=luck.tobytes()))
            drawn = self.before.luck if reply.luck == luck.tobytes() else reply.luck
            self._compare("fair luck", reply._replace(luck=drawn), "it draws no random number, but with other luck")

    def _test_plain(self) -> None:
        """Whether it does the same as plain Python."""
        try:
            reply = self._ask_plain()
        except Exception as error:
            answer = self._text(self.first.answer)
            self._test("plain Python", f"compiled it answers {answer}, as plain Python it raises {_told(error)}")
        else:
            self._compare("plain Python", reply, "compiled and as plain Python")

    def _test_redeals(self) -> None:
        """Whether it does the same in states that look the same to it."""
        moved = self.scratch.ctypes.data - self.state.ctypes.data
        places = tuple(place + moved for place in self.places)
        for _ in range(REDEALS):
            self.game.redeal(self.scratch[0], self.question.seat, np.uint64(self.dice.getrandbits(64)))
            self._compare("no peeking", self._ask(self.before, places), "with other hidden things")

    def _difference(self, reply: _Reply) -> str:
        """How another reply differs from the first, in words."""
        first = self._text(self.first.answer)
        if reply.answer != self.first.answer:
            return f"it answers {first} and {self._text(reply.answer)}"
        what = "remembers other things" if reply.memo != self.first.memo else "draws other random numbers"
        return f"it answers {first} both times, but {what}"

    def _text(self, answer: int) -> str:
        if answer == CRASHED:
            return "with an exception"
        return self.game.answer_text(self.measures.names[self.question.decision], answer, self.plan.resolved)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
