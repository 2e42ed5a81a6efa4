"""What people see: results on standard output; one-line errors with exit codes, messages and progress beside it.

All that comes from outside (names of files, words, settings) is escaped on its way to a terminal.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

import typer

from pralign.characters import escaped
from pralign.cli.interrupts import exit_code, say_goodbye, why
from pralign.cli.manual.classes import HelpedGroup
from pralign.errors import PralignError, UsageError
from pralign.outputs import ReaderGoneError, open_output, silence_standard_output
from pralign.text.files import reason

FAILED = 1
MISUSED = 2
UNREAD = 141  # 128 + SIGPIPE, as of programs that end when nobody reads them any more

# Typer brings its own click or takes the one that is installed; this is what both raise for options that are wrong.
_Misuse = cast(type[Exception], typer.BadParameter.__mro__[1])
_EXPECTED = (PralignError, OSError, MemoryError, KeyboardInterrupt)

logger = logging.getLogger("pralign")


@dataclass
class _Manner:
    """How the present command talks to people, and who wants to know how it ends."""

    stamped: bool = False
    silent: bool = False
    endings: list[Callable[[str, int], None]] = field(default_factory=list)

    def begin(self, stamped: bool) -> None:
        """Forget the command before."""
        self.stamped, self.silent, self.endings = stamped, False, []


_manner = _Manner()


def say(message: str) -> None:
    """Print a message for people on standard error, in one line."""
    if not _manner.silent:
        typer.echo(stamped(escaped(message)), err=True)


def note(message: str) -> None:
    """Tell people something that they may like to know; ``--quiet`` leaves it out, ``--log-json`` keeps it."""
    logger.info("%s", message)


def stamped(line: str) -> str:
    """A line with the time before it, if that is wanted."""
    return f"{datetime.now().astimezone().isoformat(timespec='seconds')} {line}" if _manner.stamped else line


def is_silent() -> bool:
    """Whether standard error is for programs."""
    return _manner.silent


def be_silent() -> None:
    """Leave standard error to programs, till the command ends."""
    _manner.silent = True


def at_end(hook: Callable[[str, int], None]) -> None:
    """Have ``hook`` called when the command ends, with why it failed, if it did, and the exit code."""
    _manner.endings.append(hook)


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
        _manner.begin(stamped=bool(options.get("timestamps")))
        message, code, ended = "", 0, False
        with messages_shown(quiet=bool(options.get("quiet"))):
            try:
                command(*arguments, **options)
            except typer.Exit as end:
                code = end.exit_code
            except _EXPECTED as error:
                message, code = _verdict(error)
                ended = isinstance(error, KeyboardInterrupt)
            except BaseException as error:
                _end(type(error).__name__, FAILED)
                raise
            _end(message, code)
        if ended:
            say_goodbye(aloud=not _manner.silent)
        elif message:
            say(f"pralign: {message}")
        if code:
            raise typer.Exit(code)

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
    except BrokenPipeError:  # help that nobody reads to its end
        silence_standard_output()
        raise typer.Exit(UNREAD) from None


def _verdict(error: BaseException) -> tuple[str, int]:
    """What to say of a failure, if anything, and the exit code."""
    match error:
        case UsageError():
            return str(error), MISUSED
        case PralignError():
            return str(error), FAILED
        case ReaderGoneError(alone=True):
            return "", UNREAD
        case BrokenPipeError():
            return "standard output was closed before all was written; the other results are not written either", FAILED
        case OSError():
            return _explained(error), FAILED
        case MemoryError():
            return "not enough memory; train on fewer or shorter pairs", FAILED
    return why(), exit_code()


def _end(message: str, code: int) -> None:
    for hook in _manner.endings:
        hook(message, code)


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


class _Messages(logging.Handler):
    """Says what the library has to say, a line each."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@contextmanager
def messages_shown(quiet: bool = False) -> Iterator[None]:
    """Show what the library and commands have to say, or only warnings."""
    handler = _Messages(logging.WARNING if quiet else logging.INFO)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
