"""Places where something is mounted, which can be written into but never replaced."""

from __future__ import annotations

import os
import re
from pathlib import Path

_TABLE = Path("/proc/self/mountinfo")
_PLACE = 4  # the column of the mount point
_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")


def is_mount_point(path: Path) -> bool:
    """Whether something is mounted at ``path``, a file included, as containers do with what they share with outside."""
    try:
        lines = _TABLE.read_bytes().splitlines()
    except OSError:  # not Linux
        return os.path.ismount(path)
    here = os.path.realpath(os.fsencode(path))
    return any(_place(line) == here for line in lines)


def _place(line: bytes) -> bytes:
    """The mount point of a line; spaces and the like are written as octal numbers."""
    fields = line.split(b" ")
    return _OCTAL.sub(lambda found: bytes([int(found[1], 8)]), fields[_PLACE]) if len(fields) > _PLACE else b""
