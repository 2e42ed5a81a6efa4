"""The drop-ins under the names of the originals: commands in a folder, and the folder of the Python module."""

from __future__ import annotations

import os
import re
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

_PACKAGE = "pralign.dropins."
_LONGEST = 10_000
# What _command writes, and has written.
_OURS = re.compile(
    rb"""(#!/bin/sh\n('''exec'|exec) |@)[^\n]+ -m pralign\.dropins\.\w+ ("\$@"|%\*)\r*\n('''\nimport os\n.*)?""",
    re.DOTALL,
)


def module_path() -> Path:
    """The folder that has to be on ``PYTHONPATH`` for ``import eflomal`` to mean pralign."""
    return Path(__file__).parent / "modules"


def link_into(folder: Path, overwrite: bool) -> list[Path]:
    """Make a command for each name in a folder; each starts this very Python. Those made before are made anew.

    Raises:
        OutputError: A file of such a name is there that is none of these commands, and is not to be overwritten.
    """
    ending = ".cmd" if os.name == "nt" else ""
    places = {folder / f"{name}{ending}": name for name in NAMES}
    foreign = [place for place in places if os.path.lexists(place) and not _is_ours(place)]
    if foreign and not overwrite:
        raise OutputError(
            f"{', '.join(map(str, foreign))}: there already, and not made by this command; nothing was changed. Choose "
            "another folder, or say --overwrite too"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror}") from error
    with open_outputs(*places) as outputs:
        for output, name in zip(outputs, places.values(), strict=True):
            output.write(_command(name))
    for place in places:
        place.chmod(0o755)
    return list(places)


def _is_ours(place: Path) -> bool:
    """Whether a file is one of our commands, with whatever Python, and not another program that calls one."""
    try:
        with place.open("rb") as stream:
            return _OURS.fullmatch(stream.read(_LONGEST)) is not None
    except OSError:
        return False


def _command(name: str) -> str:
    """The text of a command. With ``-P``, no file of the folder where it is called takes the place of a module."""
    words = ["-P", "-m", f"{_PACKAGE}{NAMES[name]}"]
    if os.name == "nt":
        return f'@"{sys.executable}" {" ".join(words)} %*\r\n'
    call = f'{shlex.join([sys.executable, *words])} "$@"'
    if not name.endswith(".py"):
        return f"#!/bin/sh\nexec {call}\n"
    # These are also called as ``python3 align.py``, by any Python, so they are programs of Python; and of the shell,
    # for which the second line is all, since a first line cannot name a Python whose path has spaces or is long.
    return (
        f"#!/bin/sh\n'''exec' {call}\n'''\nimport os\nimport sys\n\n"
        f"os.execv({sys.executable!r}, {[sys.executable, *words]!r} + sys.argv[1:])\n"
    )
