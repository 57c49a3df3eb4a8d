"""Situations for tests of the rules: decks of few kinds of cards, bots that follow a script, games told in short.

``play`` deals with everything that is luck: it takes the first game in which seat 0 begins and the cards come as
the test wants them. In a deck of one kind of card they cannot come in any other way.
"""

from .games import Told, answers_at, games, play
from .scripted import scripted

__all__ = ["Told", "answers_at", "games", "play", "scripted"]
