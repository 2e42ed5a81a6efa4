"""Parallel text: pairs of sentences that translate each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pralign.errors import UsageError
from pralign.schema.arguments import check_argument, check_path
from pralign.text.choosing import check_two, reader_of
from pralign.text.files import STANDARD_STREAM, Arrival, display_name, is_regular_file, line_limit, read_lines
from pralign.text.layouts import split_lines
from pralign.text.sides import (
    Opener,
    Pair,
    Sentence,
    Watch,
    is_treebank,
    lines_of,
    paired_sides,
    repeatable,
    side_of,
    watched_pairs,
)

if TYPE_CHECKING:
    from pralign.text.corpora import Choice, CorpusReader, Row
    from pralign.text.tokenizers import Tokenization

__all__ = ["Bitext", "Pair", "Sentence", "Watch"]


class Bitext:
    """Sentence pairs that can be read again and again, in order.

    A sentence is a string of tokens separated by spaces, or a sequence of tokens. Text from files is read as it is
    needed and not kept; text from standard input or a pipe is kept, since it comes only once.

    Attributes:
        name: What messages call the text.
        files: The files that it is read from: none, one with both sides, or two.
        layout: How one file holds both sides, if that is known.
        reader: What reads the one file, if it is not read line by line.
        tokenization: How sentences are cut into words, if they are; otherwise they are left as they are.

    Example:
        >>> bitext = Bitext([("the house", "la maison"), (["a", "cat"], ["un", "chat"])])
        >>> [source for source, target in bitext]
        ['the house', ['a', 'cat']]
        >>> list(Bitext(["the house"], ["la maison"]))
        [('the house', 'la maison')]
    """

    def __init__(
        self,
        pairs: Iterable[Any],
        target: Iterable[Any] | None = None,
        *,
        columns: Sequence[str] | None = None,
        name: str = "the pairs given",
    ) -> None:
        """Hold pairs, given in any way that :func:`~pralign.text.pairs.as_pairs` knows.

        Args:
            pairs: The pairs, a table, or the source sentences alone.
            target: The target sentences, if ``pairs`` are the source sentences.
            columns: Which columns of a table, or fields of rows, hold the source and the target sentences.
            name: What messages call them.
        """
        from pralign.text.pairs import as_pairs  # which knows bitexts

        kept = list(as_pairs(pairs, target, columns))
        self._open: Callable[[], Iterator[Pair]] = lambda: iter(kept)
        self.name = name
        self.files: tuple[str | Path, ...] = ()
        self.layout: str | None = None
        self.reader: CorpusReader | None = None
        self.tokenization: Tokenization | None = None
        self._sides, self._counted = (name, name), "line"
        self._openers: tuple[Opener, ...] = ()
        self._rows: Callable[[], Iterator[Row]] | None = None
        self._join: Callable[..., Iterator[Pair]] = _nothing
        self._watched: Callable[[Watch], Bitext] | None = None

    @classmethod
    def opened_by(cls, pairs: Callable[[], Iterator[Pair]], name: str) -> Bitext:
        """The pairs that a function yields, which is asked for them anew whenever they are read."""
        bitext = cls([], name=name)
        bitext._open = pairs
        return bitext

    @classmethod
    def read(
        cls,
        source: str | Path,
        target: str | Path | None = None,
        layout: str | None = None,
        *,
        columns: str | tuple[str, str] | None = None,
        header: bool | None = None,
        tokenize: str | None = None,
    ) -> Bitext:
        r"""Read two files of parallel sentences, or one file that holds both sides.

        A file whose name ends in ``.conllu`` is a treebank, of which the words are read.

        Args:
            source: The file of source sentences, or the only file; ``-`` is standard input.
            target: The file of target sentences, line by line the translations of ``source``.
            layout: How one file holds both sides: ``"tsv"`` (tab-separated columns), ``"bars"`` (``source |||
                target``), or one of :data:`~pralign.text.corpora.READERS`: ``"csv"``, ``"jsonl"``, ``"parquet"``,
                ``"tmx"``, ``"xliff"``. Without it, the name of the file tells or, if it does not, a tab or three bars
                in the first line that is not blank.
            columns: What holds source and target in one file, such as ``"en,fr"``: columns by their names or numbers,
                fields of JSON, languages of a translation memory. By default the first two columns, or what holds text.
            header: Whether the first line of a table has names; by default if columns are chosen by name.
            tokenize: How sentences are cut into words, see :class:`~pralign.text.tokenizers.Tokenization`; by default
                they are left to whoever reads them, who cuts them at spaces.

        Raises:
            InputError: Now or while iterating: a file cannot be read, the two files differ in length, or a line
                does not have two sides. The message names the file and line.
            UsageError: There is no such layout, column or way to tokenise.
        """
        from pralign.text.corpora import Choice

        check_path(source, "the source file")
        check_path(source if target is None else target, "the target file")
        check_argument(layout, str | None, "layout")
        choice = Choice.of(columns, header)
        files = (source,) if target is None else (source, target)
        if [str(path) for path in files].count(STANDARD_STREAM) > 1:
            raise UsageError("standard input cannot be both sides; give one of them as a file")
        bitext = cls([], name=" and ".join(map(display_name, files)))
        bitext.files, bitext.layout = files, layout
        reader = reader_of(source, layout, choice) if target is None else None
        if target is not None:
            check_two(files, layout, choice)
            bitext._read_two(source, target)
        elif reader is not None:
            bitext._read_rows(reader, source, choice)
        else:
            bitext._read_lines(source)
        return bitext if tokenize is None else bitext.tokenized(tokenize)

    @classmethod
    def arriving(cls, arrival: Arrival, layout: str | None = None) -> Bitext:
        """The pairs of standard input, a line each, as they come; they can be read only once, and are not kept.

        Args:
            arrival: Can be asked then whether the next line is there.
            layout: How a line holds both sides, ``"tsv"`` or ``"bars"``; by default the first line tells.
        """
        bitext, limit = cls([], name=display_name(STANDARD_STREAM)), line_limit()
        bitext.files, bitext.layout = (STANDARD_STREAM,), layout
        bitext._openers = (lambda: read_lines(STANDARD_STREAM, limit, arrival),)
        bitext._join = lambda lines: split_lines(lines, STANDARD_STREAM, layout)
        bitext._open = lambda: bitext._join(bitext._openers[0]())
        return bitext

    def _read_two(self, source: str | Path, target: str | Path) -> None:
        """Be the pairs of two files."""
        openers = (side_of(source), side_of(target))
        self._sides = (display_name(source), display_name(target))
        join = self._join = lambda left, right: paired_sides((left, right), self._sides, openers)
        if is_treebank(source) or is_treebank(target):
            self._counted = "sentence"
        else:
            self._openers = openers
        self._open = lambda: join(*(opener() for opener in openers))

    def _read_lines(self, path: str | Path) -> None:
        """Be the pairs of one file with both sides on a line."""
        self._openers = (lines_of(path),)
        self._join = lambda lines: split_lines(lines, path, self.layout)
        self._open = lambda: self._join(self._openers[0]())

    def _read_rows(self, reader: CorpusReader, path: str | Path, choice: Choice) -> None:
        """Be the pairs that a reader finds in one file."""
        reader.check(choice)
        limit = line_limit()
        opener = repeatable(lambda limit: reader.rows(path, choice, limit), path)
        self.layout, self.reader, self._rows = reader.name, reader, opener
        if is_regular_file(path):
            self._open = lambda: reader.pairs(path, choice, limit)
        else:
            self._open = lambda: ((row.source, row.target) for row in opener())
        self._sides, self._counted = (f"{self.name}, source", f"{self.name}, target"), "pair"

    def rows(self) -> Iterator[Row]:
        """The pairs with whatever else their file says of them."""
        from pralign.text.corpora import Row

        if self._rows is None:
            return (Row(source, target) for source, target in self)
        pairs = self._rows()
        return pairs if self.tokenization is None else self._tokenized_rows(pairs, self.tokenization)

    def extras(self) -> Iterator[Mapping[str, Any]]:
        """What the file says of each pair besides its sentences; nothing at all of pairs from elsewhere."""
        return iter(()) if self._rows is None else (row.extras for row in self._rows())

    @staticmethod
    def _tokenized_rows(rows: Iterator[Row], tokenization: Tokenization) -> Iterator[Row]:
        rows, again = tee(rows)
        cut = tokenization.pairs((row.source, row.target) for row in again)
        return (row._replace(source=left, target=right) for row, (left, right) in zip(rows, cut, strict=True))

    def __iter__(self) -> Iterator[Pair]:
        return self._open()

    def checked(self, check: Callable[[Sentence, str], None]) -> Bitext:
        """These pairs, each of whose sentences is checked while it is read.

        Args:
            check: Called with a sentence and with where it is, such as ``"source.txt, line 3"``; raises what it finds.
        """

        def pairs() -> Iterator[Pair]:
            for number, pair in enumerate(self, start=1):
                for sentence, name in zip(pair, self._sides, strict=True):
                    check(sentence, f"{name}, {self._counted} {number}")
                yield pair

        return self._opened_by(pairs)

    def tokenized(self, tokenize: str | Tokenization) -> Bitext:
        """These pairs, their sentences cut into words; those that are words already stay as they are.

        Example:
            >>> [pair] = Bitext([("Il pleut", "It rains")]).tokenized("characters,spaces")
            >>> pair
            (('I', 'l', 'p', 'l', 'e', 'u', 't'), ('It', 'rains'))
        """
        from pralign.text.tokenizers import Tokenization

        tokenization = Tokenization.of(tokenize) if isinstance(tokenize, str) else tokenize
        if tokenization.by_spaces or self.tokenization is not None:
            return self
        other = self._opened_by(lambda: tokenization.pairs(self))
        other.tokenization, other._watched = tokenization, self.watched
        return other

    def watched(self, watch: Watch) -> Bitext:
        """These pairs, the lines of whose files pass ``watch`` as they are read; pairs that have no files are not."""
        if self._watched is not None and self.tokenization is not None:
            return self._watched(watch).tokenized(self.tokenization)
        if self._rows is not None:
            return self._opened_by(lambda: watched_pairs(self, watch))
        if not self._openers:
            return self
        return self._opened_by(lambda: self._join(*watch([opener() for opener in self._openers])))

    def _opened_by(self, pairs: Callable[[], Iterator[Pair]]) -> Bitext:
        """Other pairs under the same name."""
        other = copy(self)
        other._open, other._openers, other._watched = pairs, (), None
        return other

    def along_with(self, others: Iterable[Pair], words: Callable[[Sentence], Sequence[str]]) -> Bitext:
        """These pairs, and after them those of ``others`` that are not among them; ``words`` says what is the same.

        Example:
            >>> bitext = Bitext([("The house", "la maison")])
            >>> list(bitext.along_with([("the house", "La maison"), ("a cat", "un chat")], lambda s: s.lower().split()))
            [('The house', 'la maison'), ('a cat', 'un chat')]
        """
        further = {(tuple(words(source)), tuple(words(target))): (source, target) for source, target in others}

        def pairs() -> Iterator[Pair]:
            missing = dict(further)
            for source, target in self:
                if missing:
                    missing.pop((tuple(words(source)), tuple(words(target))), None)
                yield source, target
            yield from missing.values()

        other = self._opened_by(pairs)
        other.reader = other._rows = None  # what the file says is not said of the others
        return other


def _nothing() -> Iterator[Pair]:
    return iter(())
