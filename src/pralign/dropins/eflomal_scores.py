"""Scores of sentence pairs in the unit of eflomal, worked out from the links of a direction and from priors.

A score is the negative mean, over the words of the generated side, of the log weight of the best source word for each:
its translation probability from counted links, times how common the jumps to it and away from it are, times how much
more usual it makes the fertility. What a word's own link has counted is left out. Low is good; 0 is no border, since
weights of fertilities can exceed one.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pralign.links.alignment import Link
from pralign.text.vocabulary import VocabularyBuilder

if TYPE_CHECKING:
    from pralign.priors.files import PriorLines

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# What eflomal adds to counts: of word pairs, jumps and fertilities; and how many jumps it takes for possible.
_PAIR, _JUMP, _FERTILITY = 0.001, 0.5, 0.5
_JUMPS = 100
_REACH = 1024
# Fertilities are told apart up to here; more has next to no weight.
_MOST = 7
_EXCESSIVE = 1e-10
# So many combinations of a word and a place are looked at together.
_CELLS = 250_000


@dataclass
class ScoredText:
    """A text as numbers of words, collected while it is read; 0 is null on both sides."""

    words: tuple[VocabularyBuilder, VocabularyBuilder] = field(default_factory=lambda: (_with_null(), _with_null()))
    numbers: tuple[array[int], array[int]] = field(default_factory=lambda: (array("i"), array("i")))
    lengths: tuple[array[int], array[int]] = field(default_factory=lambda: (array("q"), array("q")))

    def add(self, source: Sequence[str], target: Sequence[str]) -> None:
        """Take in a sentence pair, with words as they are to be compared."""
        for side, sentence in enumerate((source, target)):
            self.numbers[side].extend([self.words[side][word] for word in sentence])
            self.lengths[side].append(len(sentence))


class LinkedPlaces:
    """For each word of one side, the place of the word that it goes with, or -1; collected pair by pair."""

    def __init__(self) -> None:
        self.places = array("i")

    def add(self, links: Sequence[Link], length: int, side: int) -> None:
        """Take in the links of a pair; ``side`` is 1 for places of source words, in the order of target words."""
        places = [-1] * length
        for link in links:
            places[link[side]] = link[1 - side]
        self.places.extend(places)


def pair_scores(text: ScoredText, links: LinkedPlaces, reverse: bool, model: int, priors: PriorLines | None) -> Floats:
    """The score of each pair; negative zero for one with an empty side.

    Args:
        text: The text.
        links: The places of source words, by target words; with ``reverse`` the other way round.
        reverse: Whether source words are what is generated.
        model: 1 leaves out jumps and fertilities, 2 fertilities.
        priors: What was known before, if anything was.
    """
    given, made = (1, 0) if reverse else (0, 1)
    side = _Side(
        np.frombuffer(text.numbers[given], np.int32).astype(np.int64),
        np.frombuffer(text.numbers[made], np.int32).astype(np.int64),
        np.array(text.lengths[given], np.int64),
        np.array(text.lengths[made], np.int64),
        np.frombuffer(links.places, np.int32).astype(np.int64),
        (len(text.words[given]), len(text.words[made])),
    )
    known = None if priors is None else _Known.of(priors, text.words, reverse)
    scores = np.full(side.lengths.size, -0.0)
    scores[side.usable] = -_Weights(side, known, model).mean_logs()
    return scores


def _with_null() -> VocabularyBuilder:
    words = VocabularyBuilder()
    _ = words[""]  # which no word is
    return words


@dataclass(frozen=True)
class _Known:
    """Priors in numbers of words."""

    given: Ints
    made: Ints
    counts: Floats
    jumps: Mapping[int, float]
    fertilities: Sequence[tuple[int, int, float]]

    @classmethod
    def of(cls, priors: PriorLines, words: tuple[VocabularyBuilder, VocabularyBuilder], reverse: bool) -> _Known:
        found = []
        for source, target, count in priors.pairs:
            numbers = _number(source, words[0]), _number(target, words[1])
            if None not in numbers:
                found.append((*numbers, count))
        columns = list(zip(*found, strict=True)) or [(), (), ()]
        pair = [np.array(column, np.int64) for column in columns[:2]]
        ending, side = ("R", words[1]) if reverse else ("F", words[0])
        fertilities = [
            (number, min(fertility, _MOST), count)
            for (word, fertility), count in priors.fertilities[f"FER{ending}"].items()
            if (number := _number(word, side)) is not None and fertility >= 0
        ]
        given, made = reversed(pair) if reverse else pair
        return cls(given, made, np.array(columns[2], np.float64), priors.jumps[f"HMM{ending}"], fertilities)


def _number(word: str, words: VocabularyBuilder) -> int | None:
    return 0 if word == "<NULL>" else words.get(word.lower())


class _Side:
    """The text in one direction: words that are given, words that are made, and where each of these comes from."""

    def __init__(
        self, given: Ints, made: Ints, heights: Ints, lengths: Ints, places: Ints, sizes: tuple[int, int]
    ) -> None:
        self.given, self.made, self.heights, self.lengths, self.sizes = given, made, heights, lengths, sizes
        self.given_start, self.start = (np.concatenate([[0], np.cumsum(each)]) for each in (heights, lengths))
        self.pair = np.repeat(np.arange(lengths.size), lengths)
        self.usable = (heights > 0) & (lengths > 0)
        self.places = np.where(self.usable[self.pair], places, -1)
        linked = self.places >= 0
        self.at = self.given_start[self.pair] + self.places  # valid only for those that are linked
        self.from_word = np.zeros(made.size, np.int64)
        self.from_word[linked] = given[self.at[linked]]
        self.linked = linked
        self.before, self.after = self._neighbours()
        self.fertility = np.bincount(self.at[linked], minlength=given.size)

    def _neighbours(self) -> tuple[Ints, Ints]:
        """The places of the nearest linked words before and after each; -1 and the length where there are none."""
        count = self.made.size
        places = np.arange(count)
        last = np.maximum.accumulate(np.where(self.linked, places, -1)) if count else places
        before = np.concatenate([[-1], last[:-1]])[:count]
        first = np.where(self.linked, places, count)[::-1]
        following = np.minimum.accumulate(first)[::-1] if count else places
        after = np.concatenate([following[1:], [count]])[:count]
        starts, ends = self.start[self.pair], self.start[self.pair + 1]
        safe = np.append(self.places, 0)
        left = np.where(before >= starts, safe[before], -1)
        right = np.where(after < ends, safe[after], self.heights[self.pair])
        return left, right

    def blocks(self) -> list[Ints]:
        """The made words of usable pairs, some at a time, whichever pairs they are in: a pair can be large."""
        words = np.flatnonzero(self.usable[self.pair])
        cells = np.cumsum(self.heights[self.pair[words]])
        return np.split(words, np.flatnonzero(np.diff(cells // _CELLS)) + 1)


class _Weights:
    """What has been counted in one direction, and what it says of each place a word may come from."""

    def __init__(self, side: _Side, known: _Known | None, model: int) -> None:
        self.side, self.model = side, model
        self._count_pairs(known)
        self._count_jumps(known)
        if model >= 3:
            self._count_fertilities(known)

    def _count_pairs(self, known: _Known | None) -> None:
        side = self.side
        usable = side.usable[side.pair]
        keys = side.from_word[usable] * side.sizes[1] + side.made[usable]
        counts = np.ones(keys.size)
        self.totals = np.bincount(side.from_word[usable], minlength=side.sizes[0]) + _PAIR * side.sizes[1]
        if known is not None:
            keys = np.concatenate([keys, known.given * side.sizes[1] + known.made])
            counts = np.concatenate([counts, known.counts])
            np.add.at(self.totals, known.given, known.counts)
        self.keys, of_key = np.unique(keys, return_inverse=True)
        self.counts = np.append(np.bincount(of_key, counts), 0.0)  # the last is for pairs that were never linked

    def _count_jumps(self, known: _Known | None) -> None:
        side = self.side
        ends = np.flatnonzero(side.linked & (side.after == side.heights[side.pair]) & self._is_last())
        jumps = np.concatenate(
            [
                (side.places - side.before)[side.linked],
                side.heights[side.pair[ends]] - side.places[ends],
            ]
        )
        self.jumps = np.bincount(_bin(jumps), minlength=2 * _REACH) + _JUMP
        self.all_jumps = float(jumps.size) + _JUMP * _JUMPS
        for jump, count in {} if known is None else known.jumps.items():
            self.jumps[_bin(np.array(jump))] += count
            self.all_jumps += count

    def _is_last(self) -> NDArray[np.bool_]:
        """Whether no word of the sentence after each is linked."""
        side = self.side
        linked = np.concatenate([[0], np.cumsum(side.linked)])
        last: NDArray[np.bool_] = linked[side.start[side.pair + 1]] == linked[np.arange(side.made.size) + 1]
        return last

    def _count_fertilities(self, known: _Known | None) -> None:
        """Expected log ratios of the probability of one more link to that of no more, if ratios are Dirichlet."""
        from scipy.special import digamma  # type: ignore[import-untyped]

        side = self.side
        table = np.full((side.sizes[0], _MOST + 1), _FERTILITY)
        usable = np.repeat(side.usable, side.heights)
        np.add.at(table, (side.given[usable], np.minimum(side.fertility[usable], _MOST)), 1.0)
        for word, fertility, count in () if known is None else known.fertilities:
            table[word, fertility] += count
        logs = digamma(table)
        self.ratios = np.exp(np.diff(logs, axis=1, prepend=logs[:, :1]))
        self.ratios[:, _MOST] = _EXCESSIVE

    def mean_logs(self) -> Floats:
        """For each usable pair, the mean log weight of the best place for each word."""
        best = np.concatenate([self._best_logs(words) for words in self.side.blocks()])
        lengths = self.side.lengths[self.side.usable]
        sums: Floats = np.add.reduceat(best, np.cumsum(lengths) - lengths)
        return sums / lengths

    def _best_logs(self, words: Ints) -> Floats:
        """The log weight of the best place for each of some made words."""
        side = self.side
        heights = side.heights[side.pair[words]]
        of_word = np.repeat(np.arange(words.size), heights)
        place = _counted(heights)
        weights = self._weights(words[of_word], place)
        starts = np.cumsum(heights) - heights
        best: Floats = np.log(np.maximum.reduceat(weights, starts))
        if self.model >= 2:
            own = np.where(side.linked[words], 2.0, 1.0)
            best -= 2 * np.log(self.all_jumps - own)
        return best

    def _weights(self, word: Ints, place: Ints) -> Floats:
        """The weight of each combination of a made word and a place of the other side."""
        side = self.side
        at = side.given_start[side.pair[word]] + place
        given, made = side.given[at], side.made[word]
        same = given == side.from_word[word]
        keys = given * side.sizes[1] + made
        slot = np.searchsorted(self.keys, keys)
        slot[slot == self.keys.size] = self.keys.size - 1
        slot[self.keys[slot] != keys] = self.keys.size
        weights: Floats = (self.counts[slot] - same + _PAIR) / (self.totals[given] - same)
        if self.model >= 2:
            weights *= self._jump_weights(word, place)
        if self.model >= 3:
            fertility = side.fertility[at] - (side.places[word] == place)
            weights *= self.ratios[given, np.minimum(fertility + 1, _MOST)]
        return weights

    def _jump_weights(self, word: Ints, place: Ints) -> Floats:
        side = self.side
        before, after, linked = side.before[word], side.after[word], side.linked[word]
        own = _bin(np.where(linked, side.places[word] - before, after - before))
        other = np.where(linked, _bin(after - side.places[word]), -1)
        product: Floats = np.ones(word.size)
        for jump in (_bin(place - before), _bin(after - place)):
            product *= self.jumps[jump] - (jump == own) - (jump == other)
        return product


def _bin(jump: Ints) -> Ints:
    binned: Ints = np.clip(jump + _REACH, 0, 2 * _REACH - 1)
    return binned


def _counted(lengths: Ints) -> Ints:
    """The numbers from 0 on, as many as each length, one after the other."""
    counted: Ints = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return counted
