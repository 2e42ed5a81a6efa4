"""Learning link by link: a classifier, its threshold, and whether it beats the model it starts from."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.decoder import marked_links
from pralign.engine import Engine
from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.scores import Scores
from pralign.kernels.arrays import Double
from pralign.links.alignment import Alignment
from pralign.matching.cells import Cells
from pralign.matching.classifier import LinkClassifier
from pralign.matching.extraction import Extractor, TextCells
from pralign.matching.marks import Marks, cells_of, count_marks
from pralign.schema.values import Count, Share
from pralign.text.bitext import Pair

logger = logging.getLogger("pralign")

FOLDS = 5
THRESHOLDS = [percent / 100 for percent in range(15, 75, 2)]
# A threshold counts together with so many neighbours on each side, as scores of few pairs jump.
_NEIGHBOURS = 2


@dataclass(frozen=True)
class Boosted:
    """What labelled pairs have taught.

    Attributes:
        classifier: How likely links are.
        threshold: How likely a link has to be.
        pairs: From how many pairs was learned.
        counts: How pairs are aligned that it has not learned from; validation pairs have set the threshold.
        alone: How the generative model aligns the same pairs, if there is one.
    """

    classifier: LinkClassifier
    threshold: Share
    pairs: Count
    counts: LinkCounts
    alone: LinkCounts | None

    @property
    def model_is_better(self) -> bool:
        """Whether the generative model alone does at least as well, so that it is left alone."""
        return self.alone is not None and Scores(self.alone).aer <= Scores(self.counts).aer


@dataclass(frozen=True)
class LabelledCells:
    """The cells of labelled pairs: numbers, labels, what the model alone links, and where each pair begins."""

    numbers: Double
    sure: Marks
    possible: Marks
    alone: Marks | None
    start: NDArray[np.int64]

    @classmethod
    def of(
        cls, extractor: Extractor, text: TextCells, sentences: Sequence[Pair], golds: Sequence[Alignment]
    ) -> LabelledCells:
        """The cells of the pairs that can be aligned."""
        chosen = [golds[pair] for pair in text.usable.tolist()]
        numbers = np.concatenate([numbers_of(extractor, text.cells(block)) for block in text.blocks()])
        alone = None
        if extractor.model is not None:
            links = list(extractor.model.align(sentences[pair] for pair in text.usable.tolist()))
            alone = text.marks(text.usable, links)
        sure = text.marks(text.usable, [Alignment(tuple(gold.sure)) for gold in chosen])
        return cls(numbers, sure, text.marks(text.usable, chosen), alone, text.shapes.cell_start)

    def inside(self, pairs: NDArray[np.int64]) -> Marks:
        """Which cells belong to some pairs."""
        return cells_of(pairs, self.start)

    def classifier(self, pairs: NDArray[np.int64]) -> LinkClassifier:
        """What some pairs teach. Sure links are links; possible ones say nothing either way."""
        counted = self.inside(pairs) & (self.sure | ~self.possible)
        return LinkClassifier.fit(self.numbers, self.sure, counted)

    def count(self, marks: Marks, cells: Marks, pairs: int) -> LinkCounts:
        """How the marked ones of some cells compare with the labels."""
        return count_marks(marks, self.sure, self.possible, cells, pairs)

    def best_threshold(self, probability: Double, cells: Marks, pairs: int) -> float:
        """The threshold with the lowest AER."""
        errors = [Scores(self.count(probability >= limit, cells, pairs)).aer for limit in THRESHOLDS]
        padded = np.pad(errors, _NEIGHBOURS, mode="edge")
        width = 2 * _NEIGHBOURS + 1
        smooth = np.convolve(padded, np.full(width, 1 / width), mode="valid")
        return THRESHOLDS[int(np.argmin(smooth))]


def learn_links(
    cells: LabelledCells, own: NDArray[np.int64], others: NDArray[np.int64] | None, engine: Engine
) -> Boosted:
    """Learn from the pairs ``own``; ``others`` say what threshold is best or, without any, cross-validation does.

    In cross-validation, each fifth of the pairs is aligned by a classifier and a threshold that the rest has taught.
    """
    classifier = cells.classifier(own)
    if others is not None:
        probability, inside = classifier.probabilities(cells.numbers), cells.inside(others)
        threshold = cells.best_threshold(probability, inside, others.size)
        counts, judged = cells.count(probability >= threshold, inside, others.size), others
    else:
        threshold, counts = _cross_validated(cells, own, engine)
        judged = own
    alone = None if cells.alone is None else cells.count(cells.alone, cells.inside(judged), judged.size)
    return Boosted(classifier, threshold, own.size, counts, alone)


def _cross_validated(cells: LabelledCells, pairs: NDArray[np.int64], engine: Engine) -> tuple[float, LinkCounts]:
    folds = [pairs[fold::FOLDS] for fold in range(min(FOLDS, pairs.size))]

    def held_back(fold: NDArray[np.int64]) -> Double:
        rest = np.setdiff1d(pairs, fold)
        taught = rest if cells.sure[cells.inside(rest)].any() else pairs
        return cells.classifier(taught).probabilities(cells.numbers[cells.inside(fold)])

    probability = np.zeros(cells.sure.size)
    for fold, found in zip(folds, engine.map(held_back, folds), strict=True):
        probability[cells.inside(fold)] = found
    everywhere = cells.inside(pairs)
    marks = np.zeros(cells.sure.size, np.bool_)
    for fold in folds:
        inside = cells.inside(fold)
        limit = cells.best_threshold(probability, everywhere & ~inside, pairs.size - fold.size)
        marks |= inside & (probability >= limit)
    threshold = cells.best_threshold(probability, everywhere, pairs.size)
    return threshold, cells.count(marks, everywhere, pairs.size)


def report_learned(learned: Boosted, judged: str) -> None:
    """Say what labels have brought, and if they have brought nothing."""
    taught = 100 * Scores(learned.counts).aer
    if learned.alone is None:
        logger.info("learned from %d pairs; AER on %s is %.2f %%", learned.pairs, judged, taught)
        return
    alone = 100 * Scores(learned.alone).aer
    logger.info(
        "learned from %d pairs; AER on %s is %.2f %%, by the model alone %.2f %%", learned.pairs, judged, taught, alone
    )
    if learned.model_is_better:
        logger.warning("the labels teach nothing that the model does not know better, so its links are kept")


def numbers_of(extractor: Extractor, cells: Cells) -> Double:
    """The numbers of cells, a row a cell."""
    columns = list(extractor.values(cells))
    return np.stack(columns, axis=1).astype(np.float64) if columns else np.empty((cells.size, 0))


class LinkDecider:
    """Aligns blocks of pairs link by link."""

    def __init__(self, extractor: Extractor, text: TextCells, learned: Boosted) -> None:
        self._extractor, self._text, self._learned = extractor, text, learned

    def __call__(self, pairs: NDArray[np.int64]) -> list[Alignment]:
        """The alignments of some pairs; scores are probabilities."""
        cells = self._text.cells(pairs)
        probability = self._learned.classifier.probabilities(numbers_of(self._extractor, cells))
        scores = probability.astype(np.float32)
        return list(marked_links(probability >= self._learned.threshold, cells, scores).alignments())
