"""Checks of the files that a command is to read and to write, before it does either."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path

from pralign.errors import UsageError
from pralign.text.files import STANDARD_STREAM

_STANDARD_INPUT = Path("/dev/stdin")


def check_inputs(paths: Iterable[Path | None]) -> None:
    """Complain if standard input, which comes only once, is to be several files."""
    if [str(path) for path in paths].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the files can be read from standard input")


def check_paths(
    inputs: Iterable[Path | None],
    outputs: Iterable[Path | None],
    saved: Path | None = None,
    loaded: Path | None = None,
) -> None:
    """Complain of results that would take the place of each other or of what is read.

    It does not matter how paths are spelled, nor whether symbolic or hard links lead from one to the other. All that
    lies in a directory that is read, such as a saved model, counts as read. The null device may be written to as often
    as one likes, and pipes and terminals may be both read and written. ``None`` is a file that is not wanted.

    Args:
        inputs: Files and directories that are read.
        outputs: Files that are written.
        saved: A directory that is written, and replaced if it is there.
        loaded: A saved model that is read too. It alone may be saved again in its own place.

    Raises:
        UsageError: Standard input or output is needed twice, or a file is.
    """
    inputs, outputs = list(inputs), list(outputs)
    check_inputs(inputs)
    if [str(path) for path in outputs].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the results can go to standard output")
    read = [place for place in (*_places(inputs), *_standard_input(inputs)) if not place.is_stream]
    models = _places([loaded])
    written = [place for place in _places(outputs) if not place.is_null]
    directories = [_Place(path, replaced=True) for path in (saved,) if path is not None]
    again = any(directory.is_same(model) for directory in directories for model in models)
    _keep_apart(written, [*read, *models], "the input")
    _keep_apart(directories, read if again else [*read, *models], "the input")
    for number, place in enumerate(written):
        _keep_apart([place], [*directories, *written[:number]], "another result,")


def same_place(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file or directory, however they are spelled."""
    return _Place(one).is_same(_Place(other))


def _keep_apart(results: Iterable[_Place], others: list[_Place], role: str) -> None:
    """Complain if a result would go where something else is."""
    for result in results:
        for other in others:
            if relation := result.relation(other):
                raise UsageError(
                    f"{result.path}: cannot be written, because it {relation} {role} {other.path}; choose another place"
                )


def _places(paths: Iterable[Path | None]) -> list[_Place]:
    """Where files are. Standard input may be a file too; standard output has been opened by somebody else."""
    return [_Place(path) for path in paths if path is not None and str(path) != STANDARD_STREAM]


def _standard_input(paths: Iterable[Path | None]) -> list[_Place]:
    """The file that standard input comes from, if it is read and is a file."""
    wanted = any(str(path) == STANDARD_STREAM for path in paths) and _STANDARD_INPUT.exists()
    return [_Place(_STANDARD_INPUT)] if wanted else []


class _Place:
    """Where a path leads, by whatever name.

    Attributes:
        path: The path as it was given.
        is_stream: Whether it is a pipe, a terminal or another device, of which nothing can be overwritten.
        is_null: Whether it is the device that forgets everything.
    """

    def __init__(self, path: Path, replaced: bool = False) -> None:
        """Look where ``path`` leads, which need not exist; ``replaced`` if all that a directory holds will go."""
        self.path = path
        self._replaced = replaced
        self._real = Path(os.path.realpath(path))
        self._status = _status(path)
        mode = None if self._status is None else self._status.st_mode
        self.is_stream = mode is not None and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
        self.is_null = self.is_same_file(_status(Path(os.devnull)))

    def relation(self, other: _Place) -> str | None:
        """How a result here would get in the way of something else, if it would."""
        if self.is_same(other):
            return "is also"
        if other.holds(self):
            return "belongs to"
        return "holds" if self._replaced and self.holds(other) else None

    def is_same(self, other: _Place) -> bool:
        """Whether both are one file, or would be."""
        return self._real == other._real or self.is_same_file(other._status)

    def is_same_file(self, status: os.stat_result | None) -> bool:
        """Whether there is a file here, and it is the one of this status."""
        return self._status is not None and status is not None and os.path.samestat(self._status, status)

    def holds(self, other: _Place) -> bool:
        """Whether this is a directory in which the other one lies, or to a file of which the other one is a link."""
        if self._status is None or not stat.S_ISDIR(self._status.st_mode):
            return False
        around = map(_status, other._real.parents)
        return any(map(self.is_same_file, around)) or any(map(other.is_same_file, self._content))

    @cached_property
    def _content(self) -> list[os.stat_result | None]:
        """What a directory holds, two levels deep, which is as deep as models go."""
        return [_status(path) for path in chain(self._real.glob("*"), self._real.glob("*/*"))]


def _status(path: Path) -> os.stat_result | None:
    """What the system knows of the file that a path leads to; nothing if there is none or it is out of reach."""
    try:
        return path.stat()
    except OSError:
        return None
