"""From which side a pair is looked at: a choice that does not know which side is called the source.

Aligning a text and the same text with its sides exchanged must give the same links. Sums in floating point depend on
their order, and to go through the cells of a pair source word by source word is another order once the sides are
exchanged. So the order is chosen by the pair itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Lattice, Long
from pralign.kernels.orientation import compare
from pralign.kernels.projection import select
from pralign.models.bidirectional import BidirectionalModel, Lattices


def by_source(lattices: Lattices, model: BidirectionalModel) -> NDArray[np.bool_]:
    """For each pair of a block, whether to list its cells source word by source word, or else by target words.

    The shorter side leads. Of sides of the same length, it depends on the first probability that is larger in one
    direction than in the other: of the lexicon, or else of the posteriors. Where none is, the pair is its own mirror
    image, and either order will do.
    """
    forward, reverse = lattices.forward, lattices.reverse
    order = np.sign(reverse.states - forward.states).astype(np.int8)
    compare(forward.emission, reverse.emission, forward.cell_start, reverse.cell_start, order)
    compare(forward.null_emission, reverse.null_emission, forward.observed_start, reverse.observed_start, order)
    alike = np.flatnonzero(order == 0)
    if alike.size:
        chosen = Lattices(selected(forward, alike), selected(reverse, alike))
        one, other = (inference.posterior for inference in model.infer(chosen))
        start, left = chosen.forward.cell_start, order[alike]
        compare(one.link, other.link, start, start, left)
        each = np.arange(alike.size + 1)
        compare(one.log_likelihood, other.log_likelihood, each, each, left)
        order[alike] = left
    return np.asarray(order > 0)


def selected(lattice: Lattice, pairs: Long) -> Lattice:
    """The lattice of some pairs of a block."""
    chosen: Lattice = select(lattice._replace(context=()), pairs)
    return chosen._replace(context=lattice.context.select(pairs)) if lattice.context else chosen
