"""The two directions agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pralign.constraints.base import Constraint, Coupling, Reader
from pralign.constraints.features import DIRECTIONS, Feature, empty_features, exactly
from pralign.constraints.orientation import by_source
from pralign.constraints.solver import ProjectionProblem
from pralign.kernels.features import cell_features
from pralign.models.bidirectional import BidirectionalModel, Lattices


@dataclass(frozen=True, kw_only=True)
class Symmetric(Constraint):
    r"""Both directions expect each link equally.

    The two posteriors are taken as halves of one mixture over all forward and all reverse alignments,

    .. math:: p(z) = \tfrac12 \overrightarrow{p}(z) + \tfrac12 \overleftarrow{p}(z),

    and the mixture is projected onto the distributions under which each link is as probable in its forward as in its
    reverse half. The projection is a mixture again, :math:`q = w \overrightarrow{q} + (1 - w) \overleftarrow{q}`; the
    weights follow from the partition functions, and the counts of each direction are multiplied by its weight. The
    links thus agree up to these weights, which for an HMM stay close to one half. What is minimised over ``q`` is
    :math:`KL(q \| p)`.

    Example:
        >>> features = list(Symmetric().features(["house"], ["maison"]))
        >>> len(features), features[0]
        (1, Feature(forward={(0, 0): 1}, reverse={(0, 0): -1}, bound=0, equal=True))
    """

    name = "symmetric"
    needs_words: ClassVar[bool] = False
    coupling: ClassVar[Coupling] = "mixture"

    slack: float = 0.001

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        """For each cell, the forward minus the reverse link."""
        for i in range(len(source)):
            for j in range(len(target)):
                yield exactly(0, forward={(i, j): 1}, reverse={(i, j): -1})

    def problems(self, lattices: Lattices, words: Reader, model: BidirectionalModel) -> tuple[ProjectionProblem, ...]:
        """The same features, made without looking at words."""
        cells = lattices.forward.emission.size
        features = empty_features(lattices, cells, 2 * cells, 0.0, equal=True)
        order = by_source(lattices, model)
        cell_features(lattices.forward.states, lattices.forward.cell_start, order, features)
        return (ProjectionProblem(features, DIRECTIONS, self.solver_settings),)


@dataclass(frozen=True, kw_only=True)
class Agreement(Symmetric):
    r"""Both directions expect each link equally, and count equally.

    The product form of :class:`Symmetric`: each direction is projected as a distribution of its own, and what is
    minimised is :math:`KL(\overrightarrow{q} \| \overrightarrow{p}) + KL(\overleftarrow{q} \| \overleftarrow{p})`
    over pairs of distributions with the same link posteriors. It is the mixture with one more constraint, that each
    half keeps the weight of one half. The posteriors then agree themselves, at the price of a larger divergence.

    Example:
        >>> len(list(Agreement().features(["the", "house"], ["la", "maison"])))
        4
    """

    name = "agreement"
    coupling: ClassVar[Coupling] = "product"
