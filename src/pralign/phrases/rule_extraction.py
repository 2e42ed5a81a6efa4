"""Rules of a chunk of text: the phrase pairs that they are made of, what they count, and the strings that they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.kernels.rule_lines import extracted_rule_lines
from pralign.kernels.rule_strings import rule_strings
from pralign.kernels.rules import Rules, find_rules
from pralign.kernels.spans import Spans, chosen_spans, find_spans
from pralign.kernels.strings import Strings, sorted_distinct
from pralign.kernels.units import UNITS
from pralign.links.aligned import AlignedChunk
from pralign.phrases.extraction import lengths_of, some_of
from pralign.phrases.rule_settings import RuleSettings
from pralign.phrases.rule_words import RuleWords

# So many alignments are looked at together, but fewer if they have more rules than this.
_TOGETHER, _MOST = 500, 100_000
# The rules of one alignment may be finer parts of one than those of a table, which are sums over a text.
_FINE_UNITS = 2.0**40


class FoundRules:
    """The rules of some alignments.

    Attributes:
        chunk: The text with these alignments.
        spans: Where phrase pairs stand.
        rules: The rules that are made of them.
    """

    def __init__(self, chunk: AlignedChunk, spans: Spans, rules: Rules, settings: RuleSettings) -> None:
        self.chunk, self.spans, self.rules = chunk, spans, rules
        weight = chunk.alignments.weight[spans.owner[rules.span]]
        self._weight = weight / rules.siblings if settings.count == "shared" else weight

    def strings(self, words: RuleWords) -> Strings:
        """The rules as strings of numbers."""
        return self._strings(words, UNITS, False)

    def lines(self, words: RuleWords) -> list[bytes]:
        """The rules as lines of Moses, source first and target first; equal ones of an alignment are one line."""
        strings = Strings(*sorted_distinct(self._strings(words, _FINE_UNITS, True)))
        found = []
        for inverse in (False, True):
            lines = extracted_rule_lines(strings, inverse, 1 / _FINE_UNITS, words.symbols, words.spellings)
            found.append(lines.tobytes())
        return found

    def _strings(self, words: RuleWords, one: float, owners: bool) -> Strings:
        # What counts nothing would leave its side without any count to divide by.
        units: Long = np.maximum(np.rint(self._weight * one), 1).astype(np.int64)
        made = rule_strings(*self.chunk, self.spans, self.rules, units, words.numbers, words.symbols, owners)
        return Strings(*made)


def found_rules(chunk: AlignedChunk, settings: RuleSettings, alignments: int | None = None) -> Iterator[FoundRules]:
    """The rules of a chunk, those of some alignments at a time.

    Args:
        chunk: Text with alignments.
        settings: What rules may be like.
        alignments: How many alignments to look at, from the first on; by default all.
    """
    count = chunk.alignments.pair.size if alignments is None else min(alignments, chunk.alignments.pair.size)
    for first in range(0, count, _TOGETHER):
        some = some_of(chunk, first, min(first + _TOGETHER, count))
        lengths, links = lengths_of(some), some.alignments.links
        spans = Spans(*find_spans(*lengths, links, settings.max_span))
        if settings.tight:
            spans = chosen_spans(spans, _is_tight(some, spans))
        begin = 0
        while begin < spans.owner.size:
            rules, begin = find_rules(lengths[1], links, spans, begin, _MOST, settings.limits)
            yield FoundRules(some, spans, Rules(*rules), settings)


def _is_tight(chunk: AlignedChunk, spans: Spans) -> NDArray[np.bool_]:
    """Whether phrase pairs begin and end with linked words."""
    links = chunk.alignments.links
    owner = np.repeat(np.arange(links.start.size - 1), np.diff(links.start))
    found = np.ones(spans.owner.size, np.bool_)
    sides = zip(
        lengths_of(chunk),
        (links.source, links.target),
        ((spans.source_begin, spans.source_end), (spans.target_begin, spans.target_end)),
        strict=True,
    )
    for lengths, places, (begin, end) in sides:
        start = np.cumsum(lengths) - lengths
        is_linked = np.zeros(lengths.sum(), np.bool_)
        is_linked[start[owner] + places] = True
        found &= is_linked[start[spans.owner] + begin] & is_linked[start[spans.owner] + end - 1]
    return found
