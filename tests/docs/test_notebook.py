"""The notebooks run, and what they show is what comes out today.

``python tests/docs/test_notebook.py`` runs them anew and keeps what they show.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> Any:
    """The notebook after a run in an empty kernel."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the machinery; what cells warn of is in their output
        import nbformat
        from nbclient import NotebookClient

        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        NotebookClient(
            notebook, timeout=300, kernel_name="python3", record_timing=False, coalesce_streams=True
        ).execute()
    return notebook


def outputs(notebook: Any) -> list[list[str]]:
    """What each cell shows, without what differs from run to run."""
    return [list(map(_shown, cell.get("outputs", []))) for cell in notebook.cells]


def _shown(output: Any) -> str:
    data = output.get("data", {})
    text = output.get("text") or data.get("text/html") or data.get("text/plain") or repr(output)
    return re.sub(r"0x[0-9a-f]+", "0x", text)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_comes_out(path):
    import nbformat

    kept = nbformat.read(path, as_version=4)
    shown = outputs(kept)
    assert sum(map(bool, shown)) > 5
    assert not any("stderr" in output.get("name", "") for cell in kept.cells for output in cell.get("outputs", []))
    assert outputs(executed(path)) == shown


def write_all() -> None:
    """Run all notebooks and keep what they show."""
    import nbformat

    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)


if __name__ == "__main__":
    write_all()
