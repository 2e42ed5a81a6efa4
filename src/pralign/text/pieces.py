"""Pieces of words, as neural translators see text: the models of SentencePiece, and the tokenisers of Hugging Face."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pralign.errors import InputError
from pralign.text.extras import needed
from pralign.text.files import reason
from pralign.text.tokens import Span

_BYTE = re.compile(r"<0x[0-9A-F]{2}>")


class Pieces:
    """The pieces of a sentence, with their places in it.

    Attributes:
        pieces: The pieces, as their model spells them.
        spans: Where each stands; nowhere, for those that stand for no character.
    """

    def __init__(self, pieces: list[str], spans: list[Span]) -> None:
        self.pieces = pieces
        self.spans = spans


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
            head = stream.read(1 << 10).lstrip()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read: {reason(error)}") from error
    return _hugging_face(path) if head.startswith(b"{") else _sentence_piece(path)


def _sentence_piece(path: str | Path) -> PieceModel:
    sentencepiece = needed("sentencepiece", "text")
    try:
        model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: this is no model of SentencePiece, nor a tokenizer.json of Hugging Face") from error

    def cut(text: str) -> Pieces:
        found: Any = model.encode(text, return_type="offset_mapping")
        pieces, spans = found["pieces"], found["offsets"]
        # Of the bytes of a character, only the last one has its place.
        for k in range(len(pieces) - 2, -1, -1):
            if spans[k][0] == spans[k][1] and _BYTE.fullmatch(pieces[k]):
                spans[k] = spans[k + 1]
        return Pieces(pieces, spans)

    return cut


def _hugging_face(path: str | Path) -> PieceModel:
    tokenizers = needed("tokenizers", "text")
    try:
        model = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the only kind that the package has
        raise InputError(f"{path}: this is no tokenizer.json of Hugging Face ({error})") from error

    def cut(text: str) -> Pieces:
        found = model.encode(text, add_special_tokens=False)
        return Pieces(found.tokens, found.offsets)

    return cut
