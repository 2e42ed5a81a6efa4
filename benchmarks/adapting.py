"""Text that a model was not trained on, aligned in six ways: at once, after adapting to it, with the model as the
prior of a new one, after going on with it, trained along with all the rest, and by itself, without the model.

    python benchmarks/adapting.py DATA [--sets hu,ru,zh,czenali,sv,hansards:10000,kftt:10000] [--new 0] [--threads 2]

DATA holds corpora as corpora.py says; a number behind a name is how many lines of its training text are taken. The
new text is the development pairs and so many lines that follow them (``--new``); the model is trained on everything
else. Seconds are those of the whole program, or of both where there are two. Only development pairs are scored, so
that test pairs have no part in any choice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from corpora import Prepared, prepare
from measure import run
from options import names, size
from pralign import sample
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SETS = "hu,ru,zh,czenali,sv,hansards:10000,kftt:10000"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default=SETS)
    parser.add_argument("--new", type=int, default=0)
    parser.add_argument("--threads", default="2")
    options = parser.parse_args()
    run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "-q"])  # compile, if need be
    rows = []
    for name in options.sets:
        corpus, _, lines = name.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            prepared = prepare(options.data / corpus, size(lines or "all"), Path(folder))
            rows.append([corpus, *measured(prepared, Path(folder), options)])
    ways = ["at once", "adapted", "as a prior", "gone on", "trained along", "by itself"]
    header = ["", *(title for way in ways for title in (way, "seconds"))]
    say(table(header, rows))


def measured(corpus: Prepared, folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """AER and seconds of each way."""
    start, golds = corpus.golds["dev"]
    end = start + len(golds) + options.new
    for side, path in enumerate((corpus.source, corpus.target)):
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        for name, chosen in (("rest", [*lines[:start], *lines[end:]]), ("new", lines[start:end])):
            (folder / f"{name}.{side}").write_text("".join(f"{line}\n" for line in chosen), encoding="utf-8")
    flags = ["--threads", options.threads, "-q"]
    links, model, grown = (folder / name for name in ("links", "model", "grown"))
    run([*PRALIGN, "train", folder / "rest.0", folder / "rest.1", "--save", model, *flags])
    new = Prepared(folder / "new.0", folder / "new.1", end - start, 0, {"dev": (0, golds)})
    going_on = ["train", new.source, new.target, "--from", model, "--save", grown]
    for prepared, before, how in (
        (new, [], ["--load", model, "--no-adapt"]),
        (new, [], ["--load", model]),
        (new, [], ["--prior", model]),
        (new, going_on, ["--load", grown, "--no-adapt"]),
        (corpus, [], []),
        (new, [], []),
    ):
        seconds = run([*PRALIGN, *before, *flags]).seconds if before else 0.0
        seconds += run([*PRALIGN, "align", prepared.source, prepared.target, *how, "-o", links, *flags]).seconds
        yield f"{100 * prepared.scores(links)['dev'].aer:.2f}"
        yield f"{seconds:.1f}"


if __name__ == "__main__":
    main()
