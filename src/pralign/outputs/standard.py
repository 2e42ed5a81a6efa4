"""Standard output, when nobody listens any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


class ReaderGoneError(BrokenPipeError):
    """Whoever read standard output has closed it.

    Attributes:
        alone: Whether standard output was the only result that was asked for.
    """

    def __init__(self, alone: bool) -> None:
        """Standard output was closed; ``alone`` if there was no other result."""
        super().__init__("standard output was closed by its reader")
        self.alone = alone


def silence_standard_output() -> None:
    """Let what is still buffered go nowhere, so that it does not fail once more when the program ends."""
    with suppress(OSError, AttributeError, ValueError):  # it may be no file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
