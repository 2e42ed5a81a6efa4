"""How many words have a link, and how many links they have."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pralign.evaluation.iteration import Side, WordsOfPair, iterate, side_index, words_lengths
from pralign.evaluation.lengths import class_labels
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment

COVERAGE_EDGES = (1, 5, 50, 500)
"""Words that the text has once are a class of their own: they have links least often."""
MANY = 4


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of some words have a link.

    Attributes:
        words: The number of words.
        linked: The number of those that have at least one link.

    Example:
        >>> pairs = [("the red car".split(), "la voiture".split())]
        >>> frequencies = {"the": 90, "red": 1, "car": 3}
        >>> found = coverage_by_frequency(pairs, [Alignment.of("0-0 2-1")], frequencies, "source", (5,))
        >>> [(label, isinstance(each, Coverage), each.share) for label, each in found]
        [('1-5', True, 0.5), ('6-', True, 1.0)]
    """

    words: int = 0
    linked: int = 0

    @property
    def share(self) -> float:
        """The words with a link as a share of all, 0 where there are none."""
        return self.linked / self.words if self.words else 0.0


def coverage_by_frequency(
    pairs: Iterable[WordsOfPair],
    alignments: Iterable[Alignment],
    frequencies: Mapping[str, int],
    side: Side,
    edges: Sequence[int] = COVERAGE_EDGES,
    *,
    names: Names | None = None,
) -> list[tuple[str, Coverage]]:
    """Count the words of one side that have a link, rare and frequent ones apart.

    Args:
        pairs: The source words and the target words of each pair.
        alignments: Their links, in the same order; sure or possible makes no difference.
        frequencies: How often the text has each word. Words are looked up as they are spelled.
        side: Whose words are counted.
        edges: The highest frequency of each class, rising; one more class is for all that is more frequent.
        names: What messages call the inputs.

    Returns:
        For each class, from rare to frequent, its label and its counts. A class without words is there too.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: The edges do not rise from at least one, or there is no such side.

    Example:
        >>> pairs = [(["the", "heron"], ["der", "Reiher"])]
        >>> found = coverage_by_frequency(pairs, [Alignment.of([(0, 0)])], {"the": 900, "heron": 2}, "source")
        >>> [(label, coverage.share) for label, coverage in found if coverage.words]
        [('2-5', 0.0), ('501-', 1.0)]
    """
    labels, column = (
        class_labels(edges, "words are classed by frequencies that rise, such as 5, 50, 500"),
        side_index(side),
    )
    words, linked = [0] * len(labels), [0] * len(labels)
    for pair, alignment in iterate(pairs, words_lengths, alignments, names or Names(hypothesis="the alignments")):
        positions = {link[column] for link in alignment.links}
        for position, word in enumerate(pair[column]):
            place = bisect_left(edges, frequencies.get(word, 0))
            words[place] += 1
            linked[place] += position in positions
    return [(label, Coverage(*counts)) for label, *counts in zip(labels, words, linked, strict=True)]


@dataclass(frozen=True, slots=True)
class Fertilities:
    """How many links the words of one side have.

    Attributes:
        words: How many words have no link, one, two, and so on; the last number is of all that have more.
        links: The number of links.

    Example:
        >>> found = fertilities([(3, 3)], [Alignment.of("0-0 1-1 1-2")], "source")
        >>> found.words, found.mean
        ((1, 1, 1, 0, 0), 1.0)
    """

    words: tuple[int, ...]
    links: int

    @property
    def shares(self) -> tuple[float, ...]:
        """The same as shares of all words; all are 0 without words."""
        total = sum(self.words)
        return tuple(count / total if total else 0.0 for count in self.words)

    @property
    def mean(self) -> float:
        """The number of links a word, 0 without words."""
        total = sum(self.words)
        return self.links / total if total else 0.0


def fertilities(
    lengths: Iterable[tuple[int, int]], alignments: Iterable[Alignment], side: Side, many: int = MANY
) -> Fertilities:
    """Count how many links the words of one side have.

    Args:
        lengths: The numbers of source and target words of each pair.
        alignments: Their links, in the same order.
        side: Whose words are counted.
        many: From how many links on words are counted together.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: There is no such side.

    Example:
        >>> fertilities([(3, 2)], [Alignment.of([(0, 0), (0, 1)])], "source")
        Fertilities(words=(2, 0, 1, 0, 0), links=2)
    """
    column, words, links = side_index(side), [0] * (many + 1), 0
    names = Names(hypothesis="the alignments")
    for size, alignment in iterate(lengths, lambda size: size, alignments, names):
        counted = Counter(link[column] for link in alignment.links)
        words[0] += size[column] - len(counted)
        for count in counted.values():
            words[min(count, many)] += 1
        links += len(alignment.links)
    return Fertilities(tuple(words), links)
