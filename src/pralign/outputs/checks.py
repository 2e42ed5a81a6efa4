"""Places that cannot be written to, found before hours of work and not after."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pralign.errors import OutputError
from pralign.outputs.partials import PartialDirectory, PartialFile
from pralign.outputs.targets import Target
from pralign.text.files import STANDARD_STREAM, reason


def check_writable(path: str | Path | None) -> None:
    """Fail now rather than after hours of work if a file cannot be written at ``path``. A file is made there to see.

    Raises:
        OutputError: The directory does not exist or does not allow writing, the path is a directory, or the like.
    """
    if path is None or str(path) == STANDARD_STREAM:
        return
    with _naming(path):
        target = Target.at(path)
        if target.is_directory:
            raise OutputError(f"{path}: is a directory; name a file to write to")
        _check_parent(target)
        _check_access(target)
        if not target.is_stream and not target.is_mounted:
            PartialFile(target.path.parent).discard()


def check_directory(path: str | Path) -> None:
    """Fail now rather than after hours of work if a directory cannot be put at ``path``. One is made there to see.

    Raises:
        OutputError: The directory it would be in does not exist or does not allow writing, or the like.
    """
    with _naming(path):
        target = Target.at(path)
        _check_parent(target)
        _check_access(target)
        PartialDirectory(target.path if target.is_mounted else target.path.parent).discard()


def _check_parent(target: Target) -> None:
    if not target.path.parent.is_dir():
        missing = target.path.parent if target.given.parent.is_dir() else target.given.parent  # where a link leads
        raise OutputError(f"{target.given}: the directory {missing} does not exist")


def _check_access(target: Target) -> None:
    if target.before is not None and not os.access(target.path, os.W_OK):
        raise OutputError(f"{target.given}: no permission to write here: it may only be read")
    replaced = not target.is_stream and not target.is_mounted
    if replaced and not os.access(target.path.parent, os.W_OK):
        raise OutputError(f"{target.given}: no permission to write in {target.path.parent}")


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {reason(error)}") from error
