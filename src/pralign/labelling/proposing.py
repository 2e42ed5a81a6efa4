"""What a model proposes for a pair: the probability of each link, and how probable a link has to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.engine import ThreadEngine
from pralign.evaluation.scores import Scores
from pralign.links.labelled import Labelled
from pralign.matching import MatchingAligner
from pralign.matching.association import Association
from pralign.matching.boosting import Boosted, numbers_of
from pralign.text.bitext import Pair
from pralign.text.corpus import blocks, decodable
from pralign.text.normalisation import Normalisation

# Pairs whose features are worked out together; they take about 400 bytes a cell.
_TOGETHER = 200


Grid = NDArray[np.float32] | None
"""The probability of each link of a pair, a row a source word; ``None`` for a pair that cannot be aligned."""


@dataclass(frozen=True)
class Proposer:
    """Says how probable links are: a generative model alone or, once there are labels, what they have taught.

    Attributes:
        model: The generative model.
        association: What the unlabelled text says of words, which labels are learned with.
        taught: What was learned from labels, if anything was.
    """

    model: Aligner
    association: Association
    taught: MatchingAligner | None = None

    @classmethod
    def of(cls, model: Aligner, text: Iterable[Pair]) -> Proposer:
        """A model alone, for a text, whose words are counted."""
        engine = ThreadEngine(model.threads)
        return cls(model, Association.learn(text, Normalisation(model.settings.lowercase), engine))

    def learned_from(self, labelled: Sequence[Labelled], threads: int | None = None) -> Proposer:
        """The same, having learned from some labelled pairs.

        Raises:
            InputError: There is nothing to learn from these.
        """
        settings = self.model.settings
        aligner = MatchingAligner(
            model=self.model, lowercase=settings.lowercase, tokenize=settings.tokenize, threads=threads
        )
        return Proposer(self.model, self.association, aligner.fit(self.association, labelled=labelled))

    @property
    def alone(self) -> Proposer:
        """The generative model alone."""
        return Proposer(self.model, self.association)

    @property
    def learned(self) -> Boosted | None:
        """What labels have taught, if anything."""
        found = None if self.taught is None else self.taught.learned_
        return found if isinstance(found, Boosted) else None

    @property
    def trusted(self) -> Boosted | None:
        """What labels have taught, if that is better than the model alone."""
        return None if self.learned is None or self.learned.model_is_better else self.learned

    @property
    def threshold(self) -> float:
        """How probable a link has to be."""
        if self.trusted is not None:
            return float(self.trusted.threshold)
        found = self.model.thresholds_.mean
        return float(found)

    @property
    def errors(self) -> tuple[float, float] | None:
        """The AER of what was learned, estimated on pairs held back in turn, and of the model alone on the same."""
        if self.learned is None or self.learned.alone is None:
            return None
        return Scores(self.learned.counts).aer, Scores(self.learned.alone).aer

    def grids(self, pairs: Iterable[Pair]) -> Iterator[Grid]:
        """The probabilities of all links of each pair, in order."""
        remaining = iter(pairs)
        while chunk := list(islice(remaining, _TOGETHER)):
            yield from self._grids(chunk)

    def _grids(self, pairs: Sequence[Pair]) -> Iterator[Grid]:
        corpus = self.association.encode(pairs)
        usable = np.flatnonzero(decodable(corpus.texts))
        sizes = corpus.source_lengths * corpus.target_lengths
        found: dict[int, NDArray[np.float32]] = {}
        ask = self._asker(pairs)
        for block in blocks(usable, sizes):
            values, start = ask(block), 0
            for pair in block.tolist():
                shape = int(corpus.source_lengths[pair]), int(corpus.target_lengths[pair])
                found[pair] = values[start : start + sizes[pair]].reshape(shape)
                start += int(sizes[pair])
        return (found.get(number) for number in range(len(pairs)))

    def _asker(self, pairs: Sequence[Pair]) -> Callable[[NDArray[np.int64]], NDArray[np.float32]]:
        """What says how probable the links of any of these pairs are, asked for by their numbers."""
        trusted = self.trusted
        if trusted is None or self.taught is None:
            observe = self.model.observer(pairs)
            return lambda block: observe(block).mean
        classifier, (extractor, _) = trusted.classifier, self.taught.trained()
        text = extractor.text(pairs)

        def ask(block: NDArray[np.int64]) -> NDArray[np.float32]:
            return classifier.probabilities(numbers_of(extractor, text.cells(block))).astype(np.float32)

        return ask
