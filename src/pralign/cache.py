"""Where things are kept that are made once for a machine, such as compiled code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PRALIGN_CACHE"


def cache_home() -> Path | None:
    """The directory that ``PRALIGN_CACHE`` names, else one in the user's cache; ``None`` if the user has no home."""
    if given := os.environ.get(VARIABLE):
        return Path(given).absolute()
    if sys.platform == "win32":
        return _within(os.environ.get("LOCALAPPDATA"), "pralign", "Cache")
    if sys.platform == "darwin":
        return _within(_home(), "Library", "Caches", "pralign")
    return _within(os.environ.get("XDG_CACHE_HOME"), "pralign") or _within(_home(), ".cache", "pralign")


def _home() -> str | None:
    try:
        return str(Path.home())
    except RuntimeError:  # no HOME, and nobody knows this user
        return None


def _within(base: str | None, *names: str) -> Path | None:
    """A place below a directory, which has to be absolute: an empty HOME, for example, would be anywhere."""
    return Path(base, *names) if base and Path(base).is_absolute() else None
