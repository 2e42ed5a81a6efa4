"""Lexicons from text and its links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.lexicons.counting import LinkCounter
from pralign.lexicons.tables import Lexicon
from pralign.lexicons.vocabularies import UnknownWordError
from pralign.links.aligned import AlignedChunk, AlignmentSource, GivenAlignments, alignments_of, read_aligned
from pralign.links.alignment import Alignment
from pralign.links.files import AlignmentFile
from pralign.schema.arguments import check_argument
from pralign.text.bitext import Bitext, Pair
from pralign.text.files import display_name
from pralign.text.pairs import Pairs, as_pairs
from pralign.text.vocabulary import VocabularyBuilder

Count = Literal["links", "posteriors"]
#: A file of alignments, or alignments: as such, as text such as ``"0-0 1-2"``, or as links.
Alignments = AlignmentFile | Iterable[Any]


def lexicon(
    pairs: Pairs,
    alignments: Alignments,
    *,
    count: Count = "links",
    null_word: str | None = None,
) -> Lexicon:
    """Make a lexicon of sentence pairs and their alignments.

    Both are read once, as they come, and not kept. A word without a link counts as linked to null. Of links that are
    only possible, nothing is counted.

    Args:
        pairs: The pairs, in any form that :func:`~pralign.text.pairs.as_pairs` knows.
        alignments: One alignment for each pair: a file that was opened, or alignments, texts or lists of links.
        count: What is counted: ``"links"``, each once, or ``"posteriors"``, each as its score, which has to be a
            probability; the count is then what is expected of it.
        null_word: A word that is taken for null where the text has it, as ``NULL`` is in the tables of Moses.

    Raises:
        InputError: There are not as many alignments as pairs, a link joins a word that is not there, or a score is
            missing.

    Example:
        >>> made = lexicon([("a red car", "une voiture rouge")], ["0-0 1-2 2-1"])
        >>> [(entry.source, entry.target) for entry in made]
        [('a', 'une'), ('car', 'voiture'), ('red', 'rouge')]
    """
    check_argument(count, Count, "count")
    words = VocabularyBuilder(), VocabularyBuilder()
    counter = LinkCounter()
    for _ in counted(chunks_of(pairs, alignments, words), counter, count, name_of(alignments)):
        pass
    counts = counter.counts(len(words[0]), len(words[1]))
    return Lexicon.from_counts(counts, (list(words[0]), list(words[1])), null_word)


def chunks_of(
    pairs: Pairs, alignments: Alignments, words: tuple[VocabularyBuilder, VocabularyBuilder]
) -> Iterator[AlignedChunk]:
    """Pairs and their alignments as arrays, some at a time; new words get their numbers in ``words``.

    Raises:
        InputError: The same as for :func:`lexicon`, or ``words`` refuses a word.
    """
    given = as_pairs(pairs)
    reading = _Reading(given)
    try:
        yield from read_aligned(reading, _source(alignments, given), words)
    except UnknownWordError as error:
        raise InputError(
            f"{reading.where(error.side)}: the word {quoted(error.word)} is not in the vocabulary; the text must be "
            "cut by the same SentencePiece model that the decoder has (--allow-unknown leaves out such words)"
        ) from None


def counted(chunks: Iterable[AlignedChunk], counter: LinkCounter, count: Count, name: str) -> Iterator[AlignedChunk]:
    """Count the links of chunks as they pass; ``name`` is that of the alignments, for messages."""
    for chunk in chunks:
        try:
            counter.add(chunk, expected=count == "posteriors")
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
        yield chunk


def name_of(alignments: Alignments) -> str:
    """What messages call alignments."""
    return alignments.name if isinstance(alignments, AlignmentFile) else "the alignments"


def _source(alignments: Alignments, pairs: Iterable[Any]) -> AlignmentSource:
    if not isinstance(alignments, AlignmentFile):
        return GivenAlignments(map(Alignment.of, alignments))
    if alignments.one_line_a_pair or not isinstance(pairs, Bitext):
        return alignments_of(alignments)
    return alignments_of(alignments, sum(1 for _ in pairs))


class _Reading:
    """Pairs that are read once, and how far they were."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._pairs = pairs
        self._number = 0

    def __iter__(self) -> Iterator[Pair]:
        for pair in self._pairs:
            self._number += 1
            yield pair

    def where(self, side: int) -> str:
        """Where a sentence of the last pair is, for messages."""
        files = self._pairs.files if isinstance(self._pairs, Bitext) else ()
        if not files:
            return f"pair {self._number}, the {('source', 'target')[side]} side"
        return f"{display_name(files[side] if len(files) > 1 else files[0])}, line {self._number}"
