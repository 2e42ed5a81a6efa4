"""Tags of many segments, placed one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.text.tokenizers import Tokenization, Tokenizer
from pralign.text.tokens import Tokens
from pralign.transfer.tagged_text import TaggedText
from pralign.transfer.tags import TagTransfer


@dataclass
class TagCounts:
    """What became of the tags of a file.

    Attributes:
        segments: How many segments there are.
        tagged: How many translations got tags.
        kept: How many were left as they are, since they have tags of their own.
        tags: How many tags were placed.
        unsure: How many of them have no link to go by, so that their place is a guess.
    """

    segments: int = 0
    tagged: int = 0
    kept: int = 0
    tags: int = 0
    unsure: int = 0

    def __str__(self) -> str:
        kept = f"; {self.kept:,} had tags already and were left as they are" if self.kept else ""
        placed = "1 tag was placed" if self.tags == 1 else f"{self.tags:,} tags were placed"
        return (
            f"{placed} in {self.tagged:,} of {self.segments:,} segments, {self.unsure:,} of them "
            f"without a link to go by{kept}"
        )


class TagWork:
    """Takes an alignment for each pair of a file, and places tags along it.

    Attributes:
        counts: What was done so far.
    """

    def __init__(self, name: str, alignments: Iterable[Alignment], tokenization: Tokenization) -> None:
        """Begin with a file of this name, whose alignments are of words cut like this."""
        self._name = name
        self._alignments = iter(alignments)
        self._cut = Tokenizer(tokenization.source), Tokenizer(tokenization.target)
        self._transfer = TagTransfer()
        self._words: tuple[Tokens, Tokens] = Tokens("", ()), Tokens("", ())
        self._alignment = Alignment()
        self.counts = TagCounts()

    def begin(self, source: str, target: str, where: str) -> bool:
        """Go on to the next pair, and say whether its translation has words.

        Raises:
            InputError: There is no alignment left, or it does not fit.
        """
        alignment = next(self._alignments, None)
        if alignment is None:
            raise InputError(
                f"{self._name}, {where}: there is no alignment for it; each segment needs one, but there are only "
                f"{self.counts.segments:,}"
            )
        self._words = self._cut[0](source), self._cut[1](target)
        self._alignment = alignment
        check_bounds(alignment, (len(self._words[0]), len(self._words[1])), f"{self._name}, {where}")
        self.counts.segments += 1
        return bool(self._words[1])

    def placed(self, source: TaggedText) -> TaggedText:
        """The translation of the pair, with the tags of its source text."""
        found = self._transfer(source, self._words, self._alignment)
        self.counts.tagged += 1
        self.counts.tags += len(found.tags)
        self.counts.unsure += sum(not tag.confidence for tag in found.tags)
        return found

    def finish(self) -> TagCounts:
        """What was done, once there are no more pairs.

        Raises:
            InputError: There are alignments left.
        """
        rest = sum(1 for _ in self._alignments)
        if rest:
            raise InputError(
                f"{self._name} has {self.counts.segments:,} segments, but there are {self.counts.segments + rest:,} "
                "alignments; do they belong together?"
            )
        return self.counts
