"""Each word is used at most once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pralign.constraints.base import Constraint, Reader
from pralign.constraints.features import Direction, Feature, at_most, empty_features
from pralign.constraints.solver import ProjectionProblem
from pralign.kernels.arrays import Lattice
from pralign.kernels.features import state_features
from pralign.models.bidirectional import BidirectionalModel, Lattices


@dataclass(frozen=True, kw_only=True)
class Bijective(Constraint):
    """No word explains more than one word of the other side, in expectation.

    Each direction is projected by itself: forward, every source word is linked to at most one target word; in
    reverse, every target word to at most one source word. Together with the models, in which every word is explained
    by at most one, that makes links one to one. It keeps rare words from collecting the words nothing else explains.

    Example:
        >>> features = list(Bijective().features("the house".split(), "la maison".split()))
        >>> len(features), features[0].forward
        (4, {(0, 0): 1.0, (0, 1): 1.0})
    """

    name = "bijective"
    needs_words: ClassVar[bool] = False

    tolerance: float = 0.005

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        """For each word, the number of its links where it explains others."""
        for i in range(len(source)):
            yield at_most(1, forward=[(i, j) for j in range(len(target))])
        for j in range(len(target)):
            yield at_most(1, reverse=[(i, j) for i in range(len(source))])

    def problems(self, lattices: Lattices, words: Reader, model: BidirectionalModel) -> tuple[ProjectionProblem, ...]:
        """The same features, made without looking at words."""
        return (
            self._problem("forward", lattices, lattices.forward),
            self._problem("reverse", lattices, lattices.reverse),
        )

    def _problem(self, side: Direction, lattices: Lattices, lattice: Lattice) -> ProjectionProblem:
        features = empty_features(lattices, int(lattice.states.sum()), lattice.emission.size, 1.0, equal=False)
        state_features(lattice.states, lattice.cell_start, features)
        return ProjectionProblem(features, (side,), self.solver_settings)
