"""How often words are linked: what lexicons, shortlists and the lexical weights of phrases are made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long
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
        places = _keys(source[self.source], target[self.target])
        order = np.argsort(places, kind="stable")
        nulls = np.zeros_like(self.source_null), np.zeros_like(self.target_null)
        nulls[0][source], nulls[1][target] = self.source_null, self.target_null
        return LinkCounts(*_words(places[order]), self.count[order], *nulls)


class LinkCounter:
    """Counts the links of chunks of text; distinct word pairs are kept sorted, in parts that double in size."""

    def __init__(self) -> None:
        self._parts: list[tuple[Long, Long]] = []
        self._nulls = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, chunk: AlignedChunk, expected: bool = False) -> None:
        """Count the links of a chunk, each as its alignment's weight or, if ``expected``, as its score too."""
        texts, alignments = chunk
        links = alignments.links
        owner = np.repeat(np.arange(alignments.pair.size), np.diff(links.start))
        weight = alignments.weight[owner] * (links.score if expected else 1.0)
        sides = (texts.source, texts.source_start, links.source), (texts.target, texts.target_start, links.target)
        words = []
        for place, (tokens, start, positions) in enumerate(sides):
            words.append(tokens[start[alignments.pair[owner]] + positions].astype(np.int64))
            unlinked = _unlinked(start, positions, owner, alignments, links.score if expected else None)
            self._nulls[place].resize(max(self._nulls[place].size, int(tokens.max(initial=-1)) + 1), refcheck=False)
            present = _present(start, alignments)
            np.add.at(self._nulls[place], tokens[present], np.rint(unlinked * UNITS).astype(np.int64))
        self._merge(*_summed(_keys(*words), np.rint(weight * UNITS).astype(np.int64)))

    def counts(self, source_words: int, target_words: int) -> LinkCounts:
        """All that was counted, of so many different words."""
        keys, counts = _joined(self._parts)
        nulls = (np.zeros(source_words, np.int64), np.zeros(target_words, np.int64))
        for room, counted in zip(nulls, self._nulls, strict=True):
            room[: counted.size] = counted
        return LinkCounts(*_words(keys), counts, *nulls)

    def _merge(self, keys: Long, counts: Long) -> None:
        self._parts.append((keys, counts))
        while len(self._parts) > 1 and 2 * self._parts[-1][0].size > self._parts[-2][0].size:
            self._parts[-2:] = [_joined(self._parts[-2:])]


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


def _keys(source: Long, target: Long) -> Long:
    return np.asarray(source.astype(np.int64) << _BITS | target)


def _words(keys: Long) -> tuple[Long, Long]:
    return keys >> _BITS, keys & ((1 << _BITS) - 1)


def _joined(parts: list[tuple[Long, Long]]) -> tuple[Long, Long]:
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return _summed(np.concatenate([keys for keys, _ in parts]), np.concatenate([counts for _, counts in parts]))


def _summed(keys: Long, counts: Long) -> tuple[Long, Long]:
    """Distinct keys, sorted, with the sums of their counts."""
    if keys.size == 0:
        return keys, counts
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.add.reduceat(counts, first)


def _sums(words: Long, counts: Long, nulls: Long) -> Long:
    total = nulls.copy()
    np.add.at(total, words, counts)
    return total
