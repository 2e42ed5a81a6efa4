"""Whether one system is better than another, or merely luckier with the sentences it was judged on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING, Any, Literal, get_args

from pralign.errors import InputError, UsageError
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.scores import Scores
from pralign.links.alignment import Alignment
from pralign.signature import Signature
from pralign.text.pairing import paired

if TYPE_CHECKING:  # numpy is imported where it is needed, so that commands which only score start quickly
    import numpy as np
    from numpy.typing import NDArray

Measure = Literal["aer", "f1", "f1_sure", "precision", "recall"]

SAMPLES = 10_000
_OUTER = (0.025, 0.975)
# Numbers that are drawn at once; they need some thirty bytes each while they are counted.
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two systems compare on the same sentence pairs, and how far that can be trusted.

    Attributes:
        measure: What was compared, a score of :class:`~pralign.evaluation.Scores`.
        first: The score of the first system on all pairs.
        second: The score of the second system on all pairs.
        better: The share of samples in which the second system is better, ties not among them. Better is lower for
            ``aer`` and higher for all others.
        p_value: How surprising such a difference would be between equals, two-sided: twice the share of samples in
            which the system that wins fewer of them is at least as good, and at most one. One is added to the number
            of these samples and to that of all, since no number of samples can show that something never happens.
        interval: Between these the difference lies in 95 % of the samples; the rest is half below and half above.
        pairs: The number of sentence pairs.
        samples: The number of samples.
        seed: What the samples were drawn with.
    """

    measure: Measure
    first: float
    second: float
    better: float
    p_value: float
    interval: tuple[float, float]
    pairs: int
    samples: int
    seed: int

    @property
    def difference(self) -> float:
        """The second score less the first."""
        return self.second - self.first

    @property
    def signature(self) -> Signature:
        """What the numbers were computed from."""
        drawn = {"pairs": self.pairs, "samples": self.samples, "seed": self.seed}
        return Signature.of(test="paired-bootstrap", measure=self.measure, **drawn)

    def as_dict(self) -> dict[str, Any]:
        """All numbers, scores as fractions from 0 to 1, and the signature, ready for JSON."""
        return {
            "measure": self.measure,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "better": self.better,
            "p_value": self.p_value,
            "interval": list(self.interval),
            "pairs": self.pairs,
            "samples": self.samples,
            "seed": self.seed,
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        low, high = (f"{100 * value:+.2f}" for value in self.interval)
        return "\n".join(
            [
                f"first      {100 * self.first:6.2f} %   {self.measure}",
                f"second     {100 * self.second:6.2f} %   better in {100 * self.better:.2f} % of the samples",
                f"difference {100 * self.difference:+6.2f}     {low} to {high} in 95 % of the samples",
                f"p          {self.p_value:6.4f}     two-sided",
                "",
                str(self.signature),
            ]
        )


def paired_bootstrap(
    first: Iterable[Alignment],
    second: Iterable[Alignment],
    golds: Iterable[Alignment],
    measure: Measure = "aer",
    samples: int = SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compare two systems on samples of the sentence pairs they were judged on (Koehn, 2004).

    Another test set would have given other scores. What it might have given is learned from the one there is: a sample
    has as many pairs, drawn from it with replacement, and both systems are judged on the same samples. Pairs that are
    easy or hard are so for both, so the difference varies less than the scores do. If the second system is better in
    nearly all samples, its lead does not hang on a few pairs.

    A sample is fully described by how often it holds each pair, so its counts of links are one row of a product of
    matrices. Samples are drawn some at a time, and their number does not change the memory that is needed. Sample k
    holds the pairs that the k-th n numbers below n of ``numpy.random.default_rng(seed)`` name, n being the number of
    pairs.

    Args:
        first: The alignments of one system, one a sentence pair.
        second: The alignments of the other, in the same order.
        golds: The alignments to judge by, in the same order.
        measure: What to compare: ``"aer"``, ``"f1"``, ``"f1_sure"``, ``"precision"`` or ``"recall"``.
        samples: How many samples to draw.
        seed: What to draw them with; the same seed gives the same samples, whatever the systems.

    Raises:
        InputError: There are no pairs, or the inputs have different numbers of lines.
        UsageError: There is no such measure, or the number of samples or the seed cannot be.

    Example:
        >>> gold = [Alignment.of([(0, 0), (1, 1)])] * 5
        >>> compared = paired_bootstrap([Alignment.of([(0, 0)])] * 5, gold, gold, measure="recall", samples=999)
        >>> compared.first, compared.second, compared.better, compared.p_value
        (0.5, 1.0, 1.0, 0.002)
    """
    _check(measure, samples, seed)
    references = list(golds)
    systems = [_counts(found, references, name) for found, name in ((first, "the first"), (second, "the second"))]
    if not references:
        raise InputError("there are no sentence pairs to compare the systems on")
    one, other = (getattr(Scores(sum(counts, LinkCounts())), measure) for counts in systems)
    differences = _differences(systems, measure, samples, seed)
    gains = -differences if measure == "aer" else differences
    wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
    against = samples - max(wins, losses)
    low, high = _quantiles(differences)
    return Comparison(
        measure=measure,
        first=one,
        second=other,
        better=wins / samples,
        p_value=min(1.0, 2 * (against + 1) / (samples + 1)),
        interval=(low, high),
        pairs=len(references),
        samples=samples,
        seed=seed,
    )


def _check(measure: str, samples: int, seed: int) -> None:
    if measure not in get_args(Measure):
        raise UsageError(f"systems are compared by one of {', '.join(get_args(Measure))}, not by {measure!r}")
    if samples < 1:
        raise UsageError(f"a comparison needs at least one sample, not {samples}")
    if seed < 0:
        raise UsageError(f"a seed is a whole number from 0, not {seed}")


def _counts(found: Iterable[Alignment], golds: Sequence[Alignment], name: str) -> list[LinkCounts]:
    return list(starmap(count_links, paired(found, golds, (f"{name} system", "the gold"))))


def _differences(systems: Sequence[Sequence[LinkCounts]], measure: str, samples: int, seed: int) -> NDArray[np.float64]:
    """The second score less the first, in each sample."""
    import numpy as np

    tables = [np.array([_row(counts) for counts in system], np.int64) for system in systems]
    found: list[float] = []
    for weights in _weights(len(systems[0]), samples, seed):
        # One formula for all: a score of a sample is computed as any other.
        first, second = (
            [getattr(Scores(LinkCounts(*sums)), measure) for sums in (weights @ table).tolist()] for table in tables
        )
        found += [other - one for one, other in zip(first, second, strict=True)]
    return np.array(found)


def _row(counts: LinkCounts) -> tuple[int, ...]:
    return counts.links, counts.sure, counts.possible, counts.links_sure, counts.links_possible, counts.pairs


def _weights(pairs: int, samples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """How often each sample (a row) holds each pair (a column), some samples at a time."""
    import numpy as np

    generator = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // pairs)
    for begin in range(0, samples, step):
        rows = min(step, samples - begin)
        drawn = generator.integers(pairs, size=(rows, pairs))
        cells = drawn + pairs * np.arange(rows)[:, None]
        yield np.bincount(cells.ravel(), minlength=rows * pairs).reshape(rows, pairs)


def _quantiles(values: NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    low, high = np.quantile(values, _OUTER).tolist()
    return low, high
