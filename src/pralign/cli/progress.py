"""How far a run has come: a bar on a terminal, a line for each iteration, and a log for programs."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pralign.cli.console import say
from pralign.errors import OutputError

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.training.progress import Listener, Progress


@contextmanager
def training_progress(aligner: Aligner, quiet: bool, log: Path | None = None) -> Iterator[Listener]:
    """A listener for a run, which also writes a log if one is wanted.

    Raises:
        OutputError: The log cannot be written.
    """
    listeners: list[Listener] = []
    with ExitStack() as stack:
        pace = Pace()
        if log is not None:
            listeners.append(stack.enter_context(_json_log(log, pace)))
        if not quiet:
            listeners.append(stack.enter_context(_bar(pace)) if sys.stderr.isatty() else _Lines())

        def listen(progress: Progress) -> None:
            pace(progress)
            for listener in listeners:
                listener(progress)

        yield listen


class Pace:
    """How fast a run is, and how long it will still take if it goes on like this.

    Attributes:
        pairs_per_second: Sentence pairs a second, in the present iteration.
        seconds_left: To the end of all iterations, if known.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin now."""
        self.pairs_per_second = 0.0
        self.seconds_left: float | None = None
        self._clock = clock
        self._began = clock()
        self._took: dict[tuple[str, str], float] = {}  # the last iteration of each model

    def __call__(self, progress: Progress) -> None:
        """Look at the clock."""
        if progress.done == 0:
            self._began = self._clock()
        spent = self._clock() - self._began
        if progress.done > 0 and spent > 0:
            self.pairs_per_second = progress.pairs * progress.done / spent
            whole = self._took.get((progress.phase, progress.model), spent / progress.done)
            self.seconds_left = max(whole * (1 - progress.done), 0) + whole * progress.iterations_left
        if progress.ends:
            self._took[progress.phase, progress.model] = spent
            self._began = self._clock()


@contextmanager
def _bar(pace: Pace) -> Iterator[Listener]:
    from rich import progress as bars
    from rich.console import Console

    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TextColumn("{task.fields[figures]}"))
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0, figures="")
        lines = _Lines(lambda line: bar.console.print(line, highlight=False, markup=False, soft_wrap=True))

        def listen(progress: Progress) -> None:
            lines(progress)
            bar.update(task, description=_title(progress), completed=progress.done, figures=_figures(progress, pace))

        yield listen


def _title(progress: Progress) -> str:
    if progress.phase == "compile":
        return "compiling"
    if progress.phase == "align":
        return "aligning"
    return f"{progress.model} {progress.iteration}/{progress.iterations}"


def _figures(progress: Progress, pace: Pace) -> str:
    """How far, how fast, how long and how much, for a bar."""
    if progress.phase == "compile":
        return f"{progress.shards_done} of {progress.shards}"
    figures = [f"shard {progress.shards_done}/{progress.shards}"]
    if progress.pieces_done:
        figures = [f"lexicon {progress.pieces_done}/{progress.pieces}"]
    if pace.pairs_per_second:
        figures.append(f"{pace.pairs_per_second:,.0f} pairs/s")
    if pace.seconds_left is not None:
        minutes, seconds = divmod(round(pace.seconds_left), 60)
        figures.append(f"{minutes}:{seconds:02} left")
    if progress.memory:
        figures.append(f"{progress.memory / 1e9:.2f} GB")
    return ", ".join(figures)


class _Lines:
    """Prints a line when an iteration ends."""

    def __init__(self, write: Callable[[str], None] = say) -> None:
        self._write = write
        self._began = time.perf_counter()

    def __call__(self, progress: Progress) -> None:
        if progress.log_likelihood is None:
            return
        now = time.perf_counter()
        forward, reverse = progress.log_likelihood
        parts = [f"log-likelihood {forward:.1f} forward, {reverse:.1f} reverse"]
        if (cost := progress.cost) is not None:
            pairs = max(cost.pairs, 1)
            parts.append(f"mean KL {cost.divergence / pairs:.4f}")
            parts.append(f"projections per pair {cost.calls / pairs:.2f}")
            parts.append(f"not converged {cost.unconverged / pairs:.3%}")
        if (quality := progress.quality) is not None:
            parts += [f"dev area {quality.area:.4f}", f"dev AER {100 * quality.aer:.2f} %"]
        if progress.kept is not None:
            parts.append(f"no better than iteration {progress.kept}, which is kept")
        self._write(f"{_title(progress)}: {', '.join(parts)} ({now - self._began:.1f} s)")
        self._began = now


@contextmanager
def _json_log(path: Path, pace: Pace) -> Iterator[Listener]:
    """A listener that adds a line of JSON to a file for whatever happens; messages for people go there too."""
    try:
        # Names of files may be no text, and are written as they can be.
        stream = path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror or error}") from error
    log = _JsonLog(stream, path)
    logger = logging.getLogger("pralign")
    logger.addHandler(log)
    try:
        log.write("start")
        yield lambda progress: log.write(*_record(progress, pace))
        log.write("end")
    except BaseException as error:
        log.write("failed", {"because": str(error) or type(error).__name__})
        raise
    finally:
        logger.removeHandler(log)
        log.close()


def _record(progress: Progress, pace: Pace) -> tuple[str, dict[str, Any]]:
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
        "pairs_per_second": round(pace.pairs_per_second, 1),
        "seconds_left": None if left is None else round(left, 1),
        "memory_bytes": progress.memory,
    }
    if progress.log_likelihood is None:
        return "progress", record
    record["log_likelihood"] = list(progress.log_likelihood)
    if progress.quality is not None:
        record |= {"dev_area": progress.quality.area, "dev_aer": progress.quality.aer}
    return "iteration", record


class _JsonLog(logging.Handler):
    """Writes what happens as lines of JSON, each with the time.

    A log that cannot be written any more is no reason to end a run: this is said once, and no more is written.
    """

    def __init__(self, stream: IO[str], path: Path) -> None:
        super().__init__(logging.INFO)
        self._stream = stream
        self._path = path
        self._fails = False

    def write(self, event: str, record: dict[str, Any] | None = None) -> None:
        """Write one line."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "event": event, **(record or {})}, ensure_ascii=False) + "\n"
        with self._giving_up():
            if not self._fails:
                self._stream.write(line)

    def close(self) -> None:
        """Write what is left."""
        with self._giving_up():
            self._stream.close()
        super().close()

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if not self._fails:
                say(f"{self._path}: cannot write any more of the log: {error.strerror or error}; the run goes on")
            self._fails = True

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message for people."""
        self.write("message", {"level": record.levelname.lower(), "text": record.getMessage()})
