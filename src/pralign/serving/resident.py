"""Saved models that stay in memory and answer, of either kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pralign.errors import UsageError
from pralign.text.tokenizers import Tokenization

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.links.alignment import Alignment
    from pralign.matching import MatchingAligner

Words = Sequence[str]

# Sizes of the texts that are aligned before anybody asks, so that nothing is left to compile or to load.
_WARM_UP = (1, 3, 20)


class Answer(NamedTuple):
    """What is answered for a pair.

    Attributes:
        links: The links, as numbers of a source and of a target word, from 0.
        probabilities: The probability of each link; nothing if the model weighs links otherwise.
        score: The log-probability a word; nothing if a side is empty, or the model has none.
    """

    links: Sequence[tuple[int, int]]
    probabilities: Sequence[float] | None
    score: float | None

    @classmethod
    def of(cls, alignment: Alignment, score: float = math.nan, are_probabilities: bool = True) -> Answer:
        """An answer as it is told, with as many digits of the score as ``--scores`` writes."""
        scores = (alignment.scores or ()) if are_probabilities else None
        return cls(alignment.links, scores, round(score, 6) if math.isfinite(score) else None)


@dataclass(frozen=True)
class Resident:
    """A saved model in memory.

    Attributes:
        name: The name of its directory.
        aligner: The model.
    """

    name: str
    aligner: Aligner | MatchingAligner

    @classmethod
    def load(cls, directory: Path, threads: int | None = None) -> Resident:
        """What ``pralign train``, ``align --save`` or ``match fit`` has saved.

        Raises:
            ModelError: There is no usable model.
            UsageError: The model needs more than pairs to align them.
        """
        from pralign.aligner import Aligner
        from pralign.matching import MatchingAligner
        from pralign.matching.storage import MATCHING

        name = directory.resolve().name
        if not MATCHING.is_at(directory):
            model = Aligner.load(directory, 1)  # several threads ask it, each for itself
            _ = model.thresholds_
            return cls(name, model)
        matching = MatchingAligner.load(directory, threads)
        if matching.trained()[0].context.predictions:
            raise UsageError(
                f"{directory}: it has learned with predictions of other aligners, which requests do not hold; learn "
                "without --prediction"
            )
        return cls(name, matching)

    @property
    def is_matching(self) -> bool:
        """Whether it was learned from labelled pairs, by ``match fit``."""
        return not hasattr(self.aligner, "decode_pairs")

    @property
    def tokenization(self) -> Tokenization:
        """How texts are cut into words."""
        from pralign.matching import MatchingAligner

        if isinstance(self.aligner, MatchingAligner):
            return Tokenization.of(self.aligner.tokenize)
        return self.aligner.model_.recipe.tokenization

    def align(self, pairs: Sequence[tuple[Words, Words]]) -> list[Answer]:
        """The answer for each pair, given as words."""
        from pralign.matching import MatchingAligner
        from pralign.matching.boosting import Boosted

        if isinstance(self.aligner, MatchingAligner):
            are_probabilities = isinstance(self.aligner.trained()[1], Boosted)
            return [Answer.of(each, are_probabilities=are_probabilities) for each in self.aligner.align(pairs)]
        return [Answer.of(each.alignment, each.score) for each in self.aligner.decode_pairs(pairs)]

    def warm_up(self) -> None:
        """Align something, so that no request has to wait for what is done only once."""
        for size in _WARM_UP:
            words = [f"{letter}{size}" for letter in "abcdefghijklmnopqrst"[:size]]
            self.align([(words, words[::-1])] * size)
