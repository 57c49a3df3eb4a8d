"""A kernel that runs one notebook after the other, each as if it were the first: half of the time is the start."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

#: Run before a notebook: nothing that another one has defined, drawn or set is there any more.
_FRESH = """
get_ipython().run_line_magic("reset", "-f")
import os, sys
os.chdir({folder!r})
os.environ["SKATE_SIM_NOTEBOOK_GAMES"] = "{games}"
if "matplotlib.pyplot" in sys.modules:
    import matplotlib.pyplot
    matplotlib.pyplot.close("all")
    matplotlib.rcdefaults()
del os, sys
get_ipython().run_line_magic("reset", "-f")
"""


class Kernel:
    """Runs notebooks, in a process that starts with the first of them."""

    def __init__(self) -> None:
        self.client: NotebookClient | None = None

    def run(self, notebook: nbformat.NotebookNode, folder: Path, games: int) -> None:
        """Run a notebook in a folder, with so many games; its outputs are then those of this run."""
        fresh = nbformat.v4.new_code_cell(_FRESH.format(folder=str(folder), games=games))
        notebook.cells.insert(0, fresh)
        if self.client is None:
            self.client = NotebookClient(notebook, timeout=240, kernel_name="python3")
        self.client.nb = notebook
        try:
            self.client.execute(cleanup_kc=False)
        finally:
            notebook.cells.remove(fresh)

    def close(self) -> None:
        """End the process."""
        if self.client is not None:
            self.client._cleanup_kernel()
