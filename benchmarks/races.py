"""Processes that save models to one name, and others that load it, all at once: python benchmarks/races.py."""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pralign import Aligner
from pralign.errors import PralignError

# Models that differ in everything: words, tables and sizes.
TEXTS = [[(f"a{n} b{k}", f"x{n} y{k}") for k in range(1 + 3 * n)] for n in range(4)]


def models() -> Iterator[Aligner]:
    for pairs in TEXTS:
        yield Aligner(model="ibm1", threads=1).fit(pairs)


def save(place: Path, number: int, times: int, told: multiprocessing.SimpleQueue[tuple[str, str]]) -> None:
    aligner = Aligner(model="ibm1", threads=1).fit(TEXTS[number])
    for _ in range(times):
        try:
            aligner.save(place)
            told.put(("saved", ""))
        except Exception as error:
            told.put(("not saved", repr(error)))


def load(place: Path, times: int, told: multiprocessing.SimpleQueue[tuple[str, str]]) -> None:
    known = {aligner.vocabularies_["source"].words[0]: aligner for aligner in models()}
    for _ in range(times):
        try:
            aligner = Aligner.load(place, threads=1)
        except PralignError as error:
            told.put(("not loaded", str(error)))
            continue
        expected = known[aligner.vocabularies_["source"].words[0]]
        same = aligner.vocabularies_["target"].words == expected.vocabularies_["target"].words and all(
            aligner.translations(word) == expected.translations(word) for word in expected.vocabularies_["source"].words
        )
        told.put(("loaded" if same else "mixed", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="saves and loads, each")
    options = parser.parse_args()
    told: multiprocessing.SimpleQueue[tuple[str, str]] = multiprocessing.SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "m"
        next(models()).save(place)
        share = options.times // len(TEXTS)
        processes = [multiprocessing.Process(target=save, args=(place, n, share, told)) for n in range(len(TEXTS))]
        processes += [multiprocessing.Process(target=load, args=(place, options.times // 2, told)) for _ in range(2)]
        began = time.perf_counter()
        for process in processes:
            process.start()
        counts: dict[str, int] = {}
        for _ in range(share * len(TEXTS) + options.times // 2 * 2):
            what, why = told.get()
            counts[what] = counts.get(what, 0) + 1
            if why:
                print(what, why)
        for process in processes:
            process.join()
        left = [path.name for path in Path(folder).iterdir() if path != place]
        print(f"{counts}; left behind: {left or 'nothing'}; {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
