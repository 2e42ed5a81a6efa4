"""The E-step: what a model expects of a shard. A pure function of settings and arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pralign.constraints.base import Constraint
from pralign.constraints.projection import ShardWords, project
from pralign.constraints.solver import ProjectionCost
from pralign.kernels.own_counts import OwnCounts, choose, joined, no_own_counts
from pralign.models.base import DirectionalModel, Statistics
from pralign.models.bidirectional import BidirectionalModel, ShardStatistics
from pralign.text.shard import Shard


@dataclass(frozen=True)
class Spec:
    """How a shard is to be looked at.

    Attributes:
        leaves_out: Whether what each pair adds to the counts is kept, so that it can be left out next time.
        constraint: What posteriors are projected onto, if onto anything.
        block_cells: About how many cells are worked on at once; no result depends on it.
    """

    leaves_out: bool = False
    constraint: Constraint | None = None
    block_cells: int = 131_072


class EStepResult(NamedTuple):
    """The E-step's answer: expected counts, what each pair has added to them, and what projections have cost."""

    statistics: ShardStatistics
    own: OwnCounts | None
    cost: ProjectionCost


def e_step(
    spec: Spec,
    parameters: BidirectionalModel,
    shard: Shard,
    own: OwnCounts | None = None,
    words: ShardWords | None = None,
) -> EStepResult:
    """What a model expects of the pairs of a shard.

    Args:
        spec: How to look at it.
        parameters: The model, with the parameters of the shard's words.
        shard: The text.
        own: What each pair that is worked on has added to the counts behind the parameters, to be left out of them.
        words: The words of the shard, for constraints that look at them.
    """
    statistics, cost, kept = parameters.zero_statistics(shard), ProjectionCost(), []
    done = 0
    for block in shard.blocks(most_cells=spec.block_cells):
        before = None if own is None else choose(own, np.arange(done, done + block.pairs.size))
        done += block.pairs.size
        lattices = parameters.lattices(block, before)
        if spec.constraint is not None:
            lattices, outcome = project(spec.constraint, parameters, block, lattices, words)
            cost = cost.plus(ProjectionCost.of(outcome))
        added = parameters.count(block, lattices, statistics, spec.leaves_out)
        if added is not None:
            kept.append(added)
    if not spec.leaves_out:
        return EStepResult(statistics, None, cost)
    return EStepResult(statistics, joined(kept) if kept else no_own_counts(0), cost)


def count_best_paths(
    parameters: BidirectionalModel,
    following: tuple[DirectionalModel, DirectionalModel],
    shard: Shard,
    own: OwnCounts | None = None,
) -> tuple[Statistics, Statistics]:
    """What models that are to follow count if the best paths under ``parameters`` are the alignments of a shard."""
    forward, reverse = following
    statistics = forward.zero_statistics(), reverse.zero_statistics()
    done = 0
    for block in shard.blocks():
        before = None if own is None else choose(own, np.arange(done, done + block.pairs.size))
        done += block.pairs.size
        lattices = parameters.lattices(block, before)
        paths = parameters.viterbi(lattices)
        forward.count_paths(lattices.forward, block.texts, block.pairs, paths[0], statistics[0])
        reverse.count_paths(lattices.reverse, block.transposed_texts, block.pairs, paths[1], statistics[1])
    return statistics
