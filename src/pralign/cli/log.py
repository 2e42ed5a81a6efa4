"""``--log-json``: what happens in a run, for programs, as lines of JSON."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pralign import __version__
from pralign.cli.console import at_end, be_silent, logger, say
from pralign.errors import OutputError
from pralign.text.files import STANDARD_STREAM, reason

if TYPE_CHECKING:
    from pralign.cli.progress import Pace
    from pralign.training.progress import Progress


def log_file(path: Path | None) -> Path | None:
    """The file that a log goes to, which must not be another file of the command; ``-`` is standard error."""
    return None if path is None or str(path) == STANDARD_STREAM else path


def open_log(path: Path | None) -> EventLog | None:
    """Begin the log that ``--log-json`` asks for; it ends with the command.

    With ``-``, lines of JSON take the place of all messages on standard error.

    Raises:
        OutputError: It cannot be written.
    """
    if path is None:
        return None
    if log_file(path) is None:
        be_silent()
        return EventLog(sys.stderr, path)
    try:
        # Names of files may be no text, and are written as they can be.
        return EventLog(path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1), path)
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {reason(error)}") from error


class EventLog(logging.Handler):
    """Writes what happens as lines of JSON, each with the time. Messages for people are among it, quiet or not.

    A log that cannot be written any more is no reason to end a run: this is said once, and no more is written.
    """

    def __init__(self, stream: IO[str], path: Path) -> None:
        """Begin to write to a stream, till the command ends."""
        super().__init__(logging.INFO)
        self._stream = stream
        self._path = path
        self._fails = False
        self._began = time.perf_counter()
        logger.addHandler(self)
        at_end(self.finish)
        self.write("start", {"version": __version__, "arguments": sys.argv[1:]})

    def write(self, event: str, record: dict[str, Any] | None = None) -> None:
        """Write one line."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "event": event, **(record or {})}, ensure_ascii=False) + "\n"
        with self._giving_up():
            if not self._fails:
                self._stream.write(line)

    def progress(self, progress: Progress, pace: Pace) -> None:
        """Write how far a run has come."""
        self.write("iteration" if progress.log_likelihood is not None else "progress", _record(progress, pace))

    def finish(self, message: str, code: int) -> None:
        """Write how the command ended, which is the last line."""
        logger.removeHandler(self)
        seconds = round(time.perf_counter() - self._began, 3)
        if code:
            self.write("failed", {"because": message, "code": code, "seconds": seconds})
        else:
            self.write("end", {"code": code, "seconds": seconds})
        if self._stream is not sys.stderr:
            with self._giving_up():
                self._stream.close()
        self.close()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message for people."""
        self.write("message", {"level": record.levelname.lower(), "text": record.getMessage()})

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if not self._fails:
                say(f"{self._path}: cannot write any more of the log: {reason(error)}; the run goes on")
            self._fails = True


def _record(progress: Progress, pace: Pace) -> dict[str, Any]:
    left = pace.seconds_left
    record: dict[str, Any] = {
        "phase": progress.phase,
        "model": progress.model,
        "iteration": progress.iteration,
        "iterations": progress.iterations,
        "shards_done": progress.shards_done,
        "shards": progress.shards,
        "pieces_done": progress.pieces_done,
        "pieces": progress.pieces,
        "pairs_done": progress.aligned or round(progress.done * progress.pairs),
        "pairs_per_second": round(pace.pairs_per_second, 1),
        "seconds_left": None if left is None else round(left, 1),
        "memory_bytes": progress.memory,
    }
    if progress.log_likelihood is not None:
        record |= {"log_likelihood": list(progress.log_likelihood), "log_likelihood_kind": list(progress.kind)}
    if progress.cost is not None:
        record |= {"pairs_projected": progress.cost.pairs, "pairs_unconverged": progress.cost.unconverged}
    if progress.quality is not None:
        record |= {"dev_area": progress.quality.area, "dev_aer": progress.quality.aer}
    return record
