"""The lines of an ``.ann`` file of brat."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.links.formats.base import parse_index
from pralign.text.tokens import Span

_ID = re.compile(r"T\S{1,32}")
_EXPECTED = "a line like T1<TAB>PER 0 3<TAB>Ann"
# What lines of other annotations begin with: events, relations, attributes, modifications, normalisations, notes, sets.
_OTHERS = "ERAMN#*"


class Entity(NamedTuple):
    """A line that says where something is.

    Attributes:
        id: What it is called, such as ``T1``.
        label: What it is.
        pieces: Where its pieces begin and end in the whole text.
        quote: Its words, as the line has them.
        file: The name of the file.
        line: The line that it is in.
    """

    id: str
    label: str
    pieces: tuple[Span, ...]
    quote: str
    file: str
    line: int

    @property
    def start(self) -> int:
        """Where it begins."""
        return min(start for start, _ in self.pieces)

    def check_line(self, text: str, start: int, where: str) -> None:
        """Complain of an entity that begins in a line but is not all of it there.

        Args:
            text: The line.
            start: Where it begins in the whole text.
            where: Which line it is.

        Raises:
            InputError: The entity goes on beyond the line.
        """
        end = start + len(text)
        for first, last in self.pieces:
            if last > end:
                self.fail(
                    f"{self.id} has a piece from {first} to {last}, but {where} ends at {end}; a span has to be within "
                    "one line, which is one sentence"
                )

    def check_quote(self, found: str, name: str) -> None:
        """Complain if the text says something else than the line.

        Raises:
            InputError: It does.
        """
        if found != self.quote:
            places = " and ".join(f"from {first} to {last}" for first, last in self.pieces[:3])
            self.fail(
                f"{self.id} quotes {quoted(self.quote)}, but in {name} it is {quoted(found)} {places}; do the files "
                "belong together, and is each line end one character?"
            )

    def fail(self, message: str) -> NoReturn:
        """Say what is wrong with this line.

        Raises:
            InputError: Always.
        """
        raise InputError(f"{self.file}, line {self.line}: {message}")


class Annotations(NamedTuple):
    """What a file of annotations holds.

    Attributes:
        entities: What is somewhere in the text.
        others: How many annotations of other kinds there are.
    """

    entities: tuple[Entity, ...]
    others: int


def parse_annotations(lines: Iterable[str], name: str) -> Annotations:
    r"""What is in the lines of an ``.ann`` file; ``name`` is what messages call it.

    Raises:
        InputError: A line is no annotation, or two have the same id.

    Example:
        >>> found = parse_annotations(["T1\tPER 0 3;8 11\tAnn Lee", "#1\tAnnotatorNotes T1\tsure"], "sample")
        >>> found.entities[0].pieces, found.others
        (((0, 3), (8, 11)), 1)
    """
    entities: dict[str, Entity] = {}
    others = 0
    for number, line in enumerate(lines, start=1):
        if line.startswith("T"):
            entity = _entity(line, name, number)
            if entity.id in entities:
                entity.fail(f"there is a {entity.id} already, in line {entities[entity.id].line}")
            entities[entity.id] = entity
        elif line[:1] and line[0] in _OTHERS and "\t" in line:
            others += 1
        elif line.strip():
            raise _error(line, name, number, "an annotation of brat")
    return Annotations(tuple(entities.values()), others)


def _entity(line: str, name: str, number: int) -> Entity:
    columns = line.split("\t", 2)
    if len(columns) != 3 or not _ID.fullmatch(columns[0]):
        raise _error(line, name, number, _EXPECTED)
    label, _, places = columns[1].partition(" ")
    if label.split() != [label]:
        raise _error(line, name, number, f"a label without blanks, as in {_EXPECTED}")
    pieces = tuple(_piece(piece, line, name, number) for piece in places.split(";"))
    return Entity(columns[0], label, pieces, columns[2], name, number)


def _piece(text: str, line: str, name: str, number: int) -> Span:
    places = [parse_index(place) for place in text.split(" ")]
    if len(places) != 2 or places[0] is None or places[1] is None:
        raise _error(line, name, number, f"two numbers for each piece, as in {_EXPECTED}")
    if places[0] >= places[1]:
        raise _error(line, name, number, "a piece to begin before its end, which is the character after the last")
    return places[0], places[1]


def _error(line: str, name: str, number: int, expected: str) -> InputError:
    return InputError(f"{name}, line {number}: found {quoted(line)}; expected {expected}")
