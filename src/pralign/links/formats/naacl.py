"""The format of the 2003 and 2005 shared tasks: one link a text line, ``1 3 4 S``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pralign.links.alignment import Alignment, Link
from pralign.links.formats.base import (
    AlignmentFormat,
    LinkCollector,
    ReadContext,
    Record,
    format_score,
    from_base,
    parse_index,
    parse_score,
)

_EXPECTED = "a line like '1 3 4 S 0.5': sentence id, source, target, then S or P and a score if known"
_LEAST_FIELDS, _MOST_FIELDS = 3, 5


class NaaclFormat(AlignmentFormat):
    """One link a text line: sentence id, source position, target position, ``S`` or ``P``, score.

    Sentence ids count from one. Positions do too, and position zero stands for null: such a line says that a
    word has no partner, and is skipped. (A file read with base 0 has no number left for null.) The last two
    columns are optional, and a link without ``S`` or ``P`` is sure.

    Lines may come in any order, so the whole file is read before the first alignment is known. A pair without
    links has no line at all: without ``ReadContext.lines``, empty alignments after the highest id are lost.
    """

    name = "naacl"
    description = "one link a line: sentence id, source, target, S or P, score; from 1"
    default_base = 1
    holds_possible = True
    holds_scores = True
    may_skip_pairs = True

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield the alignments by ascending sentence id, empty ones for ids that do not occur."""
        pairs: defaultdict[int, LinkCollector] = defaultdict(LinkCollector)
        highest, links, nothing = (0, 0), 0, Alignment()
        for number, line in enumerate(lines, start=1):
            if fields := line.split():
                highest = max(highest, (_add(fields, pairs, number, context), -number))
                links += 1
        for sentence in range(1, context.pairs(highest[0], -highest[1], links) + 1):
            yield pairs.pop(sentence).alignment() if sentence in pairs else nothing

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a link; an empty alignment yields none."""
        for sentence, (alignment, *_) in enumerate(records, start=1):
            for k, (i, j) in enumerate(alignment.links):
                kind = "P" if (i, j) in alignment.possible else "S"
                score = "" if alignment.scores is None else " " + format_score(alignment.scores[k], sentence)
                yield f"{sentence} {i + base} {j + base} {kind}{score}"


def _add(fields: list[str], pairs: defaultdict[int, LinkCollector], number: int, context: ReadContext) -> int:
    """Add the link of a line to its pair, and return the id of the pair."""
    if not _LEAST_FIELDS <= len(fields) <= _MOST_FIELDS:
        raise context.error(number, " ".join(fields), _EXPECTED)
    sentence = context.sentence_id(number, fields[0])
    pair = pairs[sentence]
    link = _link(fields[1], fields[2], number, context)
    possible, score = _kind_and_score(fields[3:], number, context)
    if link is not None:
        pair.add(link, possible=possible, score=score)
    return sentence


def _link(source: str, target: str, number: int, context: ReadContext) -> Link | None:
    i, j = parse_index(source), parse_index(target)
    if i is None or j is None:
        raise context.error(number, f"{source} {target}", from_base(context.base))
    if i < context.base or j < context.base:
        return None
    return i - context.base, j - context.base


def _kind_and_score(fields: list[str], number: int, context: ReadContext) -> tuple[bool, float | None]:
    kind = fields.pop(0) if fields and fields[0] in {"S", "P"} else "S"
    if not fields:
        return kind == "P", None
    score = parse_score(fields[0])
    if score is None or len(fields) > 1:
        raise context.error(number, " ".join(fields), "S or P, a number as score, or S or P and a number")
    return kind == "P", score
