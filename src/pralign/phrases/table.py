"""The phrase table: from aligned text to scored phrase pairs, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pralign.engine import ThreadEngine
from pralign.errors import InputError
from pralign.kernels.preparing import prepare
from pralign.kernels.strings import Strings
from pralign.links.aligned import AlignedChunk, AlignmentSource
from pralign.phrases.chunks import ChunkedText
from pralign.phrases.counted import STORED, CountedStrings, StoredTable, StringCounter, size_of
from pralign.phrases.entries import PhrasePair, ScoredPhrasePair, found_pairs, scored_pairs
from pralign.phrases.expected import ByLinks, ByModel, Expectation
from pralign.phrases.extraction import TOGETHER, FoundPhrases, found_phrases
from pralign.phrases.progress import Tell, ignore, telling
from pralign.phrases.settings import PhraseSettings
from pralign.phrases.smoothing import SMOOTHINGS
from pralign.phrases.sorting import cuts_between
from pralign.phrases.weighting import word_probabilities
from pralign.phrases.words import OrderedWords
from pralign.runs.trained import TrainedModel
from pralign.store.spilling import SpillingStore
from pralign.text.bitext import Pair

# So many alignments of a chunk tell how much all of them hold.
_SAMPLED = 100


class PhraseTable(StoredTable):
    """Phrase pairs of an aligned text.

    Text is read when the table is made. Lines of single phrase pairs, as they were found, are made when asked for; the
    table itself is made when it is first asked for. It keeps things in a store, so close it, or use it ``with``.

    Attributes:
        settings: How phrase pairs are extracted, counted and scored.

    Example:
        >>> from pralign.links.aligned import GivenAlignments
        >>> from pralign.links.alignment import Alignment
        >>> alignments = GivenAlignments([Alignment.of("0-0 1-1")])
        >>> table = PhraseTable([("the house", "la maison")], alignments, PhraseSettings(threads=1))
        >>> for found in table:
        ...     print(*found.source, "|||", *found.target, "|||", found.direct)
        house ||| maison ||| 1.0
        the house ||| la maison ||| 1.0
        the ||| la ||| 1.0
    """

    def __init__(
        self,
        pairs: Iterable[Pair],
        alignments: AlignmentSource,
        settings: PhraseSettings,
        model: TrainedModel | None = None,
        tell: Tell = ignore,
    ) -> None:
        """Read sentence pairs and their alignments.

        Args:
            pairs: The sentence pairs.
            alignments: Where their alignments come from, see :mod:`pralign.links.aligned`.
            settings: How phrase pairs are extracted, counted and scored.
            model: What says how probable phrase pairs are, if they are counted by that; else the links' scores do.
            tell: Is told how far things have come.

        Raises:
            InputError: There are not as many alignments as pairs, a link joins a word that is not there, or phrases
                are to be counted by scores that are not there.
        """
        self.settings, self._tell = settings, tell
        self._engine = ThreadEngine(settings.threads)
        prepare(settings.facts, self._engine.workers)
        self._store = SpillingStore(settings.memory_bytes // STORED, settings.scratch)
        by_scores = settings.count == "posteriors" and model is None
        try:
            self._text = ChunkedText(
                self._store, pairs, alignments, by_scores, _ScoreCheck(alignments, by_scores), tell
            )
        except BaseException:
            self._store.close()
            raise
        self._expectation: Expectation | None = ByLinks() if by_scores else None
        if settings.count == "posteriors" and model is not None:
            self._expectation = ByModel(model, self._text.vocabularies)

    @property
    def words(self) -> OrderedWords:
        """The words of both sides."""
        return self._text.words

    @property
    def sentence_pairs(self) -> int:
        """How many sentence pairs were read."""
        return self._text.pairs

    def extracted_lines(self) -> Iterator[list[bytes]]:
        """The lines that Moses extracts, in the order of the text: source first, target first, orientations."""

        def lines(number: int) -> list[list[bytes]]:
            return [found.lines(self.words) for found in self._found(number)]

        chunks = self._text.chunks
        for parts in telling(self._engine.map(lines, range(chunks)), "writing phrase pairs", chunks, self._tell):
            yield from parts

    def found(self) -> Iterator[PhrasePair]:
        """The phrase pairs as they were found, in the order of the text."""
        first = 0
        for number in range(self._text.chunks):
            for found in self._found(number):
                yield from found_pairs(found, self._text.vocabularies, first)
            first += self._text[number].pairs

    def __iter__(self) -> Iterator[ScoredPhrasePair]:
        """The distinct phrase pairs with their scores, in the order of their bytes."""
        counted = self._counted
        for number in range(counted.ranges):
            yield from scored_pairs(counted.scored(number), self.words)

    def __len__(self) -> int:
        """How many distinct phrase pairs there are."""
        return len(self._counted)

    def lines(self) -> Iterator[tuple[bytes, bytes]]:
        """The lines of the phrase table, and of the table for reordering if that is wanted."""
        counted = self._counted

        def lines(number: int) -> tuple[bytes, bytes]:
            scored = counted.scored(number)
            return scored.table_lines(self.words), scored.reordering_lines(self.words) if oriented else b""

        oriented = self.settings.reordering
        yield from telling(self._engine.map(lines, range(counted.ranges)), "writing", counted.ranges, self._tell)

    @cached_property
    def _counted(self) -> CountedStrings:
        """Count all phrase pairs."""
        settings, text = self.settings, self._text
        memory, oriented = settings.memory_bytes, settings.reordering
        counter = StringCounter(self._store, self._engine, memory, self.words, oriented, self._tell)
        cuts = cuts_between(text.samples, counter.ranges_for(self._size()))
        lexicon, smoothing = word_probabilities(text.links), SMOOTHINGS[settings.smoothing]
        return counter.count(self._strings, text.chunks, cuts, lexicon, smoothing)

    def _size(self) -> int:
        """About how many bytes the strings of all phrase pairs take, by the first alignments of some chunks."""
        chosen = sorted({0, self._text.chunks // 2, self._text.chunks - 1} & {*range(self._text.chunks)})
        size = alignments = 0
        for number in chosen:
            found = next(self._found(number, _SAMPLED))
            size += size_of(found.strings(self.words))
            alignments += found.chunk.alignments.pair.size
        return size * self._text.alignments // max(alignments, 1)

    def _strings(self, number: int) -> Iterator[Strings]:
        return (found.strings(self.words) for found in self._found(number))

    def _found(self, number: int, together: int = TOGETHER) -> Iterator[FoundPhrases]:
        return found_phrases(self._text[number], self.settings, self._expectation, together)


class _ScoreCheck:
    """Complains of links without scores, where phrases are to be counted by them."""

    def __init__(self, alignments: AlignmentSource, expected: bool) -> None:
        self._alignments, self._expected = alignments, expected

    def __call__(self, chunk: AlignedChunk) -> None:
        links = chunk.alignments.links
        if self._expected and links.source.size != links.score.size:
            raise InputError(
                f"{self._alignments.name}: links have no scores, which counting by posteriors needs; write them with "
                "--format scored, or name the model that made them by --model"
            )
        if self._expected and links.score.size and not (links.score.min() >= 0 and links.score.max() <= 1):
            raise InputError(f"{self._alignments.name}: scores are no probabilities, which lie between 0 and 1")
