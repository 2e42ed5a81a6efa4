"""Whether exchanging the sides of a text exchanges the sides of its links, and changes nothing else.

    python benchmarks/symmetry.py DATA/hansards [--pairs 2000] [--models hmm,ibm4] [--constraints symmetric,agreement]

Every model is trained with every constraint and every estimator, and so is every preset, on the first lines of the
corpus (laid out as corpora.py says) and on the same lines with their sides exchanged. A row has the number of links
that the first way to decode finds, how many of each way differ between the two, how many posteriors are not the same to
the last bit, and the seconds of both. Ways to symmetrise that visit cells in an order (grow-diag, as Moses has it) are
not among them: they depend on the order by definition.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import LANGUAGES, prepare
from options import names, positive
from pralign import Aligner
from pralign.constraints import CONSTRAINTS
from pralign.decoding.decoder import Decoder
from pralign.decoding.evidence import Evidence
from pralign.decoding.methods import METHODS, SOFT_UNION, Thresholds
from pralign.models.estimators import ESTIMATORS
from pralign.settings import PRESETS
from tables import say

MODELS = "ibm1,ibm2,hmm,fhmm,ibm3,ibm4"
DECODERS = {
    "posterior": ("posterior", SOFT_UNION),
    "viterbi": ("viterbi", "union"),
    "itg": ("itg", SOFT_UNION),
    "matching": ("matching", SOFT_UNION),
}
Pairs = list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--languages", type=names, help="such as en,fr, for a corpus that corpora.py does not know")
    parser.add_argument("--pairs", type=positive, default=2000)
    parser.add_argument("--models", type=names, default=MODELS)
    parser.add_argument("--constraints", type=names, default=",".join(["none", *CONSTRAINTS]))
    parser.add_argument("--estimators", type=names, default=",".join(ESTIMATORS))
    parser.add_argument("--presets", type=names, default=",".join(PRESETS))
    parser.add_argument("--decode", type=names, default=",".join(DECODERS), help="ways to decode; trees take longest")
    parser.add_argument("--threads", type=positive, default=1)
    options = parser.parse_args()
    if not set(options.decode) <= set(DECODERS) or not options.decode:
        parser.error(f"ways to decode are {', '.join(DECODERS)}")
    corpus = options.corpus.resolve()
    if options.languages:
        LANGUAGES[corpus.name] = tuple(options.languages)
    say(compare(_pairs(corpus, options.pairs), options))


def _pairs(corpus: Path, most: int) -> Pairs:
    with tempfile.TemporaryDirectory() as folder:
        text = prepare(corpus, most, Path(folder))
        sides = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (text.source, text.target)]
    # Training pairs come last.
    return list(zip(*sides, strict=True))[-most:]


def compare(pairs: Pairs, options: argparse.Namespace) -> Iterator[str]:
    """The lines of the table, as they are found."""
    header = ["", "links", *options.decode, "posteriors", "seconds"]
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    for title, settings in _settings(options):
        began = time.perf_counter()
        there = decoded(pairs, options, settings)
        back = decoded([(target, source) for source, target in pairs], options, settings)
        seconds = time.perf_counter() - began
        differing = [len(there.links[name] ^ _exchanged(back.links[name])) for name in options.decode]
        bits = sum(
            np.count_nonzero(ours[a] != theirs[1 - a].T)
            for ours, theirs in zip(there.posteriors, back.posteriors, strict=True)
            for a in (0, 1)
        )
        row = [title, len(there.links[options.decode[0]]), *differing, bits, f"{seconds:.1f}"]
        yield f"| {' | '.join(map(str, row))} |"


def _settings(options: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    for preset in options.presets:
        yield f"preset {preset}", {"preset": preset}
    for model, constraint, estimator in product(options.models, options.constraints, options.estimators):
        yield f"{model}, {constraint}, {estimator}", {"model": model, "constraint": constraint, "estimator": estimator}


class Found(NamedTuple):
    """The links of each way to decode, with the numbers of their pairs, and the posteriors of each pair."""

    links: dict[str, set[tuple[int, int, int]]]
    posteriors: list[tuple[NDArray[np.float32], NDArray[np.float32]]]


def decoded(pairs: Pairs, options: argparse.Namespace, settings: dict[str, Any]) -> Found:
    """Train on some pairs and align them in all ways."""
    model = Aligner(threads=options.threads, **settings).fit(pairs).model_
    found = Found({name: set() for name in options.decode}, [])
    opened = model.open(pairs)
    for block in opened.shard.blocks():
        evidence = opened.evidence_of(block, model.recipe.decoding_constraint)
        numbers = block.pairs.tolist()
        for name in options.decode:
            method, symmetrize = DECODERS[name]
            usual = Thresholds.all(METHODS[method].default_threshold)
            decode = Decoder(method, symmetrize, model.needed_thresholds if name == "posterior" else usual)
            for number, alignment in zip(numbers, decode(evidence), strict=True):
                found.links[name] |= {(number, i, j) for i, j in alignment.links}
        found.posteriors.extend(_grids(evidence))
    return found


def _grids(evidence: Evidence) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    shapes = zip(evidence.source_lengths.tolist(), evidence.target_lengths.tolist(), strict=True)
    for shape, begin in zip(shapes, evidence.cell_start.tolist(), strict=False):
        here = slice(begin, begin + shape[0] * shape[1])
        yield evidence.forward[here].reshape(shape), evidence.reverse[here].reshape(shape)


def _exchanged(links: set[tuple[int, int, int]]) -> set[tuple[int, int, int]]:
    return {(number, j, i) for number, i, j in links}


if __name__ == "__main__":
    main()
