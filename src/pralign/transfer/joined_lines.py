"""Text of several lines as one line, and where each character of it comes from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from pralign.text.corpora.base import one_line


@dataclass(frozen=True, slots=True)
class JoinedLines:
    r"""One line made of several, as corpus readers make it: a space takes the place of line ends.

    Attributes:
        text: The line.
        places: Where each of its characters was, if anything has changed.

    Example:
        >>> line = JoinedLines.of("\none\n\ntwo\n")
        >>> line.text, line.joined(4), line.apart(3), line.apart(4), line.apart(7)
        ('one two', 3, 4, 6, 9)
    """

    text: str
    places: Sequence[int] | None = None

    @classmethod
    def of(cls, text: str) -> JoinedLines:
        """Join the lines of a text."""
        line = str(one_line(text))
        if line == text:
            return cls(text)
        places: list[int] = []
        at = 0
        for character in line:
            while text[at] != character and not (character == " " and text[at] in "\r\n"):
                at += 1  # only blanks are left out
            places.append(at)
            at += 1
        return cls(line, places)

    def joined(self, at: int) -> int:
        """Where a place in the text is in the line."""
        return at if self.places is None else bisect_left(self.places, at)

    def apart(self, at: int) -> int:
        """Where a place in the line is in the text."""
        if self.places is None:
            return at
        if at < len(self.places):
            return self.places[at]
        return self.places[-1] + 1 if self.places else 0
