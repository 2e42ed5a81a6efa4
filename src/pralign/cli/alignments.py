"""The alignments that a command is given, and the text of those that it is to write."""

from __future__ import annotations

from pathlib import Path

from pralign.characters import quoted
from pralign.cli.index_base import state_index_base
from pralign.errors import InputError
from pralign.links.files import AlignmentFile
from pralign.links.formats import get_format
from pralign.links.parquet import PARQUET
from pralign.text.bitext import Bitext, Sentence
from pralign.text.tokens import words_of


def open_alignments(
    path: Path, format: str | None, base: int | None, option: str, is_gold: bool = False
) -> AlignmentFile:
    """Open a file that an option or argument names, and say how it counts words where that is not certain.

    Args:
        path: The file; ``-`` is standard input.
        format: The name of its format; ``None`` finds out.
        base: The number of its first word; ``None`` is the format's own.
        option: The option that would set the base, for the message.
        is_gold: Whether it is a gold, in which possible links and pairs that are not labelled may still come.
    """
    file = AlignmentFile(path, format, base, standard_input=True, is_gold=is_gold)
    state_index_base(file.name, "read", file.format, base, option)
    return file


def checked_for(format: str, bitext: Bitext) -> Bitext:
    """The same text, which complains of words that a format cannot hold as it is read: before training, not after."""
    fmt = None if format == PARQUET else get_format(format)
    if fmt is None or not fmt.carries_text:
        return bitext

    def check(sentence: Sentence, where: str) -> None:
        if (word := fmt.unwritable(words_of(sentence))) is not None:
            raise InputError(f"{where}: the {format} format cannot hold the word {quoted(word)}; choose another format")

    return bitext.checked(check)
