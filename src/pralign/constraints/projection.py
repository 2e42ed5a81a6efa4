"""Projecting the lattices of blocks: what training and decoding put between the lexicon and the models."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pralign.constraints.base import Constraint
from pralign.constraints.solver import Outcome, Problem, solve
from pralign.models.bidirectional import BidirectionalModel, Block
from pralign.models.lexicon import Lattices

PairWords = Callable[[int], tuple[Sequence[str], Sequence[str]]]


class Projection:
    """Projects the posteriors of a corpus onto a constraint.

    A projected posterior has the form of the model's own, with tilted emissions. So a projection turns lattices into
    lattices, and neither models nor decoders need to know of it.
    """

    def __init__(self, constraint: Constraint, words: PairWords, repeatedly: bool = False) -> None:
        """Project onto ``constraint`` the pairs of a corpus, whose words by number ``words`` gives.

        If the same blocks come ``repeatedly``, features made from words are kept, since to make them takes longer
        than to solve for them.
        """
        self.constraint = constraint
        self._words = words
        self._repeatedly = repeatedly
        self._known: dict[tuple[int, ...], tuple[Problem, ...]] = {}

    def __call__(self, model: BidirectionalModel, block: Block, lattices: Lattices) -> tuple[Lattices, Outcome]:
        """The lattices from which ``model`` infers projected posteriors, and how the projection went."""
        problems = iter(self._problems(model, block, lattices))
        lattices, outcome = solve(next(problems), model, lattices)
        for problem in problems:
            lattices, other = solve(problem, model, lattices)
            outcome = outcome.beside(other)
        return lattices, outcome

    def _problems(self, model: BidirectionalModel, block: Block, lattices: Lattices) -> tuple[Problem, ...]:
        pairs = tuple(block.pairs.tolist())
        if pairs in self._known:
            return self._known[pairs]
        problems = self.constraint.problems(lattices, lambda: [self._words(pair) for pair in pairs], model)
        if self._repeatedly and type(self.constraint).problems is Constraint.problems:
            self._known[pairs] = problems
        return problems
