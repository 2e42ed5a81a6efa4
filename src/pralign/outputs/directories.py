"""Directories that appear under their names only when they are complete, and replace old ones in one step."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pralign import cleanup, locks
from pralign.disk import sync_tree
from pralign.errors import OutputError
from pralign.outputs.exchange import can_exchange
from pralign.outputs.journal import Step
from pralign.outputs.partials import PartialDirectory, abandoned
from pralign.outputs.places import put, take_back
from pralign.outputs.publication import open_results, prepare, together, writing
from pralign.outputs.targets import Target, is_at, keep_mode, status
from pralign.text.files import reason

CONTENT = "content"
_CONTENT_NAME = re.compile(r"content-[0-9a-f]{16}")


class OutputDirectory:
    """A directory being written, with an *index*: a JSON file that says what else counts.

    It is filled beside its place and takes it when it is whole. Where an old directory cannot be replaced, because
    something is mounted there or the file system cannot exchange names, it is filled inside the old one, and its index
    takes the place of the old one: that too is one step.

    Attributes:
        path: Where to write everything, the index included.
        content: If not ``None``, the directory beside the index in which everything else will lie. The index must say
            so, in its field ``content``.
    """

    def __init__(self, path: str | Path, index: str, names: Collection[str]) -> None:
        """Begin a directory.

        Args:
            path: Where it will be.
            index: The name of its index.
            names: What else a directory of this kind may hold.

        Raises:
            OutputError: It cannot be made.
        """
        self._given = path
        self._index, self._names = index, frozenset(names)
        with self._naming_failures():
            self._begin()

    def _begin(self) -> None:
        self._target = Target.at(self._given)
        parent = self._target.path.parent
        if not self._target.is_mounted:
            prepare(parent)
        self._inside = self._target.is_directory and (self._target.is_mounted or not can_exchange(parent))
        if self._inside:
            self._partial = PartialDirectory(self._target.path, "content-{}")
        else:
            self._partial = PartialDirectory(parent)
        self.path = self._partial.path
        self.content = self.path.name if self._inside else None
        self._before = status(self._target.path / self._index) if self._inside else self._target.before
        self._status: os.stat_result | None = None

    def finish(self) -> None:
        """Wait until all is on the disk; files that replace others keep their permissions."""
        with self._naming_failures():
            self._keep_modes()
            sync_tree(self.path)
            [step] = self.steps()
            self._status = step.new.lstat()

    def steps(self) -> list[Step]:
        """What gets which name: the directory, or only its index."""
        if self._inside:
            return [Step(self.path / self._index, self._target.path / self._index)]
        return [Step(self.path, self._target.path)]

    def publish(self) -> None:
        """Give the directory its name."""
        with self._naming_failures():
            self._check_replaced()
            for step in self.steps():
                put(*step)

    def withdraw(self) -> None:
        """Take the name back."""
        if self._status is not None:
            for new, target in self.steps():
                with suppress(OSError):
                    take_back(new, target, self._status, self._before)

    def tidy(self) -> None:
        """Remove what was replaced."""
        if not self._inside:
            self._partial.discard()
            return
        cleanup.remove(self.path / self._index)  # the old one
        self._partial.release()  # first, so that of two who replace each other's one at least removes what is left
        self._remove_unused()

    def discard(self) -> None:
        """Remove what was written unless it was published."""
        published = self._status is not None and is_at(self.steps()[0].target, self._status)
        if not (self._inside and published):
            self._partial.discard()

    def _keep_modes(self) -> None:
        if not self._target.is_directory:
            return
        old = self._target.path
        for path in (path for path in self.path.iterdir() if path.is_file()):
            with suppress(OSError):
                before = (old / path.name).lstat()
                if stat.S_ISREG(before.st_mode):
                    keep_mode(path, before)
        if self._target.before is not None and not self._inside:
            keep_mode(self.path, self._target.before)

    def _check_replaced(self) -> None:
        """Complain if something else has come to its place since it was looked at, which would be lost."""
        place = self._target.path
        names = (path.name for path in place.iterdir()) if place.is_dir() else ()
        if others := [name for name in names if name not in (self._index, *self._names) and not is_own(name)]:
            raise OutputError(f"{self._given}: there is something else in this directory now: {others[0]}")

    def _remove_unused(self) -> None:
        """Remove what is beside an index that names another directory for its content, and nobody is writing."""
        place = self._target.path
        candidates = abandoned(place, _CONTENT_NAME)  # first: whom the index names later has been locked until then
        with suppress(OSError, ValueError, RecursionError):
            used = content_of(place, json.loads((place / self._index).read_bytes()))
            if used != place:
                for path in (path for path in candidates if path != used):
                    locks.remove_if_abandoned(path)
                for name in self._names:
                    cleanup.remove(place / name)

    @contextmanager
    def _naming_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(f"{self._given}: cannot write: {reason(error)}") from error


@contextmanager
def open_directory(path: str | Path, index: str, names: Collection[str]) -> Iterator[tuple[Path, str | None]]:
    """Begin a directory; if the block succeeds, it appears under its name, in the place of an old one.

    Inside :func:`~pralign.outputs.publication.together`, it appears when that ends; inside another directory that is
    being written, with that one.

    Args:
        path: Where it will be.
        index: The name of its index, the JSON file that says what else counts.
        names: What else a directory of this kind may hold.

    Yields:
        Where to write, and what the index must have as its field ``content``, if anything.

    Raises:
        OutputError: The directory cannot be made or get its name; the message names it.
    """
    with together():
        if any(isinstance(each, OutputDirectory) and each.path in Path(path).parents for each in open_results()):
            Path(path).mkdir()
            yield Path(path), None
            return
        directory = OutputDirectory(path, index, names)
        with writing(directory):
            yield directory.path, directory.content


def content_of(directory: Path, index: object) -> Path:
    """Where everything that the content of an index speaks of lies: beside it, or in the directory that it names.

    Raises:
        ValueError: It names something else than such a directory.
    """
    name = index.get(CONTENT) if isinstance(index, dict) else None
    if name is None:
        return directory
    if not isinstance(name, str) or not _CONTENT_NAME.fullmatch(name):
        raise ValueError(f"its field {CONTENT} names no directory of its own")
    return directory / name


def is_own(name: str) -> bool:
    """Whether a file or directory belongs to the way of writing and not to what is written."""
    return name.startswith(".pralign-") or _CONTENT_NAME.fullmatch(name) is not None
