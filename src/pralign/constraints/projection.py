"""Projecting the lattices of blocks: what training and decoding put between the lexicon and the models."""

from __future__ import annotations

from collections.abc import Sequence

from pralign.constraints.base import Constraint
from pralign.constraints.solver import ProjectionOutcome, solve
from pralign.models.bidirectional import BidirectionalModel, Lattices
from pralign.text.shard import Block

#: The source words and the target words of a shard, in the order of their numbers in it.
ShardWords = tuple[Sequence[str], Sequence[str]]


def project(
    constraint: Constraint, model: BidirectionalModel, block: Block, lattices: Lattices, words: ShardWords | None = None
) -> tuple[Lattices, ProjectionOutcome]:
    """The lattices from which ``model`` infers posteriors projected onto a constraint, and how the projection went.

    A projected posterior has the form of the model's own, with tilted emissions. So a projection turns lattices into
    lattices, and neither models nor decoders need to know of it. ``words`` are for constraints that look at them.
    """
    problems = iter(constraint.problems(lattices, lambda: _spelled(block, words), model))
    lattices, outcome = solve(next(problems), model, lattices)
    for problem in problems:
        lattices, other = solve(problem, model, lattices)
        outcome = outcome.beside(other)
    return lattices, outcome


def _spelled(block: Block, words: ShardWords | None) -> list[tuple[list[str], list[str]]]:
    if words is None:
        raise ValueError("a constraint that looks at words needs them")
    texts = block.texts
    spelled = []
    for pair in block.pairs.tolist():
        source = texts.source[texts.source_start[pair] : texts.source_start[pair + 1]].tolist()
        target = texts.target[texts.target_start[pair] : texts.target_start[pair + 1]].tolist()
        spelled.append(([words[0][word] for word in source], [words[1][word] for word in target]))
    return spelled
