"""A file that only grows: what happens is on disk before anybody is told that it is.

Each event is a line of JSON. It is added in one piece and forced to the disk. Whoever is killed in the middle leaves at
most a part of a last line, which nobody was told of; it is taken away when the journal is opened next.
"""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pralign.errors import InputError, OutputError
from pralign.locks import lock
from pralign.text.files import reason

Event = dict[str, Any]


class Journal:
    """A journal that this process alone writes to, as long as it is open.

    Attributes:
        path: The file.
        events: What it had in it when it was opened.
        count: How many events it has now.
    """

    def __init__(self, path: Path) -> None:
        """Open a journal, or begin one.

        Raises:
            JournalInUseError: Another process has it open.
            InputError: There is something in it that is no event.
            OutputError: It cannot be written.
        """
        self.path = path
        try:
            self._file: int | None = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o666
            )
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {reason(error)}") from error
        self._adding = threading.Lock()
        try:
            if not lock(self._file):
                raise JournalInUseError(self.path)
            self.events = self._read()
            self.count = len(self.events)
            _sync_folder(path.parent)
        except BaseException:
            self.close()
            raise

    def _read(self) -> list[Event]:
        """All events; a last line without its end was never answered for, and goes."""
        with self.path.open("rb") as stream:
            content = stream.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content) and self._file is not None:
            os.ftruncate(self._file, len(whole))
        return [_event(line, number, self.path) for number, line in enumerate(whole.splitlines(), start=1)]

    def add(self, event: Mapping[str, Any]) -> None:
        """Add an event; when this returns, it is on disk.

        Raises:
            OutputError: It could not be added, and was not.
        """
        line = json.dumps(event, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        with self._adding:
            if self._file is None:
                raise OutputError(f"{self.path}: cannot be written any more; start pralign again")
            before = os.fstat(self._file).st_size
            try:
                if os.write(self._file, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(self._file)
            except OSError as error:
                self._take_back(self._file, before)
                raise OutputError(f"{self.path}: cannot be written: {reason(error)}") from error
            self.count += 1

    def _take_back(self, descriptor: int, before: int) -> None:
        """Take away what was added; where even that fails, nothing may be added to half an event."""
        try:
            os.ftruncate(descriptor, before)
        except OSError:
            self._close()

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be added any more."""
        return self._file is None

    def close(self) -> None:
        """Let others have it; once is enough."""
        with self._adding:
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None


class JournalInUseError(OutputError):
    """Another process has the journal open."""

    def __init__(self, path: Path, message: str | None = None) -> None:
        super().__init__(message or f"{path}: is in use by another program")
        self.path = path


def last_event(path: Path, name: str) -> Event | None:
    """The last event of a kind in a journal that somebody else may be writing to, if it can be read."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return None
    for line in reversed(lines):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and event.get("event") == name:
            return event
    return None


def _event(line: bytes, number: int, path: Path) -> Event:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise InputError(
            f"{path}, line {number}: is no event of a labelling journal; if the gold file is as you want it, move the "
            "journal away, and labelling goes on from the gold"
        )
    return event


def _sync_folder(folder: Path) -> None:
    """See to it that a file that was just made has its name on disk too, where that can be done."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError:  # not every file system can
            pass
        finally:
            os.close(descriptor)
