"""What services need that is not always installed."""

from __future__ import annotations

from pralign.text.extras import needed

EXTRA = "serve"


def check_packages() -> None:
    """See to it that what services are made with is there, before any work is done.

    Raises:
        UsageError: Something is not installed, and what to do.
    """
    for name in ("starlette", "uvicorn"):
        needed(name, EXTRA)
