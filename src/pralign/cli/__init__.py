"""The command line. Each command is a small file that parses its options, calls the library and prints."""

from __future__ import annotations

import gc
import sys

from pralign import cleanup
from pralign.cli.interrupts import ignore_interrupts, interrupted, leave, listen_for_interrupts
from pralign.cli.standard_error import forgive_standard_error
from pralign.memory import keep_memory


def main() -> None:
    """Run the command line; this is what the program ``pralign`` starts."""
    listen_for_interrupts()
    keep_memory()
    forgive_standard_error()
    try:
        from pralign.cli.app import app

        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="\n")
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
        from pralign.characters import escaped
        from pralign.outputs import silence_standard_output

        silence_standard_output()
        place = "standard output: cannot write" if error.filename is None else escaped(str(error.filename))
        sys.exit(f"pralign: {place}: {error.strerror or error}")
    finally:
        ignore_interrupts()
        cleanup.remove_all()
        gc.freeze()  # or Python looks through all objects once more before it ends, which takes a third of a second
