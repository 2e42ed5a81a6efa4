"""What every kind of file with spans has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pralign.characters import quoted
from pralign.errors import InputError, UsageError
from pralign.links.formats import Writable
from pralign.registry import Registry
from pralign.text.compression import OPENERS
from pralign.text.files import display_name
from pralign.text.tokens import Tokens
from pralign.transfer.spans import AnnotatedSpan, SpanAnswer


class Document(NamedTuple):
    """A text with its spans: whatever is the counterpart of one target sentence.

    Attributes:
        text: The text; its words, where the file says what these are.
        spans: Its spans, in characters of the text.
        extras: What else the file says of it, by name.
        where: Where it is in the file, for messages.
        is_blank: Whether there is nothing in its place but a blank line, which stays one.
    """

    text: str | Tokens
    spans: tuple[AnnotatedSpan, ...] = ()
    extras: Mapping[str, Any] = {}
    where: str = ""
    is_blank: bool = False


class CarriedDocument(NamedTuple):
    """A text whose spans were carried.

    Attributes:
        document: The source text.
        target: The words of the target sentence.
        answer: What became of the spans.
    """

    document: Document
    target: Tokens
    answer: SpanAnswer


class Documents(Iterator[Document]):
    """The documents of a file, one by one.

    Attributes:
        not_carried: How many annotations of other kinds the file has, which cannot be carried.
    """

    def __init__(self, documents: Iterable[Document], not_carried: int = 0) -> None:
        """Documents as they are read."""
        self._documents = iter(documents)
        self.not_carried = not_carried

    def __next__(self) -> Document:
        return next(self._documents)


class SpanFormat(ABC):
    """A way to write texts with spans.

    To add one, derive from this class, set the attributes, write both methods, and register an instance in
    :data:`SPAN_FORMATS`.

    Attributes:
        name: The name users choose it by.
        description: One line for people, shown in help texts.
        suffixes: What names of such files end in, without what compression adds.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def read(self, path: str | Path) -> Documents:
        """The documents of a file, in order, read as they are asked for.

        Raises:
            InputError: At once or while iterating: the file cannot be read, or is not in this format; the message names
                file and line.
        """

    @abstractmethod
    def write(self, stream: Writable, carried: Iterable[CarriedDocument]) -> None:
        """Write target texts with the spans that were carried, to a text stream, as they come.

        Raises:
            InputError: The format cannot hold something; the message names the place of the source text.
        """


#: The kinds of files with spans, by name.
SPAN_FORMATS: Registry[SpanFormat] = Registry("format of spans")


def span_format_of(path: str | Path) -> SpanFormat:
    """The format of a file by what its name ends in.

    Raises:
        UsageError: The name does not tell.

    Example:
        >>> from pralign.transfer import span_files
        >>> span_format_of("names.jsonl.gz").name, span_format_of("names.conll").name
        ('jsonl', 'bio')
    """
    last = without_compression(path).suffix.lower()
    for fmt in SPAN_FORMATS.values():
        if last in fmt.suffixes:
            return fmt
    known = "; ".join(f"{fmt.name} ({', '.join(fmt.suffixes)})" for fmt in SPAN_FORMATS.values())
    raise UsageError(f"{display_name(path)}: the name does not tell the format of its spans; choose one: {known}")


def without_compression(path: str | Path) -> Path:
    """The name of a file without what compression has added.

    Example:
        >>> without_compression("names.ann.gz").name
        'names.ann'
    """
    plain = Path(path)
    while plain.suffix.lower().removeprefix(".") in OPENERS:
        plain = plain.with_suffix("")
    return plain


def check_label(label: str, where: str, name: str) -> None:
    """Complain of a label that a format with columns cannot hold.

    Raises:
        InputError: It is empty or has blanks in it.
    """
    if label.split() != [label]:
        raise InputError(
            f"{where}: the label {quoted(label)} cannot be written as {name}, which has no blanks in labels"
        )
