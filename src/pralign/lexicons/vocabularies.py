"""Vocabularies of decoders: SentencePiece's and Marian's files, and plain lists of words."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from pralign.errors import InputError
from pralign.text.files import display_name, read_lines, reason
from pralign.text.vocabulary import VocabularyBuilder

_BINARY = (".spm", ".model")
_YAML = (".yml", ".yaml")
_MOST_BYTES = 1 << 28
_YAML_LINE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|[^"\'\s].*?)\s*:\s+(\d{1,9})\s*')
# The types of protocol buffers: a number, eight bytes, so many bytes, four bytes.
_NUMBER, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_FIRST_FIELD = 1


class UnknownWordError(Exception):
    """A word that is not in the vocabulary of its side, 0 for source and 1 for target."""

    def __init__(self, word: str, side: int) -> None:
        super().__init__(word, side)
        self.word, self.side = word, side


class KnownWords(VocabularyBuilder):
    """Numbers words as they come, if they are in a vocabulary."""

    def __init__(self, known: Collection[str], side: int) -> None:
        """Know some words of one side, 0 for source and 1 for target."""
        super().__init__()
        self._known, self._side = frozenset(known), side

    def __missing__(self, word: str) -> int:
        if word not in self._known:
            raise UnknownWordError(word, self._side)
        return super().__missing__(word)


def read_vocabulary(path: str | Path) -> list[str]:
    """Read the words of a vocabulary in the order of their numbers.

    A name that ends in ``.spm`` or ``.model`` is a model of SentencePiece, one that ends in ``.yml`` or ``.yaml``
    Marian's ``word: number`` a line. All others are text with a word a line, or with a word, a tab and anything, as
    SentencePiece writes its ``.vocab``.

    Raises:
        InputError: It cannot be read, or is none of these; the message names the file and line.
    """
    suffix = Path(path).suffix.lower()
    read = _from_model if suffix in _BINARY else _from_yaml if suffix in _YAML else _from_text
    words = read(path)
    if not any(words):
        raise InputError(f"{display_name(path)}: there are no words in this vocabulary")
    return words


def _from_text(path: str | Path) -> list[str]:
    words = []
    for number, line in enumerate(read_lines(path), start=1):
        word = line.partition("\t")[0]
        if " " in word:
            raise InputError(
                f"{display_name(path)}, line {number}: a vocabulary has one word a line, or a word, a tab and a score; "
                "if this is a vocabulary of Marian, give it a name that ends in .yml"
            )
        words.append(word)
    return words


def _from_yaml(path: str | Path) -> list[str]:
    numbers: dict[int, str] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.startswith(("#", "---", "{}")):
            continue
        found = _YAML_LINE.fullmatch(line)
        word = None if found is None else _unquoted(found[1])
        if found is None or word is None:
            raise InputError(f"{display_name(path)}, line {number}: expected a word, a colon and a number: 'house: 7'")
        if int(found[2]) in numbers:
            raise InputError(f"{display_name(path)}, line {number}: there are two words with the number {found[2]}")
        numbers[int(found[2])] = word
    return [numbers[place] for place in sorted(numbers)]


def _unquoted(text: str) -> str | None:
    """A key of YAML without its quotes."""
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(re.sub(r"\\x([0-9a-fA-F]{2})", r"\\u00\1", text)))
    except ValueError:
        return None


def _from_model(path: str | Path) -> list[str]:
    """The pieces of a model of SentencePiece: the first field of each message in its first field."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read: {reason(error)}") from error
    try:
        if len(data) > _MOST_BYTES:
            raise ValueError
        return [next(_fields(piece), b"").decode() for piece in _fields(data)]
    except ValueError as error:
        raise InputError(
            f"{path}: this is no model of SentencePiece; give the .vocab file that was written beside it, or make one: "
            "spm_export_vocab --model=FILE --output=NEW"
        ) from error


def _fields(data: bytes) -> Iterator[bytes]:
    """What the first field of a message holds, each time it is there.

    Raises:
        ValueError: The bytes are no message.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind, end = key & 7, at
        if kind == _NUMBER:
            _, end = _varint(data, at)
        elif kind == _BYTES:
            size, at = _varint(data, at)
            end = at + size
        elif kind in (_EIGHT, _FOUR):
            end = at + (8 if kind == _EIGHT else 4)
        else:
            raise ValueError("unknown type")
        if end > len(data):
            raise ValueError("cut off")
        if key >> 3 == _FIRST_FIELD:
            if kind != _BYTES:
                raise ValueError("no bytes")
            yield data[at:end]
        at = end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 64, 7):
        if at >= len(data):
            raise ValueError("cut off")
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    raise ValueError("too long a number")
