"""The command line. Each command is a small file that parses its options, calls the library and prints."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; this is what the program ``pralign`` starts."""
    from pralign.cli.app import app
    from pralign.cli.console import INTERRUPTED

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", newline="\n")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
