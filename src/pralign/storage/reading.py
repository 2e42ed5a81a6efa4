"""Files of something saved, each read once: what was checked is what is used."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.text.files import reason

_LARGEST_JSON = 1 << 28


class Unreadable(Exception):  # noqa: N818 -- it says of a file what it is
    """A file that is missing, damaged, or not what was saved; the message tells which."""


def described(path: Path) -> dict[str, Any]:
    """What tells a file from all others."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return {"bytes": stream.tell(), "sha256": digest}


def read_file(path: Path, size: int, checksum: str) -> NDArray[np.uint8]:
    """All of a file, if it is the one that was described.

    Raises:
        Unreadable: It is not, or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            found = os.fstat(stream.fileno()).st_size == size
            content = np.empty(size if found else 0, np.uint8)
            whole = found and stream.readinto(content.data) == size
    except FileNotFoundError as error:
        raise Unreadable(f"it is incomplete: {path.name} is missing") from error
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {reason(error)}") from error
    if not whole or hashlib.sha256(content.data).hexdigest() != checksum:
        raise Unreadable(f"{path.name} is damaged: it is not the file that was saved")
    return content


def read_json(path: Path) -> Any:
    """What a JSON file of a reasonable size says.

    Raises:
        Unreadable: It is damaged, or larger than anything that was ever saved.
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        content = stream.read(_LARGEST_JSON + 1)
    if len(content) > _LARGEST_JSON:
        raise Unreadable(f"{path.name} is damaged: it is too large")
    try:
        return json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path.name} is damaged: {error}") from error
