"""What is summed over shards, apart from the counts of word pairs."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from pralign.constraints.solver import ProjectionCost
from pralign.kernels.arrays import Long
from pralign.kernels.lexical import sum_by_word
from pralign.models.base import DirectionalModel, Statistics
from pralign.models.bidirectional import ShardStatistics
from pralign.store import Store
from pralign.text.shard import Shard
from pralign.training.state import with_prefix


class Totals(NamedTuple):
    """Everything that is summed over shards except the counts of word pairs, which stay in pieces. All in units.

    Attributes:
        source: The counts of each source word, forward.
        target: The counts of each target word, in reverse.
        null_to_target: How much of each target word null has explained.
        null_to_source: The same for each source word.
        forward: The statistics of the forward model.
        reverse: The statistics of the reverse model.
        log_likelihood: Forward and reverse, in units of their own.
    """

    source: Long
    target: Long
    null_to_target: Long
    null_to_source: Long
    forward: Statistics
    reverse: Statistics
    log_likelihood: Long

    @classmethod
    def zero(cls, source_words: int, target_words: int, models: tuple[DirectionalModel, DirectionalModel]) -> Self:
        """Zero counts."""
        forward, reverse = models
        return cls(
            np.zeros(source_words, np.int64),
            np.zeros(target_words, np.int64),
            np.zeros(target_words, np.int64),
            np.zeros(source_words, np.int64),
            forward.zero_statistics(),
            reverse.zero_statistics(),
            np.zeros(2, np.int64),
        )

    def add(self, part: ShardTotals, models: tuple[DirectionalModel, DirectionalModel]) -> None:
        """Add those of a shard in place, whose words are numbered differently."""
        self.source[part.source_words] += part.totals.source
        self.target[part.target_words] += part.totals.target
        self.null_to_target[part.target_words] += part.totals.null_to_target
        self.null_to_source[part.source_words] += part.totals.null_to_source
        add_statistics(self.forward, part.totals.forward, part.source_words, models[0])
        add_statistics(self.reverse, part.totals.reverse, part.target_words, models[1])
        self.log_likelihood[:] += part.totals.log_likelihood


class ShardTotals(NamedTuple):
    """The totals of a shard, by its own words, which are named."""

    source_words: Long
    target_words: Long
    totals: Totals

    @classmethod
    def of(cls, shard: Shard, statistics: ShardStatistics) -> Self:
        """Sum up what the E-step has found in a shard."""
        lexical = statistics.lexical
        of_source, of_target = np.zeros(shard.source_words.size, np.int64), np.zeros(shard.target_words.size, np.int64)
        sum_by_word(shard.table, lexical.pair, of_source, of_target)
        totals = Totals(
            of_source,
            of_target,
            lexical.null_to_target,
            lexical.null_to_source,
            statistics.forward,
            statistics.reverse,
            statistics.log_likelihood,
        )
        return cls(shard.source_words, shard.target_words, totals)


def add_statistics(total: Statistics, part: Statistics, words: Long, model: DirectionalModel) -> None:
    """Add the statistics of a shard to those of all in place; ``words`` are the numbers of its words."""
    for name, counts in part.items():
        if name in model.counted_by_word:
            total[name][words] += counts
        else:
            total[name][...] += counts


def save_totals(store: Store, name: str, part: ShardTotals, cost: ProjectionCost) -> None:
    """Put the totals of a shard, and what its projections have cost, into a store."""
    totals = part.totals._asdict()
    arrays = {f"{side}.{each}": counts for side in _SIDES for each, counts in totals.pop(side).items()}
    arrays |= {f"words.{side}": words for side, words in zip(("source", "target"), part[:2], strict=True)}
    store.save(name, {**totals, **arrays, "cost": np.array(cost, np.int64)})


def load_totals(store: Store, name: str) -> tuple[ShardTotals, ProjectionCost]:
    """The totals of a shard and the cost of its projections, from a store."""
    arrays = store.load(name)
    statistics = {side: with_prefix(arrays, f"{side}.") for side in _SIDES}
    totals = Totals(*(statistics[each] if each in statistics else arrays[each] for each in Totals._fields))  # type: ignore[arg-type]
    part = ShardTotals(arrays["words.source"], arrays["words.target"], totals)
    return part, ProjectionCost(*arrays["cost"].tolist())


_SIDES = ("forward", "reverse")
