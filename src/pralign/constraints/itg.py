"""The two directions agree, and what a tree over both sentences links is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.base import Constraint, Coupling, Reader
from pralign.constraints.features import DIRECTIONS, Feature, empty_features
from pralign.constraints.orientation import by_source
from pralign.constraints.solver import ProjectionProblem
from pralign.errors import UsageError
from pralign.kernels.arrays import Double, Float, Int, Long
from pralign.kernels.features import tree_features
from pralign.kernels.grids import transpose_pairs
from pralign.kernels.itg import ItgLimits, parse_block
from pralign.kernels.orientation import compare
from pralign.models.bidirectional import BidirectionalModel, Lattices

LIMITS = ItgLimits()
# The time to parse a pair grows with more than the third power of its length.
LONGEST = 80


@dataclass(frozen=True, kw_only=True)
class ITG(Constraint):
    r"""Both directions expect each link equally, and the links of the best tree as much as the surer direction does.

    The best tree of a bracketing ITG over the mean of the two posteriors says which links fit together. Where a link
    is in the tree, the direction that expects it less is raised to what the other expects, which itself is left alone;
    everywhere else, and in all of a pair with more than 80 words on a side, the two are to meet, as under
    :class:`~pralign.constraints.Symmetric`. This goes no further than so many ``steps`` along the gradient, so that a
    bad tree does not do much harm.

    Kamigaito et al., Unsupervised Word Alignment by Agreement Under ITG Constraint (2017), section 4. They take five
    steps with each direction a distribution of its own, which are twice as long as those of a mixture; more steps
    were better on development sets.

    Example:
        >>> from pralign import Aligner
        >>> Aligner(model="hmm", constraint=ITG()).settings.constraint
        ITG(tolerance=0.001, slack=0.001, normalised=True, steps=20)
    """

    name = "itg"
    needs_words: ClassVar[bool] = False
    coupling: ClassVar[Coupling] = "mixture"
    # A tree links nearly all words, rightly or not. In training other pairs outvote a wrong link, in an answer none do.
    at_decode: ClassVar[bool] = False

    slack: float = 0.001
    steps: int = 20

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        """Words alone do not make a tree."""
        raise UsageError("the features of the ITG constraint depend on posteriors; see ITG.problems")

    def problems(self, lattices: Lattices, words: Reader, model: BidirectionalModel) -> tuple[ProjectionProblem, ...]:
        """Parse each pair, and bound what its links are to be expected."""
        forward, reverse = (inference.posterior.link for inference in model.infer(lattices))
        transposed = np.empty_like(forward)
        transpose_pairs(forward, lattices.forward.states, lattices.forward.cell_start, transposed)
        tree = best_trees((transposed + reverse) * np.float32(0.5), lattices, LONGEST)
        cells = forward.size
        features = empty_features(lattices, cells, 2 * cells, 0.0, equal=True)
        order, known = by_source(lattices, model), (transposed, reverse, tree)
        entries = tree_features(lattices.forward.states, lattices.forward.cell_start, order, known, features)
        trimmed = features._replace(cell=features.cell[:entries], value=features.value[:entries])
        return (ProjectionProblem(trimmed, DIRECTIONS, self.solver_settings),)


def best_trees(mean: Float, lattices: Lattices, longest: int | None = None) -> NDArray[np.bool_]:
    """The links of the best tree of each pair of a block; probabilities and links lie source word by source word.

    In a tree only the words of one side may have several partners: those of the side with fewer words, or where both
    have as many, of the side that makes the likelier tree. Pairs with more than ``longest`` words on a side get none.

    Exchanging the sides exchanges the trees. So of equally likely ones, neither may be taken because it was the first:
    the probabilities themselves decide, and where they are their own mirror image, only what both trees link is.
    """
    cell_start = lattices.forward.cell_start
    sources, targets = lattices.forward.states, lattices.reverse.states
    parsed = np.maximum(sources, targets) <= longest if longest else np.ones(sources.size, np.bool_)
    links, scores = _trees(mean, sources, targets, cell_start, parsed & (sources <= targets))
    transposed = np.empty_like(mean)
    transpose_pairs(mean, targets, cell_start, transposed)
    transposed_links, transposed_scores = _trees(
        transposed, targets, sources, cell_start, parsed & (targets <= sources)
    )
    others = np.empty_like(links)
    transpose_pairs(transposed_links, sources, cell_start, others)
    order = (scores > transposed_scores).astype(np.int8) - (scores < transposed_scores)
    compare(mean, transposed, cell_start, cell_start, order)
    order = np.repeat(order, np.diff(cell_start))
    return np.where(order > 0, links, np.where(order < 0, others, links & others))


def _trees(
    mean: Float, sources: Int, targets: Int, cell_start: Long, parsed: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], Double]:
    """The links of the best trees in which source words may have several partners, and the scores of the trees.

    Pairs that are not ``parsed`` have no links and the lowest score.
    """
    links, scores = np.zeros(mean.size, np.bool_), np.empty(sources.size)
    parse_block(mean, sources * parsed, targets * parsed, cell_start, LIMITS, links, scores)
    return links, np.where(parsed, scores, -np.inf)
