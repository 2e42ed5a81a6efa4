"""What there is to work with."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pralign.cgroups import memory_left
from pralign.engine import ThreadEngine


@dataclass(frozen=True)
class Machine:
    """What a machine has.

    Attributes:
        processors: How many processors may be used.
        memory: Bytes of memory that are free; nothing where that cannot be found out.
        disk: Bytes that are free where files go; nothing likewise.
    """

    processors: int
    memory: int | None
    disk: int | None

    @classmethod
    def here(cls, scratch: str | Path | None = None) -> Machine:
        """This machine; files go to ``scratch``, by default where temporary files go."""
        disk = None
        with suppress(OSError):
            disk = shutil.disk_usage(scratch or tempfile.gettempdir()).free
        return cls(ThreadEngine().workers, _free_memory(), disk)


def _free_memory() -> int | None:
    """What the machine has left or, if that is less, what a container or job may still take."""
    known = [size for size in (_free_on_machine(), memory_left()) if size is not None]
    return min(known, default=None)


def _free_on_machine() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None
