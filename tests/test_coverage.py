"""The coverage benchmark in short: every interval, few repetitions, within 4 standard errors of what it promises.

With 250 repetitions a standard error is 1.4%, so that a right interval fails once in 16,000 cases and one that holds
only 86% of the time fails in most runs. The full benchmark is ``python -m tests.benchmarks.coverage``.
"""

from __future__ import annotations

import pytest

from tests.benchmarks.coverage import Case, cases, fixed_coverage, sequential_coverage

CASES = list(cases())
#: Sequences in short: one of each kind, at the shares that are hardest.
SEQUENCES = ["win share 0.5%", "win share 99.0%", "paired win shares, 0.3% differ", "paired points, 1% differ"]


def test_names_are_all_different() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fixed(case: Case) -> None:
    got = fixed_coverage(case, 250)
    assert 0.94 - 4 * got.error < got.held < 0.965 + 4 * got.error


@pytest.mark.parametrize("case", [c for c in CASES if c.name in SEQUENCES], ids=lambda case: case.name)
def test_sequential(case: Case) -> None:
    got = sequential_coverage(case, 80, looks=15)
    assert got.held > 0.95 - 4 * got.error
