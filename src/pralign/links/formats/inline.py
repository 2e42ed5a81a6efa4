"""The common part of the formats that put all links of a pair on one text line, such as ``0-0 1-2 2-1``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from types import MappingProxyType
from typing import Literal

from pralign.links.alignment import Alignment, Link
from pralign.links.formats.base import (
    AlignmentFormat,
    LinkCollector,
    ReadContext,
    from_base,
    parse_index,
    parse_score,
)

SURE = "-"
NULL = "NULL"

_MOST_SCORES = 2  # SIL machine writes a translation score and an alignment score
_LARGEST_TABLE = 1 << 16  # about 16 MB; holds every link of sentences of up to 256 words


class InlineFormat(AlignmentFormat):
    """A format with one text line a pair and one token a link: two positions, a mark between, maybe a score.

    A subclass sets the attributes and writes ``write``; reading is done here.

    Attributes:
        possible_mark: The character between the positions of a possible link; a sure link has ``-``.
        link_scores: Whether links may or must be followed by ``:score``. Where they may, scores are kept if
            all links of the line have one.
        skips_null: Links with ``NULL`` on one side are passed over rather than refused.
        without_links: What lines stand for that are blank (``""``) or a single word, where that is more than an
            alignment without links.
        expected: What a link looks like, for messages.
    """

    possible_mark: str
    link_scores: Literal["none", "optional", "required"] = "none"
    skips_null: bool = False
    without_links: Mapping[str, Alignment] = MappingProxyType({})
    expected: str

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield the alignment of each line; an empty line is an empty alignment."""
        sure = _LinkTable(SURE, context.base)
        possible = _LinkTable(self.possible_mark, context.base)
        for number, line in enumerate(lines, start=1):
            tokens = line.split()
            if len(tokens) < 2 and (known := self.without_links.get("".join(tokens))) is not None:
                yield known
                continue
            alignment = self._uniform(line, tokens, sure)
            yield self._marked(tokens, sure, possible, number, context) if alignment is None else alignment

    def _uniform(self, line: str, tokens: list[str], sure: _LinkTable) -> Alignment | None:
        """The alignment of a line whose tokens are all ``i-j`` or all ``i-j:score``, quickly; else ``None``.

        Nearly every line of a large file is like that. All others, wrong ones too, are left to ``_marked``.
        """
        try:
            if ":" not in line:
                return None if self.link_scores == "required" else Alignment.unchecked([sure[t] for t in tokens])
            if self.link_scores == "none" or "_" in line:
                return None
            pieces = [token.split(":") for token in tokens]
            scores = [float(score) for _, score in pieces]
            # Infinity and NaN show in the sum.
            return Alignment.unchecked([sure[head] for head, _ in pieces], scores) if isfinite(sum(scores)) else None
        except (_UnknownTokenError, ValueError):
            return None

    def _marked(
        self, tokens: list[str], sure: _LinkTable, possible: _LinkTable, number: int, context: ReadContext
    ) -> Alignment:
        """The alignment of a line that has marks or scores."""
        pair = LinkCollector()
        for token in tokens:
            head, _, tail = token.partition(":")
            if self.skips_null and _is_null_link(head):
                continue
            is_possible = self.possible_mark in head
            try:
                score = self._score(token, tail)
                link = possible[head] if is_possible else sure[head]
            except _UnknownTokenError as error:
                raise context.error(number, token, str(error) or self.expected) from None
            pair.add(link, possible=is_possible, score=score)
        return pair.alignment()

    def _score(self, token: str, tail: str) -> float | None:
        if ":" not in token and self.link_scores != "required":
            return None
        scores = [parse_score(text) for text in tail.split(":")]
        if self.link_scores == "none" or len(scores) > _MOST_SCORES or None in scores:
            raise _UnknownTokenError
        return scores[0]


def marked_links(alignment: Alignment, possible_mark: str, base: int) -> str:
    """The links of a pair in sorted order, with ``-`` between the positions of sure ones and the mark in the others."""
    possible = alignment.possible
    return " ".join(f"{i + base}{possible_mark if (i, j) in possible else SURE}{j + base}" for i, j in alignment.links)


class _UnknownTokenError(Exception):
    """A token that is no link; the message, if any, says what was expected instead."""


class _LinkTable(dict[str, Link]):
    """From tokens to links, learned on the way.

    The same few thousand tokens make up most of a large file. Looking them up is quicker than parsing them,
    and equal links of different lines become one object in memory.
    """

    def __init__(self, mark: str, base: int) -> None:
        super().__init__()
        self._mark = mark
        self._base = base

    def __missing__(self, token: str) -> Link:
        left, _, right = token.partition(self._mark)
        i, j = parse_index(left), parse_index(right)
        if i is None or j is None:
            raise _UnknownTokenError
        if i < self._base or j < self._base:
            raise _UnknownTokenError(from_base(self._base))
        link = (i - self._base, j - self._base)
        if len(self) < _LARGEST_TABLE:
            self[token] = link
        return link


def _is_null_link(head: str) -> bool:
    left, _, right = head.partition(SURE)
    return (left == NULL and parse_index(right) is not None) or (right == NULL and parse_index(left) is not None)
