"""Which words' links are doubted most by whoever drew them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from pralign.evaluation.iteration import Side, WordsOfPair, check_most, iterate, side_index, words_lengths
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment

_LINES = 5


@dataclass(frozen=True, slots=True)
class DoubtfulWord:
    """A word, and how probable its links are.

    Attributes:
        word: The word, case-folded.
        links: How many links it has in all.
        expected_wrong: How many of them are wrong if their probabilities are right: what these lack to one, summed.
        lines: Where its least probable links are: at most five different sentence pairs, counted from 0.

    Example:
        >>> pairs = [("the car".split(), "la voiture".split())]
        >>> doubtful_words(pairs, [Alignment(((0, 0), (1, 1)), (0.5, 0.75))], "target", most=1)
        (DoubtfulWord(word='la', links=1, expected_wrong=0.5, lines=(0,)),)
    """

    word: str
    links: int
    expected_wrong: float
    lines: tuple[int, ...]

    @property
    def mean(self) -> float:
        """The mean probability of its links."""
        return 1 - self.expected_wrong / self.links


def doubtful_words(
    pairs: Iterable[WordsOfPair], alignments: Iterable[Alignment], side: Side, most: int = 20
) -> tuple[DoubtfulWord, ...]:
    """Find the words of one side whose links are probably wrong most often, by the probabilities of the links.

    Args:
        pairs: The source words and the target words of each pair.
        alignments: Their links, in the same order, with probabilities. Links without one are passed over.
        side: Whose words are listed.
        most: How many words to list.

    Returns:
        The words by falling number of links that are expected to be wrong; of equally many, in their own order.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: ``most`` is negative, or there is no such side.

    Example:
        >>> pairs = [(["Do", "swim"], ["nage"]), (["do", "it"], ["fais", "le"])]
        >>> links = [Alignment.of([(0, 0), (1, 0)], [0.25, 1.0]), Alignment.of([(0, 0)], [0.75])]
        >>> doubtful_words(pairs, links, "source", most=1)
        (DoubtfulWord(word='do', links=2, expected_wrong=1.0, lines=(0, 1)),)
    """
    check_most(most)
    column = side_index(side)
    found: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for line, (words, alignment) in enumerate(
        iterate(pairs, words_lengths, alignments, Names(hypothesis="the alignments"))
    ):
        for link, score in zip(alignment.links, alignment.scores or (), strict=False):
            found[words[column][link[column]].casefold()].append((min(max(score, 0.0), 1.0), line))
    listed = (_doubtful(word, links) for word, links in found.items())
    return tuple(nsmallest(most, (each for each in listed if each.expected_wrong > 0), key=_most_doubtful))


def _doubtful(word: str, links: list[tuple[float, int]]) -> DoubtfulWord:
    lines = tuple(dict.fromkeys(line for _, line in sorted(links)))[:_LINES]
    return DoubtfulWord(word, len(links), math.fsum(1 - score for score, _ in links), lines)


def _most_doubtful(word: DoubtfulWord) -> tuple[float, str]:
    return -word.expected_wrong, word.word
