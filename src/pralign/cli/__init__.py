"""The command line. Each command is a small file that parses its options, calls the library and prints."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

from pralign.cli.interrupts import ignore_interrupts, listen_for_interrupts

INTERRUPTED = 130


def main() -> None:
    """Run the command line; this is what the program ``pralign`` starts."""
    listen_for_interrupts()
    _keep_memory()
    if sys.stderr is None:  # closed by whoever started the program
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    try:
        from pralign.cli.app import app

        for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors=errors, newline="\n")
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # help or version that nobody can read
        from pralign.text.outputs import silence_standard_output

        silence_standard_output()
        sys.exit(f"pralign: standard output: cannot write: {error.strerror or error}")
    finally:
        ignore_interrupts()


def _keep_memory() -> None:
    """Let threads share one heap, and keep what they free for what comes next, where the C library can be told to.

    By default each thread has a heap of its own, half as much memory again, and large arrays go back to the system; to
    get them anew takes a tenth of the time of a run.
    """
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for parameter, value in _MALLOC.items():
            library.mallopt(parameter, value)


# M_ARENA_MAX: one heap. M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: all but the largest arrays stay with the program.
_MALLOC = {-8: 1, -3: 33_554_432, -1: 2_000_000_000}
