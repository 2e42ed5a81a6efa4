"""What all files with inline tags have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from pralign.links.alignment import Alignment
from pralign.text.tokenizers import BY_SPACES, Tokenization
from pralign.transfer.tag_files.work import TagCounts


class TagFile(ABC):
    """Segments with tags, and their translations.

    Attributes:
        name: What messages call it.
    """

    name: str

    @abstractmethod
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The segments without tags and their translations, in order; empty where there is none.

        Raises:
            InputError: While iterating: the file cannot be read, or is not such a file.
        """

    @abstractmethod
    def write(
        self,
        output: str | Path | None,
        alignments: Iterable[Alignment],
        *,
        tokenization: Tokenization = BY_SPACES,
        replace: bool = False,
    ) -> TagCounts:
        """Write the file again, with the tags of segments in their translations.

        Translations are left alone that have tags already, and those of segments that have none.

        Args:
            output: Where to; ``None`` and ``-`` are standard output.
            alignments: An alignment for each of :meth:`pairs`.
            tokenization: How these were cut into words to be aligned.
            replace: Whether tags that a translation has already make room for those of the segment.

        Raises:
            InputError: The file cannot be read, or alignments do not fit it; the message names the segment.
            OutputError: The result cannot be written.
        """
