"""The bundled sample: unlabelled text, and labelled pairs of which one half is learned from."""

from __future__ import annotations

from pralign import Bitext, sample
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments
from pralign.matching import MatchingAligner

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))
GOLDS = list(read_alignments(sample.GOLD, "gold"))
EXAMPLES = [(*pair, gold) for pair, gold in zip(PAIRS, GOLDS, strict=False)]
LABELLED, OTHERS = EXAMPLES[:30], EXAMPLES[30:60]
PLAIN = ["dice", "distance", "shape", "neighbours", "frequency", "common"]
ODD = [*PAIRS[30:60], ("", "rien"), ("x", ""), ("", ""), ("Zorro came", "Zorro vint"), ("one", "un")]


def fitted(pairs=PAIRS, labelled=LABELLED, validation=None, predictions=(), **settings):
    aligner = MatchingAligner(**{"features": PLAIN, "rounds": 20, "threads": 1, **settings})
    return aligner.fit(pairs, labelled=labelled, validation=validation, predictions=predictions)


def error(aligner, predictions=()):
    """The alignment error rate on the pairs that were not learned from."""
    pairs = [(source, target) for source, target, _ in OTHERS]
    return evaluate(aligner.align(pairs, predictions=predictions), [gold for *_, gold in OTHERS]).aer
