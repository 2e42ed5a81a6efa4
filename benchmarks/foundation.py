"""Quality, time and memory of the plain models, beside other aligners where they are installed.

    python benchmarks/foundation.py DATA/hansards [--sizes 10000,100000] [--no-peers]
    python benchmarks/foundation.py DATA/hansards --sizes all --quick

DATA/hansards is laid out as corpora.py says. Peers are run if their programs are found: eflomal-align, fast_align.
Times include everything from starting the program to the finished file. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corpora import Prepared, prepare
from measure import Measured, run
from pralign import Aligner, Bitext, sample

PRALIGN = [sys.executable, "-m", "pralign"]
RECIPES = {
    "hmm, soft union at 0.5": ["--model", "hmm"],
    "hmm, viterbi intersection": ["--model", "hmm", "--decode", "viterbi", "--symmetrize", "intersection"],
    "hmm, viterbi grow-diag-final-and": ["--model", "hmm", "--decode", "viterbi"],
    "ibm2, soft union at 0.5": ["--model", "ibm2"],
    "ibm1, soft union at 0.5": ["--model", "ibm1"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--no-peers", action="store_true", help="only pralign")
    parser.add_argument("--quick", action="store_true", help="only pralign, only with its defaults")
    options = parser.parse_args()
    for line in start_up():
        print(line, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes.split(","):
            corpus = prepare(options.corpus, None if size == "all" else int(size), Path(folder))
            print(f"\n{options.corpus.name}, {corpus.pairs:,} pairs, {corpus.cells:,} cells", flush=True)
            for line in quality_and_cost(corpus, options, Path(folder)):
                print(line, flush=True)


def quality_and_cost(corpus: Prepared, options: argparse.Namespace, folder: Path) -> Iterator[str]:
    out = folder / "links"
    run(
        [*PRALIGN, "align", sample.SOURCE, sample.TARGET, "-o", out, "--forward", folder / "forward", "-q"]
    )  # compile, if need be
    dev = [options.corpus / f"dev.{corpus.source.suffix[1:]}", options.corpus / f"dev.{corpus.target.suffix[1:]}"]
    tuned = {"hmm, soft union tuned on dev": ["--model", "hmm", "--dev", *dev, options.corpus / "dev.gold"]}
    recipes = dict(list(RECIPES.items())[:1]) if options.quick else RECIPES | tuned
    for name, flags in recipes.items():
        files = [corpus.source, corpus.target]
        measured = run([*PRALIGN, "align", *files, "-o", out, "--threads", options.threads, *flags])
        yield _row(name, measured, corpus, out)
    if options.quick:
        return
    yield from identical_for_any_threads(corpus, folder)
    if not options.no_peers:
        yield from peers(corpus, folder)


def identical_for_any_threads(corpus: Prepared, folder: Path) -> Iterator[str]:
    outputs = [folder / f"threads{n}" for n in (1, 2, 3)]
    for n, path in enumerate(outputs, start=1):
        files = [corpus.source, corpus.target, "-o", path, "--format", "scored"]
        run([*PRALIGN, "align", *files, "--threads", str(n), "--iterations", "ibm1=2,hmm=2"])
    same = all(filecmp.cmp(outputs[0], other, shallow=False) for other in outputs[1:])
    yield f"threads 1, 2, 3: output {'byte-identical' if same else 'DIFFERS'}"


def peers(corpus: Prepared, folder: Path) -> Iterator[str]:
    forward, reverse, out = folder / "forward", folder / "reverse", folder / "links"
    if shutil.which("eflomal-align"):
        files = ["-s", corpus.source, "-t", corpus.target, "-f", forward, "-r", reverse]
        measured = run(["eflomal-align", *files, "--overwrite"])
        for heuristic in ("intersection", "grow-diag-final-and"):
            run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", heuristic, "-o", out])
            yield _row(f"eflomal, {heuristic}", measured, corpus, out)
    if shutil.which("fast_align"):
        joined = folder / "joined"
        with joined.open("w", encoding="utf-8") as stream:
            stream.writelines(
                f"{source} ||| {target}\n" for source, target in Bitext.read(corpus.source, corpus.target)
            )
        ahead = run(["fast_align", "-i", joined, "-d", "-o", "-v"])
        back = run(["fast_align", "-i", joined, "-d", "-o", "-v", "-r"])
        forward.write_text(ahead.output)
        reverse.write_text(back.output)
        run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", "grow-diag-final-and", "-o", out])
        both = Measured(ahead.seconds + back.seconds, max(ahead.gigabytes, back.gigabytes), "")
        yield _row("fast_align, grow-diag-final-and", both, corpus, out)


def start_up() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        fresh = {"NUMBA_CACHE_DIR": folder}
        out = Path(folder) / "links"
        command = [*PRALIGN, "align", sample.SOURCE, sample.TARGET, "-o", out, "--forward", out.with_name("forward")]
        first, second = run(command, fresh), run(command, fresh)
    yield f"first run ever {first.seconds:.1f} s, second {second.seconds:.1f} s (sample)"
    helps = min(run([*PRALIGN, "--help"]).seconds for _ in range(5))
    imports = min(run([sys.executable, "-c", "import numpy"]).seconds for _ in range(5))
    yield f"pralign --help {helps:.2f} s, import numpy {imports:.2f} s, ratio {helps / imports:.2f}"
    aligner = Aligner().fit(Bitext.read(sample.SOURCE, sample.TARGET))
    known = [word for source, _ in Bitext.read(sample.SOURCE, sample.TARGET) for word in str(source).split()]
    pair = (known[:20], known[10:30])
    aligner.align_pair(*pair)
    began = time.perf_counter()
    for _ in range(200):
        aligner.align_pair(*pair)
    yield f"align_pair, {len(pair[0])} by {len(pair[1])} words: {(time.perf_counter() - began) / 200 * 1000:.2f} ms"


def _row(name: str, measured: Measured, corpus: Prepared, links: Path) -> str:
    aer = ", ".join(f"{part} {100 * scores.aer:.2f}" for part, scores in corpus.scores(links).items())
    per_cell = measured.seconds / corpus.cells * 1e9
    cost = f"{measured.seconds:7.1f} s {per_cell:6.0f} ns/cell {measured.gigabytes:5.2f} GB"
    return f"{name:<34} {cost}   AER {aer}"


if __name__ == "__main__":
    main()
