"""What people see: one-line errors with exit codes, messages and progress, all on standard error."""

from __future__ import annotations

import functools
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from pralign.cli import INTERRUPTED
from pralign.errors import PralignError, UsageError
from pralign.text.outputs import silence_standard_output

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.training.progress import Listener, Progress

FAILED = 1
MISUSED = 2
# Models, constraints and ways to decode that need more kernels than others do, and where the largest are.
_SLOW_TO_COMPILE = {"ibm3": "climbing", "ibm4": "climbing", "itg": "itg"}


def say(message: str) -> None:
    """Print a message for people on standard error."""
    typer.echo(message, err=True)


def reporting_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command end with one clear line and the right exit code where it would end with a traceback."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:  # typer shows the docstring of the command itself
        try:
            with _logging_to_standard_error(quiet=bool(options.get("quiet"))):
                command(*arguments, **options)
                if sys.stdout is not None:
                    sys.stdout.flush()
        except UsageError as error:
            _stop(str(error), MISUSED)
        except PralignError as error:
            _stop(str(error), FAILED)
        except BrokenPipeError:
            silence_standard_output()
            _stop("standard output was closed before all was written", FAILED)
        except OSError as error:
            # Files are named where they are opened; what has no name was printed.
            silence_standard_output()
            _stop(f"{error.filename or 'standard output'}: cannot write: {error.strerror or error}", FAILED)
        except MemoryError:
            _stop("not enough memory; train on fewer or shorter pairs", FAILED)
        except KeyboardInterrupt:
            _stop("interrupted", INTERRUPTED)

    return run


def _stop(message: str, code: int) -> None:
    say(f"pralign: {message}")
    raise typer.Exit(code)


@contextmanager
def _logging_to_standard_error(quiet: bool) -> Iterator[None]:
    logger = logging.getLogger("pralign")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING if quiet else logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def training_progress(aligner: Aligner, quiet: bool) -> Iterator[Listener]:
    """A listener for training: a bar on a terminal, and in any case a line for each iteration."""
    if quiet:
        yield lambda progress: None
        return
    _announce_compiling(aligner)
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TimeRemainingColumn())
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=1.0)
        lines = _Lines(lambda line: bar.console.print(line, highlight=False, soft_wrap=True))

        def listen(progress: Progress) -> None:
            lines(progress)
            title = f"{progress.model} {progress.iteration}/{progress.iterations}"
            bar.update(task, description=title, completed=progress.done)

        yield listen


def _announce_compiling(aligner: Aligner) -> None:
    from pralign.kernels.compile import compiled_before

    slow = {_SLOW_TO_COMPILE[str(value)] for value in vars(aligner.settings).values() if str(value) in _SLOW_TO_COMPILE}
    if not compiled_before("hmm", *slow):
        time_it_takes = "a minute or so" if slow else "some seconds"
        say(f"compiling for this machine, on the first run only; this takes {time_it_takes}")


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
        title = f"{progress.model} {progress.iteration}/{progress.iterations}"
        self._write(f"{title}: {', '.join(parts)} ({now - self._began:.1f} s)")
        self._began = now
