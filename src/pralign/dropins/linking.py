"""The drop-ins under the names of the originals: commands in a folder, and the folder of the Python module."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from pralign.errors import OutputError
from pralign.outputs import open_outputs

#: What scripts call, and which module of this package answers.
NAMES = {
    "fast_align": "fast_align",
    "atools": "atools",
    "eflomal-align": "eflomal",
    "eflomal-makepriors": "makepriors",
    "align.py": "eflomal",
    "makepriors.py": "makepriors",
}


def module_path() -> Path:
    """The folder that has to be on ``PYTHONPATH`` for ``import eflomal`` to mean pralign."""
    return Path(__file__).parent / "modules"


def link_into(folder: Path, overwrite: bool) -> list[Path]:
    """Make a command for each name in a folder; each starts this very Python.

    Raises:
        OutputError: A file of such a name is there already, and is not to be overwritten.
    """
    ending = ".cmd" if os.name == "nt" else ""
    places = {folder / f"{name}{ending}": module for name, module in NAMES.items()}
    for place in places:
        if os.path.lexists(place) and not overwrite:
            raise OutputError(f"{place} is there already; remove it, or say --overwrite too")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror}") from error
    with open_outputs(*places) as outputs:
        for output, module in zip(outputs, places.values(), strict=True):
            output.write(_command(module))
    for place in places:
        place.chmod(0o755)
    return list(places)


def _command(module: str) -> str:
    if os.name == "nt":
        return f'@"{sys.executable}" -m pralign.dropins.{module} %*\r\n'
    return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pralign.dropins.{module} "$@"\n'
