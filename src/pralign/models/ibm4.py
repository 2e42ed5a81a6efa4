"""IBM Model 4: words have fertilities, and what belongs together stands together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pralign.kernels.arrays import Double
from pralign.kernels.cepts import FALL, FARTHEST
from pralign.kernels.neighbourhood import Classes
from pralign.models.base import CorpusSummary
from pralign.models.fertility import PROBABILITY, FertilityModel, shrunk
from pralign.schema.arrays import Array, Schema

# Classes with few counts are drawn towards all classes, as if those had been seen so often.
PLACE_PRIOR = 20.0
# What any distance gets, so that none is impossible.
ANY_DISTANCE = 0.02


class IBM4(FertilityModel):
    r"""Each state has a number of words (its cept); the first stands relative to the cept before, the others to it.

    .. math:: p(x, z \mid y) = \binom{J - n_0}{n_0} p_0^{J - 2 n_0} p_1^{n_0} \prod_j p_t(x_j \mid y_{z_j})
        \prod_i p_n(n_i \mid y_i) \, p_{=1}(b_{i1} - c_{\rho_i} \mid C(y_{\rho_i}), C(x_{b_{i1}}))
        \prod_{k \ge 2} p_{>1}(b_{ik} - b_{i,k-1} \mid C(x_{b_{ik}}))

    State i has the words at :math:`b_{i1} < b_{i2} < \dots`; :math:`\rho_i` is the nearest state before it that has
    words, :math:`c_\rho` the mean of their positions, rounded up, and C gives the class of a word. Distances from 30 on
    share one probability, which falls geometrically. Probabilities of distances do not know where a sentence ends, so
    some of the probability goes to places that do not exist (the model is deficient).

    Example:
        >>> from pralign import Aligner
        >>> pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")]
        >>> isinstance(Aligner(model="ibm4", threads=1).fit(pairs).model_.forward, IBM4)
        True
    """

    name = "ibm4"
    needs_classes = True
    ordered = True

    @classmethod
    def _classes(cls, summary: CorpusSummary) -> Classes:
        states, observed = summary.state_classes, summary.observed_classes
        return Classes(_with_unknown(states), _with_unknown(observed))

    @classmethod
    def _places(cls, classes: Classes) -> tuple[Double, Double, Double]:
        contexts, observed = int(classes.states[-1]) + 2, int(classes.observed[-1]) + 1
        distances = 2 * FARTHEST + 1
        head = np.full((contexts, observed, distances), 1.0 / distances)
        other = np.full((observed, FARTHEST + 1), 1.0 / FARTHEST)
        return _with_tails(head), _with_tails(other), np.empty(0)

    @classmethod
    def _places_schema(cls) -> Schema:
        shape = ("state classes + 1", "observed classes", 2 * FARTHEST + 1)
        return {
            "head": Array("float64", shape, (PROBABILITY,)),
            "other": Array("float64", ("observed classes", FARTHEST + 1), (PROBABILITY,)),
            "diagonal_distortion": Array("float64", (0,)),
        }

    def _maximise_places(self, counts: Mapping[str, Double], smoothing: float) -> tuple[Double, Double, Double]:
        head, other = counts["head"] + smoothing, counts["other"].copy()
        other[:, 1:] += smoothing
        by_class = shrunk(head.sum(axis=0), _spread(head.sum(axis=(0, 1))), PLACE_PRIOR)
        by_both = shrunk(head, by_class, PLACE_PRIOR)
        anywhere = np.append(0.0, _spread(other.sum(axis=0)[1:]))
        return _with_tails(by_both), _with_tails(shrunk(other, anywhere, PLACE_PRIOR)), np.empty(0)


def _with_unknown(classes: np.ndarray) -> np.ndarray:
    """The classes of known words, and one for all others."""
    return np.append(classes, classes.max(initial=-1) + 1).astype(np.int32)


def _spread(counts: Double) -> Double:
    """Relative frequencies of distances, a little of each."""
    total = counts.sum()
    shares = counts / total if total > 0 else np.full(counts.shape, 1.0 / counts.size)
    return np.asarray((1 - ANY_DISTANCE) * shares + ANY_DISTANCE / counts.size)


def _with_tails(shares: Double) -> Double:
    """What the last distances have is shared with all beyond, so that a single one of them gets little of it."""
    shares = shares.copy()
    shares[..., -1] *= 1 - FALL
    if shares.shape[-1] > FARTHEST + 1:
        shares[..., 0] *= 1 - FALL
    return shares
