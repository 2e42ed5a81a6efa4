"""Standard error, on which nothing that people are told may end a run."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

_DESCRIPTOR = 2


class _Forgiving(io.FileIO):
    """A file that forgets what it cannot write: to a reader that has gone away, or to a full disk."""

    def write(self, data: Any) -> int:
        try:
            written = super().write(data)
        except OSError:
            written = None
        return len(data) if written is None else written


def forgive_standard_error() -> None:
    """Let messages, progress and warnings that nobody can read go nowhere, instead of ending the program.

    If standard error was closed by whoever started the program, its place is taken, so that no other file gets it.
    """
    if sys.stderr is None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != _DESCRIPTOR:
            os.dup2(nowhere, _DESCRIPTOR)
            os.close(nowhere)
    raw = _Forgiving(_DESCRIPTOR, "wb", closefd=False)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True
    )
