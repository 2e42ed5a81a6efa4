"""The ``A3.final`` files of GIZA++ and mgiza: three text lines a pair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pralign.errors import InputError
from pralign.links.alignment import Alignment, Link
from pralign.links.formats.base import (
    AlignmentFormat,
    ReadContext,
    Record,
    from_base,
    parse_index,
    parse_score,
    sure_links,
)
from pralign.text.tokens import tokens

_HEADER = re.compile(
    r"# Sentence pair \((\S+)\) source length ([0-9]+) target length ([0-9]+) alignment score : (\S+)\s*"
)
_HEADER_EXPECTED = "'# Sentence pair (1) source length 4 target length 5 alignment score : 0.1'"
_OPEN, _CLOSE, _NULL = "({", "})", "NULL"
_SEPARATORS = re.compile(r"[ \t\r\n]")


class GizaFormat(AlignmentFormat):
    """Three text lines a pair: a header, the target sentence, the source words with their target positions.

    ::

        # Sentence pair (1) source length 2 target length 3 alignment score : 0.00123
        das blaue haus
        NULL ({ }) the ({ 1 }) house ({ 2 3 })

    Positions count from one; the target words under ``NULL`` have no partner. GIZA++ links each target word
    to one source word at most; a written file lists a target word under each of its source words. Possible
    links and scores of links are not written.

    mgiza writes pairs out of order and may repeat or lose some. Pairs are returned by ascending id, which
    keeps those that came early in memory (after a lost pair, all that follow). A repeated id is an error, a
    lost one an empty alignment.
    """

    name = "giza"
    description = "GIZA++ A3.final, three lines a pair with the words, from 1; sure links only"
    default_base = 1
    needs_text = True
    carries_text = True
    may_skip_pairs = True

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield the alignments by ascending id, empty ones for ids that do not occur."""
        return (record.alignment for record in self.read_records(lines, context))

    def read_records(self, lines: Iterable[str], context: ReadContext) -> Iterator[Record]:
        """Like :meth:`read`, with words and score; a pair that was lost has neither."""
        early: dict[int, Record] = {}
        due, found, highest = 1, 0, (0, 0)
        numbered = (_Line(number, text) for number, text in enumerate(lines, start=1))
        for line in numbered:
            if not line.text.strip():
                continue
            header = _parse_header(line, context)
            if header.sentence < due or header.sentence in early:
                raise context.error(line.number, f"({header.sentence})", "an id that did not occur before")
            target, source = next(numbered, None), next(numbered, None)
            if target is None or source is None:
                raise context.error(line.number, line.text, "two more lines after this one; the file is cut off")
            early[header.sentence] = _parse_pair(header, target, source, context)
            found, highest = found + 1, max(highest, (header.sentence, line.number))
            while due in early:
                yield early.pop(due)
                due += 1
        lost = Record(Alignment())
        for sentence in range(due, context.pairs(*highest, found) + 1):
            yield early.pop(sentence, lost)

    def unwritable(self, words: Sequence[str]) -> str | None:
        """The first word that would become two or none when it is read again."""
        return next((word for word in words if not word or _SEPARATORS.search(word)), None)

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield three lines a pair; its score is 1 if it has none.

        Raises:
            InputError: A pair has no words, words with spaces inside, or links outside its words.
        """
        for number, record in enumerate(records, start=1):
            source, target = self._words(record, number)
            score = 1.0 if record.score is None else record.score
            lists: list[list[int]] = [[] for _ in source]
            unlinked = set(range(len(target)))
            for i, j in sure_links(record.alignment):
                if i >= len(source) or j >= len(target):
                    raise InputError(
                        f"pair {number}: the link {i}-{j} (counted from 0) lies outside its "
                        f"{len(source)} source and {len(target)} target words"
                    )
                lists[i].append(j)
                unlinked.discard(j)
            yield (
                f"# Sentence pair ({number}) source length {len(source)} target length {len(target)} "
                f"alignment score : {score:.6g}"
            )
            yield " ".join(target)
            entries = zip((_NULL, *source), (sorted(unlinked), *lists), strict=True)
            yield " ".join(_entry(word, positions, base) for word, positions in entries)

    def _words(self, record: Record, number: int) -> tuple[list[str], list[str]]:
        if record.source is None or record.target is None:
            raise InputError(f"pair {number}: the giza format needs the words of both sides (--source, --target)")
        if (word := self.unwritable([*record.source, *record.target])) is not None:
            raise InputError(f"pair {number}: the giza format cannot hold the word {word!r}; words have no spaces")
        return list(record.source), list(record.target)


class _Line(NamedTuple):
    number: int
    text: str


class _Header(NamedTuple):
    sentence: int
    source_length: int
    target_length: int
    score: float | None


def _parse_header(line: _Line, context: ReadContext) -> _Header:
    match = _HEADER.fullmatch(line.text)
    if match is None:
        raise context.error(line.number, line.text, _HEADER_EXPECTED)
    sentence = context.sentence_id(line.number, match[1])
    source, target = parse_index(match[2]), parse_index(match[3])
    if source is None or target is None:
        raise context.error(line.number, line.text, "lengths of sentences, in words")
    return _Header(sentence, source, target, parse_score(match[4]))


def _parse_pair(header: _Header, target: _Line, source: _Line, context: ReadContext) -> Record:
    target_words = tokens(target.text)
    if len(target_words) != header.target_length:
        raise context.error(target.number, target.text, f"{header.target_length} target words, as the header says")
    words: list[str] = []
    links: list[Link] = []
    for i, (word, positions) in enumerate(_entries(source, context), start=-1):
        words.append(word)
        for text in positions:
            j = _position(text, header.target_length, source.number, context)
            if i >= 0:
                links.append((i, j))
    if words[:1] != [_NULL] or len(words) != header.source_length + 1:
        raise context.error(
            source.number, source.text, f"NULL and {header.source_length} source words, as the header says"
        )
    return Record(Alignment.unchecked(links), words[1:], target_words, header.score)


def _entries(line: _Line, context: ReadContext) -> Iterator[tuple[str, list[str]]]:
    """Each word with the texts of its positions.

    A word is told by its place, right after the end of the last list, so it may look like a bracket itself.
    """
    pieces = tokens(line.text)
    start = 0
    while start < len(pieces):
        try:
            end = pieces.index(_CLOSE, start + 2)
        except ValueError:
            end = start
        if end == start or pieces[start + 1] != _OPEN:
            found = " ".join(pieces[start : start + 4])
            raise context.error(line.number, found, "a word and a list of target positions, like house ({ 2 3 })")
        yield pieces[start], pieces[start + 2 : end]
        start = end + 1


def _position(text: str, length: int, number: int, context: ReadContext) -> int:
    position = parse_index(text)
    if position is None or position < context.base:
        raise context.error(number, text, from_base(context.base))
    if position - context.base >= length:
        raise context.error(number, text, f"a position among the {length} target words")
    return position - context.base


def _entry(word: str, positions: list[int], base: int) -> str:
    return " ".join([word, _OPEN, *(str(j + base) for j in positions), _CLOSE])
