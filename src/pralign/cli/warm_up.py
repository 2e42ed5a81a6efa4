"""``pralign warm-up``: compile everything now, so that nobody waits for it later."""

from __future__ import annotations

from pralign.cli import options
from pralign.cli.console import say
from pralign.errors import OutputError, UsageError


def warm_up(threads: options.ThreadsOption = None, quiet: options.QuietOption = False) -> None:
    """Compile all kernels for this machine now, and keep them, instead of when they are first needed.

    For container images and for machines that start many short runs. PRALIGN_CACHE says where compiled code is kept.
    """
    from numba import config

    from pralign.engine import ThreadEngine
    from pralign.kernels.cache import writable_directory
    from pralign.kernels.preparing import prepare_all

    place = writable_directory()
    if place is None:
        raise OutputError("there is no place to keep compiled code; name one with PRALIGN_CACHE")
    if config.DISABLE_JIT:
        raise UsageError("NUMBA_DISABLE_JIT switches the compiler off; unset it")
    compiled = prepare_all(ThreadEngine(threads).workers)
    if not quiet:
        say(f"{compiled} kernels compiled, all are in {place}" if compiled else f"all kernels are in {place}")
