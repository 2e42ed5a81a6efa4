"""The choice of the presets: candidates on the development sets of several languages, beside eflomal.

    python benchmarks/presets.py DATA [--sets hu,ru,...] [--group presets] [--peers]

DATA has a directory a corpus, laid out as corpora.py says; ``hansards:10000`` has so many lines of training text.
Only development pairs are scored, so that test pairs have no part in any choice. Groups of candidates: presets,
iterations, estimators, looks, relatives, constraint. A cell holds AER, seconds and memory, and a star where a paired
bootstrap tells it from the preset ``default`` (p < 0.05); the last column is the mean AER. With --peers, eflomal and
fast_align are beside them, as far as they are installed. With --check, also whether results depend on threads, or on
saving and loading.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from corpora import Prepared, prepare
from measure import Measured, run
from options import names, size
from pralign import sample
from pralign.evaluation import paired_bootstrap
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SYMMETRIC = ["--preset", "default", "--constraint", "symmetric"]
AGREEMENT = ["--preset", "default", "--constraint", "agreement"]
BIJECTIVE = ["--preset", "default", "--constraint", "bijective"]
AFTERWARDS = ["--no-project-at-decode"]

Candidates = dict[str, list[str]]

GROUPS: dict[str, Candidates] = {
    "presets": {name: ["--preset", name] for name in ("fast", "default", "best")},
    "iterations": {
        stages: ["--preset", "default", "--iterations", stages]
        for stages in ("ibm1=2,fhmm=4", "ibm1=2,fhmm=5", "ibm1=3,fhmm=5", "ibm1=3,fhmm=8", "ibm1=5,fhmm=6")
    },
    "estimators": {
        f"{model}, {estimator}": ["--model", model, "--estimator", estimator]
        for model in ("ibm1", "ibm2", "hmm", "fhmm")
        for estimator in ("em", "vb", "collapsed")
    },
    "looks": {strength: ["--preset", "default", "--lookalikes", strength] for strength in ("0", "0.3", "1", "3", "5")},
    "relatives": {
        strength: ["--preset", "default", "--relatives", strength] for strength in ("0", "1", "2.5", "5", "8")
    },
    "constraint": {
        "none": ["--preset", "default"],
        "every iteration": [*SYMMETRIC, *AFTERWARDS],
        "from the third on": [*SYMMETRIC, "--constraint-from", "3", *AFTERWARDS],
        "the last two": [*SYMMETRIC, "--constraint-from", "5", *AFTERWARDS],
        "the last two, and when aligning": [*SYMMETRIC, "--constraint-from", "5"],
        "the last": [*SYMMETRIC, "--constraint-from", "6", *AFTERWARDS],
        "only when aligning": [*SYMMETRIC, "--constraint-from", "99"],
        "the last two, slack 1": [*SYMMETRIC, "--constraint-from", "5", "--slack", "1", *AFTERWARDS],
        "the last two, slack 0.1": [*SYMMETRIC, "--constraint-from", "5", "--slack", "0.1", *AFTERWARDS],
        "the last two, agreement": [*AGREEMENT, "--constraint-from", "5", *AFTERWARDS],
        "the last two, bijective": [*BIJECTIVE, "--constraint-from", "5", *AFTERWARDS],
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default="hu,ru,zh,czenali,sv,hansards:10000,kftt:10000")
    parser.add_argument("--group", choices=GROUPS, default="presets")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--threshold", help="the same for all candidates; without it, what the preset says")
    parser.add_argument("--peers", action="store_true", help="eflomal and fast_align beside them")
    parser.add_argument("--check", action="store_true", help="that threads and saving change nothing")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpora = {name: _prepared(options.data, name, Path(folder)) for name in options.sets}
        run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "--preset", "best", "-q"])  # compile, if need be
        rows = list(compare(corpora, options, Path(folder)))
        say(table(["dev AER (seconds)", *corpora, "mean"], rows))
        if options.check:
            say(checks(corpora, Path(folder)))


def _prepared(data: Path, name: str, folder: Path) -> Prepared:
    directory, _, lines = name.partition(":")
    return prepare(data / directory, size(lines or "all"), folder)


@dataclass
class Row:
    """What a system gets on each corpus."""

    name: str
    cells: list[str] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def add(self, corpus: Prepared, out: Path, reference: list[Alignment], measured: Measured | None) -> None:
        """Score a file of links, and compare it with those of the reference."""
        start, golds = corpus.golds["dev"]
        found = list(islice(read_alignments(out), start, start + len(golds)))
        self.errors.append(100 * corpus.scores(out)["dev"].aer)
        differs = paired_bootstrap(reference, found, golds).is_significant
        cost = "" if measured is None else f" ({measured.seconds:.0f}; {measured.gigabytes:.1f} GB)"
        self.cells.append(f"{self.errors[-1]:.2f}{'*' if differs else ''}{cost}")

    def as_list(self) -> list[str]:
        """The row of the table."""
        return [self.name, *self.cells, f"{statistics.mean(self.errors):.2f}"]


def compare(corpora: dict[str, Prepared], options: argparse.Namespace, folder: Path) -> Iterator[list[str]]:
    """A row a candidate, and a row a peer."""
    chosen = ["--threshold", options.threshold] if options.threshold else []
    out = folder / "links"
    references = {}
    for name, corpus in corpora.items():
        start, golds = corpus.golds["dev"]
        run([*PRALIGN, "align", corpus.source, corpus.target, "-o", out, "--threads", options.threads])
        references[name] = list(islice(read_alignments(out), start, start + len(golds)))
    for candidate, flags in GROUPS[options.group].items():
        row = Row(candidate)
        for name, corpus in corpora.items():
            files = [corpus.source, corpus.target, "-o", out, "--threads", options.threads]
            measured = run([*PRALIGN, "align", *files, *flags, *chosen])
            row.add(corpus, out, references[name], measured)
        yield row.as_list()
    for peer, align in PEERS.items():
        if options.peers and shutil.which(peer):
            yield from beside(peer, align, corpora, references, folder)


def beside(
    peer: str,
    align: Callable[[Prepared, Path, Path], Measured],
    corpora: dict[str, Prepared],
    references: dict[str, list[Alignment]],
    folder: Path,
) -> Iterator[list[str]]:
    """One run of another aligner in both directions, for two ways to symmetrise."""
    forward, reverse, out = folder / "forward", folder / "reverse", folder / "links"
    rows = {name: Row(f"{peer}, {name}") for name in ("intersection", "grow-diag-final-and")}
    for corpus_name, corpus in corpora.items():
        measured = align(corpus, forward, reverse)
        for name, row in rows.items():
            run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", name, "-o", out])
            row.add(corpus, out, references[corpus_name], measured)
    yield from (row.as_list() for row in rows.values())


def eflomal(corpus: Prepared, forward: Path, reverse: Path) -> Measured:
    """Align with eflomal, which is random: another run gives another figure."""
    files = ["-s", corpus.source, "-t", corpus.target, "-f", forward, "-r", reverse]
    return run(["eflomal-align", *files, "--overwrite"])


def fast_align(corpus: Prepared, forward: Path, reverse: Path) -> Measured:
    """Align with fast_align, one direction after the other."""
    both = forward.parent / "both"
    lines = zip(corpus.source.open(encoding="utf-8"), corpus.target.open(encoding="utf-8"), strict=True)
    both.write_text("".join(f"{s.strip() or 'x'} ||| {t.strip() or 'x'}\n" for s, t in lines), encoding="utf-8")
    command = f"fast_align -d -o -v -i {both} > {forward} && fast_align -d -o -v -r -i {both} > {reverse}"
    return run(["sh", "-c", command])


PEERS = {"eflomal-align": eflomal, "fast_align": fast_align}


def checks(corpora: dict[str, Prepared], folder: Path) -> Iterator[str]:
    """Whether threads and saving make a difference, with the first corpus."""
    corpus = next(iter(corpora.values()))
    for preset in GROUPS["presets"]:
        outputs = [folder / f"{preset}{n}" for n in range(4)]
        for number, out in enumerate(outputs[:3], start=1):
            files = [corpus.source, corpus.target, "-o", out, "--format", "scored", "--preset", preset]
            run([*PRALIGN, "align", *files, "--threads", str(number), "--save", folder / "model"])
        files = [corpus.source, corpus.target, "-o", outputs[3], "--format", "scored"]
        run([*PRALIGN, "align", *files, "--load", folder / "model"])
        same = [filecmp.cmp(outputs[0], other, shallow=False) for other in outputs[1:]]
        threads, saved = ("alike" if alike else "DIFFERENT" for alike in (all(same[:2]), same[2]))
        yield f"{preset}: 1, 2, 3 threads {threads}; saved and loaded {saved}"


if __name__ == "__main__":
    main()
