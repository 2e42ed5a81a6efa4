"""What a trained aligner says of single pairs and words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.evidence import Evidence
from pralign.links.alignment import Alignment
from pralign.links.nbest import AlignmentList
from pralign.models.lexicon import Side
from pralign.runs.posteriors import LinkPosteriors
from pralign.runs.trained import TrainedModel
from pralign.text.bitext import Sentence
from pralign.text.pairs import Pairs, as_pair, as_pairs


class PairAnswers:
    """Answers that an aligner has from its trained model."""

    @property
    @abstractmethod
    def model_(self) -> TrainedModel:
        """The trained model."""

    def align_pair(self, source: Sentence, target: Sentence | None = None) -> Alignment:
        """Align one pair."""
        return self.model_.align_pair(*as_pair(source, target))

    def posteriors(self, source: Sentence, target: Sentence | None = None) -> LinkPosteriors:
        """The probability of each link of a pair, as far as the model can tell."""
        return self.model_.posteriors(*as_pair(source, target))

    def nbest(self, source: Sentence, target: Sentence | None = None, n: int = 10) -> AlignmentList:
        """The likeliest alignments of a pair as wholes, each with its probability, best first.

        They are those of each direction, and of both: the pairs of a forward and a reverse alignment with the highest
        products of probabilities, each combined into one alignment by ``symmetrize`` or, where that is the soft union,
        by grow-diag-final-and. What the model says is exact but for IBM 3 and IBM 4, of which the alignments near the
        best one are all that is looked at.

        Args:
            source: The source sentence.
            target: The target sentence.
            n: How many alignments, from 1 to 10,000; of short sentences there may be fewer.

        Example:
            >>> from pralign import Aligner
            >>> aligner = Aligner(threads=1)
            >>> aligner = aligner.fit([("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")])
            >>> for each in aligner.nbest("the house", "la maison", n=2).forward:
            ...     print(each.alignment, round(each.probability, 2))
            0-0 1-1 0.97
            1-1 0.03
        """
        return self.model_.nbest(*as_pair(source, target), n)

    def sample(self, source: Sentence, target: Sentence | None = None, n: int = 10, seed: int = 0) -> AlignmentList:
        """Alignments of a pair that are drawn at random, each as often as it is probable.

        They are those of each direction, and of both: one that combines the first of each, one that combines the
        second of each, and so on, in the way of :meth:`nbest`. The same seed gives the same samples.

        Args:
            source: The source sentence.
            target: The target sentence.
            n: How many alignments, from 1 to 10,000.
            seed: A whole number from 0 up.

        Example:
            >>> from pralign import Aligner
            >>> aligner = Aligner(model="ibm1", threads=1).fit([("one two", "un deux"), ("one", "un")])
            >>> samples = aligner.sample("one two", "un deux", n=100, seed=1)
            >>> len(samples.combined), samples == aligner.sample("one two", "un deux", n=100, seed=1)
            (100, True)
        """
        return self.model_.sample(*as_pair(source, target), n, seed)

    def observer(self, pairs: Pairs, target: Iterable[Any] | None = None) -> Callable[[NDArray[np.int64]], Evidence]:
        """What the model says of any of ``pairs``, asked for by their numbers; those with an empty side say nothing."""
        return self.model_.observer(as_pairs(pairs, target))

    def translations(self, word: str, side: Side = "source", most: int = 10) -> list[tuple[str, float]]:
        """The likeliest translations of a word of one side, with their probabilities."""
        return self.model_.translations(word, side, most)
