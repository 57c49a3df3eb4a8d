"""Hidden cards stay hidden: what a bot sees depends on nothing that its seat may not know.

Rules, "Information": combos, discard pile, face-up pile tops, pile sizes, hand sizes, the Legendaries of each hand,
helmets and validated cards are public. Hands (Trick cards) and pile contents are not; of the reward pile only the
top card is known.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from skate_sim.testing import plan_of
from tests.reference.luck import Stream
from tests.rules.decks import deck_edits
from tests.rules.watcher import Question, watch

GAMES = 500


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    """Questions of many short games with few kinds of cards, so that many of them have the same public history."""
    edits = deck_edits("no_comply=4 ollie=3 handplant=3")
    plan = plan_of(["random_legal"] * 2, rules={"rounds": 3}, edits=edits, seed=4)
    return [question for number in range(GAMES) for question in watch(plan, number)[1]]


def grouped(questions: list[Question], own_cards: bool = True) -> list[list[Question]]:
    """Questions that are alike in what the seat asked may know, where what it may not know differs."""
    groups = defaultdict(list)
    for question in questions:
        groups[question.known(own_cards)].append(question)
    return [group for group in groups.values() if len({question.unknown() for question in group}) > 1]


def test_views_depend_on_nothing_hidden(questions: list[Question]) -> None:
    """With hidden cards exchanged and the same public history, every record of the view is the same."""
    groups = grouped(questions)
    assert len(groups) > 200
    assert {question.decision for group in groups for question in group} >= {0, 2, 3}
    for group in groups:
        for question in group[1:]:
            differ = [name for (name, now), (_, then) in zip(question.view, group[0].view, strict=True) if now != then]
            assert differ == [], question.happened


def test_views_depend_on_the_cards_of_the_own_hand(questions: list[Question]) -> None:
    """The comparison sees a difference where there is one: between hands of the seat itself."""
    differ = set()
    for group in grouped(questions, own_cards=False):
        for question in group[1:]:
            differ |= {now[0] for now, then in zip(question.view, group[0].view, strict=True) if now != then}
    assert {"hand.cards", "hand.unseen"} <= differ <= {"hand.cards", "hand.unseen", "hand.unseen_class"}


def test_luck_of_a_bot_does_not_foretell_cards() -> None:
    """A bot's own random numbers tell it nothing of the next face-down card of its pile."""
    plan = plan_of(["stop_at_n:n=1"] * 4, rules={"rounds": 1})
    right = tried = 0
    for number in range(100):
        state, questions = watch(plan, number)
        first = next(question for question in questions if question.seat == state.first_starter)
        stream = Stream(0, 0)
        stream.key = first.luck_key
        foretold = stream.word(0) & 127
        if foretold < 120:
            tried += 1
            played = next(row for row in state.events.tolist() if row[0] == 1)
            right += played[3] == state.setup.slots.card[foretold]
    assert tried > 80
    assert right < tried / 3
