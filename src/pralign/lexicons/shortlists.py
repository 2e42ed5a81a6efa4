"""Shortlists: which target words a decoder such as Marian has to think of where a source word is in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.errors import UsageError
from pralign.kernels.arrays import Int, Long
from pralign.lexicons.counting import LinkCounter
from pralign.lexicons.formats import NULL, check_words
from pralign.lexicons.making import Alignments, Count, chunks_of, counted, name_of
from pralign.lexicons.tables import Lexicon
from pralign.lexicons.vocabularies import KnownWords
from pralign.text.pairs import Pairs
from pralign.text.vocabulary import VocabularyBuilder

#: How many target words there are for each source word, and how many frequent ones are added, as Marian has it.
BEST = 100
FIRST = 100

Vocabularies = tuple[Sequence[str], Sequence[str]]

_WHITE_SPACE = re.compile(r"[ \t\n\v\f\r]")


class ShortlistEntry(NamedTuple):
    """A line of a shortlist: a target word, a source word, and the probability of the former given the latter.

    Example:
        >>> from pralign import lexicons
        >>> list(lexicons.shortlist([("the house", "la maison")], ["0-0 1-1"]))[0]
        ShortlistEntry(target='maison', source='house', probability=1.0)
    """

    target: str
    source: str
    probability: float


def shortlist(
    pairs: Pairs,
    alignments: Alignments,
    *,
    best: int = BEST,
    first: int = FIRST,
    vocabularies: Vocabularies | None = None,
    allow_unknown: bool = False,
    count: Count = "links",
) -> Iterator[ShortlistEntry]:
    """Make a lexical shortlist of sentence pairs and their alignments, as Marian and Bergamot read it.

    Each source word has its ``best`` likeliest target words, and those of the ``first`` words of the target vocabulary
    that it was linked to. Null has no lines. Source words come in the order of their bytes, likeliest target words
    first.

    Args:
        pairs: The pairs, cut into the very pieces that the decoder sees.
        alignments: One alignment for each pair, as for :func:`~pralign.lexicons.making.lexicon`.
        best: How many target words there are for each source word.
        first: How many words of the target vocabulary are added where they were linked: the first of its list or,
            without ``vocabularies``, the most frequent words.
        vocabularies: The source and the target words that the decoder knows, in the order of their numbers.
        allow_unknown: Leave out words that the decoder does not know, instead of refusing the text.
        count: What is counted, ``"links"`` or ``"posteriors"``.

    Raises:
        InputError: A word is not in its vocabulary, and the like; the message names the file and line.

    Example:
        >>> for entry in shortlist([("a red car", "une voiture rouge")], ["0-0 1-2 2-1"]):
        ...     print(*entry)
        une a 1.0
        voiture car 1.0
        rouge red 1.0
    """
    made = shortlist_lexicon(
        pairs,
        alignments,
        best=best,
        first=first,
        vocabularies=vocabularies,
        allow_unknown=allow_unknown,
        count=count,
    )
    sources, targets = made.source_words, made.target_words
    for rows in made.blocks("forward"):
        for source, target, probability in zip(rows.source, rows.target, rows.forward, strict=True):
            yield ShortlistEntry(targets[target], sources[source], probability)


def shortlist_lexicon(
    pairs: Pairs,
    alignments: Alignments,
    *,
    best: int = BEST,
    first: int = FIRST,
    vocabularies: Vocabularies | None = None,
    allow_unknown: bool = False,
    count: Count = "links",
) -> Lexicon:
    """The same as a lexicon, whose forward probabilities are those of the shortlist."""
    if best < 1 or first < 0:
        raise UsageError(f"a shortlist has at least 1 best and 0 first words, not {best} and {first}")
    words = _builders(None if allow_unknown else vocabularies)
    counter, frequency = LinkCounter(), _Frequency()
    for chunk in counted(chunks_of(pairs, alignments, words), counter, count, name_of(alignments)):
        frequency.add(chunk.texts.target)
    counts = counter.counts(len(words[0]), len(words[1]))
    whole = Lexicon.from_counts(counts, (list(words[0]), list(words[1])), NULL).pruned("forward", null=False)
    if vocabularies is not None and allow_unknown:
        whole = _known_only(whole, vocabularies)
    frequent = frequency.first(list(words[1]), first) if vocabularies is None else vocabularies[1][:first]
    made = whole.chosen(whole.best("forward", best) | _among(whole.target, whole.target_words, frequent))
    sides = (made.source, made.source_words), (made.target, made.target_words)
    used = (words[number] for numbers, words in sides for number in np.unique(numbers).tolist())
    check_words(used, _WHITE_SPACE, "shortlist")
    return made


def shortlist_blocks(lexicon: Lexicon) -> Iterator[str]:
    """The lines of a shortlist, some thousand at a time: target word, source word, probability."""
    sources, targets = lexicon.source_words, lexicon.target_words
    for rows in lexicon.blocks("forward"):
        columns = zip(rows.source, rows.target, rows.forward, strict=True)
        yield "".join([f"{targets[t]} {sources[s]} {p:.7g}\n" for s, t, p in columns])


class _Frequency:
    """How often each word occurs."""

    def __init__(self) -> None:
        self._counts = np.zeros(0, np.int64)

    def add(self, numbers: Int) -> None:
        """Count some more words."""
        counts = np.bincount(numbers, minlength=self._counts.size)
        counts[: self._counts.size] += self._counts
        self._counts = counts

    def first(self, words: Sequence[str], most: int) -> list[str]:
        """The most frequent words; of those equally frequent, the first in the order of bytes."""
        counts = self._counts.tolist()
        ordered = sorted(range(len(counts)), key=lambda number: (-counts[number], words[number]))
        return [words[number] for number in ordered[:most]]


def _builders(vocabularies: Vocabularies | None) -> tuple[VocabularyBuilder, VocabularyBuilder]:
    if vocabularies is None:
        return VocabularyBuilder(), VocabularyBuilder()
    return KnownWords(vocabularies[0], 0), KnownWords(vocabularies[1], 1)


def _known_only(lexicon: Lexicon, vocabularies: Vocabularies) -> Lexicon:
    known = _among(lexicon.source, lexicon.source_words, vocabularies[0])
    return lexicon.chosen(known & _among(lexicon.target, lexicon.target_words, vocabularies[1]))


def _among(numbers: Long, words: Sequence[str], wanted: Iterable[str]) -> NDArray[np.bool_]:
    """Which numbers are those of wanted words."""
    chosen = frozenset(wanted)
    return np.array([word in chosen for word in words], np.bool_)[numbers]
