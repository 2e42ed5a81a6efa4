"""Text files that appear under their names only when they are complete."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pralign.errors import OutputError
from pralign.text.files import STANDARD_STREAM, create_text, reason


class Output:
    """A text file being written, or standard output. A failure to write names the file."""

    def __init__(self, path: str | Path | None) -> None:
        """Open ``path`` for writing; ``None`` and ``-`` are standard output."""
        self._target = None if path is None or str(path) == STANDARD_STREAM else Path(path)
        self._partial: Path | None = None
        with self._naming_failures():
            self._stream = self._open()

    def write(self, text: str) -> None:
        """Write some text."""
        with self._naming_failures():
            self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def finish(self) -> None:
        """Make sure that everything is on the disk or gone down the pipe."""
        with self._naming_failures():
            if self._target is None:
                self._stream.flush()
            else:
                self._stream.close()

    def publish(self) -> None:
        """Give the finished file its name."""
        if self._partial is not None and self._target is not None:
            with self._naming_failures():
                self._partial.replace(self._target)
            delete_abandoned(self._target)

    def discard(self) -> None:
        """Remove what was written unless it was published."""
        if self._target is not None and not self._stream.closed:
            with suppress(OSError):  # what it fails to take is thrown away anyway
                self._stream.close()
        if self._partial is not None:
            self._partial.unlink(missing_ok=True)

    def _open(self) -> IO[str]:
        if self._target is None:
            if sys.stdout is None:
                raise OutputError("standard output: cannot write: it is closed")
            return sys.stdout
        if self._target.exists() and not self._target.is_file():  # a device or a pipe: nothing to rename onto
            return self._target.open("w", encoding="utf-8", newline="\n")
        self._partial = self._target.with_name(f".{self._target.name}.{os.getpid()}.partial")
        return create_text(self._partial, self._target.suffix)

    @contextmanager
    def _naming_failures(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            if self._target is None:
                silence_standard_output()
            raise
        except OSError as error:
            if self._target is None:
                silence_standard_output()
            name = "standard output" if self._target is None else self._target
            raise OutputError(f"{name}: cannot write: {reason(error)}") from error


@contextmanager
def open_outputs(*paths: str | Path | None) -> Iterator[tuple[Output, ...]]:
    """Open several files; if the block succeeds, all appear under their names, and otherwise none does.

    ``None`` and ``-`` are standard output. A name's ending chooses the compression (.gz, .xz, .bz2, .zst).

    Raises:
        OutputError: Writing fails, for want of space for example; the message names the file.
    """
    outputs: list[Output] = []
    try:
        for path in paths:
            outputs.append(Output(path))  # noqa: PERF401 -- those opened before one fails must be discarded
        yield tuple(outputs)
        for output in outputs:
            output.finish()
        for output in outputs:
            output.publish()
    finally:
        for output in outputs:
            output.discard()


@contextmanager
def open_output(path: str | Path | None) -> Iterator[Output]:
    """Open one file, as :func:`open_outputs` does several."""
    with open_outputs(path) as (output,):
        yield output


def check_writable(path: str | Path | None) -> None:
    """Fail now rather than after hours of work if ``path`` cannot be written to.

    Raises:
        OutputError: The directory does not exist or does not allow writing, or the path is a directory.
    """
    if path is None or str(path) == STANDARD_STREAM:
        return
    target = Path(path)
    if target.is_dir():
        raise OutputError(f"{target}: is a directory; name a file to write to")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the directory {target.parent} does not exist")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise OutputError(f"{target}: no permission to write here")


def delete_abandoned(target: Path) -> None:
    """Delete what programs that were ended while they wrote ``target`` have left beside it."""
    if os.name != "posix":  # elsewhere to ask for a process may end it
        return
    with suppress(OSError):
        for path in list(target.parent.iterdir()):
            found = re.fullmatch(rf"\.{re.escape(target.name)}\.(\d+)\.(?:partial|old)", path.name)
            if found and not _is_running(int(found[1])):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is somebody else's
        return True
    return True


def silence_standard_output() -> None:
    """Let what is still buffered go nowhere, so that it does not fail once more when the program ends."""
    with suppress(OSError, AttributeError, ValueError):  # it may be no file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
