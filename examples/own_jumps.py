"""Jumps of one's own: instead of a weight for each distance, two numbers say how fast weights fall on either side.

Run it: python examples/own_jumps.py
"""

from dataclasses import dataclass, replace

import numpy as np

from pralign import Aligner, Bitext, sample
from pralign.evaluation import evaluate
from pralign.kernels.hmm import BAND, REACH
from pralign.links.formats import read_alignments
from pralign.models import register_model
from pralign.models.hmm import HMM
from pralign.models.jumps import Jumps

DISTANCES = np.arange(BAND) - REACH - 1  # from the next word on, which is the usual one


@dataclass(frozen=True)
class FallingJumps(Jumps):
    """Weights that fall geometrically with the distance from the next word, at a rate of its own on either side."""

    def maximise(self, statistics, smoothing):
        free = super().maximise(statistics, smoothing)
        weights = free.weights.copy()
        for side in (DISTANCES > 0, DISTANCES < 0):
            counts = free.totals[:BAND][side]
            mean = (counts @ np.abs(DISTANCES[side])) / counts.sum()
            weights[:BAND][side] = weights[REACH + 1] * (1 - 1 / max(mean, 1.01)) ** np.abs(DISTANCES[side])
        return replace(free, weights=weights / weights.sum())


@register_model
class FallingHMM(HMM):
    """An HMM with these jumps; everything else, from training to the command line, is as before."""

    name = "falling"
    jumps_part = FallingJumps


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    golds = list(read_alignments(sample.GOLD, "gold"))
    for model in ("hmm", "falling"):
        aligner = Aligner(model=model, estimator="collapsed")
        alignments = list(aligner.fit_align(bitext))
        weights = " ".join(f"{weight:.2f}" for weight in aligner.model_.forward.jumps.weights)
        print(f"{model:<8} AER {100 * evaluate(alignments[: len(golds)], golds).aer:.1f}   jumps {weights}")


if __name__ == "__main__":
    main()
