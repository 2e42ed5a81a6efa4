"""HMMs with the parameters that the oracles read."""

from __future__ import annotations

from kernels.lattices import as_weights
from oracles.naive_alignments import Jumps as Weights
from pralign.models.hmm import HMM
from pralign.models.jumps import FirstPositions, Jumps
from pralign.models.null import Null


def as_model(jumps: Weights, most_states: int) -> HMM:
    weights = as_weights(jumps)
    return HMM(Jumps(weights.jump), FirstPositions(weights.initial), Null(weights.null), most_states)
