"""Bootstrap samples of sentence pairs: what other test sets of the same kind might have given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from pralign.errors import InputError, UsageError
from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.scores import Scores
from pralign.text.pairing import UnequalLinesError

if TYPE_CHECKING:  # numpy is imported where it is needed, so that commands which only score start quickly
    import numpy as np
    from numpy.typing import NDArray

Measure = Literal["aer", "errors", "f1", "f1_sure", "precision", "recall"]

LOWER_IS_BETTER = ("aer", "errors")

# Numbers that are drawn at once; they need some thirty bytes each while they are counted.
_AT_ONCE = 1 << 20
# Samples whose scores are kept; more would tell nothing more, and take gigabytes.
_MOST_KEPT = 10_000_000


def resampled(systems: Sequence[Sequence[LinkCounts]], samples: int, seed: int) -> Iterator[list[Scores]]:
    """Score systems on bootstrap samples of the sentence pairs they were judged on, the same samples for all.

    A sample has as many pairs as there are, drawn from them with replacement: sample k holds the pairs that the k-th n
    numbers below n of ``numpy.random.default_rng(seed)`` name, n being the number of pairs. A sample is fully described
    by how often it holds each pair, so its counts of links are one row of a product of matrices. Samples are drawn some
    at a time, and their number does not change the memory that is needed.

    Args:
        systems: For each system the counts of every pair, in the same order.
        samples: How many samples to draw.
        seed: What to draw them with; the same seed gives the same samples, whatever the systems.

    Returns:
        An iterator over the samples, which gives for each of them the scores of all systems.

    Raises:
        InputError: There are no pairs, or the systems have different numbers of them.
        UsageError: The number of samples or the seed cannot be.

    Example:
        >>> good, bad = LinkCounts(1, 1, 1, 1, 1, 1), LinkCounts(1, 1, 1, 0, 0, 1)
        >>> [[scores.recall for scores in sample] for sample in resampled([[good, bad], [bad, good]], 3, seed=0)]
        [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    check_drawing(samples, seed)
    pairs = len(systems[0]) if systems else 0
    for number, system in enumerate(systems, start=1):
        if len(system) != pairs:
            raise UnequalLinesError(("system 1", pairs), (f"system {number}", len(system)))
    if not pairs:
        raise InputError("there are no sentence pairs to draw samples from")
    return _draw(systems, pairs, samples, seed)


def resampled_values(
    systems: Sequence[Sequence[LinkCounts]], measures: Sequence[Measure], samples: int, seed: int
) -> dict[Measure, NDArray[np.float64]]:
    """Numbers alone: for each measure an array with the score of each system (a row) in each sample (a column).

    The samples, the arguments and the errors are those of :func:`resampled`.
    """
    import numpy as np

    if samples > _MOST_KEPT:
        raise UsageError(f"a bootstrap keeps the scores of at most {_MOST_KEPT:,} samples, not {samples}")
    drawn = resampled(systems, samples, seed)
    values = (getattr(score, measure) for scores in drawn for measure in measures for score in scores)
    shape = samples, len(measures), len(systems)
    table = np.fromiter(values, np.float64, count=math.prod(shape)).reshape(shape)
    return {measure: table[:, number].T for number, measure in enumerate(measures)}


def check_measures(measures: Iterable[str]) -> None:
    """Check that there are such measures.

    Raises:
        UsageError: There is one that does not exist.
    """
    for measure in measures:
        if measure not in get_args(Measure):
            raise UsageError(f"systems are compared by one of {', '.join(get_args(Measure))}, not by {measure!r}")


def check_drawing(samples: int, seed: int) -> None:
    """Check that samples can be drawn so.

    Raises:
        UsageError: There is not even one sample, or the seed is negative.
    """
    if samples < 1:
        raise UsageError(f"a bootstrap needs at least one sample, not {samples}")
    if seed < 0:
        raise UsageError(f"a seed is a whole number from 0, not {seed}")


def _draw(systems: Sequence[Sequence[LinkCounts]], pairs: int, samples: int, seed: int) -> Iterator[list[Scores]]:
    import numpy as np

    tables = [np.array([_row(counts) for counts in system], np.int64) for system in systems]
    for weights in sample_weights(pairs, samples, seed):
        # One formula for all: a score of a sample is computed as any other.
        for sums in zip(*((weights @ table).tolist() for table in tables), strict=True):
            yield [Scores(LinkCounts(*numbers)) for numbers in sums]


def _row(counts: LinkCounts) -> tuple[int, ...]:
    return counts.links, counts.sure, counts.possible, counts.links_sure, counts.links_possible, counts.pairs


def sample_weights(pairs: int, samples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """How often each sample (a row) holds each pair (a column), some samples at a time."""
    import numpy as np

    generator = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // pairs)
    for begin in range(0, samples, step):
        rows = min(step, samples - begin)
        drawn = generator.integers(pairs, size=(rows, pairs))
        cells = drawn + pairs * np.arange(rows)[:, None]
        yield np.bincount(cells.ravel(), minlength=rows * pairs).reshape(rows, pairs)
