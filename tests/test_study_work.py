"""Games that answers need for themselves are played, split and kept with those of the comparison."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np

from skate_sim.comparison import Comparison
from skate_sim.dispatch import play
from skate_sim.study_work import StudyTallies, StudyWork
from tests.studies import study_of

TEXT = """pool: [risk_threshold, helmet_saver, stop_at_n]
players: 2
games: 900
variants: {printed: {}, online: {preset: online}}
pairs: {size: 3}
luck: true
"""


def arrays(tallies: StudyTallies) -> dict[str, list[int]]:
    return {name: array.tolist() for name, array in tallies.arrays().items()}


def test_any_split_gives_the_sums_of_each_work_alone(tmp_path: Path) -> None:
    study = study_of(tmp_path, TEXT)
    work = study.work()
    assert isinstance(work, StudyWork)
    assert list(work.own) == ["pairs", "luck"]
    work.prepare()
    whole = play(work, chunk=900).total
    split = play(work, chunk=256).total
    odd = work.play(0, 7)[0] + work.play(7, 500)[0] + work.play(507, 393)[0]
    assert arrays(whole) == arrays(split) == arrays(odd)
    for name, own in work.own.items():
        alone, _ = own.play(0, own.games)
        for key, array in (alone.arrays() if hasattr(alone, "arrays") else vars(alone)).items():
            assert np.array_equal(whole.arrays()[f"own:{name}.{key}"], array), (name, key)


def test_more_games_come_on_top(tmp_path: Path) -> None:
    study = study_of(tmp_path, TEXT)
    few, many = study.work(games=300), study.work(games=900)
    many.prepare()
    assert few.identity == many.identity
    assert arrays(few.play(0, 300)[0] + many.play(300, 600)[0]) == arrays(many.play(0, 900)[0])


def test_work_travels_and_its_sums_come_back(tmp_path: Path) -> None:
    work = study_of(tmp_path, TEXT).work()
    work.prepare()
    there = pickle.loads(pickle.dumps(work))
    assert there.identity == work.identity
    sums, _ = there.play(0, 60)
    assert arrays(work.from_arrays(sums.arrays())) == arrays(work.play(0, 60)[0]) == arrays(work.empty() + sums)


def test_without_such_answers_it_is_a_plain_comparison(tmp_path: Path) -> None:
    work = study_of(tmp_path, TEXT.partition("pairs")[0]).work()
    assert type(work) is Comparison
