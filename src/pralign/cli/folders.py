"""Directories that a command puts files into."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pralign.errors import OutputError
from pralign.text.files import reason


def check_folder(directory: Path) -> None:
    """Complain now of a directory that cannot be made or written into.

    Raises:
        OutputError: It cannot.
    """
    existing = next(path for path in (directory, *directory.resolve().parents) if path.exists())
    if not existing.is_dir():
        raise OutputError(f"{directory}: cannot write: {existing} is not a directory")
    if not os.access(existing, os.W_OK):
        raise OutputError(f"{directory}: no permission to write here")


@contextmanager
def made_folder(directory: Path | None) -> Iterator[None]:
    """Make a directory, if there is one to make, and take it away again if what follows fails.

    Raises:
        OutputError: It cannot be made.
    """
    new = [] if directory is None else [path for path in (directory, *directory.parents) if not path.exists()]
    try:
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{directory}: cannot write: {reason(error)}") from error
    try:
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise
