"""Words in columns, one a line, with tags that say where spans begin (CoNLL 2003, IOB, BIOES)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.links.formats import Writable
from pralign.text.files import display_name, read_lines
from pralign.text.tokens import Tokens, tokens
from pralign.transfer.span_files.base import (
    SPAN_FORMATS,
    CarriedDocument,
    Document,
    Documents,
    SpanFormat,
    check_label,
)
from pralign.transfer.spans import AnnotatedSpan, words_within

_NEW_FILE = "-DOCSTART-"
_COMMENT = "# "
_ABOUT_TEXT = re.compile(r"# *text *=")
_NOTHING = "_"
_TAG = re.compile(r"O|[BIESLU]-\S+")
_CONFIDENCE = re.compile(r"_|[01]\.\d{3}")
_LINE_ENDS = re.compile(r"[\t\n\r]")
_EXPECTED = "a word and its tag, such as O, B-PER or I-PER, in the last column"


class BioSpans(SpanFormat):
    """One word a line, with its tag in the last column, and a blank line after each sentence.

    Columns are separated by tabs, or by spaces in lines without tabs. The first one has the word; the text of a
    sentence is its words with spaces between. ``B-PER`` begins a span, ``I-PER`` goes on with it, and ``O`` is outside.
    An ``I-PER`` that has nothing to go on with begins a span, as in IOB1; ``E-PER`` and ``L-PER`` end one, and
    ``S-PER`` and ``U-PER`` are one, as in BIOES and BILOU. Columns between are passed over, and so are lines of
    ``-DOCSTART-``.

    Lines before the words of a sentence that begin with ``# `` and do not end with a tag are comments. They are written
    before the target words, but for ``# text =``, which is about the source text.

    Written are a word, its tag (``B-``, ``I-`` or ``O``), and how sure its span is, ``_`` for words outside, with tabs
    between; such files are read too. A word has one tag only: of spans that share words the surer one is written, then
    the longer, then the first, and the others are not. Neither are spans that are missing.
    """

    name = "bio"
    description = "one word a line, with a tag such as B-PER in the last column"
    suffixes: ClassVar[tuple[str, ...]] = (".bio", ".conll", ".iob")

    def read(self, path: str | Path) -> Documents:
        """The sentences."""
        return Documents(parse_bio(read_lines(path), display_name(path)))

    def write(self, stream: Writable, carried: Iterable[CarriedDocument]) -> None:
        """Write one line a word, and a blank line after each sentence."""
        stream.writelines(f"{line}\n" for each in carried for line in _lines(each))


def parse_bio(lines: Iterable[str], name: str) -> Iterator[Document]:
    r"""The sentences of lines without line ends; ``name`` is what messages call the file.

    Raises:
        InputError: While iterating: a line has no word or no tag.

    Example:
        >>> [document] = parse_bio(["Ann\tB-PER", "Lee\tI-PER", "left\tO", ""], "sample")
        >>> document.text, document.spans
        (('Ann', 'Lee', 'left'), (AnnotatedSpan(start=0, end=7, label='PER', attributes={}),))
    """
    words: list[str] = []
    tags: list[str] = []
    comments: list[str] = []
    first = 0
    for number, line in enumerate(lines, start=1):
        columns = _columns(line)
        if not columns:
            if words:
                yield _sentence(words, tags, comments, f"{name}, line {first}")
                words, tags, comments = [], [], []
        elif columns[0] != _NEW_FILE:
            tag = _tag(columns)
            if tag is None and line.startswith(_COMMENT) and not words:
                comments.append(line)
                continue
            if tag is None or not columns[0]:
                raise InputError(f"{name}, line {number}: found {quoted(line)}; expected {_EXPECTED}")
            first = first if words else number
            words.append(columns[0])
            tags.append(tag)
    if words:
        yield _sentence(words, tags, comments, f"{name}, line {first}")


def _columns(line: str) -> list[str]:
    """What is between tabs, or between spaces in a line without; a tab at the end begins no column."""
    if "\t" not in line:
        return tokens(line)
    filled = line.rstrip(" \t")
    return [column.strip(" ") for column in filled.split("\t")] if filled else []


def _tag(columns: Sequence[str]) -> str | None:
    """The tag of a word: the last column, or the one before how sure it is; nothing if there is none."""
    if len(columns) > 1 and _TAG.fullmatch(columns[-1]):
        return columns[-1]
    if len(columns) > 2 and _CONFIDENCE.fullmatch(columns[-1]) and _TAG.fullmatch(columns[-2]):
        return columns[-2]
    return None


def _sentence(words: Sequence[str], tags: Sequence[str], comments: Sequence[str], where: str) -> Document:
    text = Tokens.joined(words)
    spans = [
        AnnotatedSpan(text.spans[first][0], text.spans[last][1], label) for first, last, label in spans_of_tags(tags)
    ]
    return Document(text, tuple(spans), {"comments": tuple(comments)} if comments else {}, where)


def spans_of_tags(tags: Iterable[str]) -> list[tuple[int, int, str]]:
    """The first word, the last word and the label of each span that tags tell of.

    Example:
        >>> spans_of_tags(["I-PER", "I-PER", "B-PER", "O", "S-LOC", "B-ORG", "E-ORG", "I-ORG", "I-LOC"])
        [(0, 1, 'PER'), (2, 2, 'PER'), (4, 4, 'LOC'), (5, 6, 'ORG'), (7, 7, 'ORG'), (8, 8, 'LOC')]
    """
    spans: list[tuple[int, int, str]] = []
    is_open = False
    for k, tag in enumerate(tags):
        mark, label = tag[0], tag[2:]
        if mark == "O":
            is_open = False
            continue
        if is_open and mark in "IEL" and spans[-1][2] == label:
            spans[-1] = (spans[-1][0], k, label)
        else:
            spans.append((k, k, label))
        is_open = mark in "BI"
    return spans


def _lines(carried: CarriedDocument) -> Iterator[str]:
    document, target, _ = carried
    for comment in document.extras.get("comments", ()):
        if isinstance(comment, str) and comment.startswith(_COMMENT) and not _ABOUT_TEXT.match(comment):
            yield comment
    for word, (tag, sure) in zip(target, _written_tags(carried), strict=True):
        if not word or word.strip(" ") != word or _LINE_ENDS.search(word):
            raise InputError(f"{document.where}: the target word {quoted(word)} cannot be written in a column")
        yield f"{word}\t{tag}\t{sure}"
    yield ""


def _written_tags(carried: CarriedDocument) -> list[tuple[str, str]]:
    """The tag of each target word, and how sure it is."""
    document, target, (spans, _) = carried
    tags = [("O", _NOTHING)] * len(target)
    places = words_within(spans, target)
    for k in sorted(range(len(spans)), key=lambda k: (-spans[k].confidence, -len(places[k]), k)):
        label, sure, words = spans[k].label, f"{spans[k].confidence:.3f}", places[k]
        check_label(label, document.where, "bio")
        if all(tags[word][0] == "O" for word in words):
            for number, word in enumerate(words):
                tags[word] = (f"{'I' if number else 'B'}-{label}", sure)
    return tags


SPAN_FORMATS.register(BioSpans.name, BioSpans())
