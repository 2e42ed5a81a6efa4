"""IBM Model 1: word order does not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Lattice, Long
from pralign.kernels.mixture import uniform_best, uniform_posteriors
from pralign.kernels.mixture_paths import best_mixtures, sample_mixtures
from pralign.kernels.paths import Paths
from pralign.models.base import (
    CorpusSummary,
    DirectionalModel,
    Inference,
    Statistics,
    empty_posterior,
    no_paths,
    no_rows,
    no_states,
)
from pralign.schema.arrays import Schema

# A table of positions that knows of none.
_NOWHERE = np.zeros(1, np.int64), np.empty(0)


class IBM1(DirectionalModel):
    r"""Each observed word picks one of the :math:`I` states or null, all equally likely.

    .. math:: p(x, z \mid y) = \prod_j \frac{1}{I + 1} \, p_t(x_j \mid y_{z_j})

    It has no parameters but the lexicon, and its likelihood is concave, which makes it the right place to start.
    """

    name = "ibm1"
    additive = True

    @classmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """There is nothing to set."""
        return cls()

    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors in proportion to the emissions."""
        posterior = empty_posterior(lattice)
        uniform_posteriors(lattice, posterior)
        return Inference(posterior, no_rows(lattice))

    def viterbi(self, lattice: Lattice) -> Int:
        """The state with the highest emission."""
        states = no_states(lattice)
        uniform_best(lattice, states)
        return states

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The best choices of all words together."""
        paths = no_paths(lattice, n)
        best_mixtures(lattice, _NOWHERE, paths)
        return paths

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """Each word draws for itself."""
        paths = no_paths(lattice, n)
        sample_mixtures(lattice, _NOWHERE, draws, paths)
        return paths

    def zero_statistics(self) -> Statistics:
        """Nothing is counted beyond the lexicon."""
        return {}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """There is nothing to estimate."""
        return self

    @classmethod
    def pooled(cls, summary: CorpusSummary, models: Sequence[Self], words: Sequence[Long], smoothing: float) -> Self:
        """There is nothing to add up."""
        return cls()

    def tensors(self) -> dict[str, NDArray[Any]]:
        """There is nothing to save."""
        return {}

    @classmethod
    def schema(cls) -> Schema | None:
        """There are no arrays."""
        return {}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """There is nothing to load."""
        return cls()
