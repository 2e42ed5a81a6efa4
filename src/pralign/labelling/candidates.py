"""Which pairs of a text come into question for labelling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pralign.labelling.answers import Words
from pralign.labelling.proposing import Proposer
from pralign.labelling.ranking import Candidate, Choice, SeenDoubts, ranked
from pralign.text.normalisation import Normalisation

# Doubts are worked out anew each time something was learned, so only some pairs of a large text are looked at.
MOST_CANDIDATES = 600
FEWEST_WORDS, MOST_WORDS = 3, 60


class CandidatePool:
    """Pairs of a text that are worth a person's time, drawn at random: neither tiny, nor endless, nor repeated."""

    def __init__(self, words: Callable[[int], Words], pairs: int, seed: int, most: int = MOST_CANDIDATES) -> None:
        """Draw candidates.

        Args:
            words: The words of a pair.
            pairs: How many pairs there are.
            seed: What they are drawn with.
            most: How many are drawn at most.
        """
        self._words = words
        self.numbers = drawn(words, pairs, seed, most)
        self._free: frozenset[int] | None = None

    def best(self, proposer: Proposer, labelled: Sequence[int], left_out: frozenset[int], most: int) -> list[Choice]:
        """The best pairs to label next, the best first.

        Args:
            proposer: What knows how probable links are.
            labelled: The pairs that are labelled already: what they have shown is worth less.
            left_out: Pairs that are not to be chosen.
            most: How many are wanted.
        """
        seen = SeenDoubts()
        for candidate in self._candidates(proposer, labelled):
            seen.add(candidate)
        open_ones = [number for number in self.numbers if number not in left_out]
        if self._free is None:
            found = self._candidates(proposer.alone, self.numbers)
            self._free = frozenset(candidate.number for candidate in found if candidate.is_free)
        return ranked(self._candidates(proposer, open_ones), seen, most, self._free)

    def _candidates(self, proposer: Proposer, numbers: Sequence[int]) -> list[Candidate]:
        comparable, threshold = Normalisation(), proposer.threshold
        words = [self._words(number) for number in numbers]
        return [
            Candidate.of(number, (comparable(source), comparable(target)), grid, threshold)
            for number, (source, target), grid in zip(numbers, words, proposer.grids(words), strict=True)
        ]


def drawn(words: Callable[[int], Words], pairs: int, seed: int, most: int) -> list[int]:
    """Numbers of pairs, drawn at random; none is tiny or endless, and no two are the same."""
    chosen, texts = [], set()
    for number in np.random.default_rng(seed).permutation(pairs).tolist():
        source, target = words(number)
        text = (" ".join(source).lower(), " ".join(target).lower())
        if all(FEWEST_WORDS <= len(side) <= MOST_WORDS for side in (source, target)) and text not in texts:
            texts.add(text)
            chosen.append(number)
        if len(chosen) == most:
            break
    return chosen
