"""How high a posterior must be to make a link, and ways to choose that height."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.evidence import Evidence
from pralign.evaluation import Criterion, evaluate, precision_recall_curve, tune_threshold
from pralign.links.alignment import Alignment
from pralign.training.em import Quality

_CANDIDATES = tuple(round(0.01 * step, 2) for step in range(1, 100))
# Nobody wants links as improbable as this, and below it lie most of the cells.
_LOWEST = 0.01


class _Tally(NamedTuple):
    """The posteriors of one kind, and how many links the best paths would make of them."""

    posteriors: list[NDArray[np.float32]]
    links: list[float]

    def threshold(self) -> float:
        """The posterior that as many cells reach as there are links."""
        values = np.sort(np.concatenate(self.posteriors))[::-1]
        wanted = min(round(sum(self.links)), values.size)
        return float(values[wanted - 1]) if wanted else 1.0


def as_many_as_viterbi(blocks: Iterable[Evidence]) -> Thresholds:
    """Thresholds that give as many links as Viterbi decoding would.

    The links are other ones: less confident points are traded for more confident ones. Each direction is compared
    with its own best paths, and the mean of the two posteriors with the mean of the two numbers of links.
    """
    forward, reverse, mean = _Tally([], []), _Tally([], []), _Tally([], [])
    for evidence in blocks:
        counts = [float(marks.sum()) for marks in evidence.viterbi]
        cells = (evidence.forward, evidence.reverse, evidence.mean)
        for tally, values, links in zip((forward, reverse, mean), cells, (*counts, sum(counts) / 2), strict=True):
            tally.posteriors.append(values[values > _LOWEST])
            tally.links.append(links)
    return Thresholds(forward.threshold(), reverse.threshold(), mean.threshold())


# A model that expects to find this much (F) of what there is needs no help; see balanced.
_SURE = 0.8
_STEEPNESS = 1.5
_HIGHEST = 0.5
_LOWEST_BALANCED = 0.25


def balanced(blocks: Iterable[Evidence]) -> Thresholds:
    """Thresholds that are one half where a model is sure of itself, and lower the less it is.

    If posteriors are right, the links above a threshold are expected to have a certain precision and recall, and so a
    certain F. How high F can get says how sure the model is. An unsure one, of little text or of languages that
    differ much, would link few words at one half, and most of those it leaves out would be right.
    """
    kinds: tuple[list[NDArray[np.float32]], ...] = ([], [], [])
    for evidence in blocks:
        for kind, values in zip(kinds, (evidence.forward, evidence.reverse, evidence.mean), strict=True):
            kind.append(values[values > _LOWEST])
    return Thresholds(*(_balance(np.concatenate([np.empty(0, np.float32), *kind])) for kind in kinds))


def _balance(posteriors: NDArray[np.float32]) -> float:
    if posteriors.size == 0:
        return _HIGHEST
    found = np.cumsum(np.sort(posteriors)[::-1], dtype=float)
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
    if decoder.symmetrize == SOFT_UNION and decoder.method != "matching":
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
