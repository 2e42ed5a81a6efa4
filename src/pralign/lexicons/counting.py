"""How often words are linked: what lexicons, shortlists and the lexical weights of phrases are made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.errors import InputError
from pralign.kernels.arrays import Double, Int, Long
from pralign.kernels.links import LinkArrays
from pralign.kernels.units import UNITS
from pralign.links.aligned import AlignedChunk, WeightedLinks

_BITS = 32


@dataclass(frozen=True)
class LinkCounts:
    """How often each word of one side was linked to each word of the other, and how often to none.

    Counts are whole numbers of units (:mod:`pralign.kernels.units`), so that no order matters. A word that has no link
    in an alignment counts as linked to null there, as Moses has it.

    Attributes:
        source: The source word of each distinct word pair; pairs are sorted by source and then by target word.
        target: Its target word.
        count: How often they were linked.
        source_null: How often each source word had no link.
        target_null: The same for each target word.
    """

    source: Long
    target: Long
    count: Long
    source_null: Long
    target_null: Long

    @property
    def source_total(self) -> Long:
        """How often each source word was linked, null included."""
        return _sums(self.source, self.count, self.source_null)

    @property
    def target_total(self) -> Long:
        """How often each target word was linked, null included."""
        return _sums(self.target, self.count, self.target_null)

    def renumbered(self, source: Long, target: Long) -> LinkCounts:
        """The same with other numbers for the words: ``source[old]`` and ``target[old]``."""
        places = keys_of(source[self.source], target[self.target])
        order = np.argsort(places, kind="stable")
        nulls = np.zeros_like(self.source_null), np.zeros_like(self.target_null)
        nulls[0][source], nulls[1][target] = self.source_null, self.target_null
        return LinkCounts(*words_of_keys(places[order]), self.count[order], *nulls)


class KeyedValues:
    """Whole numbers by key, of which those with the same key are put together: added, or only the least is kept.

    Keys are kept sorted, in parts that double in size, so that each number is moved a few times only.

    Example:
        >>> values = KeyedValues(np.add)
        >>> for keys in ([7, 3, 7], [3, 5]):
        ...     values.put(np.array(keys), np.ones(len(keys), np.int64))
        >>> [part.tolist() for part in values.all()]
        [[3, 5, 7], [2, 1, 2]]
    """

    def __init__(self, together: np.ufunc) -> None:
        """Begin with nothing; ``together`` is ``np.add`` or ``np.minimum``."""
        self._together = together
        self._parts: list[tuple[Long, Long]] = []

    def put(self, keys: Long, values: Long) -> None:
        """Add numbers, in any order."""
        self._parts.append(self._combined(keys, values))
        while len(self._parts) > 1 and 2 * self._parts[-1][0].size > self._parts[-2][0].size:
            self._parts[-2:] = [self._joined(self._parts[-2:])]

    def all(self) -> tuple[Long, Long]:
        """The distinct keys, sorted, and their numbers."""
        if not self._parts:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        if len(self._parts) > 1:
            self._parts = [self._joined(self._parts)]
        return self._parts[0]

    def _joined(self, parts: list[tuple[Long, Long]]) -> tuple[Long, Long]:
        return self._combined(np.concatenate([keys for keys, _ in parts]), np.concatenate([part for _, part in parts]))

    def _combined(self, keys: Long, values: Long) -> tuple[Long, Long]:
        if keys.size == 0:
            return keys, values
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        return keys[first], self._together.reduceat(values, first)


class LinkCounter:
    """Counts the links of chunks of text."""

    def __init__(self) -> None:
        self._counted = KeyedValues(np.add)
        self._nulls = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, chunk: AlignedChunk, expected: bool = False) -> None:
        """Count the links of a chunk, each as its alignment's weight or, if ``expected``, as its score too.

        A word that has no link counts as linked to null once; if ``expected``, as often as its links are wrong, which
        is the product of what their scores lack to one.

        Raises:
            InputError: Scores are wanted, and not all links have one between zero and one.
        """
        texts, alignments = chunk
        links = alignments.links
        if expected:
            _check_scores(links)
        owner = np.repeat(np.arange(alignments.pair.size), np.diff(links.start))
        weight = alignments.weight[owner] * (links.score if expected else 1.0)
        sides = (texts.source, texts.source_start, links.source), (texts.target, texts.target_start, links.target)
        for place, (tokens, start, positions) in enumerate(sides):
            unlinked = _unlinked(start, positions, owner, alignments, links.score if expected else None)
            self._nulls[place].resize(max(self._nulls[place].size, int(tokens.max(initial=-1)) + 1), refcheck=False)
            present = _present(start, alignments)
            np.add.at(self._nulls[place], tokens[present], np.rint(unlinked * UNITS).astype(np.int64))
        self._counted.put(linked_words(chunk), np.rint(weight * UNITS).astype(np.int64))

    def counts(self, source_words: int, target_words: int) -> LinkCounts:
        """All that was counted, of so many different words."""
        keys, counts = self._counted.all()
        nulls = (np.zeros(source_words, np.int64), np.zeros(target_words, np.int64))
        for room, counted in zip(nulls, self._nulls, strict=True):
            room[: counted.size] = counted
        return LinkCounts(*words_of_keys(keys), counts, *nulls)


def count_links(chunks: Iterable[AlignedChunk], counter: LinkCounter) -> Iterable[AlignedChunk]:
    """Count the links of chunks as they pass."""
    for chunk in chunks:
        counter.add(chunk)
        yield chunk


def _present(start: Long, alignments: WeightedLinks) -> Long:
    """The places of the words of all alignments, those of a pair once for each of its alignments."""
    lengths = np.diff(start)[alignments.pair]
    first = np.repeat(start[alignments.pair] - np.cumsum(lengths) + lengths, lengths)
    return np.asarray(first + np.arange(lengths.sum()))


def _unlinked(
    start: Long, positions: NDArray[np.int32], owner: Long, alignments: WeightedLinks, score: Double | None
) -> Double:
    """For each word of each alignment, how far it counts as unlinked."""
    lengths = np.diff(start)[alignments.pair]
    first = np.cumsum(lengths) - lengths
    kept = np.repeat(alignments.weight, lengths)
    if score is None:
        kept[first[owner] + positions] = 0.0
    else:
        np.multiply.at(kept, first[owner] + positions, 1.0 - np.minimum(score, 1.0))
    return kept


def linked_words(chunk: AlignedChunk) -> Long:
    """The two words of each link of a chunk, as one key."""
    texts, (pair, _, links) = chunk
    pairs = np.repeat(pair, np.diff(links.start))
    source = texts.source[texts.source_start[pairs] + links.source]
    return keys_of(source, texts.target[texts.target_start[pairs] + links.target])


def keys_of(source: Long | Int, target: Long | Int) -> Long:
    """Pairs of numbers of words as one number each, which sorts by source and then by target word."""
    return np.asarray(source.astype(np.int64) << _BITS | target)


def words_of_keys(keys: Long) -> tuple[Long, Long]:
    """The numbers of the source and the target words that keys are made of."""
    return keys >> _BITS, keys & ((1 << _BITS) - 1)


def _check_scores(links: LinkArrays) -> None:
    if links.score.size != links.source.size:
        raise InputError("links have no scores to count; use alignments with probabilities, or count links")
    if links.score.size and not 0.0 <= float(links.score.min()) <= float(links.score.max()) <= 1.0:
        raise InputError("a score is not between 0 and 1, so scores are no probabilities; count links instead")


def _sums(words: Long, counts: Long, nulls: Long) -> Long:
    total = nulls.copy()
    np.add.at(total, words, counts)
    return total
