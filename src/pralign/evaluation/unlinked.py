"""Which words are most often left without a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from pralign.evaluation.iteration import WordsOfPair, check_most, iterate, words_lengths
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment


@dataclass(frozen=True, slots=True)
class UnlinkedWord:
    """A word, and how often it was left without a link.

    Attributes:
        word: The word, case-folded.
        unlinked: How many of its occurrences have no link.
        occurrences: How often it occurs in the sentence pairs.
    """

    word: str
    unlinked: int
    occurrences: int

    @property
    def share(self) -> float:
        """The occurrences without a link as a share of all, 0 where there are none."""
        return self.unlinked / self.occurrences if self.occurrences else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The word, the counts and the share, ready for JSON."""
        return {**asdict(self), "share": self.share}


class UnlinkedWords(NamedTuple):
    """The words of each side that are most often left without a link, the most often first.

    Example:
        >>> pairs = [("the house".split(), "la maison".split()), ("the car".split(), "la voiture".split())]
        >>> found = unlinked_words(pairs, [Alignment.of("1-1"), Alignment.of("0-0 1-1")])
        >>> isinstance(found, UnlinkedWords), found.source
        (True, (UnlinkedWord(word='the', unlinked=1, occurrences=2),))
    """

    source: tuple[UnlinkedWord, ...]
    target: tuple[UnlinkedWord, ...]

    def as_dict(self) -> dict[str, Any]:
        """The words of each side, ready for JSON."""
        return {side: [word.as_dict() for word in words] for side, words in self._asdict().items()}


def unlinked_words(
    pairs: Iterable[WordsOfPair],
    alignments: Iterable[Alignment],
    most: int = 20,
    *,
    names: Names | None = None,
) -> UnlinkedWords:
    """Find the words that are most often left without a link.

    No gold is needed. Articles and particles that the other language does without belong in this list; a noun in it may
    show that its translations vary too much for the model. Words are compared case-folded, as ``str.casefold`` does.

    Args:
        pairs: The source words and the target words of each pair.
        alignments: Their links, in the same order; sure or possible makes no difference.
        most: How many words to list of each side.
        names: What messages call the inputs.

    Returns:
        The words of each side by falling number of occurrences without a link; of equally many, in their own order.
        Words that always have a link are not listed.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: ``most`` is negative.

    Example:
        >>> pairs = [(["Do", "you", "swim"], ["schwimmst", "du"]), (["we", "do"], ["wir", "tun", "es"])]
        >>> found = unlinked_words(pairs, [Alignment.of([(1, 1), (2, 0)]), Alignment.of([(0, 0), (1, 1)])])
        >>> found.source, [word.word for word in found.target]
        ((UnlinkedWord(word='do', unlinked=1, occurrences=2),), ['es'])
    """
    check_most(most)
    names = names or Names(hypothesis="the alignments")
    occurrences: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    unlinked: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for words, alignment in iterate(pairs, words_lengths, alignments, names):
        for side in (0, 1):
            linked = {link[side] for link in alignment.links}
            for position, word in enumerate(words[side]):
                folded = word.casefold()
                occurrences[side][folded] += 1
                unlinked[side][folded] += position not in linked
    source, target = (_ranked(bare, seen, most) for bare, seen in zip(unlinked, occurrences, strict=True))
    return UnlinkedWords(source, target)


def _ranked(unlinked: Counter[str], occurrences: Counter[str], most: int) -> tuple[UnlinkedWord, ...]:
    found = [UnlinkedWord(word, count, occurrences[word]) for word, count in unlinked.items() if count]
    return tuple(sorted(found, key=lambda each: (-each.unlinked, each.word))[:most])
