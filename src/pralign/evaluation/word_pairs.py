"""Which words are linked wrongly most often, and which links are missed most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from heapq import nsmallest
from typing import Any, NamedTuple

from pralign.evaluation.iteration import WordsOfPair, check_most, iterate_with_gold, words_lengths
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment, Link

_LINES = 5

_Words = tuple[str, str]


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two words, and how often the same error was made with them.

    Attributes:
        source: The source word, case-folded.
        target: The target word, case-folded.
        count: How often the error occurs.
        out_of: How often it could have occurred: for links that are wrong, how often the hypothesis links these words;
            for links that are missed, how often the gold is sure of such a link.
        lines: The first sentence pairs where it occurs, at most five, counted from 0.
    """

    source: str
    target: str
    count: int
    out_of: int
    lines: tuple[int, ...]

    @property
    def share(self) -> float:
        """The errors as a share of all occasions, 0 where there are none."""
        return self.count / self.out_of if self.out_of else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The words, the counts, their share and the lines, ready for JSON."""
        return {**asdict(self), "lines": list(self.lines), "share": self.share}


class WrongAndMissed(NamedTuple):
    """The most frequent errors of a hypothesis, word pair by word pair.

    Attributes:
        wrong: Word pairs with links that are not even possible in the gold.
        missed: Word pairs with sure links that were not found.

    Example:
        >>> pairs = [("the house".split(), "la maison".split())]
        >>> found = wrong_and_missed(pairs, [Alignment.of("0-0 0-1")], [Alignment.of("0-0 1-1")])
        >>> isinstance(found, WrongAndMissed), len(found.missed)
        (True, 1)
        >>> found.wrong
        (WordPair(source='the', target='maison', count=1, out_of=1, lines=(0,)),)
    """

    wrong: tuple[WordPair, ...]
    missed: tuple[WordPair, ...]

    def as_dict(self) -> dict[str, Any]:
        """Both lists, ready for JSON."""
        return {name: [pair.as_dict() for pair in pairs] for name, pairs in self._asdict().items()}


def wrong_and_missed(
    pairs: Iterable[WordsOfPair],
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    most: int = 20,
    *,
    names: Names | None = None,
) -> WrongAndMissed:
    """Find the word pairs that are linked wrongly most often, and those whose links are missed most often.

    A link is wrong if the gold does not even call it possible; a link is missed if the gold is sure of it and the
    hypothesis has none. Links that are merely possible are no error either way. Words are compared case-folded, as
    ``str.casefold`` does, so that *The* at the beginning of a sentence is *the*, and *Straße* is *STRASSE*.

    Args:
        pairs: The source words and the target words of each pair.
        hypotheses: The alignments to judge, in the same order.
        golds: The alignments to judge by, in the same order.
        most: How many word pairs to list of each kind.
        names: What messages call the inputs.

    Returns:
        The word pairs of each kind, most errors first; of equally many, in the order of their words.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: ``most`` is negative.

    Example:
        >>> pairs = [(["The", "owl"], ["die", "Eule"]), (["the", "fox"], ["der", "Fuchs"])]
        >>> gold = Alignment.of([(0, 0), (1, 1)])
        >>> found = wrong_and_missed(pairs, [Alignment.of([(0, 0), (0, 1)]), gold], [gold, gold])
        >>> found.wrong
        (WordPair(source='the', target='eule', count=1, out_of=1, lines=(0,)),)
        >>> found.missed
        (WordPair(source='owl', target='eule', count=1, out_of=1, lines=(0,)),)
    """
    check_most(most)
    wrong, missed = _Tally(), _Tally()
    checked = iterate_with_gold(pairs, words_lengths, hypotheses, golds, names or Names())
    for line, (words, hypothesis, gold) in enumerate(checked):
        if not gold.is_labelled:
            continue
        folded = [[word.casefold() for word in side] for side in words]
        wrong.add(line, folded, frozenset(hypothesis.links), frozenset(gold.links))
        missed.add(line, folded, gold.sure, frozenset(hypothesis.links))
    return WrongAndMissed(wrong.worst(most), missed.worst(most))


@dataclass(slots=True)
class _Tally:
    """How often each word pair was linked, and how often and where that link is missing from other links."""

    out_of: Counter[_Words] = field(default_factory=Counter)
    errors: Counter[_Words] = field(default_factory=Counter)
    lines: dict[_Words, list[int]] = field(default_factory=dict)

    def add(self, line: int, words: list[list[str]], links: frozenset[Link], others: frozenset[Link]) -> None:
        for link in links:
            key = words[0][link[0]], words[1][link[1]]
            self.out_of[key] += 1
            if link not in others:
                self.errors[key] += 1
                lines = self.lines.setdefault(key, [])
                if len(lines) < _LINES and line not in lines:
                    lines.append(line)

    def worst(self, most: int) -> tuple[WordPair, ...]:
        ranked = nsmallest(most, self.errors.items(), key=lambda item: (-item[1], item[0]))
        return tuple(
            WordPair(*words, count=count, out_of=self.out_of[words], lines=tuple(self.lines[words]))
            for words, count in ranked
        )
