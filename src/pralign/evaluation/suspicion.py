"""Sentence pairs that are worth a look where there is no gold: they may be no translations of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median
from typing import NamedTuple

from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds

LENGTH = "length"
FEW_LINKS = "few links"
LOW_CONFIDENCE = "low confidence"
LOW_SCORE = "low score"
EMPTY_SIDE = "empty side"

_OUTLYING = 3.5
_CONFIDENT = 0.5
# By these factors the mean absolute deviation and the median absolute deviation of normally distributed numbers come to
# their standard deviation.
_NORMAL_MEAN = math.sqrt(math.pi / 2)
_NORMAL_MEDIAN = 1 / 0.674489750196082


class PairSigns(NamedTuple):
    """What can be told of a sentence pair without knowing the right links.

    Attributes:
        length_ratio: log((J + 1) / (I + 1)) of a pair of I source and J target words: 0 for equal lengths, and the same
            distance from 0 for twice as long as for half as long.
        linked_share: The words with a link as a share of all words, both sides together; 0 without words.
        confidence: The mean of the scores of its links, ``None`` where there are no links or no scores.
        score: A score of the pair as a whole, higher for better ones, such as its log-likelihood per word; ``None``
            where it is not known.
        empty_sides: How many of its sentences have no words at all: 0, 1 or 2.

    Example:
        >>> signs = pair_signs((4, 4), Alignment(((0, 0), (1, 2)), (0.9, 0.5)))
        >>> isinstance(signs, PairSigns), signs.linked_share, round(signs.confidence, 2)
        (True, 0.5, 0.7)
    """

    length_ratio: float
    linked_share: float
    confidence: float | None = None
    score: float | None = None
    empty_sides: int = 0


def pair_signs(lengths: Lengths, alignment: Alignment, score: float | None = None) -> PairSigns:
    """Gather the signs of one sentence pair, to be judged against those of all others by :func:`suspicious`.

    Args:
        lengths: The numbers of source and target words.
        alignment: The links, with scores where they are known.
        score: A score of the pair as a whole, if there is one.

    Raises:
        InputError: A link joins a word beyond ``lengths``.

    Example:
        >>> signs = pair_signs((3, 1), Alignment.of([(0, 0), (2, 0)], scores=[0.75, 0.25]))
        >>> round(signs.length_ratio, 3), signs.linked_share, signs.confidence
        (-0.693, 0.75, 0.5)
    """
    check_bounds(alignment, lengths, "the alignment")
    source, target = lengths
    linked = len({i for i, _ in alignment.links}) + len({j for _, j in alignment.links})
    return PairSigns(
        length_ratio=math.log((target + 1) / (source + 1)),
        linked_share=linked / (source + target) if source + target else 0.0,
        confidence=fmean(alignment.scores) if alignment.scores else None,
        score=score,
        empty_sides=(source == 0) + (target == 0),
    )


def suspicious(signs: Sequence[PairSigns]) -> list[tuple[str, ...]]:
    """Say for each sentence pair why it is worth a look, compared with all others.

    The reasons, in this order:

    ==================  ==========================================================================================
    ``length``          the length ratio is an outlier, on either side
    ``few links``       the share of linked words is less than half of the median
    ``low confidence``  the mean score of the links is below 0.5: the links are more likely wrong than right
    ``low score``       the score of the pair is an outlier on the lower side
    ``empty side``      one sentence has words and the other has none; no other reason is given then
    ==================  ==========================================================================================

    A number x is an outlier if |x - m| / s > 3.5 (Iglewicz and Hoaglin, 1993). Here m is the median, and s the median
    absolute deviation from it, divided by 0.6745 so that it estimates the standard deviation of normally distributed
    numbers. Unlike mean and standard deviation, both hardly move with the outliers that are sought, as long as most
    pairs are sound. Where more than half of the numbers are equal, that deviation is zero, and s is the mean absolute
    deviation times 1.2533 instead; where all are equal, nothing is an outlier.

    Medians and deviations are those of pairs with words on both sides. A pair without any words is not suspicious: an
    empty line that faces an empty line is in its place. A score that is not a number says nothing, one of minus
    infinity is always low.

    Returns:
        For each pair its reasons; none for most.

    Example:
        >>> full = Alignment.of([(k, k) for k in range(6)])
        >>> usual = [pair_signs((6, 6 + k % 2), full) for k in range(20)]
        >>> odd = [pair_signs((6, 60), full), pair_signs((6, 6), Alignment()), pair_signs((6, 0), Alignment())]
        >>> suspicious(usual + odd)[-4:]
        [(), ('length', 'few links'), ('few links',), ('empty side',)]
    """
    whole = [sign for sign in signs if not sign.empty_sides]
    usual_share = median(sign.linked_share for sign in whole) if whole else 0.0
    lengths = _Usual.of([sign.length_ratio for sign in whole])
    scores = _Usual.of([sign.score for sign in whole if sign.score is not None])

    def reasons(sign: PairSigns) -> tuple[str, ...]:
        if sign.empty_sides:
            return (EMPTY_SIDE,) if sign.empty_sides == 1 else ()
        found = {
            LENGTH: abs(lengths.deviation(sign.length_ratio)) > _OUTLYING,
            FEW_LINKS: sign.linked_share < usual_share / 2,
            LOW_CONFIDENCE: sign.confidence is not None and sign.confidence < _CONFIDENT,
            LOW_SCORE: sign.score is not None and scores.deviation(sign.score) < -_OUTLYING,
        }
        return tuple(reason for reason, applies in found.items() if applies)

    return [reasons(sign) for sign in signs]


class _Usual(NamedTuple):
    """Where most numbers of a kind lie: their median, and how far from it is still usual."""

    middle: float
    spread: float

    @classmethod
    def of(cls, values: Sequence[float]) -> _Usual:
        finite = [value for value in values if math.isfinite(value)]
        if not finite:
            return cls(0.0, 0.0)
        middle = median(finite)
        distances = [abs(value - middle) for value in finite]
        return cls(middle, _NORMAL_MEDIAN * median(distances) or _NORMAL_MEAN * fmean(distances))

    def deviation(self, value: float) -> float:
        """How many spreads above the median; infinite for what is infinite, 0 where there is no spread."""
        if math.isinf(value):
            return value
        return (value - self.middle) / self.spread if self.spread else 0.0
