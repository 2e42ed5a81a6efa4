"""What is about to get its name, written down, so that a program killed in the middle of it leaves no half of it.

All results of a command get their names at once, but each by a step of its own. Before the first step, a note of all of
them is put beside them; after the last it is removed. The next program that writes there and finds such a note, whose
writer is dead, does the steps that are left.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pralign.disk import sync_directory
from pralign.outputs.partials import PartialFile, abandoned
from pralign.outputs.places import put
from pralign.outputs.targets import status

_NAME = re.compile(r"\.pralign-[0-9a-f]{16}\.journal")
_LARGEST = 1 << 20
_OTHERS_MAY_WRITE = 0o022


class Step(NamedTuple):
    """Something finished that is to get its name.

    Attributes:
        new: Where it is now.
        target: The name it is to get.
    """

    new: Path
    target: Path


@contextmanager
def noted(steps: Sequence[Step]) -> Iterator[None]:
    """Keep a note of several steps, in every directory they lead to, while they are done."""
    if len(steps) < 2:  # one step is done or not
        yield
        return
    text = json.dumps([_described(step) for step in steps]).encode()
    with ExitStack() as stack:
        for directory in {step.target.parent: None for step in steps}:
            note = stack.enter_context(PartialFile(directory, ".pralign-{}.journal"))
            note.path.chmod(0o600)
            note.stream.write(text)
            note.stream.flush()
            os.fsync(note.stream.fileno())
            sync_directory(directory)
        yield


def finish_abandoned(directory: Path) -> None:
    """Do what is left of the steps that a killed program has noted in a directory."""
    for path in abandoned(directory, _NAME):
        for step in _read(path):
            with suppress(OSError):
                put(*step)
        with suppress(OSError):
            path.unlink()


def _described(step: Step) -> dict[str, Any]:
    return {
        "new": os.fsdecode(step.new),
        "target": os.fsdecode(step.target),
        "of": _identity(status(step.new)),
        "before": _identity(status(step.target)),
    }


def _identity(what: os.stat_result | None) -> list[int] | None:
    """What tells whether a file is still the one it was; without the time of its last change, which renaming sets."""
    return None if what is None else [what.st_dev, what.st_ino, what.st_mtime_ns, what.st_size]


def _read(path: Path) -> Iterator[Step]:
    """The steps of a note that are left: what is not where it should go, while what is there is still the old.

    A note from somebody else, or one that others could have written into, is not believed.
    """
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        here = path.lstat()
        own = stat.S_ISREG(here.st_mode) and here.st_uid == os.geteuid() and here.st_nlink == 1
        if not own or here.st_mode & _OTHERS_MAY_WRITE or here.st_size > _LARGEST:
            return
        for step in json.loads(path.read_bytes()):
            new, target = Path(step["new"]), Path(step["target"])
            if _identity(status(new)) == step["of"] and _identity(status(target)) == step["before"]:
                yield Step(new, target)
