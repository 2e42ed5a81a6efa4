"""How fast files that hold both sides are read, and in how much memory.

    python benchmarks/reading.py [--size 2G] [--kinds tmx] [--scratch DIRECTORY]

Of each kind (tmx, xliff, csv, jsonl, parquet), a file of about that size is made of invented sentences, and read by
``Bitext.read`` in a process of its own, which does nothing else. Megabytes are those of the file, a million bytes each,
and memory is the peak of that process.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measure import run
from pralign.memory import parse_size
from pralign.text.bitext import Bitext
from tables import say, table

HEADER = ("kind", "megabytes", "pairs", "seconds", "MB/s", "MB/s of the processor", "megabytes of memory")
COLUMNS = {"xliff": None}
PIECE = 2000  # units that are repeated

Pairs = list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="2G")
    parser.add_argument("--kinds", default="tmx", help="with commas between them")
    parser.add_argument("--scratch", type=Path, help="where the files are made and removed")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    size = parse_size(options.size)
    if options.make is not None:
        write(options.make.suffix[1:], options.make, size)
    elif options.read is not None:
        read(options.read)
    else:
        with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
            say(table(HEADER, [measured(kind, size, Path(folder)) for kind in options.kinds.split(",")]))


def read(path: Path) -> None:
    """Read a file, and say how many pairs it has and how long that took the processor."""
    pairs = sum(1 for _ in Bitext.read(path, columns=COLUMNS.get(path.suffix[1:], "en,fr")))
    print(pairs, time.process_time())


def measured(kind: str, size: int, folder: Path) -> tuple[str, ...]:
    """What reading a file of a kind takes. All is done by others, since a process inherits the peak of its parent."""
    path = folder / f"pairs.{kind}"
    run([sys.executable, __file__, "--make", path, "--size", str(size)])
    megabytes = path.stat().st_size / 1e6
    seconds, gigabytes, output = run([sys.executable, __file__, "--read", path])
    path.unlink()
    pairs, of_processor = output.split()
    speeds = (f"{megabytes / each:.1f}" for each in (seconds, float(of_processor)))
    return (kind, f"{megabytes:,.0f}", f"{int(pairs):,}", f"{seconds:.1f}", *speeds, f"{1000 * gigabytes:.0f}")


def write(kind: str, path: Path, size: int) -> None:
    """Make a file of about so many bytes."""
    pairs = sentences(PIECE)
    if kind == "parquet":
        write_parquet(path, pairs, size)
        return
    head, piece, tail = PARTS[kind](pairs)
    with path.open("wb") as stream:
        stream.write(head.encode())
        block = piece.encode()
        for _ in range(max(1, size // len(block))):
            stream.write(block)
        stream.write(tail.encode())


def sentences(count: int) -> Pairs:
    """Invented pairs of some twenty words, always the same."""
    numbers = random.Random(1)
    words = ["".join(numbers.choices("abcdefghilmnoprstuéèà", k=numbers.randint(2, 9))) for _ in range(5000)]

    def sentence() -> str:
        return " ".join(numbers.choices(words, k=numbers.randint(4, 36))).capitalize() + "."

    return [(sentence(), sentence()) for _ in range(count)]


def tmx(pairs: Pairs) -> tuple[str, str, str]:
    """A translation memory, as programs write it: indented, with properties, and codes in every fourth text."""
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
        '  <header srclang="en" segtype="sentence"/>\n  <body>\n'
    )
    return head, "".join(units(pairs)), "  </body>\n</tmx>\n"


def units(pairs: Pairs) -> Iterator[str]:
    for number, (source, target) in enumerate(pairs):
        if number % 4 == 0:
            first, rest = source.split(" ", 1)
            source = f'<bpt i="1">&lt;b&gt;</bpt>{first}<ept i="1">&lt;/b&gt;</ept> &amp; {rest}'
        yield (
            f'    <tu tuid="{number}" creationdate="20200229T120000Z">\n      <prop type="domain">made up</prop>\n'
            f'      <tuv xml:lang="en-GB">\n        <seg>{source}</seg>\n      </tuv>\n'
            f'      <tuv xml:lang="fr-FR">\n        <seg>{target}</seg>\n      </tuv>\n    </tu>\n'
        )


def xliff(pairs: Pairs) -> tuple[str, str, str]:
    """A translation file of version 1.2."""
    head = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file><body>\n'
    piece = "".join(
        f'<trans-unit id="{number}"><source>{source}</source><target>{target}</target></trans-unit>\n'
        for number, (source, target) in enumerate(pairs)
    )
    return head, piece, "</body></file></xliff>\n"


def comma_separated(pairs: Pairs) -> tuple[str, str, str]:
    """A table with a header, every fourth field of which is in quotes."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for number, (source, target) in enumerate(pairs):
        writer.writerow([number, f"{source}, again" if number % 4 == 0 else source, target])
    return "id,en,fr\n", stream.getvalue(), ""


def json_lines(pairs: Pairs) -> tuple[str, str, str]:
    """Objects as data sets have them."""
    lines = ({"id": number, "translation": {"en": en, "fr": fr}} for number, (en, fr) in enumerate(pairs))
    return "", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), ""


PARTS = {"tmx": tmx, "xliff": xliff, "csv": comma_separated, "jsonl": json_lines}


def write_parquet(path: Path, pairs: Pairs, size: int) -> None:
    """A table in one group of rows, as if somebody had all of it in memory."""
    import pyarrow as arrow
    from pyarrow import parquet

    times = max(1, size // sum(len(source.encode()) + len(target.encode()) + 16 for source, target in pairs))
    source, target = ([f"{text} {k}" for k in range(times) for text in side] for side in zip(*pairs, strict=True))
    columns = {"id": list(range(len(source))), "en": source, "fr": target}
    parquet.write_table(arrow.table(columns), path, row_group_size=len(source), compression="none")


if __name__ == "__main__":
    main()
