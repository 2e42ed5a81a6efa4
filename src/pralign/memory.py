"""Memory: sizes as people write them, how much a process has taken, and what becomes of what it frees."""

from __future__ import annotations

import contextlib
import ctypes
import re
import sys

from pralign.characters import quoted
from pralign.errors import UsageError

# M_ARENA_MAX: one heap. M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: all but the largest arrays stay with the process.
_MALLOC = {-8: 1, -3: 33_554_432, -1: 2_000_000_000}

_LONGEST_NUMBER = 30
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def keep_memory() -> None:
    """Let threads share one heap, and keep what they free for what comes next, where the C library can be told to.

    By default each thread has a heap of its own, half as much memory again, and large arrays go back to the system; to
    get them anew takes a tenth of the time of a run.
    """
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for parameter, value in _MALLOC.items():
            library.mallopt(parameter, value)


def memory_of_process() -> int:
    """The most memory that this process has taken so far, in bytes; zero where nobody counts."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def parse_size(text: str | int) -> int:
    """A number of bytes, such as 2G or 600M.

    Example:
        >>> parse_size("1.5G"), parse_size("600M"), parse_size(1000)
        (1500000000, 600000000, 1000)

    Raises:
        UsageError: It is no such number.
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)B?", str(text).strip().upper())
    if found is None or len(found[1]) > _LONGEST_NUMBER:
        raise UsageError(f"a size is such as 2G or 600M, not {quoted(str(text))}")
    return int(float(found[1]) * _UNITS[found[2]])
