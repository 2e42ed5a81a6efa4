"""What a container or a job may use: the limits that Linux control groups set on processors and memory.

A machine shows all that it has to every process, also to those that may use only a part of it. What they may use is
written in files of the control groups that they are in. Groups lie in each other, and the tightest limit holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_OCTAL = re.compile(r"\\([0-7]{3})")


class _Mount(NamedTuple):
    """Where groups of one kind can be seen: the group that is the top of what is seen, and the directory it is at."""

    top: PurePosixPath
    place: Path


def processor_limit(root: Path = Path("/")) -> int | None:
    """How many processors this process may keep busy, rounded up; nothing if nobody has set a limit.

    Args:
        root: Where the file system begins; for tests.
    """
    found: list[float] = []
    for group in _groups(root, "cpu"):
        apart = *_fields(group / "cpu.cfs_quota_us"), *_fields(group / "cpu.cfs_period_us")
        for quota, period in (fields for fields in (_fields(group / "cpu.max"), apart) if len(fields) == 2):
            if quota.isdigit() and period.isdigit() and int(period):  # others are "max" or -1
                found.append(int(quota) / int(period))
    return max(math.ceil(min(found)), 1) if found else None


def memory_left(root: Path = Path("/")) -> int | None:
    """How many bytes of memory this process and those beside it may still take; nothing if nobody has set a limit.

    Pages of files that could be given back count as free.
    """
    found = [*_left(root, "memory.max", "memory.current", "inactive_file")]
    found += _left(root, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    return min(found, default=None)


def _left(root: Path, limit: str, usage: str, reclaimable: str) -> Iterator[int]:
    for group in _groups(root, "memory"):
        most = _number(group / limit)
        if most is not None:
            statistics = dict(line.split()[:2] for line in _lines(group / "memory.stat") if len(line.split()) > 1)
            cached = statistics.get(reclaimable, "0")
            used = (_number(group / usage) or 0) - (int(cached) if cached.isdigit() else 0)
            yield max(most - max(used, 0), 0)


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The directories of the groups that this process is in, from its own outwards, as far as they can be seen."""
    mounts = _mounts(root, controller)
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = [*line.split(":", 2), "", ""][:3]
        kind = "" if number == "0" and not controllers else controller if controller in controllers.split(",") else None
        mount = None if kind is None else mounts.get(kind)
        if mount is None:
            continue
        inside = PurePosixPath(path)
        # A group that lies outside of what is seen shows no limit but that of the top.
        seen = inside.is_relative_to(mount.top) and ".." not in inside.parts
        own = mount.place / inside.relative_to(mount.top) if seen else mount.place
        while own != mount.place:
            yield own
            own = own.parent
        yield mount.place


def _mounts(root: Path, controller: str) -> dict[str, _Mount]:
    """Where groups are mounted: those of version 1 by the name of the controller, those of version 2 by no name."""
    found: dict[str, _Mount] = {}
    for line in _lines(root / "proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        fields, (kind, *rest) = before.split(), after.split() or [""]
        if len(fields) < 5 or kind not in ("cgroup", "cgroup2"):
            continue
        name = "" if kind == "cgroup2" else controller if controller in (rest or [""])[-1].split(",") else None
        if name is not None:
            top, place = (_OCTAL.sub(lambda code: chr(int(code[1], 8)), text) for text in fields[3:5])
            found.setdefault(name, _Mount(PurePosixPath(top), root / place.lstrip("/")))
    return found


def _number(path: Path) -> int | None:
    fields = _fields(path)
    return int(fields[0]) if fields and fields[0].isdigit() else None


def _fields(path: Path) -> tuple[str, ...]:
    return tuple(field for line in _lines(path)[:1] for field in line.split())


def _lines(path: Path) -> list[str]:
    """The lines of a file; none where there is no such file or it cannot be read."""
    with suppress(OSError, ValueError):
        return path.read_text(encoding="utf-8").splitlines()
    return []
