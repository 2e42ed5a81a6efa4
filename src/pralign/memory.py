"""The memory of processes: how much they have taken, and what becomes of what they free."""

from __future__ import annotations

import contextlib
import ctypes
import sys

# M_ARENA_MAX: one heap. M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: all but the largest arrays stay with the process.
_MALLOC = {-8: 1, -3: 33_554_432, -1: 2_000_000_000}


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
