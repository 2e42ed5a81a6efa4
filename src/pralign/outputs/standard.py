"""Standard output, when nobody listens any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def silence_standard_output() -> None:
    """Let what is still buffered go nowhere, so that it does not fail once more when the program ends."""
    with suppress(OSError, AttributeError, ValueError):  # it may be no file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
