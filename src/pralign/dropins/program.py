"""How a drop-in is run: its options, its messages and its exit code are those that callers of the original expect."""

from __future__ import annotations

import getopt
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from pralign.characters import escaped
from pralign.errors import PralignError, UsageError
from pralign.outputs import ReaderGoneError, silence_standard_output

FAILED = 1
UNREAD = 141

Work = Callable[[Sequence[str]], int]
#: Short options with their long names; the value says whether an argument follows.
Options = Mapping[str, tuple[str, bool]]


def start(name: str, work: Work) -> None:
    """Run a drop-in as a program of its own: with the arguments of the command line, and signals as everywhere."""
    from pralign import cleanup
    from pralign.cli.interrupts import ignore_interrupts, interrupted, leave, listen_for_interrupts
    from pralign.cli.standard_error import forgive_standard_error
    from pralign.memory import keep_memory

    listen_for_interrupts()
    keep_memory()
    forgive_standard_error()
    try:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="\n")
        sys.exit(run(name, work, sys.argv[1:]))
    except KeyboardInterrupt:
        leave()
    except SystemExit as end:
        if end.code and interrupted():
            leave()
        raise
    finally:
        ignore_interrupts()
        cleanup.remove_all()


def run(name: str, work: Work, arguments: Sequence[str]) -> int:
    """Do the work, and say in one line why it fails if it does; the exit code."""
    from pralign.cli.console import messages_shown

    try:
        with messages_shown(quiet=True):
            return work(arguments)
    except ReaderGoneError:
        return UNREAD
    except (PralignError, MemoryError) as error:
        tell(name, str(error) or "not enough memory")
    except BrokenPipeError:
        silence_standard_output()
        return UNREAD
    except OSError as error:
        tell(name, f"{error.filename or 'the system failed'}: {error.strerror or error}")
    return FAILED


def tell(name: str, message: str) -> None:
    """Say something on standard error, in one line, with the name of the program."""
    print(escaped(f"{name}: {message}"), file=sys.stderr, flush=True)


def parse(arguments: Sequence[str], options: Options) -> tuple[list[tuple[str, str]], list[str]]:
    """The options in the order given, each by its short name, as ``getopt_long`` of C understands them, and the rest.

    Raises:
        UsageError: There is no such option, or its argument is missing.

    Example:
        >>> parse(["--input", "a", "b", "-dv"], {"i": ("input", True), "d": ("diagonal", False), "v": ("", False)})
        ([('i', 'a'), ('d', ''), ('v', '')], ['b'])
    """
    short = "".join(f"{letter}:" if takes else letter for letter, (_, takes) in options.items())
    long = [f"{word}=" if takes else word for word, takes in options.values() if word]
    letters = {word: letter for letter, (word, _) in options.items()}
    try:
        found, rest = getopt.gnu_getopt(list(arguments), short, long)
    except getopt.GetoptError as error:
        raise UsageError(str(error)) from None
    return [(letters[name[2:]] if name.startswith("--") else name[1:], value) for name, value in found], rest


def number(text: str, option: str) -> float:
    """The number that an option was given.

    Raises:
        UsageError: It is none.
    """
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{option} takes a number, not {text}") from None


def tell_unused(name: str, unused: Sequence[str], why: str) -> None:
    """Name options that change nothing, all with the same reason in one line."""
    if unused:
        verb = "has" if len(unused) == 1 else "have"
        tell(name, f"{', '.join(unused)} {verb} no effect: {why}")


def tell_ignored(name: str, operands: Sequence[str]) -> None:
    """Name what belongs to no option, which the originals take no notice of."""
    tell_unused(name, operands, "no option takes it" if len(operands) == 1 else "no option takes them")


def threads() -> int | None:
    """How many threads work: as many as OpenMP programs are told to use, few in a pool of processes, or all.

    The originals are such programs, so their callers bound them so. Links do not depend on it.
    """
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    import multiprocessing

    return min(2, os.cpu_count() or 1) if multiprocessing.current_process().daemon else None
