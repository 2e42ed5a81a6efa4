"""Whether ``pralign plan`` keeps its word: what it says of memory and time beside what a run then takes.

    python benchmarks/planning.py DATA [--sets hansards:10000,hansards:all,czenali:all,kftt:100000]
        [--presets fast,default,best] [--memory 600M] [--threads 2]

DATA has corpora laid out as corpora.py says. Each is planned for and then aligned at once, so that both see the same
machine; nothing else should run meanwhile. Disk is the most that lay in the scratch directory when somebody looked.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from corpora import Prepared, prepare
from measure import Measured, run
from options import names, positive, size
from pralign import sample
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
HEADER = [
    "",
    "preset",
    "pairs",
    "planned in",
    "seconds",
    "planned",
    "ratio",
    "GB",
    "planned",
    "ratio",
    "disk",
    "planned",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default="hansards:10000,hansards:100000,czenali:all,kftt:100000")
    parser.add_argument("--presets", type=names, default="default")
    parser.add_argument("--memory", help="a bound for all runs")
    parser.add_argument("--threads", type=positive, default=2)
    parser.add_argument("--scratch", type=Path, help="where large files go")
    options = parser.parse_args()
    for preset in options.presets:
        run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "-q", "--preset", preset])  # compile first
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        say(table(HEADER, rows(options, Path(folder))))


def rows(options: argparse.Namespace, folder: Path) -> Iterator[list[str]]:
    """A row a set and preset."""
    for name in options.sets:
        directory, _, lines = name.partition(":")
        corpus = prepare(options.data / directory, size(lines or "all"), folder)
        for preset in options.presets:
            yield compared(name, corpus, preset, options, folder)


def compared(name: str, corpus: Prepared, preset: str, options: argparse.Namespace, folder: Path) -> list[str]:
    """Plan, run, and put both side by side."""
    flags = ["--preset", preset, "--threads", str(options.threads)]
    flags += ["--memory", options.memory] if options.memory else []
    files = [corpus.source, corpus.target]
    planning = run([*PRALIGN, "plan", *files, *flags, "--engine", "threads", "--json"])
    chosen: dict[str, Any] = json.loads(planning.output)["chosen"]
    taken, disk = aligned([*PRALIGN, "align", *files, *flags, "-q", "-o", folder / "links"], folder / "scratch")
    row = [
        name,
        preset,
        f"{corpus.pairs:,}",
        f"{planning.seconds:.1f}",
        f"{taken.seconds:.1f}",
        f"{chosen['seconds']:.1f}",
        f"{chosen['seconds'] / taken.seconds:.2f}",
        f"{taken.gigabytes:.2f}",
        f"{chosen['memory'] / 1e9:.2f}",
        f"{chosen['memory'] / 1e9 / taken.gigabytes:.2f}",
        f"{disk / 1e9:.2f}",
        f"{chosen['disk'] / 1e9:.2f}",
    ]
    print(*row, sep="\t", file=sys.stderr, flush=True)
    return row


def aligned(command: list[str | Path], scratch: Path) -> tuple[Measured, int]:
    """What a command takes, and the most that it has in files."""
    scratch.mkdir(exist_ok=True)
    seen, ended = [0], threading.Event()

    def look() -> None:
        while not ended.wait(0.2):
            seen.append(bytes_in(scratch))

    watch = threading.Thread(target=look)
    watch.start()
    try:
        taken = run([*command, "--scratch", scratch])
    finally:
        ended.set()
        watch.join()
    return taken, max(seen)


def bytes_in(folder: Path) -> int:
    """How many bytes the files below a directory have, some of which may vanish meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total


if __name__ == "__main__":
    main()
