"""A model of one's own: IBM 1 that prefers the diagonal, as fast_align does.

Run it: python examples/own_model.py
"""

import numpy as np

from pralign import Aligner, Bitext, sample
from pralign.evaluation import evaluate
from pralign.kernels.arrays import Lattice
from pralign.links.formats import read_alignments
from pralign.models import register_model
from pralign.models.base import Inference
from pralign.models.ibm1 import IBM1

TENSION = 6.0


@register_model
class Diagonal(IBM1):
    """Words at the same relative position are likelier to be linked."""

    name = "diagonal"

    def infer(self, lattice: Lattice, counting: bool) -> Inference:
        return super().infer(_weighted(lattice), counting)

    def viterbi(self, lattice: Lattice):
        return super().viterbi(_weighted(lattice))


def _weighted(lattice: Lattice) -> Lattice:
    parts = []
    for states, observed in zip(lattice.states, np.diff(lattice.observed_start), strict=True):
        apart = np.abs(np.arange(states) / states - np.arange(observed)[:, None] / observed)
        closeness = np.exp(-TENSION * apart)
        parts.append(closeness / closeness.mean(axis=1, keepdims=True))
    weights = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
    return lattice._replace(emission=lattice.emission * weights)


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    golds = list(read_alignments(sample.GOLD, "gold"))
    for model in ("ibm1", "diagonal"):
        alignments = list(Aligner(model=model).fit_align(bitext))
        print(f"{model:<10} AER {100 * evaluate(alignments[: len(golds)], golds).aer:.1f}")


if __name__ == "__main__":
    main()
