r"""Treebanks in CoNLL-U, sentence by sentence.

A sentence is some comments and a row of ten columns a word. Rows of multiword tokens (``3-4``) and of empty nodes
(``8.1``) are kept, but only words have a place in the tree and can be linked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.files import LONGEST_LINE, line_limit, read_lines
from pralign.text.raw import allow_more, display_name

#: The columns of a row, in their order.
COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(len(COLUMNS))
EMPTY = "_"
#: The head of a word of which it is not known.
NO_HEAD = -1

Row = tuple[str, ...]

_COLUMNS = len(COLUMNS)
# Looking numbers up is twice as fast as reading them.
_NUMBERS = {str(number): number for number in range(1000)}
_LONGEST_NUMBER = 7  # digits


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """A sentence of a treebank.

    Attributes:
        comments: Its comments, each with its ``#``.
        rows: All its rows, those of multiword tokens and empty nodes too.
        words: Which of the rows are words.
        heads: The head of each word: the number of a word counted from one, 0 for the root, -1 where it is not known.
        line: The line of its first row.

    Example:
        >>> sentence = ConlluSentence.of(["Il", "pleut"])
        >>> sentence.forms, sentence.heads
        (['Il', 'pleut'], (-1, -1))
    """

    comments: tuple[str, ...]
    rows: tuple[Row, ...]
    words: tuple[int, ...]
    heads: tuple[int, ...]
    line: int = 1

    @classmethod
    def of(cls, words: Sequence[str], spaces: Sequence[bool] | None = None) -> ConlluSentence:
        """A sentence that is only words; ``spaces`` says after which there is a space, by default after all."""
        rows = [(str(number), word, *[EMPTY] * 8) for number, word in enumerate(words, start=1)]
        for number, spaced in enumerate(() if spaces is None else spaces):
            if not spaced:
                rows[number] = (*rows[number][:MISC], "SpaceAfter=No")
        count = len(rows)
        return cls((), tuple(rows), tuple(range(count)), (NO_HEAD,) * count)

    @property
    def forms(self) -> list[str]:
        """The words."""
        rows = self.rows
        return [rows[k][FORM] for k in self.words]

    def column(self, number: int) -> list[str]:
        """What the words have in one column."""
        rows = self.rows
        return [rows[k][number] for k in self.words]

    def comment(self, key: str) -> str | None:
        """What a comment ``# key = ...`` says, if there is one.

        Example:
            >>> ConlluSentence(("# sent_id = 7",), (), (), ()).comment("sent_id")
            '7'
        """
        for comment in self.comments:
            name, equals, value = comment[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    def with_heads(self, heads: Sequence[int], labels: Sequence[str]) -> ConlluSentence:
        """The same words with other heads, counted from one, and other relations."""
        rows = list(self.rows)
        for k, head, label in zip(self.words, heads, labels, strict=True):
            rows[k] = (*rows[k][:HEAD], EMPTY if head == NO_HEAD else str(head), label, *rows[k][DEPS:])
        return replace(self, rows=tuple(rows), heads=tuple(heads))

    def with_comments(self, **values: str) -> ConlluSentence:
        """The same sentence with some comments ``# key = value``, which take the place of those with the same key."""
        others = [each for each in self.comments if each[1:].partition("=")[0].strip() not in values]
        return replace(self, comments=(*(f"# {key} = {value}" for key, value in values.items()), *others))

    @property
    def text(self) -> str:
        """The sentence as it is written: multiword tokens as wholes, and spaces where they are."""
        if len(self.words) == len(self.rows):
            return "".join([_spaced(row) for row in self.rows]).rstrip(" ")
        pieces, covered = [], 0
        for row in self.rows:
            first, _, last = row[ID].partition("-")
            if "." in first or (not last and int(first) <= covered):
                continue
            covered = int(last or first)
            pieces.append(_spaced(row))
        return "".join(pieces).rstrip(" ")

    def lines(self) -> Iterator[str]:
        """The sentence as lines of a file, the blank one that ends it too."""
        yield from self.comments
        for row in self.rows:
            yield "\t".join(row)
        yield ""


def _spaced(row: Row) -> str:
    """A word, with the space after it if there is one."""
    no_space = "SpaceAfter=No" in row[MISC] and "SpaceAfter=No" in row[MISC].split("|")
    return row[FORM] if no_space else f"{row[FORM]} "


def read_conllu(path: str | Path, limit: int | None = None) -> Iterator[ConlluSentence]:
    """Read the sentences of a treebank, compressed or not; ``-`` is standard input.

    Args:
        path: The file.
        limit: How many bytes a sentence may have; :func:`~pralign.text.files.line_limit` unless given.

    Raises:
        InputError: While iterating: the file cannot be read or is no CoNLL-U. The message names the line.
    """
    limit = line_limit() if limit is None else limit
    return parse_conllu(read_lines(path, limit), display_name(path), limit)


def parse_conllu(lines: Iterable[str], name: str, limit: int = LONGEST_LINE) -> Iterator[ConlluSentence]:
    r"""The sentences of lines of CoNLL-U, without line ends.

    Args:
        lines: The lines.
        name: What messages call the file.
        limit: How many characters a sentence may have with all its columns.

    Raises:
        InputError: While iterating: a line is no CoNLL-U. Heads may still go in circles, see :func:`check_tree`.

    Example:
        >>> lines = ["# sent_id = 1", *("\t".join((f"{k}", w, *"____", h, *"___")) for k, w, h in [(1, "Go", "0")]), ""]
        >>> [sentence.forms for sentence in parse_conllu(lines, "sample")]
        [['Go']]
    """
    comments: list[str] = []
    rows: list[Row] = []
    number = size = 0
    for number, line in enumerate(lines, start=1):
        size += len(line)
        if size > limit:
            raise InputError(
                f"{name}, line {number}: a sentence of more than {limit:,} characters, perhaps since the blank line "
                f"after it is missing; {allow_more(limit)}"
            )
        if line and line[0] != "#":
            if line.isspace():
                raise InputError(f"{name}, line {number}: a line of blanks; a sentence ends with a line that is empty")
            rows.append(tuple(line.split("\t")))
        elif line:
            if rows:
                raise InputError(
                    f"{name}, line {number}: a comment after the words of a sentence; a blank line is missing"
                )
            comments.append(line)
        elif rows:
            yield _sentence(comments, rows, number - len(rows), name)
            comments, rows, size = [], [], 0
        elif comments:
            raise InputError(f"{name}, line {number - 1}: a sentence without words")
    if rows:
        yield _sentence(comments, rows, number - len(rows) + 1, name)
    elif comments:
        raise InputError(f"{name}, line {number}: a sentence without words")


def _sentence(comments: list[str], rows: list[Row], line: int, name: str) -> ConlluSentence:
    """The sentence of some rows, the first of which is in ``line``."""
    words: list[int] = []
    others: list[int] = []
    for k, row in enumerate(rows):
        if len(row) != _COLUMNS:
            raise InputError(
                f"{name}, line {line + k}: {len(row)} column{'' if len(row) == 1 else 's'} instead of {_COLUMNS}, with "
                "tabs between; a treebank in CoNLL-U is expected"
            )
        if _number(row[ID]) == len(words) + 1:
            words.append(k)
        elif _is_no_word(row[ID], len(words)):
            others.append(k)
        else:
            expected = f"expected {len(words) + 1}, the number of the word"
            raise InputError(f"{name}, line {line + k}: found {quoted(row[ID])}; {expected}")
        if not row[FORM]:
            raise InputError(f"{name}, line {line + k}: a word that is empty")
    if not words:
        raise InputError(f"{name}, line {line}: a sentence without words")
    if others:
        _check_others(rows, others, len(words), line, name)
    heads = tuple([_head(rows[k], len(words), line + k, name) for k in words])
    return ConlluSentence(tuple(comments), tuple(rows), tuple(words), heads, line)


def _check_others(rows: list[Row], others: list[int], words: int, line: int, name: str) -> None:
    """Complain of multiword tokens that overlap or hold more than there is, and of empty nodes out of order."""
    covered, last = 0, (-1, 0)
    for k in others:
        where = f"{name}, line {line + k}: found {quoted(rows[k][ID])}"
        first, dash, end = rows[k][ID].partition("-")
        if dash:
            if int(first) <= covered:
                raise InputError(f"{where}, but word {first} is part of another multiword token")
            if int(end) > words:
                raise InputError(f"{where}, but there are {words} words")
            covered = int(end)
        else:
            word, _, number = rows[k][ID].partition(".")
            expected = last[1] + 1 if last[0] == int(word) else 1
            if int(number) != expected:
                raise InputError(f"{where}; expected {word}.{expected}, the number of the empty node")
            last = (int(word), expected)


def _number(text: str) -> int:
    """The number that some plain digits spell, or -1."""
    number = _NUMBERS.get(text)
    if number is None:
        is_number = text.isdecimal() and text.isascii() and len(text) <= _LONGEST_NUMBER and text[0] != "0"
        number = int(text) if is_number else -1
    return number


def _is_no_word(identifier: str, words: int) -> bool:
    """Whether a row that follows so many words is that of a multiword token or of an empty node."""
    first, dash, last = identifier.partition("-")
    if dash:
        return _number(first) == words + 1 and _number(last) > words + 1
    first, _, last = identifier.partition(".")
    return _number(first) == words and _number(last) > 0


def _head(row: Row, words: int, line: int, name: str) -> int:
    head = _number(row[HEAD])
    if 0 <= head <= words:
        if row[HEAD] == row[ID]:
            raise InputError(f"{name}, line {line}: word {row[ID]} is its own head")
        return head
    if row[HEAD] == EMPTY:
        return NO_HEAD
    found = quoted(row[HEAD])
    raise InputError(f"{name}, line {line}: found {found} as the head; expected a number from 0 to {words}, or _")


def check_tree(sentence: ConlluSentence, name: str) -> None:
    """Complain of a sentence in which words depend on each other in a circle.

    Raises:
        InputError: They do.
    """
    heads = sentence.heads
    seen = [0] * len(heads)  # in which walk
    for start in range(len(heads)):
        word = start
        while word >= 0 and not seen[word]:
            seen[word] = start + 1
            word = heads[word] - 1 if heads[word] > 0 else -1
        if word >= 0 and seen[word] == start + 1:
            raise InputError(
                f"{name}, line {sentence.line + sentence.words[word]}: word {word + 1} depends on itself, by way of "
                f"word {heads[word]}; a tree has no circles"
            )
