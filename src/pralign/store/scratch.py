"""A directory of its own for a run, which goes away with it, and in the end even if the run is killed."""

from __future__ import annotations

import re
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from pralign import cleanup, locks
from pralign.errors import OutputError
from pralign.store.directory import is_store_file

_PREFIX = "pralign-scratch-"
_NAME = re.compile(rf"{_PREFIX}\w{{8}}")  # by tempfile.mkdtemp
_TRIES = 100


class ScratchDirectory:
    """A new directory, removed by :meth:`remove`, or when nobody uses it any more, or when the program ends.

    What programs that were killed have left in the same place is removed on the way.
    """

    def __init__(self, scratch: str | Path | None) -> None:
        """Make it below ``scratch``, by default where temporary files go.

        Raises:
            OutputError: It cannot be made.
        """
        place = Path(tempfile.gettempdir() if scratch is None else scratch)
        try:
            self.path, held = _make(place)
        except OSError as error:
            raise OutputError(
                f"{place}: cannot write: {error.strerror or error}; name a directory with room for what does not fit "
                "into memory by --scratch, or allow more memory by --memory"
            ) from error
        self._remove = weakref.finalize(self, _remove, self.path, held)
        _clear(place)

    def remove(self) -> None:
        """Remove the directory and all that is in it."""
        self._remove()


def _make(place: Path) -> tuple[Path, locks.Hold]:
    """A new directory that nobody else takes for abandoned."""
    for _ in range(_TRIES):
        with cleanup.committing():
            path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
            cleanup.register(path)
        held = locks.hold(path)
        if held is not None:
            return path, held
        cleanup.forget(path)  # somebody who clears up has come between
    raise OSError("directories vanish as soon as they are made")


def _remove(path: Path, held: locks.Hold) -> None:
    cleanup.remove(path)
    cleanup.forget(path)
    held.release()


def _clear(place: Path) -> None:
    """Remove directories of this kind that no living process uses."""
    with suppress(OSError):
        for path in list(place.iterdir()):
            if _NAME.fullmatch(path.name) and _is_ours(path):
                locks.remove_if_abandoned(path)


def _is_ours(path: Path) -> bool:
    """Whether a directory holds nothing but what a store has written, so that no other was given such a name."""
    try:
        return all(is_store_file(file.name) and not file.is_dir() for file in path.iterdir())
    except OSError:
        return False
