"""What people see: one-line errors with exit codes, messages and progress, all on standard error."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from pralign.cli.interrupts import exit_code, say_goodbye
from pralign.errors import PralignError, UsageError
from pralign.outputs import silence_standard_output

FAILED = 1
MISUSED = 2


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
            say_goodbye()
            raise typer.Exit(exit_code()) from None

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
