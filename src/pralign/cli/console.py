"""What people see: results on standard output; one-line errors with exit codes, messages and progress beside it.

All that comes from outside (names of files, words, settings) is escaped on its way to a terminal.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import typer

from pralign.characters import escaped
from pralign.cli.interrupts import exit_code, say_goodbye
from pralign.cli.manual.classes import HelpedGroup
from pralign.errors import PralignError, UsageError
from pralign.outputs import open_output, silence_standard_output
from pralign.text.files import reason

FAILED = 1
MISUSED = 2

# Typer brings its own click or takes the one that is installed; this is what both raise for options that are wrong.
_Misuse = cast(type[Exception], typer.BadParameter.__mro__[1])


def say(message: str) -> None:
    """Print a message for people on standard error, in one line."""
    typer.echo(escaped(message), err=True)


def tell(text: str) -> None:
    """Print a result for people on standard output; words in it must have been made fit for that.

    Raises:
        OutputError: It cannot be written.
    """
    with open_output(None) as stream:
        stream.write(f"{text}\n")


def reporting_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command end with one clear line and the right exit code where it would end with a traceback."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:  # typer shows the docstring of the command itself
        try:
            with _logging_to_standard_error(quiet=bool(options.get("quiet"))):
                command(*arguments, **options)
        except UsageError as error:
            _stop(str(error), MISUSED)
        except PralignError as error:
            _stop(str(error), FAILED)
        except BrokenPipeError:
            silence_standard_output()
            _stop("standard output was closed before all was written", FAILED)
        except OSError as error:
            _stop(_explained(error), FAILED)
        except MemoryError:
            _stop("not enough memory; train on fewer or shorter pairs", FAILED)
        except KeyboardInterrupt:
            say_goodbye()
            raise typer.Exit(exit_code()) from None

    return run


class Commands(HelpedGroup):
    """A group of commands that shows wrong options and arguments escaped."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the options of the program."""
        with _escaping_misuse():
            return super().make_context(*arguments, **options)

    def invoke(self, context: Any) -> Any:
        """Parse the options of a command, and run it."""
        with _escaping_misuse():
            return super().invoke(context)


@contextmanager
def _escaping_misuse() -> Iterator[None]:
    try:
        yield
    except _Misuse as error:
        error.message = escaped(error.message)  # type: ignore[attr-defined]
        raise


def _stop(message: str, code: int) -> None:
    say(f"pralign: {message}")
    raise typer.Exit(code)


def _explained(error: OSError) -> str:
    """What the system refused to do. Failures to read and write are named where that is done; this is for the rest."""
    if error.filename is not None:
        names = [str(name) for name in (error.filename, error.filename2) if name is not None]
        return f"{' and '.join(names)}: cannot be used: {reason(error)}"
    try:
        os.getcwd()  # noqa: PTH109 -- to look whether it is there
    except OSError:
        return "the working directory does not exist any more; change to another one"
    return f"the system failed: {reason(error)}"


class _OneLine(logging.Formatter):
    """A message of the library in one line, escaped."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(record.getMessage())


@contextmanager
def _logging_to_standard_error(quiet: bool) -> Iterator[None]:
    logger = logging.getLogger("pralign")
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING if quiet else logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
