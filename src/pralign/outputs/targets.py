"""Where a result really goes: links followed, and what is there already."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pralign.outputs.mounts import is_mount_point


@dataclass(frozen=True)
class Target:
    """The place of a result.

    Attributes:
        given: The path as the user has named it, for messages.
        path: Where symbolic links lead; nothing that takes its place changes the links.
        before: What was there when it was looked at, if anything was.
    """

    given: Path
    path: Path
    before: os.stat_result | None

    @classmethod
    def at(cls, path: str | Path) -> Target:
        """Look at a place.

        Raises:
            OSError: It cannot be looked at: its name is too long, or links lead in a circle.
        """
        real = Path(os.path.realpath(path))
        return cls(Path(path), real, status(real))

    @property
    def is_stream(self) -> bool:
        """Whether it is a device or a pipe, which takes what is written at once and is never replaced."""
        return self.before is not None and not (stat.S_ISREG(self.before.st_mode) or self.is_directory)

    @property
    def is_directory(self) -> bool:
        """Whether a directory is there."""
        return self.before is not None and stat.S_ISDIR(self.before.st_mode)

    @cached_property
    def is_mounted(self) -> bool:
        """Whether something is mounted there, so that it can be written into but not replaced."""
        return self.before is not None and is_mount_point(self.path)


def status(path: Path) -> os.stat_result | None:
    """What the system knows of a file; nothing if there is none.

    Raises:
        OSError: It cannot be asked, for another reason than that.
    """
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_at(path: Path, what: os.stat_result) -> bool:
    """Whether a file or directory, told by its status, is at a path."""
    with suppress(OSError):
        return os.path.samestat(path.lstat(), what)
    return False


def keep_mode(new: Path, old: os.stat_result) -> None:
    """Let what takes the place of an old file or directory have its permissions and, as far as possible, its owner."""
    new.chmod(stat.S_IMODE(old.st_mode))
    mine = new.stat()
    if hasattr(os, "chown") and (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):  # only the superuser gives files away
            os.chown(new, old.st_uid, old.st_gid)
            new.chmod(stat.S_IMODE(old.st_mode))  # which changing the owner may have cut
