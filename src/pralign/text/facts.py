"""How much a text is: pairs, words, blank lines, long sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pralign.text.bitext import Pair, Sentence
from pralign.text.tokens import words_of


@dataclass
class SideFacts:
    """What is counted of one side.

    Attributes:
        words: How many words there are.
        blank: How many sentences have none.
        longest: How many the longest sentence has.
        longest_line: The line of it, counted from one.
    """

    words: int = 0
    blank: int = 0
    longest: int = 0
    longest_line: int = 0

    def add(self, length: int, line: int) -> None:
        """Count a sentence."""
        self.words += length
        self.blank += not length
        if length > self.longest:
            self.longest, self.longest_line = length, line


@dataclass
class TextFacts:
    """What is counted of a text.

    Attributes:
        longest: Pairs with a side of more words are not trained on.
        source: What is counted of the source side.
        target: What is counted of the target side.
        pairs: How many pairs there are.
        empty: How many have an empty side.
        too_long: How many of the others are too long to train on.
    """

    longest: int
    source: SideFacts
    target: SideFacts
    pairs: int = 0
    empty: int = 0
    too_long: int = 0

    @property
    def trained(self) -> int:
        """How many pairs can be trained on."""
        return self.pairs - self.empty - self.too_long


def count_text(pairs: Iterable[Pair], longest: int) -> TextFacts:
    """Read a text, and count.

    Example:
        >>> facts = count_text([("the house", "la maison"), ("", "x"), ("a b c", "d")], longest=2)
        >>> facts.source.words, facts.pairs, facts.empty, facts.too_long, facts.trained
        (5, 3, 1, 1, 1)
    """
    facts = TextFacts(longest, SideFacts(), SideFacts())
    for number, (source, target) in enumerate(pairs, start=1):
        lengths = _length(source), _length(target)
        facts.source.add(lengths[0], number)
        facts.target.add(lengths[1], number)
        facts.empty += 0 in lengths
        facts.too_long += 0 not in lengths and max(lengths) > longest
        facts.pairs = number
    return facts


def _length(sentence: Sentence) -> int:
    return len(words_of(sentence)) if sentence else 0


def why_untrainable(pairs: int, empty: int, trained: int, longest: int) -> str | None:
    """Why a text cannot be trained on, if that is so."""
    if trained:
        return None
    if pairs == 0:
        why = "the text is empty"
    elif empty == pairs:
        why = "every pair has an empty side"
    else:
        why = f"no pair has at most {longest} words a side"
    return f"no sentence pairs to learn from: {why}"
