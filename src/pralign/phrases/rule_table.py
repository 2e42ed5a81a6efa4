"""The rule table: from aligned text to scored rules with nonterminals, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from pralign.engine import ThreadEngine
from pralign.kernels.arrays import Int
from pralign.kernels.phrase_pairs import WordProbabilities, parts_of
from pralign.kernels.phrase_strings import has_link
from pralign.kernels.preparing import prepare
from pralign.kernels.strings import Strings
from pralign.kernels.units import UNITS, as_counts
from pralign.lexicons.counting import LinkCounts
from pralign.links.aligned import AlignmentSource
from pralign.links.alignment import Alignment
from pralign.phrases.chunks import ChunkedText
from pralign.phrases.counted import STORED, CountedStrings, StoredTable, StringCounter, size_of
from pralign.phrases.entries import Scored
from pralign.phrases.progress import Tell, ignore, telling
from pralign.phrases.rule_extraction import found_rules
from pralign.phrases.rule_formats import RULE_FORMATS
from pralign.phrases.rule_settings import RuleSettings
from pralign.phrases.rule_words import RuleWords, escaped
from pralign.phrases.scoring import ScoredRange
from pralign.phrases.smoothing import SMOOTHINGS
from pralign.phrases.sorting import cuts_between
from pralign.phrases.weighting import word_probabilities
from pralign.store.spilling import SpillingStore
from pralign.text.bitext import Pair

# To learn how many rules there are and what they begin with: so many chunks, so many alignments of each, so many rules
# of those, and so many symbols.
_CHUNKS, _ALIGNMENTS, _SAMPLES, _PREFIX = 8, 100, 2000, 4


class ScoredRule(Scored):
    """A rule with its scores, see :class:`~pralign.phrases.entries.Scored`.

    Symbols are words, ``"[X,1]"`` and ``"[X,2]"``; the same number is the same nonterminal. Links are by places of
    symbols, and nonterminals are linked as well.

    Example:
        >>> from pralign import phrases
        >>> [rule, *_] = phrases.rules([("ne veut pas", "does not want")], ["0-1 1-2 2-1"], min_hole=1)
        >>> isinstance(rule, ScoredRule), rule.source, rule.target, rule.count
        (True, ('ne', '[X,1]', 'pas'), ('does', 'not', '[X,1]'), 0.5)
    """

    __slots__ = ()


class RuleTable(StoredTable):
    """Rules of an aligned text.

    Text is read when the table is made; rules are counted and scored when they are first asked for. The table keeps
    things in a store, so close it, or use it ``with``.

    Attributes:
        settings: How rules are extracted and counted.

    Example:
        >>> from pralign.links.aligned import GivenAlignments
        >>> from pralign.links.alignment import Alignment
        >>> alignments = GivenAlignments([Alignment.of("0-0 1-1")])
        >>> table = RuleTable([("the house", "la maison")], alignments, RuleSettings(threads=1))
        >>> for rule in table:
        ...     print(*rule.source, "|||", *rule.target)
        house ||| maison
        the ||| la
        the house ||| la maison
    """

    def __init__(
        self, pairs: Iterable[Pair], alignments: AlignmentSource, settings: RuleSettings, tell: Tell = ignore
    ) -> None:
        """Read sentence pairs and their alignments.

        Args:
            pairs: The sentence pairs.
            alignments: Where their alignments come from, see :mod:`pralign.links.aligned`.
            settings: How rules are extracted and counted.
            tell: Is told how far things have come.

        Raises:
            InputError: There are not as many alignments as pairs, or a link joins a word that is not there.
        """
        self.settings, self._tell = settings, tell
        self._engine = ThreadEngine(settings.threads)
        prepare({"rules"}, self._engine.workers)
        self._store = SpillingStore(settings.memory_bytes // STORED, settings.scratch)
        try:
            self._text = ChunkedText(self._store, escaped(pairs), alignments, False, tell=tell)
        except BaseException:
            self._store.close()
            raise

    @cached_property
    def words(self) -> RuleWords:
        """The words of both sides, and all other symbols."""
        return RuleWords.of(*self._text.vocabularies)

    @property
    def sentence_pairs(self) -> int:
        """How many sentence pairs were read."""
        return self._text.pairs

    def extracted_lines(self) -> Iterator[list[bytes]]:
        """The lines that Moses extracts, sentence pair by sentence pair: source first, and target first."""

        def lines(number: int) -> list[list[bytes]]:
            return [found.lines(self.words) for found in found_rules(self._text[number], self.settings)]

        chunks = self._text.chunks
        for parts in telling(self._engine.map(lines, range(chunks)), "writing rules", chunks, self._tell):
            yield from parts

    def lines(self, format: str = "moses") -> Iterator[bytes]:
        """The lines of all rules in a format of :data:`~pralign.phrases.rule_formats.RULE_FORMATS`."""
        way, counted, lexicon = RULE_FORMATS.get(format), self._counted, self._lexicon

        def lines(number: int) -> bytes:
            return way.lines(counted.scored(number), self.words, lexicon)

        yield from telling(self._engine.map(lines, range(counted.ranges)), "writing", counted.ranges, self._tell)

    def __iter__(self) -> Iterator[ScoredRule]:
        """The distinct rules with their scores, in the order of the bytes that they have in a table of Moses."""
        for number in range(self._counted.ranges):
            yield from _scored_rules(self._counted.scored(number), self.words)

    def __len__(self) -> int:
        """How many distinct rules there are."""
        return len(self._counted)

    @cached_property
    def _counted(self) -> CountedStrings:
        memory = self.settings.memory_bytes
        counter = StringCounter(self._store, self._engine, memory, self.words, tell=self._tell)
        size, samples = self._sampled()
        cuts = cuts_between(samples, counter.ranges_for(size))
        return counter.count(self._strings, self._text.chunks, cuts, self._lexicon, SMOOTHINGS["none"])

    @cached_property
    def _lexicon(self) -> WordProbabilities:
        return word_probabilities(_with_nonterminals(self._text.links_by(self.words), self.words))

    def _strings(self, number: int) -> Iterator[Strings]:
        return (found.strings(self.words) for found in found_rules(self._text[number], self.settings))

    def _sampled(self) -> tuple[int, list[Int]]:
        """About how many bytes the strings of all rules take, and what some of them begin with."""
        chunks = self._text.chunks
        size, looked_at, samples = 0, 0, list[Int]()
        for number in sorted({chunks * k // _CHUNKS for k in range(min(_CHUNKS, chunks) and _CHUNKS)}):
            chunk = self._text[number]
            looked_at += min(_ALIGNMENTS, chunk.alignments.pair.size)
            for found in found_rules(chunk, self.settings, _ALIGNMENTS):
                strings = found.strings(self.words)
                size += size_of(strings)
                samples += _beginnings(strings, self.words)
        return size * self._text.alignments // max(looked_at, 1), samples


def _beginnings(strings: Strings, words: RuleWords) -> list[Int]:
    """What the source sides of some rules begin with."""
    found = []
    size = strings.units.size
    for k in range(0, size, max(1, size // _SAMPLES)):
        begin = int(strings.start[k])
        rows = parts_of(strings.data, begin, words.separators).rows
        found.append(strings.data[begin : begin + min(rows, _PREFIX)].astype(np.int32))
    return found


def _with_nonterminals(links: LinkCounts, words: RuleWords) -> LinkCounts:
    """The same counts, and one of a link between nonterminals, which makes these certain."""
    joined = LinkCounts(
        np.append(links.source, words.nonterminals.source),
        np.append(links.target, words.nonterminals.target),
        np.append(links.count, np.int64(UNITS)),
        links.source_null,
        links.target_null,
    )
    return joined.renumbered(np.arange(links.source_null.size), np.arange(links.target_null.size))


def _scored_rules(scored: ScoredRange, words: RuleWords) -> Iterator[ScoredRule]:
    data, start, units = scored.strings
    numbers = [as_counts(each).tolist() for each in (units, scored.source.total, scored.target.total)]
    for k, (scores, *counts) in enumerate(zip(scored.scores.tolist(), *numbers, strict=True)):
        begin = int(start[k])
        parts = parts_of(data, begin, words.separators)
        left, right = data[begin : begin + parts.rows], data[parts.target : parts.target + parts.columns]
        swapped = data[parts.links - 1] == words.separators.swapped
        source = _indexed(words.source_words(left), left == words.nonterminals.source, 1)
        target = _indexed(words.target_words(right), right == words.nonterminals.target, 2 if swapped else 1)
        cells = [(i, j) for i in range(parts.rows) for j in range(parts.columns)]
        links = [(i, j) for i, j in cells if has_link(data, parts.links, parts.rows, i, j)]
        yield ScoredRule(source, target, Alignment.unchecked(links), *scores, *counts)


def _indexed(symbols: tuple[str, ...], nonterminal: np.ndarray, index: int) -> tuple[str, ...]:
    """Symbols with numbered nonterminals, from a first number on."""
    found = list(symbols)
    for place in np.flatnonzero(nonterminal).tolist():
        found[place] = f"[X,{index}]"
        index = 3 - index
    return tuple(found)
