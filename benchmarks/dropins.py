"""What scripts get that call eflomal: from eflomal itself, and from pralign in its place.

    python benchmarks/dropins.py DATA [--sets hansards czenali kftt] [--size 10000] [--eflomal PYTHON]

``eflomal_calls.py`` is run with both. AER is that of the labelled development pairs, after ``pralign-atools``. *Told
apart* is the probability that a pair of the text has a lower score (forward and reverse together) than one whose target
side belongs to another. ``PYTHON`` is the interpreter of an environment that has eflomal; without it, its rows are
left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from corpora import Prepared, prepare
from pralign.dropins.linking import module_path

HEURISTICS = ("grow-diag-final-and", "intersect")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=["hansards", "czenali", "kftt"])
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--eflomal", type=Path)
    given = parser.parse_args()
    print("| text | what answers | calls | grow-diag-final-and | intersect | told apart |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for name in given.sets:
        with tempfile.TemporaryDirectory() as folder:
            text = prepare(given.data / name, given.size, Path(folder))
            for row in rows(name, text, given.eflomal, Path(folder)):
                print(f"| {' | '.join(row)} |", flush=True)


def rows(name: str, text: Prepared, python: Path | None, folder: Path) -> Iterator[list[str]]:
    """The rows of one text."""
    on_path = os.pathsep.join(filter(None, [str(module_path()), os.environ.get("PYTHONPATH")]))
    standing_in = os.environ | {"PYTHONPATH": on_path}
    itself = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for label, interpreter, environment in (("eflomal", python, itself), ("pralign", sys.executable, standing_in)):
        if interpreter is None:
            continue
        place = folder / label
        place.mkdir()
        calls = Path(__file__).with_name("eflomal_calls.py")
        command = [interpreter, calls, text.source, text.target, place]
        subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
        for links, calling in (("all", "all of it"), ("parts", "two parts, priors")):
            errors = [f"{error(text, place, links, heuristic):.2f}" for heuristic in HEURISTICS]
            yield [name, label, calling, *errors, f"{told_apart(place):.3f}" if links == "parts" else ""]


def error(text: Prepared, place: Path, links: str, heuristic: str) -> float:
    """The AER of the development pairs, in hundredths."""
    files = ["-i", place / f"{links}.fwd", "-j", place / f"{links}.rev"]
    command = [sys.executable, "-m", "pralign.dropins.atools", *files, "-c", heuristic]
    combined = place / "combined"
    with combined.open("wb") as stream:
        subprocess.run(command, stdout=stream, check=True)
    return 100 * text.scores(combined)["dev"].aer


def told_apart(place: Path) -> float:
    """The probability that a right pair has a better score than a wrong one."""
    sides = [[float(line) for line in (place / f"scores.{way}").read_text().split()] for way in ("fwd", "rev")]
    scores = [sum(pair) for pair in zip(*sides, strict=True)]
    right, wrong = scores[: len(scores) // 2], scores[len(scores) // 2 :]
    return sum((a < b) + 0.5 * (a == b) for a in right for b in wrong) / len(right) / len(wrong)


if __name__ == "__main__":
    main()
