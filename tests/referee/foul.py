"""What the referee calls when a transcript breaks a rule."""

from __future__ import annotations


class Foul(Exception):  # noqa: N818, a foul is what a referee calls it
    """The first thing in a transcript that the rules do not allow.

    Parameters
    ----------
    line_number
        Line of the transcript, from 1; one past the last line if the transcript stops too early.
    rule
        Short name of the rule: a section of the rulebook, a numbered reading or a switch of the rules page.
    message
        What happened and what should have happened.
    """

    def __init__(self, line_number: int, rule: str, message: str) -> None:
        super().__init__(f"line {line_number}: {message} [{rule}]")
        self.line_number = line_number
        self.rule = rule
        self.message = message
