"""The texts that drop-ins are given: two files, or one with three bars between the sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pralign.characters import quoted
from pralign.dropins.directional import Words
from pralign.errors import InputError
from pralign.text.files import display_name, read_lines
from pralign.text.pairing import paired

BARS = "|||"


def two_files(source: str, target: str) -> Iterator[tuple[Words, Words]]:
    """The pairs of two files, cut into words at all that Python takes for space, as eflomal does.

    Raises:
        InputError: A file cannot be read, or they differ in length.
    """
    names = display_name(source), display_name(target)
    for left, right in paired(read_lines(source), read_lines(target), names):
        yield left.split(), right.split()


def joint_file(path: str) -> Iterator[tuple[Words, Words]]:
    """The pairs of one file; a side may be empty.

    Raises:
        InputError: The file cannot be read, or a line has not one mark between its sides.
    """
    for number, line in enumerate(read_lines(path), start=1):
        words = line.split()
        if words.count(BARS) != 1 and words:
            raise InputError(f"{display_name(path)}, line {number}: not one {BARS} between two sides: {quoted(line)}")
        place = words.index(BARS) if words else 0
        yield words[:place], words[place + 1 :]


def missing(*paths: str) -> str | None:
    """The first of some files that is not there."""
    return next((path for path in paths if path != "-" and not Path(path).exists()), None)
