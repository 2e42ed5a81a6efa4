"""A process that compiles kernels for another one: ``python -m pralign.kernels.helping``.

On its standard input come a directory in which kernels are claimed, the kernels as in ``signatures.txt``, and an empty
line. It writes a line for each that it has compiled. When its input ends, whoever started it has, and so does it.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading

from pralign.kernels.preparing import take
from pralign.kernels.signatures import read_entries


def main() -> None:
    """Compile what is asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it gets this too, and ends it
    claims = sys.stdin.readline().rstrip("\n")
    lines = iter(sys.stdin.readline, "\n")
    wanted = list(read_entries(line.rstrip("\n") for line in lines))
    threading.Thread(target=_end_with_input, daemon=True).start()
    gc.disable()  # it ends soon
    for each in take(wanted, claims):
        each.dispatcher.compile(each.types)
        print(each.kernel, flush=True)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
