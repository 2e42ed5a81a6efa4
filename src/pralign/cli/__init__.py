"""The command line. Each command is a small file that parses its options, calls the library and prints."""

from __future__ import annotations

import os
import sys

from pralign.cli.interrupts import ignore_interrupts, interrupted, leave, listen_for_interrupts
from pralign.memory import keep_memory


def main() -> None:
    """Run the command line; this is what the program ``pralign`` starts."""
    listen_for_interrupts()
    keep_memory()
    if sys.stderr is None:  # closed by whoever started the program
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    try:
        from pralign.cli.app import app

        for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors=errors, newline="\n")
        app()
    except KeyboardInterrupt:
        leave()
    except SystemExit as end:
        if end.code and interrupted():  # others have answered the signal in their own way
            leave()
        raise
    except OSError as error:  # help or version that nobody can read
        if interrupted():
            leave()
        from pralign.text.outputs import silence_standard_output

        silence_standard_output()
        sys.exit(f"pralign: standard output: cannot write: {error.strerror or error}")
    finally:
        ignore_interrupts()
