"""How this program is called where it was started."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def program() -> str:
    """What a person has to type to start this program again: its name if a shell finds it, else its path.

    Example:
        >>> import sys
        >>> before, sys.argv = sys.argv, ["/no/such/place/pralign"]
        >>> program()
        '/no/such/place/pralign'
        >>> sys.argv = before
    """
    called = sys.argv[0]
    if Path(called).name == "__main__.py":
        return f"{_shortest(sys.executable)} -m pralign"
    return _shortest(called)


def _shortest(path: str) -> str:
    name = Path(path).name
    found = shutil.which(name)
    is_found = found is not None and os.path.realpath(found) == os.path.realpath(path)
    if name == path or is_found:
        return name
    here = os.path.relpath(path)
    return shlex.quote(path if here.startswith("..") else here)
