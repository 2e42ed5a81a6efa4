"""What all that can be carried has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from pralign.cli.link_source import LinkSource
from pralign.links.alignment import Alignment
from pralign.text.bitext import Bitext


class Carrier(ABC):
    """Annotated text and its translation.

    Attributes:
        bitext: The pairs, as words: as often as they are asked for.
    """

    bitext: Bitext

    @abstractmethod
    def write(self, output: Path | None, links: LinkSource, alignments: Iterable[Alignment]) -> None:
        """Carry the annotation along links, one alignment a pair, write the result and say what came of it."""
