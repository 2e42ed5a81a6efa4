"""Asking work that is under way to stop.

Python answers a signal only when the main thread is back from compiled code, and nobody can end another thread. So
compiled functions that may take long look at a flag (see :mod:`pralign.kernels.stopping`), and raise :class:`Stopped`
if it is set: what they have half done never becomes a result.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: How many have asked all compiled functions of this process to stop. They read it while Python changes it.
FLAG = ctypes.c_uint32(0)

_lock = threading.Lock()


# Numba raises nothing but exceptions of the kind Exception; who cleans up after Ctrl-C shall do so after this.
class Stopped(KeyboardInterrupt, Exception):  # noqa: N818 -- nothing went wrong
    """Work was stopped in the middle because somebody asked for it."""


def request() -> None:
    """Ask all compiled functions of this process to stop, for good: the program is about to end."""
    with _lock:
        FLAG.value += 1


@contextmanager
def requested() -> Iterator[None]:
    """Ask all compiled functions of this process to stop while a block is run, which waits for them."""
    request()
    try:
        yield
    finally:
        with _lock:
            FLAG.value -= 1
