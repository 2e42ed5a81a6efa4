"""Telling what a living process uses from what a dead one has left behind.

The owner of a file or directory holds a lock on it, which the system takes away when the process ends, however it ends.
Who gets the lock may delete. On systems without such locks, and on file systems that other machines see too, whose
locks may hold for one machine only, nothing is ever deleted.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from pralign.cleanup import remove

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LOCAL_FILE_SYSTEMS = frozenset(
    ["bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "reiserfs", "tmpfs", "xfs", "zfs"]
)


class Hold:
    """A lock on a file or directory, until it is released or the process ends."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)


def hold(path: Path) -> Hold | None:
    """Lock a file or directory that was made a moment ago.

    A process that clears up may have come between, and taken it for abandoned. Then the thing is gone or about to go.

    Returns:
        The lock, which is an empty one where there are no locks; ``None`` if the thing is lost: make another.
    """
    if fcntl is None:
        return Hold(None)
    try:
        descriptor = _open(path)
    except FileNotFoundError:
        return None
    except OSError:
        return Hold(None)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:  # no locks here
        return Hold(descriptor)
    if _is_same(path, descriptor):
        return Hold(descriptor)
    os.close(descriptor)
    return None


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed.

    Returns:
        Whether nobody else has it; always so where there are no locks.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # no locks here
        pass
    return True


def is_abandoned(path: Path) -> bool:
    """Whether a file or directory of this user, whose owner would hold it, is not held by any process.

    To delete it, call :func:`remove_if_abandoned`, which lets nobody come between.
    """
    descriptor = _take(path)
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is not None


def remove_if_abandoned(path: Path) -> bool:
    """Remove a file or directory of this user, whose owner would hold it, if no process holds it.

    Links are not followed, and what belongs to others is left alone.

    Returns:
        Whether it was abandoned.
    """
    descriptor = _take(path)
    if descriptor is None:
        return False
    try:
        remove(path)
    finally:
        os.close(descriptor)
    return True


def _take(path: Path) -> int | None:
    """An open and locked descriptor of what nobody holds."""
    if fcntl is None:
        return None
    try:
        descriptor = _open(path)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if (
            os.fstat(descriptor).st_uid == os.getuid()
            and _is_same(path, descriptor)
            and _is_of_this_machine(descriptor)
        ):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _open(path: Path) -> int:
    """Open for nothing but locking: not through a link, without waiting for the other end of a pipe."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return descriptor
    os.close(descriptor)
    raise OSError(f"{path}: is neither a file nor a directory")


def _is_same(path: Path, descriptor: int) -> bool:
    """Whether what was opened still has its name."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except OSError:
        return False


def _is_of_this_machine(descriptor: int) -> bool:
    """Whether no other machine can have locked it, as far as the system tells."""
    try:
        facts = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="utf-8").split()
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    number = facts[facts.index("mnt_id:") + 1]
    kinds = (mount.partition(" - ")[2].split(" ")[0] for mount in mounts if mount.split(" ")[0] == number)
    return next(kinds, "") in _LOCAL_FILE_SYSTEMS
