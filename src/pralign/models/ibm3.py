"""IBM Model 3: words have fertilities, and their words stand near the diagonal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pralign.kernels.arrays import Double
from pralign.kernels.cepts import FARTHEST
from pralign.kernels.neighbourhood import Classes
from pralign.models.base import CorpusSummary
from pralign.models.fertility import PROBABILITY, FertilityModel
from pralign.models.weights import fit_weights
from pralign.schema.arrays import Array, Schema, indices


class IBM3(FertilityModel):
    r"""Each state has a number of words, and each of its words a position that depends on the state's.

    .. math:: p(x, z \mid y) = \binom{J - n_0}{n_0} p_0^{J - 2 n_0} p_1^{n_0}
        \prod_i n_i! \, p_n(n_i \mid y_i) \prod_j p_t(x_j \mid y_{z_j}) \, p_d(j \mid z_j, I, J)

    where :math:`n_i` is the number of words of state i and :math:`n_0` that of null words, which have no position. The
    distortion :math:`p_d` depends on the distance from the diagonal and is normalised in each sentence.

    Example:
        >>> from pralign import Aligner
        >>> pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")]
        >>> isinstance(Aligner(model="ibm3", threads=1).fit(pairs).model_.forward, IBM3)
        True
    """

    name = "ibm3"
    ordered = False

    @classmethod
    def _classes(cls, summary: CorpusSummary) -> Classes:
        return Classes(np.zeros(summary.state_words + 1, np.int32), np.zeros(summary.observed_words + 1, np.int32))

    @classmethod
    def _places(cls, classes: Classes) -> tuple[Double, Double, Double]:
        return np.empty((0, 0, 0)), np.empty((0, 0)), np.full(2 * FARTHEST + 1, 1.0 / (2 * FARTHEST + 1))

    @classmethod
    def schema(cls) -> Schema | None:
        """What its arrays must be like; all words are of one class."""
        sides = {"state_classes": "state words + 1", "observed_classes": "observed words + 1"}
        one = {name: Array("int32", (words,), (indices(1),)) for name, words in sides.items()}
        return {**(super().schema() or {}), **one}

    @classmethod
    def _places_schema(cls) -> Schema:
        return {
            "head": Array("float64", (0, 0, 0)),
            "other": Array("float64", (0, 0)),
            "diagonal_distortion": Array("float64", (2 * FARTHEST + 1,), (PROBABILITY,)),
        }

    def _maximise_places(self, counts: Mapping[str, Double], smoothing: float) -> tuple[Double, Double, Double]:
        middle, length = np.nonzero(counts["diagonal_positions"])
        first = np.maximum(-middle, -FARTHEST) + FARTHEST
        last = np.minimum(length - 1 - middle, FARTHEST) + FARTHEST
        within = np.arange(2 * FARTHEST + 1)
        choices = ((within >= first[:, None]) & (within <= last[:, None])).astype(np.int64)
        choices[:, 0] = np.maximum(middle - FARTHEST + 1, 0)
        choices[:, -1] = np.maximum(length - middle - FARTHEST, 0)
        diagonal_distortion = fit_weights(
            self.parameters.diagonal_distortion,
            counts["diagonal_distortion"],
            choices,
            counts["diagonal_positions"][middle, length],
            smoothing,
        )
        return self.parameters.head, self.parameters.other, diagonal_distortion
