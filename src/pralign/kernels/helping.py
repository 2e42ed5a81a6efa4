"""A process that compiles kernels for another one: ``python -m pralign.kernels.helping DIRECTORY``.

The directory is the one that compiled code is to be written to. The process writes a line to ask for a kernel, reads
one as in ``signatures.txt``, compiles it, and asks again. It ends with its input: when there is nothing more to do, or
nobody any more who wants it.
"""

from __future__ import annotations

import gc
import signal
import sys

from pralign.kernels.cache import own_directory
from pralign.kernels.signatures import read_entries


def main() -> None:
    """Compile what is asked for."""
    if sys.argv[1:] != [str(own_directory())]:  # whoever started it compiles in another way, or elsewhere
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it gets this too, and ends it
    gc.disable()  # it ends soon
    print(flush=True)
    for each in read_entries(line.rstrip("\n") for line in iter(sys.stdin.readline, "")):
        each.dispatcher.compile(each.types)
        print(flush=True)


if __name__ == "__main__":
    main()
