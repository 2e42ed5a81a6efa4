"""Whether one system is better than another, or merely luckier with the sentences it was judged on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, starmap
from typing import TYPE_CHECKING, Any, Literal

from pralign.errors import InputError
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.intervals import SAMPLES as INTERVAL_SAMPLES
from pralign.evaluation.intervals import Interval, middle
from pralign.evaluation.resampling import LOWER_IS_BETTER, Measure, check_drawing, check_measures, resampled_values
from pralign.evaluation.scores import Scores
from pralign.links.alignment import Alignment
from pralign.signature import Signature
from pralign.text.pairing import UnequalLinesError, paired

if TYPE_CHECKING:  # numpy is imported where it is needed, so that commands which only score start quickly
    import numpy as np
    from numpy.typing import NDArray

SAMPLES = 10_000
FEWEST_PAIRS = 20
CHANCE = 0.05
_FIRST, _SECOND = "the first system", "the second system"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two systems compare on the same sentence pairs, and how far that can be trusted.

    Attributes:
        measure: What was compared, a score of :class:`~pralign.evaluation.Scores`.
        first: The score of the first system on all pairs.
        second: The score of the second system on all pairs.
        better: The share of samples in which the second system is better, ties not among them. Better is lower for
            ``aer`` and ``errors`` and higher for all others.
        p_value: How surprising such a difference would be between equals, two-sided: twice the share of samples in
            which the system that wins fewer of them is at least as good, and at most one. One is added to the number
            of these samples and to that of all, since no number of samples can show that something never happens.
        interval: Between these the difference lies in 95 % of the samples; the rest is half below and half above.
        pairs: The number of sentence pairs.
        samples: The number of samples.
        seed: What the samples were drawn with.

    Example:
        >>> from pralign import Alignment
        >>> from pralign.evaluation import paired_bootstrap
        >>> gold, good, bad = Alignment.of("0-0 1-1"), Alignment.of("0-0 1-1"), Alignment.of("0-1")
        >>> found = paired_bootstrap([bad] * 40, [good] * 40, [gold] * 40, samples=100)
        >>> isinstance(found, Comparison), found.first, found.second
        (True, 1.0, 0.0)
    """

    measure: Measure
    first: float
    second: float
    better: float
    p_value: float
    interval: Interval
    pairs: int
    samples: int
    seed: int

    @property
    def is_telling(self) -> bool:
        """Whether there are enough pairs, at least 20, for samples of them to say anything about chance."""
        return self.pairs >= FEWEST_PAIRS

    @property
    def is_significant(self) -> bool:
        """Whether the difference is hardly chance: enough pairs, and a p value below 0.05."""
        return self.is_telling and self.p_value < CHANCE

    @property
    def winner(self) -> Literal["first", "second"] | None:
        """Which system is better on all pairs, by chance or not; ``None`` if neither is."""
        if self.difference == 0:
            return None
        return "second" if (self.difference < 0) == (self.measure in LOWER_IS_BETTER) else "first"

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
        """All numbers, scores as fractions from 0 to 1 but for ``errors``, and the signature, ready for JSON."""
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
        factor, unit = (1, " ") if self.measure == "errors" else (100, "%")
        low, high = (f"{factor * value:+.2f}" for value in self.interval)
        return "\n".join(
            [
                f"first      {factor * self.first:6.2f} {unit}   {self.measure}",
                f"second     {factor * self.second:6.2f} {unit}   better in {100 * self.better:.2f} % of the samples",
                f"difference {factor * self.difference:+6.2f}     {low} to {high} in 95 % of the samples",
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

    Samples are drawn some at a time, and their number does not change the memory that the drawing needs. Sample k holds
    the pairs that the k-th n numbers below n of ``numpy.random.default_rng(seed)`` name, n being the number of pairs.

    Args:
        first: The alignments of one system, one a sentence pair.
        second: The alignments of the other, in the same order.
        golds: The alignments to judge by, in the same order.
        measure: What to compare: ``"aer"``, ``"errors"``, ``"f1"``, ``"f1_sure"``, ``"precision"`` or ``"recall"``.
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
    _check([measure], samples, seed)
    references = list(golds)
    one, other = (_counts(found, references, name) for found, name in ((first, _FIRST), (second, _SECOND)))
    return compare(one, other, measure, samples, seed)


def compare(
    first: Sequence[LinkCounts],
    second: Sequence[LinkCounts],
    measure: Measure = "aer",
    samples: int = SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compare two systems whose links have been counted already; else like :func:`paired_bootstrap`.

    Args:
        first: The counts of one system, one a sentence pair, as :func:`~pralign.evaluation.count_links` gives them.
        second: The counts of the other, of the same pairs in the same order.
        measure: What to compare.
        samples: How many samples to draw.
        seed: What to draw them with.

    Raises:
        InputError: There are no pairs, or the systems have different numbers of them.
        UsageError: There is no such measure, or the number of samples or the seed cannot be.

    Example:
        >>> good, bad = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 1, 1, 1)
        >>> compare([bad, bad, good], [good, good, good], samples=99).first
        0.33333333333333337
    """
    return compare_all({_FIRST: first, _SECOND: second}, (measure,), samples, seed)[_FIRST, _SECOND][measure]


def compare_all(
    systems: Mapping[str, Sequence[LinkCounts]],
    measures: Sequence[Measure] = ("aer",),
    samples: int = INTERVAL_SAMPLES,
    seed: int = 0,
) -> dict[tuple[str, str], dict[Measure, Comparison]]:
    """Compare every system with every other, by one or several measures.

    Each comparison is the one that :func:`compare` makes of these two, but the samples are drawn and scored only once.
    Nothing is done about the number of comparisons: between equals, about one in twenty has a
    p-value below 0.05.

    Args:
        systems: The counts of each system by its name, all of the same pairs in the same order.
        measures: What to compare.
        samples: How many samples to draw; fewer than :func:`compare` draws unless told otherwise.
        seed: What to draw them with.

    Returns:
        For each two names, in the order of ``systems``, the comparisons by measure. The name that comes first is the
        first system. With fewer than two systems there is nothing to compare.

    Raises:
        InputError: There are no pairs, or the systems have different numbers of them.
        UsageError: There is no such measure, or the number of samples or the seed cannot be.

    Example:
        >>> good, bad = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 1, 1, 1)
        >>> found = compare_all({"old": [bad] * 9, "new": [good] * 9, "newer": [good] * 9}, ("aer", "recall"))
        >>> [(names, by["recall"].difference) for names, by in found.items()]
        [(('old', 'new'), 0.5), (('old', 'newer'), 0.5), (('new', 'newer'), 0.0)]
    """
    _check(measures, samples, seed)
    if len(systems) < 2:
        return {}
    _check_numbers(systems)
    values = resampled_values(list(systems.values()), measures, samples, seed)
    totals = [Scores(sum(counts, LinkCounts())) for counts in systems.values()]
    pairs = len(next(iter(systems.values())))
    found: dict[tuple[str, str], dict[Measure, Comparison]] = {}
    for (one, first), (other, second) in combinations(enumerate(systems), 2):
        found[first, second] = {
            measure: _comparison(measure, (totals[one], totals[other]), rows[other] - rows[one], pairs, seed)
            for measure, rows in values.items()
        }
    return found


def _comparison(
    measure: Measure, totals: tuple[Scores, Scores], differences: NDArray[np.float64], pairs: int, seed: int
) -> Comparison:
    samples = len(differences)
    gains = -differences if measure in LOWER_IS_BETTER else differences
    wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
    against = samples - max(wins, losses)
    return Comparison(
        measure=measure,
        first=getattr(totals[0], measure),
        second=getattr(totals[1], measure),
        better=wins / samples,
        p_value=min(1.0, 2 * (against + 1) / (samples + 1)),
        interval=middle(differences),
        pairs=pairs,
        samples=samples,
        seed=seed,
    )


def _check(measures: Sequence[str], samples: int, seed: int) -> None:
    check_measures(measures)
    check_drawing(samples, seed)


def _check_numbers(systems: Mapping[str, Sequence[LinkCounts]]) -> None:
    (first, counts), *others = systems.items()
    for name, other in others:
        if len(other) != len(counts):
            raise UnequalLinesError((first, len(counts)), (name, len(other)))
    if not counts:
        raise InputError("there are no sentence pairs to compare the systems on")


def _counts(found: Iterable[Alignment], golds: Sequence[Alignment], name: str) -> list[LinkCounts]:
    judged = (pair for pair in paired(found, golds, (name, "the gold")) if pair[1].is_labelled)
    return list(starmap(count_links, judged))
