"""A sample of a text: a stretch of its lines, in which looks find what they are looking for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pralign.errors import PralignError
from pralign.text.files import display_name
from pralign.text.layouts import layout_of, split_line
from pralign.text.normalisation import Normalisation
from pralign.text.tokenizers import BY_SPACES, SPACES, Tokenization
from pralign.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class KnownWords:
    """What a model knows of words.

    Attributes:
        source: Its source words.
        target: Its target words.
        normalisation: How it looks them up.
    """

    source: Vocabulary
    target: Vocabulary
    normalisation: Normalisation


@dataclass(frozen=True)
class Side:
    """Sentences of one side.

    Attributes:
        name: The file that they are from.
        sentences: The sentences; empty ones are blank lines.
        first: The line of the first one, counted from one.
        tokenize: How they will be cut into words.
    """

    name: str
    sentences: Sequence[str]
    first: int
    tokenize: str = SPACES

    @cached_property
    def filled(self) -> list[str]:
        """The sentences that are not blank."""
        return [sentence for sentence in self.sentences if sentence.strip(" \t")]

    @cached_property
    def some(self) -> list[str]:
        """Some hundreds of the sentences that are not blank, spread evenly, for looks that take long."""
        return self.filled[:: 1 + len(self.filled) // _SOME]

    @cached_property
    def text(self) -> str:
        """All sentences in one string, to look for characters in."""
        return "\n".join(self.sentences)


# How many sentences are some.
_SOME = 300


@dataclass(frozen=True)
class TextSample:
    """Some lines of the files of a text, one after the other.

    Attributes:
        files: One file with both sides, or two files.
        lines: The lines of each, as many of one as of the other; long ones are cut. Of one file that does not have a
            pair a line, the sentences of each side.
        first: The number of the first of them, counted from one.
        layout: How one file holds both sides, if that was said.
        known: The words of the model that the text is for, if there is one.
        tokenization: How sentences will be cut into words.
    """

    files: tuple[str | Path, ...]
    lines: tuple[Sequence[str], ...]
    first: int = 1
    layout: str | None = None
    known: KnownWords | None = None
    tokenization: Tokenization = BY_SPACES

    @property
    def names(self) -> list[str]:
        """What the files are called."""
        names = [display_name(path) for path in self.files]
        return names if len(names) == len(self.lines) else [f"{names[0]}, {side}" for side in ("source", "target")]

    @property
    def name(self) -> str:
        """What the text is called."""
        return " and ".join(map(display_name, self.files))

    @property
    def starts(self) -> bool:
        """Whether these are the first lines."""
        return self.first == 1

    @cached_property
    def columns(self) -> list[list[str]]:
        """The columns of the lines of a file that holds both sides; of two files, the pairs."""
        if len(self.lines) > 1:
            return [list(pair) for pair in zip(*self.lines, strict=True)]
        filled = next((line for line in self.lines[0] if line.strip(" \t")), "")
        try:
            layout = self.layout or layout_of(filled, self.files[0])
        except PralignError:
            return []
        return [split_line(line, layout) for line in self.lines[0]]

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The sentences of both sides."""
        names = self.names if len(self.lines) > 1 else [f"{self.names[0]}, {side}" for side in ("source", "target")]
        pairs = [(columns[0], columns[1]) if len(columns) > 1 else ("", "") for columns in self.columns]
        return (
            Side(names[0], [pair[0] for pair in pairs], self.first, self.tokenization.source),
            Side(names[1], [pair[1] for pair in pairs], self.first, self.tokenization.target),
        )

    @cached_property
    def filled_pairs(self) -> list[tuple[str, str]]:
        """The pairs none of whose sides is blank."""
        pairs = zip(self.sides[0].sentences, self.sides[1].sentences, strict=True)
        return [(source, target) for source, target in pairs if source.strip(" \t") and target.strip(" \t")]
