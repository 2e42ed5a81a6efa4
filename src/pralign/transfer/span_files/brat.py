"""Standoff annotation of brat: a text, and beside it a file that says what is where in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from pralign.errors import InputError, UsageError
from pralign.links.formats import Writable
from pralign.text.files import STANDARD_STREAM, display_name, read_lines, reason
from pralign.text.tokens import Span
from pralign.transfer.span_files.base import (
    SPAN_FORMATS,
    CarriedDocument,
    Document,
    Documents,
    SpanFormat,
    check_label,
    without_compression,
)
from pralign.transfer.span_files.standoff import Annotations, Entity, parse_annotations
from pralign.transfer.spans import AnnotatedSpan, CarriedSpan

_ANNOTATIONS, _TEXT = ".ann", ".txt"


class BratSpans(SpanFormat):
    r"""Annotations in ``X.ann`` of the text in ``X.txt``, each line of which is a sentence.

    A line such as ``T1\tPER 0 3\tAnn`` has an id, a label, where the span begins and ends in the whole text, and its
    words. Characters are those of Unicode, counted from zero, and a line end is one. A span may be in pieces,
    ``0 3;8 11``: each of them is carried by itself, and the span is as sure as the least sure of them. All of a span
    has to be in one line. Annotations of other kinds, such as relations and notes, are not carried.

    Written are annotations of the text whose lines are the target sentences. Ids stay the same. Pieces with nothing but
    blanks between become one. After each span there is a note, ``#1\tAnnotatorNotes T1\tconfidence 0.870``, and
    ``, unsure`` after that if the confidence is below the threshold. Spans that are missing are not written.
    """

    name = "brat"
    description = "standoff annotation: X.ann, with X.txt beside it, a sentence a line"
    suffixes: ClassVar[tuple[str, ...]] = (_ANNOTATIONS,)

    def read(self, path: str | Path) -> Documents:
        """The sentences; annotations may be in any order, so they are all read before the first one."""
        if str(path) == STANDARD_STREAM:
            raise UsageError("brat cannot be read from standard input, since it is two files; name the .ann file")
        annotations = parse_annotations(read_lines(path), display_name(path))
        beside = text_beside(path)
        documents = parse_brat(annotations, read_lines(beside), display_name(beside))
        return Documents(documents, annotations.others)

    def write(self, stream: Writable, carried: Iterable[CarriedDocument]) -> None:
        """Write the lines of an ``.ann`` file."""
        writer = _Writer()
        stream.writelines(f"{line}\n" for each in carried for line in writer.lines(each))


def text_beside(path: str | Path) -> Path:
    """The text that annotations are about.

    Example:
        >>> str(text_beside("news.ann")), str(text_beside("news.ann.gz"))
        ('news.txt', 'news.txt.gz')
    """
    plain = without_compression(path)
    return plain.with_name(f"{plain.name.removesuffix(plain.suffix)}{_TEXT}{Path(path).name[len(plain.name) :]}")


def annotation_files(directory: str | Path) -> list[Path]:
    """The files of annotations in a directory, by name.

    Raises:
        InputError: It cannot be read, or there are none.
    """
    try:
        found = sorted(path for path in Path(directory).iterdir() if without_compression(path).suffix == _ANNOTATIONS)
    except (OSError, ValueError) as error:
        raise InputError(f"{directory}: cannot read: {reason(error)}") from error
    if not found:
        raise InputError(f"{directory}: there are no annotations (files whose names end in {_ANNOTATIONS}) in it")
    return found


def parse_brat(annotations: Annotations, lines: Iterable[str], name: str) -> Iterator[Document]:
    r"""The lines of a text, without line ends, with the spans of each; ``name`` is what messages call the text.

    Raises:
        InputError: While iterating: an annotation is not within a line, or quotes something else.

    Example:
        >>> annotations = parse_annotations(["T1\tPER 7 10\tAnn"], "sample.ann")
        >>> [document.spans for document in parse_brat(annotations, ["It was", "Ann."], "sample.txt")]
        [(), (AnnotatedSpan(start=0, end=3, label='PER', attributes={'id': 'T1'}),)]
    """
    waiting = sorted(annotations.entities, key=lambda entity: entity.start, reverse=True)
    start = 0
    for number, line in enumerate(lines, start=1):
        end = start + len(line)
        here: list[Entity] = []
        while waiting and waiting[-1].start <= end:
            here.append(waiting.pop())
        where = f"{name}, line {number}"
        spans: list[AnnotatedSpan] = []
        for entity in sorted(here, key=lambda entity: entity.line):
            entity.check_line(line, start, where)
            pieces = [(first - start, last - start) for first, last in entity.pieces]
            entity.check_quote(" ".join(line[first:last] for first, last in pieces), name)
            spans.extend([AnnotatedSpan(first, last, entity.label, {"id": entity.id}) for first, last in pieces])
        yield Document(line, tuple(spans), {}, where)
        start = end + 1
    for entity in waiting[::-1]:
        entity.fail(f"{entity.id} lies outside {name}, which has {max(start - 1, 0)} characters")


class _Writer:
    """Knows how far the target text has been written, and which ids are taken."""

    def __init__(self) -> None:
        self._offset = 0
        self._notes = 0
        self._taken: set[str] = set()
        self._given = 0

    def lines(self, carried: CarriedDocument) -> Iterator[str]:
        """The lines of one sentence."""
        document, target, answer = carried
        text = target.text
        if "\n" in text:
            raise InputError(
                f"{document.where}: the target sentence has a line end in it; in brat, a line is a sentence"
            )
        groups: dict[str | int, list[CarriedSpan]] = {}
        for span in answer.carried:
            groups.setdefault(_id_of(span) or id(span.origin), []).append(span)
        for spans in groups.values():
            label = spans[0].label
            check_label(label, document.where, "brat")
            name = self._name(_id_of(spans[0]))
            pieces = joined_pieces([(span.start, span.end) for span in spans], text)
            places = ";".join(f"{start + self._offset} {end + self._offset}" for start, end in pieces)
            yield f"{name}\t{label} {places}\t{' '.join(text[start:end] for start, end in pieces)}"
            self._notes += 1
            sure = f"{min(span.confidence for span in spans):.3f}{', unsure' * any(span.unsure for span in spans)}"
            yield f"#{self._notes}\tAnnotatorNotes {name}\tconfidence {sure}"
        self._offset += len(text) + 1

    def _name(self, wanted: str | None) -> str:
        """The id of a span: its own, if it has one that is not taken."""
        while wanted is None or wanted in self._taken:
            self._given += 1
            wanted = f"T{self._given}"
        self._taken.add(wanted)
        return wanted


def _id_of(span: CarriedSpan) -> str | None:
    """The id that a span has in brat, if it comes from there."""
    found = span.attributes.get("id")
    is_id = isinstance(found, str) and len(found) > 1 and found.startswith("T") and found.split() == [found]
    return found if is_id else None


def joined_pieces(pieces: Iterable[Span], text: str) -> list[Span]:
    """Pieces of a span in order; those that overlap, or have nothing but blanks between, become one.

    Example:
        >>> joined_pieces([(7, 10), (0, 3), (4, 6)], "Ann B. Lee or Ann")
        [(0, 10)]
        >>> joined_pieces([(0, 3), (7, 10)], "Ann B. Lee or Ann")
        [(0, 3), (7, 10)]
    """
    found: list[Span] = []
    for start, end in sorted(pieces):
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


SPAN_FORMATS.register(BratSpans.name, BratSpans())
