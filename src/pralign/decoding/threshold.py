"""How high a posterior must be to make a link, and ways to choose that height."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.evidence import Evidence
from pralign.evaluation import Criterion, evaluate, precision_recall_curve, tune_threshold
from pralign.links.alignment import Alignment
from pralign.registry import Registry
from pralign.training.progress import Quality

_CANDIDATES = tuple(round(0.01 * step, 2) for step in range(1, 100))
# Nobody wants links as improbable as this, and below it lie most of the cells.
_LOWEST = 0.01


class ThresholdRule(ABC):
    """Sets thresholds without labels, by looking at some pairs: what was seen is added up and then judged."""

    name: ClassVar[str]
    #: How many pairs are looked at.
    sample: ClassVar[int]

    @abstractmethod
    def look(self, evidence: Evidence) -> Seen:
        """What is worth knowing of a block: posteriors and numbers, of the forward model, the reverse one, the mean."""

    @abstractmethod
    def thresholds(self, seen: Sequence[Seen]) -> Thresholds:
        """What follows from all that was seen, in whatever order."""


class Seen(NamedTuple):
    """The posteriors of a block that are not tiny, and how many links best paths make: three of each."""

    posteriors: tuple[NDArray[np.float32], ...]
    links: tuple[int, ...] = (0, 0, 0)

    @classmethod
    def of(cls, evidence: Evidence, links: tuple[int, ...] = (0, 0, 0)) -> Seen:
        """What a block has to show."""
        kinds = (evidence.forward, evidence.reverse, evidence.mean)
        return cls(tuple(values[values > _LOWEST] for values in kinds), links)


def _joined(seen: Sequence[Seen], kind: int) -> NDArray[np.float32]:
    return np.sort(np.concatenate([np.empty(0, np.float32), *(each.posteriors[kind] for each in seen)]))[::-1]


class AsManyAsViterbi(ThresholdRule):
    """Thresholds that give as many links as Viterbi decoding would.

    The links are other ones: less confident points are traded for more confident ones. Each direction is compared
    with its own best paths, and the mean of the two posteriors with the mean of the two numbers of links.
    """

    name = "auto"
    sample = 20_000

    def look(self, evidence: Evidence) -> Seen:
        """Posteriors, and the links of best paths; those of both directions for the mean."""
        forward, reverse = (int(marks.sum()) for marks in evidence.viterbi)
        return Seen.of(evidence, (2 * forward, 2 * reverse, forward + reverse))

    def thresholds(self, seen: Sequence[Seen]) -> Thresholds:
        """The posterior that as many cells reach as there are links."""
        chosen = []
        for kind in range(3):
            values = _joined(seen, kind)
            wanted = min(round(sum(each.links[kind] for each in seen) / 2), values.size)
            chosen.append(float(values[wanted - 1]) if wanted else 1.0)
        return Thresholds(*chosen)


# A model that expects to find this much (F) of what there is needs no help; see balanced.
_SURE = 0.8
_STEEPNESS = 1.5
_HIGHEST = 0.5
_LOWEST_BALANCED = 0.25


class Balanced(ThresholdRule):
    """Thresholds that are one half where a model is sure of itself, and lower the less it is.

    If posteriors are right, the links above a threshold are expected to have a certain precision and recall, and so a
    certain F. How high F can get says how sure the model is. An unsure one, of little text or of languages that
    differ much, would link few words at one half, and most of those it leaves out would be right.
    """

    name = "balanced"
    sample = 5_000

    def look(self, evidence: Evidence) -> Seen:
        """Posteriors."""
        return Seen.of(evidence)

    def thresholds(self, seen: Sequence[Seen]) -> Thresholds:
        """By how high F can get."""
        return Thresholds(*(_balance(_joined(seen, kind)) for kind in range(3)))


THRESHOLD_RULES: Registry[ThresholdRule] = Registry("way to set a threshold")
for _rule in (AsManyAsViterbi(), Balanced()):
    THRESHOLD_RULES.register(_rule.name, _rule)


def _balance(posteriors: NDArray[np.float32]) -> float:
    if posteriors.size == 0:
        return _HIGHEST
    found = np.cumsum(posteriors, dtype=float)
    expected = float((2 * found / (np.arange(1, found.size + 1) + found[-1])).max())
    return float(np.clip(_HIGHEST - _STEEPNESS * (_SURE - expected), _LOWEST_BALANCED, _HIGHEST))


def quality(blocks: Iterable[Evidence], golds: Sequence[Alignment]) -> Quality:
    """How good posteriors are at any threshold, and at the best: by the precision-recall curve of their mean."""
    decode = Decoder("posterior", SOFT_UNION, Thresholds.all(_LOWEST))
    curve = precision_recall_curve((alignment for block in blocks for alignment in decode(block)), golds)
    return Quality(curve.area(), curve.best("aer").scores.aer if curve.points else 1.0)


def tuned(blocks: Sequence[Evidence], golds: Sequence[Alignment], decoder: Decoder, by: Criterion) -> float:
    """The threshold that suits labelled pairs best.

    Args:
        blocks: What the model says of the labelled pairs, in order.
        golds: Their gold alignments.
        decoder: How alignments are made; its own thresholds do not matter.
        by: Whether to minimise ``"aer"`` or to maximise ``"f1"``.

    Where a lower threshold only adds links, as for the soft union, every possible threshold is compared. Where two
    directions are combined by a heuristic, or links compete, a link may come and go as the threshold falls, so
    thresholds are tried in steps of a hundredth, and among equally good ones the middle one is taken.
    """
    if decoder.grows:
        decode = decoder.with_thresholds(Thresholds.all(_LOWEST))
        hypotheses = [alignment for block in blocks for alignment in decode(block)]
        return max(tune_threshold(precision_recall_curve(hypotheses, golds), by), _LOWEST)
    losses = []
    for candidate in _CANDIDATES:
        decode = decoder.with_thresholds(Thresholds.all(candidate))
        scores = evaluate((alignment for block in blocks for alignment in decode(block)), golds)
        losses.append(scores.aer if by == "aer" else -scores.f1)
    best = [candidate for candidate, loss in zip(_CANDIDATES, losses, strict=True) if loss == min(losses)]
    return best[len(best) // 2]
