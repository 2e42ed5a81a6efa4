"""Checks of the files that a command is to read and to write, before it does either."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pralign.errors import UsageError
from pralign.text.files import STANDARD_STREAM


def check_inputs(paths: Iterable[Path | None]) -> None:
    """Complain if standard input, which comes only once, is to be several files."""
    if [str(path) for path in paths].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the files can be read from standard input")


def check_paths(inputs: Iterable[Path | None], outputs: Iterable[Path | None]) -> None:
    """Complain of results that would take the place of each other or of what is read.

    ``None`` is a file that is not wanted.

    Raises:
        UsageError: Standard input or output is needed twice, or a file is.
    """
    read = [path for path in inputs if path is not None]
    written = [path for path in outputs if path is not None]
    check_inputs(read)
    if [str(path) for path in written].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the results can go to standard output")
    taken = {path.resolve() for path in read if str(path) != STANDARD_STREAM}
    for path in written:
        if str(path) != STANDARD_STREAM:
            if path.resolve() in taken:
                raise UsageError(f"{path}: cannot be written, because it is read, or already holds another result")
            taken.add(path.resolve())
