"""The choice of the presets: candidates on the development sets of several languages, beside eflomal.

    python benchmarks/presets.py DATA [--sets hu,ru,...] [--group presets] [--peers]

DATA has a directory a corpus, laid out as corpora.py says; ``hansards:10000`` has so many lines of training text.
Only development pairs are scored, so that test pairs have no part in any choice. Groups of candidates: presets,
iterations, estimators, looks, constraint. A cell holds AER, seconds and memory; the last column is the mean AER. With
--check, also whether results depend on threads, or on saving and loading.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import statistics
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
SYMMETRIC = ["--preset", "default", "--constraint", "symmetric"]
AGREEMENT = ["--preset", "default", "--constraint", "agreement"]
BIJECTIVE = ["--preset", "default", "--constraint", "bijective"]
AFTERWARDS = ["--no-project-at-decode"]

Candidates = dict[str, list[str]]

GROUPS: dict[str, Candidates] = {
    "presets": {name: ["--preset", name] for name in ("fast", "default", "best")},
    "iterations": {
        stages: ["--preset", "default", "--iterations", stages]
        for stages in ("ibm1=3,fhmm=4", "ibm1=3,fhmm=6", "ibm1=5,fhmm=5", "ibm1=5,fhmm=6", "ibm1=5,fhmm=8")
    },
    "estimators": {
        f"{model}, {estimator}": ["--model", model, "--estimator", estimator]
        for model in ("ibm1", "ibm2", "hmm", "fhmm")
        for estimator in ("em", "vb", "collapsed")
    },
    "looks": {
        strength: ["--preset", "default", "--lookalikes", strength] for strength in ("0", "0.1", "0.3", "1", "3")
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
    parser.add_argument("--peers", action="store_true", help="three runs of eflomal beside them")
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


def compare(corpora: dict[str, Prepared], options: argparse.Namespace, folder: Path) -> Iterator[list[str]]:
    """A row a candidate."""
    chosen = ["--threshold", options.threshold] if options.threshold else []
    for name, flags in GROUPS[options.group].items():
        cells, errors = [], []
        for corpus in corpora.values():
            out = folder / "links"
            files = [corpus.source, corpus.target, "-o", out, "--threads", options.threads]
            measured = run([*PRALIGN, "align", *files, *flags, *chosen])
            errors.append(100 * corpus.scores(out)["dev"].aer)
            cells.append(f"{errors[-1]:.2f} ({measured.seconds:.0f}; {measured.gigabytes:.1f} GB)")
        yield [name, *cells, f"{statistics.mean(errors):.2f}"]
    if options.peers and shutil.which("eflomal-align"):
        yield from peers(corpora, folder)


def peers(corpora: dict[str, Prepared], folder: Path) -> Iterator[list[str]]:
    """The mean of three runs of eflomal, which is random, for two ways to symmetrise."""
    forward, reverse, out = folder / "forward", folder / "reverse", folder / "links"
    heuristics = ("intersection", "grow-diag-final-and")
    rows: dict[str, list[str]] = {name: [f"eflomal, {name}"] for name in heuristics}
    means: dict[str, list[float]] = {name: [] for name in heuristics}
    for corpus in corpora.values():
        errors: dict[str, list[float]] = {name: [] for name in heuristics}
        seconds = []
        for _ in range(3):
            files = ["-s", corpus.source, "-t", corpus.target, "-f", forward, "-r", reverse]
            seconds.append(run(["eflomal-align", *files, "--overwrite"]).seconds)
            for name in heuristics:
                run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", name, "-o", out])
                errors[name].append(100 * corpus.scores(out)["dev"].aer)
        for name in heuristics:
            means[name].append(statistics.mean(errors[name]))
            rows[name].append(f"{means[name][-1]:.2f} ({statistics.mean(seconds):.0f})")
    yield from ([*rows[name], f"{statistics.mean(means[name]):.2f}"] for name in heuristics)


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
