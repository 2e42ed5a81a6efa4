"""How long the first run takes on a machine that has compiled nothing, and how long later ones take.

    python benchmarks/starting.py [SRC TGT] [--pairs 1000] [--times 3]

Each command is run with an empty cache of compiled code, and then again. Without files, the bundled sample is repeated
until there are enough pairs. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from pralign import Bitext, sample

COMMANDS = {
    "align": [],
    "align --preset best": ["--preset", "best"],
    "align --model ibm4": ["--model", "ibm4"],
    "align --model hmm --constraint symmetric": ["--model", "hmm", "--constraint", "symmetric"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="SRC TGT", help="text to align")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--times", type=int, default=3, help="how often each command is run again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_text(Path(folder), given.files or [sample.SOURCE, sample.TARGET], given.pairs)
        print(f"{'':42}{'first':>8}{'later':>8}  seconds")
        for name, options in COMMANDS.items():
            cache = Path(folder, "cache", name.replace(" ", "_"))
            first = seconds(Path(folder), cache, options)
            later = min(seconds(Path(folder), cache, options) for _ in range(given.times))
            print(f"{name:42}{first:8.1f}{later:8.2f}", flush=True)


def write_text(folder: Path, files: list[str], pairs: int) -> None:
    chosen = list(islice(cycle(Bitext.read(*files)), pairs))
    for name, side in (("source", 0), ("target", 1)):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in chosen), "utf-8")


def seconds(folder: Path, cache: Path, options: list[str]) -> float:
    command = [sys.executable, "-m", "pralign", "align", "source", "target", "-q", "-o", "links", *options]
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, env={**os.environ, "PRALIGN_CACHE": str(cache)}, check=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
