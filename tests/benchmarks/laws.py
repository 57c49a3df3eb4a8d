"""What made-up games bring, and how often: laws whose truth is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Law:
    """What a game can bring: a row of whole numbers for each result, and its chance."""

    results: np.ndarray
    chances: np.ndarray

    @property
    def means(self) -> np.ndarray:
        return self.chances @ self.results

    @cached_property
    def products(self) -> np.ndarray:
        """Of every two numbers of each result, (results, numbers * numbers)."""
        return (self.results[:, :, None] * self.results[:, None, :]).reshape(len(self.results), -1)

    @cached_property
    def sizes(self) -> np.ndarray:
        return abs(self.results[:, 0] - self.results[:, -1])


def win_shares(share: float) -> Law:
    """Sixtieths of a win, a fifth of all that is won by ties of 2, 3 and 4; above 1/2 what is left to the others."""
    rare = min(share, 1 - share)
    values = np.array([0, 60, 30, 20, 15])
    chances = np.array([0, 0.8 * rare, 0.1 * rare * 2, 0.06 * rare * 3, 0.04 * rare * 4])
    chances[0] = 1 - chances.sum()
    return Law((values if rare == share else 60 - values)[:, None], chances)


def pairs(differing: float, share: float = 0.25) -> Law:
    """Win shares of two runs: the same but in some games, 70% of which the first wins more."""
    same = win_shares(share)
    rows, chances = [np.repeat(same.results, 2, axis=1)], [same.chances * (1 - differing)]
    for up, chance in ((60, 0.5), (30, 0.15), (20, 0.05), (-60, 0.2), (-30, 0.1)):
        rows.append(np.array([[max(up, 0), max(-up, 0)]]))
        chances.append(np.array([chance * differing]))
    return Law(np.concatenate(rows), np.concatenate(chances))


def points(differing: float) -> Law:
    """Points of two runs from a skewed law: the same but in some games, in which the first has a few more."""
    value = np.arange(0, 121)
    weight = np.exp(-0.5 * ((np.log(value + 1) - 3.2) / 0.5) ** 2) / (value + 1)
    weight /= weight.sum()
    more, chance = np.array([-3, -1, 1, 2, 5, 10]), np.array([0.2, 0.1, 0.2, 0.2, 0.2, 0.1])
    alike = np.stack([value, value], axis=1)
    apart = np.stack([(value[:, None] + more).ravel(), np.repeat(value, len(more))], axis=1)
    return Law(
        np.concatenate([alike, apart]),
        np.concatenate([weight * (1 - differing), (weight[:, None] * chance * differing).ravel()]),
    )


def counts(mean: float) -> Law:
    """Something counted: none in most games, then in bunches."""
    values = np.array([0, 1, 2, 3, 4, 6])
    chances = np.array([0, 0.55, 0.25, 0.1, 0.06, 0.04])
    scaled = mean / float(chances @ values)
    chances = chances * scaled
    chances[0] = 1 - chances.sum()
    return Law(values[:, None], chances)


def plays(events: float, points_each: int = 1) -> Law:
    """Events of a game, and its plays; in half of the games events are three times as likely as in the others."""
    rows, chances = [], []
    for number in range(4, 13):
        for rate in (events / 2, 3 * events / 2):
            for happened in range(number + 1):
                chance = math.comb(number, happened) * rate**happened * (1 - rate) ** (number - happened)
                rows.append([points_each * happened, number])
                chances.append(chance / 18)
    return Law(np.array(rows), np.array(chances) / sum(chances))


def two_ratios() -> Law:
    """Points and plays of two runs that share their luck in most games."""
    one = plays(0.3, 3)
    take = np.flatnonzero(one.chances > 1e-3)
    shared, weight = one.results[take], one.chances[take] / one.chances[take].sum()
    rows, chances = [np.concatenate([shared, shared], axis=1)], [weight * 0.7]
    other = np.roll(np.arange(len(take)), 5)
    rows.append(np.concatenate([shared, shared[other]], axis=1))
    joint = np.minimum(weight, weight[other])
    chances.append(joint / joint.sum() * 0.3)
    return Law(np.concatenate(rows), np.concatenate(chances))
