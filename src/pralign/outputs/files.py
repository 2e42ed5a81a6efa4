"""Files of text or bytes that appear under their names only when they are complete."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pralign.errors import OutputError
from pralign.outputs.journal import Step
from pralign.outputs.partials import PartialFile
from pralign.outputs.places import put, take_back
from pralign.outputs.publication import open_results, prepare, together, writing
from pralign.outputs.standard import ReaderGoneError, silence_standard_output
from pralign.outputs.targets import Target, keep_mode
from pralign.text.files import STANDARD_STREAM, Uncompressed, reason, write_text


class Output:
    """A text file being written, or standard output. A failure to write names the file.

    A file is written beside its place and takes it when it is whole. What cannot be replaced is written into: a device
    or a pipe at once, a mounted file when all else is finished.
    """

    def __init__(self, path: str | Path | None, in_place: bool = False) -> None:
        """Open ``path`` for writing; ``None`` and ``-`` are standard output.

        With ``in_place``, a file that is there already is not replaced but written into when all else is finished, so
        that those who have it open see what is new.
        """
        self._path = None if path is None or str(path) == STANDARD_STREAM else Path(path)
        self._partial: PartialFile | None = None
        self._status: os.stat_result | None = None
        self._finished = False
        try:
            with self._naming_failures():
                self._target = None if self._path is None else Target.at(self._path)
                self._stays = self._target is not None and (
                    self._target.is_mounted or (in_place and self._target.before is not None)
                )
                self._stream = self._open()
        except BaseException:
            if self._partial is not None:
                self._partial.discard()
            raise

    def write(self, text: str) -> None:
        """Write some text."""
        with self._naming_failures():
            self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand on what was written so far, to whoever waits for it at the end of a pipe."""
        with self._naming_failures():
            self._stream.flush()

    def finish(self) -> None:
        """Make sure that everything is on the disk or gone down the pipe."""
        with self._naming_failures():
            if self._partial is None:
                self._stream.flush() if self._target is None else self._stream.close()
            else:
                self._stream.close()  # which ends what is compressed, and leaves the file below open
                self._partial.stream.flush()
                os.fsync(self._partial.stream.fileno())
                self._status = os.fstat(self._partial.stream.fileno())
        self._finished = True

    def steps(self) -> list[Step]:
        """The file and its place; nothing for what is written into."""
        if self._partial is None or self._target is None or self._stays:
            return []
        return [Step(self._partial.path, self._target.path)]

    def publish(self) -> None:
        """Give the finished file its name."""
        with self._naming_failures():
            if self._partial is not None and self._target is not None:
                if self._stays:
                    _write_into(self._target.path, self._partial.path)
                else:
                    put(self._partial.path, self._target.path)

    def withdraw(self) -> None:
        """Take the name back."""
        if self._status is not None:
            for new, target in self.steps():
                with suppress(OSError):
                    take_back(new, target, self._status, self._target.before if self._target else None)

    def tidy(self) -> None:
        """Remove the old file, which is where the new one was."""
        self.discard()

    def discard(self) -> None:
        """Remove what was written unless it was published."""
        if not self._finished and self._target is not None:
            with suppress(OSError, ValueError):  # what it fails to take is thrown away anyway
                self._stream.close()
        if self._partial is not None:
            self._partial.discard()
            self._partial = None

    def _open(self) -> IO[Any]:
        if self._target is None:
            if sys.stdout is None:
                raise OutputError("standard output: cannot write: it is closed")
            return self._standard()
        if self._target.is_directory:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self._path))
        if self._target.is_stream:
            return self._into(self._target.path)
        folder = Path(tempfile.gettempdir()) if self._stays else self._target.path.parent
        prepare(folder)
        self._partial = PartialFile(folder)
        if self._target.before is not None and not self._stays:
            keep_mode(self._partial.path, self._target.before)
        return self._around(self._partial.stream, self._target.path.suffix)

    def _standard(self) -> IO[Any]:
        """What writes to standard output."""
        return sys.stdout

    def _into(self, path: Path) -> IO[Any]:
        """What writes into a device or a pipe."""
        return path.open("w", encoding="utf-8", newline="\n")

    def _around(self, stream: BinaryIO, suffix: str) -> IO[Any]:
        """What writes into a file that is open, and leaves it open."""
        return write_text(stream, suffix)

    @contextmanager
    def _naming_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if self._path is not None:
                raise OutputError(f"{self._path}: cannot write: {reason(error)}") from error
            silence_standard_output()
            if isinstance(error, BrokenPipeError):
                raise ReaderGoneError(alone=all(result is self for result in open_results())) from error
            raise OutputError(f"standard output: cannot write: {reason(error)}") from error


class BinaryOutput(Output):
    """A file of bytes being written; what writes them gets it as :attr:`stream`."""

    @property
    def stream(self) -> IO[bytes]:
        """Where to write; closing it does nothing."""
        return cast(IO[bytes], _Bytes(self))

    def write_bytes(self, data: Any) -> int:
        """Write some bytes."""
        with self._naming_failures():
            return self._stream.write(data)

    def _standard(self) -> IO[Any]:
        return sys.stdout.buffer

    def _into(self, path: Path) -> IO[Any]:
        return path.open("wb")

    def _around(self, stream: BinaryIO, suffix: str) -> IO[Any]:
        return cast(IO[bytes], Uncompressed(stream))


class _Bytes(io.RawIOBase):
    """An output as whoever writes bytes expects it."""

    def __init__(self, output: BinaryOutput) -> None:
        super().__init__()
        self._output = output

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self._output.write_bytes(data)


@contextmanager
def open_binary_output(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file of bytes, which appears as :func:`open_outputs` says.

    Raises:
        OutputError: Writing fails; the message names the file.
    """
    with together():
        output = BinaryOutput(path)
        with writing(output):
            yield output.stream


@contextmanager
def open_outputs(*paths: str | Path | None, in_place: bool = False) -> Iterator[tuple[Output, ...]]:
    """Open several files; if the block succeeds, all appear under their names, and otherwise none does.

    ``None`` and ``-`` are standard output. A name's ending chooses the compression (.gz, .xz, .bz2, .zst). Inside
    :func:`~pralign.outputs.publication.together`, they appear when that ends. With ``in_place``, files that are there
    already stay the same files, for those who have them open, and get new content.

    Raises:
        OutputError: Writing fails, for want of space for example; the message names the file.
    """
    with together(), ExitStack() as stack:
        outputs: list[Output] = []
        for path in paths:
            outputs.append(Output(path, in_place))
            stack.enter_context(writing(outputs[-1]))
        yield tuple(outputs)


@contextmanager
def open_output(path: str | Path | None) -> Iterator[Output]:
    """Open one file, as :func:`open_outputs` does several."""
    with open_outputs(path) as (output,):
        yield output


def _write_into(target: Path, finished: Path) -> None:
    """Write a finished file into one that cannot be replaced."""
    with finished.open("rb") as source, target.open("r+b") as stream:
        stream.truncate(0)
        shutil.copyfileobj(source, stream)
        stream.flush()
        os.fsync(stream.fileno())
