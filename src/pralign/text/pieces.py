"""Pieces of words, as neural translators see text: the models of SentencePiece, and the tokenisers of Hugging Face.

Both change text before they cut it (``ﬁ`` becomes ``fi``, letters become small, accents go), so pieces are not parts
of the text. What is said here of each is where the characters stand that it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.extras import encodable, needed
from pralign.text.files import reason
from pralign.text.tokens import Span

# How a space is spelled in pieces.
_SPACE = "\u2581"
_BYTE = re.compile("<0x([0-9A-F]{2})>")
_JSON = re.compile(rb'\s*\{\s*["}]')
_CURE = "give the .model of SentencePiece, or the tokenizer.json of Hugging Face, that the translator uses"

# What the package raises of damaged models, whose pieces may be no text, or make up another text.
_DAMAGE = (OSError, RuntimeError, ValueError, IndexError)


class Pieces(NamedTuple):
    """The pieces of a sentence, with their places in it.

    Attributes:
        pieces: The pieces, as their model spells them, without those that it would put around every sentence.
        spans: Where each stands, without white space around it, in the order of the text. Several can stand at the same
            characters. What is made of nothing but spaces stands nowhere: its span is empty.
    """

    pieces: list[str]
    spans: list[Span]


#: Cuts a sentence into pieces.
PieceModel = Callable[[str], Pieces]


def read_piece_model(path: str | Path) -> PieceModel:
    """Read a model of SentencePiece, or the ``tokenizer.json`` of Hugging Face.

    Raises:
        InputError: The file cannot be read, or is neither.
        UsageError: The package that knows such files is not installed.
    """
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(1 << 10)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read: {reason(error)}; {_CURE}") from error
    return _hugging_face(path) if _JSON.match(head) else _sentence_piece(path)


def _sentence_piece(path: str | Path) -> PieceModel:
    sentencepiece = needed("sentencepiece", "text")
    try:
        model: Any = sentencepiece.SentencePieceProcessor(model_file=str(path))
        has_bytes = model.is_byte(model.piece_to_id("<0x00>"))
    except _DAMAGE as error:
        raise InputError(f"{path}: this is no model of SentencePiece, or only a part of one; {_CURE}") from error

    def cut(text: str) -> Pieces:
        text = encodable(text)
        try:
            pieces = model.encode(text, out_type=str)
            # The package says where pieces are, too, but not quite: a piece that ends amid what one character became,
            # such as the f of a ligature, seems to end before that character.
            normalised, offsets = model.normalize(text, with_offsets=True)
            spans = _made_from(pieces, normalised, offsets, has_bytes)
        except _DAMAGE as error:
            raise InputError(f"{path}: this model cannot cut {quoted(text)} ({error}); {_CURE}") from error
        return Pieces(pieces, _trimmed(spans, text))

    return cut


def _made_from(pieces: list[str], normalised: str, offsets: list[int], has_bytes: bool) -> list[Span]:
    """Where pieces stand that, one after the other, make up a normalised text.

    Args:
        pieces: The pieces.
        normalised: The text that they make up.
        offsets: For each character of it, and for its end, where in the original it begins.
        has_bytes: Whether characters can be cut into bytes.
    """
    spans, end = [], 0
    for piece in pieces:
        if has_bytes and (byte := _BYTE.fullmatch(piece)):
            end += int(byte[1], 16) & 0xC0 != 0x80  # all bytes of a character but the first are like that
            first, last = end - (normalised[end - 1] != _SPACE), end
        else:
            start, end = end, end + len(piece)
            first, last = end - len(piece.lstrip(_SPACE)), start + len(piece.rstrip(_SPACE))
        place = offsets[first]
        spans.append((place, _end_of(last - 1, offsets) if first < last else place))
    return spans


def _end_of(number: int, offsets: list[int]) -> int:
    """Where the character of the original ends that a normalised one comes from, perhaps with others after it."""
    after = number + 1
    while offsets[after] == offsets[number] and after < len(offsets) - 1:
        after += 1
    return offsets[after]


def _hugging_face(path: str | Path) -> PieceModel:
    tokenizers = needed("tokenizers", "text")
    try:
        model: Any = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the only kind that the package has
        raise InputError(f"{path}: this is no tokenizer.json of Hugging Face ({error}); {_CURE}") from error
    model.no_truncation()
    model.no_padding()

    def cut(text: str) -> Pieces:
        text = encodable(text)
        try:
            found = model.encode(text, add_special_tokens=False)
        except Exception as error:
            raise InputError(f"{path}: this tokeniser cannot cut {quoted(text)} ({error}); {_CURE}") from error
        placed = zip(found.tokens, found.offsets, strict=True)
        # A space that is put before the text seems to stand at its first character.
        spans = [(span[0], span[0]) if not piece.strip(_SPACE) else span for piece, span in placed]
        return Pieces(found.tokens, _trimmed(spans, text))

    return cut


def _trimmed(spans: Iterable[Span], text: str) -> list[Span]:
    """Spans without the white space around them."""
    trimmed = []
    for start, end in spans:
        part = text[start:end]
        if part.strip() != part:
            start += len(part) - len(part.lstrip())
            end = start + len(part.strip())
        trimmed.append((start, end))
    return trimmed
