"""What has to be on the disk, and not only on its way there, before a name promises it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_CANNOT = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EROFS}


def sync_directory(directory: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system knows how."""
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    finally:
        os.close(descriptor)


def sync_tree(directory: Path) -> None:
    """Wait until a directory is on the disk with all it holds."""
    for folder, _, names in os.walk(directory):
        for name in names:
            with (Path(folder) / name).open("rb") as stream:
                os.fsync(stream.fileno())
        sync_directory(Path(folder))
