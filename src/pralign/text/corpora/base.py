"""What every kind of file that holds both sides of a corpus has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pralign.errors import UsageError
from pralign.registry import Registry
from pralign.text.bitext import Pair, Sentence
from pralign.text.compression import OPENERS


class Row(NamedTuple):
    """A sentence pair as a file has it.

    Attributes:
        source: The source sentence.
        target: The target sentence.
        extras: What else the file says of the pair, by name.

    Example:
        >>> row = Row("the house", "la maison", {"id": 7})
        >>> row.source, row.extras["id"]
        ('the house', 7)
    """

    source: Sentence
    target: Sentence
    extras: Mapping[str, Any] = {}


class Choice(NamedTuple):
    """Which part of a file is meant.

    Attributes:
        columns: What holds source and target: the names of two columns, fields or languages; ``None`` if that was not
            said.
        header: Whether the first line has the names of columns; ``None`` if that was not said.
    """

    columns: tuple[str, str] | None = None
    header: bool | None = None

    @classmethod
    def of(cls, columns: str | tuple[str, str] | None, header: bool | None = None) -> Choice:
        """What is meant by ``"en,fr"``.

        Raises:
            UsageError: These are not two names.
        """
        names = [name.strip() for name in columns.split(",")] if isinstance(columns, str) else columns
        if names is not None and (len(names) != 2 or not all(names) or names[0] == names[1]):
            raise UsageError(f"columns are two names, that of the source first, such as en,fr, not {columns}")
        return cls(None if names is None else (names[0], names[1]), header)


class CorpusReader(ABC):
    """Reads one kind of file.

    To add a kind, derive from this class, set ``name`` and ``suffixes``, write :meth:`rows`, and register an instance
    in :data:`READERS`.

    Attributes:
        name: What users call it.
        suffixes: What names of such files end in, without what compression adds.
        has_header: Whether files may begin with a line of names.
        has_columns: Whether users may choose columns.

    Example:
        >>> import tempfile
        >>> class Alternating(CorpusReader):
        ...     name, suffixes, has_columns = "alternating", (".alt",), False
        ...     def rows(self, path, choice, limit):
        ...         lines = Path(path).read_text(encoding="utf-8").splitlines()
        ...         yield from map(Row, lines[::2], lines[1::2])
        >>> with READERS.restored(), tempfile.TemporaryDirectory() as folder:
        ...     _ = READERS.register("alternating", Alternating())
        ...     path = Path(folder, "text.alt")
        ...     _ = path.write_text("the house" + chr(10) + "la maison", encoding="utf-8")
        ...     [(row.source, row.target) for row in reader_by_name(path).rows(path, Choice(), 1000)]
        [('the house', 'la maison')]
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    has_header: ClassVar[bool] = False
    has_columns: ClassVar[bool] = True

    @abstractmethod
    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield the sentence pairs of a file in order, one by one.

        Args:
            path: The file; ``-`` is standard input.
            choice: Which part of it is meant.
            limit: How many bytes a pair may have, at least about.

        Raises:
            InputError: It cannot be read, or is not such a file; the message names file and place.
            UsageError: What was chosen is not there.
        """

    def pairs(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Pair]:
        """Like :meth:`rows`, but the sentences alone, for whoever does not want to know more."""
        return ((row.source, row.target) for row in self.rows(path, choice, limit))

    def check(self, choice: Choice) -> None:
        """Complain of what cannot be chosen here.

        Raises:
            UsageError: It cannot.
        """
        if choice.columns is not None and not self.has_columns:
            raise UsageError(f"columns cannot be chosen in a {self.name} file, which has a source and a target")
        if choice.header is not None and not self.has_header:
            raise UsageError(f"a {self.name} file has no header line; leave out --header and --no-header")


#: The kinds of files with both sides, by name.
READERS: Registry[CorpusReader] = Registry("kind of corpus")


def reader_by_name(path: str | Path) -> CorpusReader | None:
    """The reader of a file by what its name ends in, if there is one.

    Example:
        >>> from pralign.text import corpora
        >>> reader_by_name("memory.tmx.gz").name, reader_by_name("corpus.en")
        ('tmx', None)
    """
    suffixes = [suffix.lower() for suffix in Path(str(path)).suffixes]
    while suffixes and suffixes[-1].removeprefix(".") in OPENERS:
        suffixes.pop()
    last = suffixes[-1] if suffixes else ""
    return next((reader for reader in READERS.values() if last in reader.suffixes), None)


def one_line(text: str) -> str:
    r"""A sentence on one line: where it goes on in another line, there is a space, whatever the indentation.

    Example:
        >>> one_line("\n    The  house\n    is old.\n"), one_line(" two  spaces ")
        ('The  house is old.', ' two  spaces ')
    """
    if "\n" not in text and "\r" not in text:
        return text
    lines = (line.strip(" \t") for line in text.replace("\r", "\n").split("\n"))
    return " ".join(line for line in lines if line)
