"""Garbage collectors: rare words that attract links of words which have nothing to do with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from heapq import nlargest
from typing import Any

from pralign.errors import UsageError
from pralign.evaluation.iteration import SIDES, Side, WordsOfPair, check_most, iterate, iterate_with_gold, words_lengths
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment


@dataclass(frozen=True, slots=True)
class Collector:
    """An occurrence of a rare word that has suspiciously many links.

    Attributes:
        side: Its language, ``"source"`` or ``"target"``.
        word: The word as it is spelled there.
        frequency: How often the text has it.
        links: How many links it has here.
        line: The sentence pair, counted from 0.
    """

    side: Side
    word: str
    frequency: int
    links: int
    line: int

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class GarbageCollectors:
    """How many occurrences of rare words collect links, and the worst of them.

    Attributes:
        occurrences: How often rare words occur in the sentence pairs, both sides together.
        collectors: How many of these occurrences have too many links.
        worst: Those with the most links, the most first.
        rarest: How often the text has a rare word at most.
        fewest: How many links are too many.

    Example:
        >>> pairs = [("a rare word".split(), "un mot très rare ici".split())]
        >>> links = [Alignment.of("1-0 1-1 1-2 1-3 1-4")]
        >>> frequencies = {"a": 90, "rare": 1, "word": 70}, dict.fromkeys(pairs[0][1], 80)
        >>> found = garbage_collectors(pairs, links, frequencies)
        >>> isinstance(found, GarbageCollectors), found.collectors, found.occurrences
        (True, 1, 1)
        >>> found.worst[0]
        Collector(side='source', word='rare', frequency=1, links=5, line=0)
    """

    occurrences: int
    collectors: int
    worst: tuple[Collector, ...]
    rarest: int
    fewest: int

    @property
    def share(self) -> float:
        """The collectors as a share of all occurrences of rare words, 0 where there are none."""
        return self.collectors / self.occurrences if self.occurrences else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The counts, the share, the limits and the worst ones, ready for JSON."""
        return {
            "occurrences": self.occurrences,
            "collectors": self.collectors,
            "share": self.share,
            "rarest": self.rarest,
            "fewest": self.fewest,
            "worst": [collector.as_dict() for collector in self.worst],
        }


def garbage_collectors(
    pairs: Iterable[WordsOfPair],
    alignments: Iterable[Alignment],
    frequencies: tuple[Mapping[str, int], Mapping[str, int]],
    rarest: int = 5,
    fewest: int = 4,
    golds: Iterable[Alignment] | None = None,
    most: int = 20,
    *,
    names: Names | None = None,
) -> GarbageCollectors:
    """Find rare words with too many links.

    A word that occurs once can afford to explain any words of the other side that occur with it: its translation
    probabilities have nothing else to explain. Maximum likelihood therefore gives it the links of neighbours that are
    hard to explain otherwise, and it becomes a garbage collector (Moore, 2004).

    Args:
        pairs: The source words and the target words of each pair.
        alignments: Their links, in the same order; sure or possible makes no difference.
        frequencies: How often the text has each source word and each target word. Words are looked up as they are
            spelled; one that is not there was seen 0 times.
        rarest: A word is rare if it was seen at most this often.
        fewest: An occurrence with at least this many links is a collector.
        golds: The alignments to judge by, if there are any. Then an occurrence is a collector only if it also has at
            least twice as many links as the gold has for it, the possible ones included.
        most: How many of the worst to list.
        names: What messages call the inputs.

    Returns:
        The counts and the worst collectors: most links first; of equally many, in the order of the text, where the
        source words of a pair come before its target words.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: ``rarest`` or ``most`` is negative, or ``fewest`` is less than one.

    Example:
        >>> pairs = [(["a", "quokka", "sat", "there"], ["dort", "saß", "ein", "Quokka"])]
        >>> frequencies = {"a": 90, "quokka": 1, "sat": 9, "there": 30}, {"dort": 30, "saß": 9, "ein": 90, "Quokka": 1}
        >>> found = garbage_collectors(pairs, [Alignment.of([(1, 0), (1, 1), (1, 2), (1, 3)])], frequencies)
        >>> found.share, found.worst[0].word, found.worst[0].links
        (0.5, 'quokka', 4)
    """
    if rarest < 0:
        raise UsageError(f"a word cannot be seen {rarest} times")
    if fewest < 1:
        raise UsageError(f"a word with {fewest} links collects nothing; a collector has at least one")
    check_most(most)
    occurrences, found = 0, []
    for line, (words, links, limits) in enumerate(_words_and_degrees(pairs, alignments, golds, names)):
        for side, spelled, seen, has, may in zip(SIDES, words, frequencies, links, limits, strict=True):
            for position, word in enumerate(spelled):
                frequency = seen.get(word, 0)
                if frequency > rarest:
                    continue
                occurrences += 1
                if has[position] >= max(fewest, 2 * may[position]):
                    found.append(Collector(side, word, frequency, has[position], line))
    worst = nlargest(most, found, key=lambda collector: collector.links)
    return GarbageCollectors(occurrences, len(found), tuple(worst), rarest, fewest)


_Degrees = tuple[Counter[int], Counter[int]]


def _words_and_degrees(
    pairs: Iterable[WordsOfPair],
    alignments: Iterable[Alignment],
    golds: Iterable[Alignment] | None,
    names: Names | None,
) -> Iterator[tuple[WordsOfPair, _Degrees, _Degrees]]:
    """The words of each pair, how many links they have, and how many in the gold; without a gold, none."""
    if golds is None:
        names = names or Names(hypothesis="the alignments")
        for words, alignment in iterate(pairs, words_lengths, alignments, names):
            yield words, _degrees(alignment), (Counter(), Counter())
        return
    for words, alignment, gold in iterate_with_gold(pairs, words_lengths, alignments, golds, names or Names()):
        # A pair that is not labelled has no limits to judge by; without words it still counts as a line.
        judged = words if gold.is_labelled else ((), ())
        yield judged, _degrees(alignment), _degrees(gold)


def _degrees(alignment: Alignment) -> _Degrees:
    return Counter(i for i, _ in alignment.links), Counter(j for _, j in alignment.links)
