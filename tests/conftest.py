"""Small runs that several test files look at; the game is compiled once, whatever the number of processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.compile_once import pytest_collection_modifyitems, pytest_configure
from tests.runs import POOL

if TYPE_CHECKING:
    from skate_sim.results import Results
    from tests.kernel import Kernel

__all__ = ["pytest_collection_modifyitems", "pytest_configure"]

settings.register_profile("tests", deadline=None)  # how fast the machine is decides no test
settings.load_profile("tests")


@pytest.fixture(scope="session")
def results() -> Results:
    """A pool of four bots, rotated."""
    from skate_sim.api import simulate

    return simulate(POOL, games=4000, seed=7, question="Who wins?", name="small")


@pytest.fixture(scope="session")
def pairs() -> Results:
    """A pool of two bots at a table of four: each has two seats."""
    from skate_sim.api import simulate

    return simulate(POOL[1:3], players=4, games=4000, seed=7)


@pytest.fixture(scope="session")
def mirror() -> Results:
    """One bot in every seat."""
    from skate_sim.api import simulate

    return simulate(["random_legal"] * 3, rotate=False, games=4000, seed=7)


@pytest.fixture(scope="session")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """Runs notebooks."""
    from tests.commands import ROOT
    from tests.kernel import Kernel

    started = Kernel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
        yield started
        started.close()
