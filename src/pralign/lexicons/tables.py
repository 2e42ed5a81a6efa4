"""Lexicons: which words translate which, how probably, and how often that was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.errors import UsageError
from pralign.frames import to_frame
from pralign.kernels.arrays import Double, Long
from pralign.kernels.units import as_counts
from pralign.lexicons.counting import KeyedValues, LinkCounts, keys_of, words_of_keys
from pralign.schema.arguments import check_argument
from pralign.storage.model import load_model

if TYPE_CHECKING:
    from pralign.models.lexicon import Lexicon as ModelLexicon

Direction = Literal["forward", "reverse", "both"]
OneDirection = Literal["forward", "reverse"]

_BLOCK = 10_000


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """One word pair of a lexicon.

    Attributes:
        source: The source word; ``None`` is null, which stands for words that have no link.
        target: The target word; ``None`` is null.
        forward: The probability of the target word given the source word; ``None`` where a model has none.
        reverse: The probability of the source word given the target word; ``None`` where a model has none.
        count: How often they were linked; ``None`` if the lexicon is a model's.

    Example:
        >>> from pralign import lexicons
        >>> [first, *_] = lexicons.lexicon([("the house", "la maison")], ["0-0 1-1"]).pruned("forward", null=False)
        >>> isinstance(first, LexiconEntry), first.source, first.target, first.count
        (True, 'house', 'maison', 1)
    """

    source: str | None
    target: str | None
    forward: float | None
    reverse: float | None
    count: float | None


class Rows(NamedTuple):
    """Some entries as lists, in the order in which they are written; word numbers as in :class:`Lexicon`."""

    source: list[int]
    target: list[int]
    forward: list[float]
    reverse: list[float]
    counts: list[float] | None


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Translation probabilities of both directions, from links that were counted or from a trained model.

    It is a collection of :class:`LexiconEntry`. Source words come in the order of their bytes, null last, and the
    translations of a word best first; those equally probable come in the order of their bytes too.

    Attributes:
        source_words: The source words, in the order of their bytes.
        target_words: The target words, in the order of their bytes.
        source: The number of the source word of each entry; one past the last word is null.
        target: The same for the target word.
        forward: p(target word | source word), NaN where it is not known.
        reverse: p(source word | target word), NaN where it is not known.
        count: How often the words of each entry were linked; ``None`` for the lexicon of a model.

    Example:
        >>> from pralign.lexicons import lexicon
        >>> made = lexicon([("the house", "la maison"), ("a house", "maison")], ["0-0 1-1", "1-0"])
        >>> for entry in made:
        ...     print(entry.source, entry.target, entry.forward, entry.count)
        a None 1.0 1
        house maison 1.0 2
        the la 1.0 1
    """

    source_words: Sequence[str]
    target_words: Sequence[str]
    source: Long
    target: Long
    forward: Double
    reverse: Double
    count: Double | None = None

    @classmethod
    def from_counts(
        cls, counts: LinkCounts, words: tuple[Sequence[str], Sequence[str]], null_word: str | None = None
    ) -> Lexicon:
        """The relative frequencies of links, with null as a word of each side, as Moses has them.

        Args:
            counts: How often words were linked.
            words: The source and the target words, by their numbers in ``counts``.
            null_word: A word that is taken for null where the text has it, as ``NULL`` is in the tables of Moses.
        """
        ranks, ordered = zip(*(_by_bytes(side) for side in words), strict=True)
        sizes = len(words[0]), len(words[1])
        source, target, units = _with_null(counts.renumbered(*ranks))
        if null_word is not None and any(null_word in side for side in ordered):
            spoken = [np.array([word == null_word for word in side] + [False]) for side in ordered]
            merged = KeyedValues(np.add)
            merged.put(
                keys_of(np.where(spoken[0][source], sizes[0], source), np.where(spoken[1][target], sizes[1], target)),
                units,
            )
            keys, units = merged.all()
            source, target = words_of_keys(keys)
        totals = [np.zeros(size + 1, np.int64) for size in sizes]
        for total, numbers in zip(totals, (source, target), strict=True):
            np.add.at(total, numbers, units)
        forward, reverse = units / totals[0][source], units / totals[1][target]
        return cls(ordered[0], ordered[1], source, target, forward, reverse, as_counts(units))

    @classmethod
    def from_model(cls, model: Aligner | str | Path, least: float = 0.0) -> Lexicon:
        """The lexicon of a trained model: its probabilities both ways, without counts.

        Words are as the model sees them, in lower case for example. A model has the probability of each word given
        null, but not that of null given a word.

        Args:
            model: A trained aligner, or the directory of a saved one.
            least: Leave out word pairs that are less probable than this in both directions.

        Raises:
            ModelError: There is no usable model.
            UsageError: The aligner was not trained yet.
        """
        if isinstance(model, Aligner):
            trained = model.model_
            return cls._of_model(trained.lexicon, (trained.source.words, trained.target.words), least)
        saved = load_model(model)
        return cls._of_model(saved.lexicon, (saved.source.words, saved.target.words), least)

    @classmethod
    def _of_model(cls, lexicon: ModelLexicon, words: tuple[list[str], list[str]], least: float) -> Lexicon:
        ranks, ordered = zip(*(_by_bytes(side) for side in words), strict=True)
        sizes = len(words[0]), len(words[1])
        nulls = lexicon.words.null_to_target, lexicon.words.null_to_source
        kept = np.flatnonzero(lexicon.probability.max(axis=1, initial=0.0) >= least)
        unlinked = [np.flatnonzero((null >= least) & (null > 0.0)) for null in nulls]
        rows = np.searchsorted(lexicon.table.row_start, kept, side="right") - 1
        source = [ranks[0][lexicon.table.source[kept]], np.full(unlinked[0].size, sizes[0]), ranks[0][unlinked[1]]]
        target = [ranks[1][rows], ranks[1][unlinked[0]], np.full(unlinked[1].size, sizes[1])]
        unknown = [np.full(places.size, np.nan) for places in unlinked]
        forward = [lexicon.probability[kept, 0], nulls[0][unlinked[0]], unknown[1]]
        reverse = [lexicon.probability[kept, 1], unknown[0], nulls[1][unlinked[1]]]
        places = [np.concatenate(parts) for parts in (source, target)]
        return cls(*ordered, *places, *(np.concatenate(each).astype(np.float64) for each in (forward, reverse)))

    def __len__(self) -> int:
        return int(self.source.size)

    def __iter__(self) -> Iterator[LexiconEntry]:
        return self.entries()

    def entries(self, direction: Direction = "both") -> Iterator[LexiconEntry]:
        """The entries in order; for ``"reverse"``, by target word, and the likeliest source words first."""
        words = [*self.source_words, None], [*self.target_words, None]
        for rows in self.blocks(direction):
            counts = [None] * len(rows.source) if rows.counts is None else rows.counts
            columns = zip(rows.source, rows.target, rows.forward, rows.reverse, counts, strict=True)
            for source, target, forward, reverse, count in columns:
                yield LexiconEntry(words[0][source], words[1][target], _known(forward), _known(reverse), _whole(count))

    def blocks(self, direction: Direction = "both", size: int = _BLOCK) -> Iterator[Rows]:
        """The same as lists, some thousand entries at a time, for those who write many."""
        order = self.order("reverse" if direction == "reverse" else "forward")
        for start in range(0, order.size, size):
            some = order[start : start + size]
            columns = (self.source, self.target, self.forward, self.reverse)
            count = None if self.count is None else self.count[some].tolist()
            source, target, forward, reverse = (column[some].tolist() for column in columns)
            yield Rows(source, target, forward, reverse, count)

    def order(self, direction: OneDirection) -> Long:
        """The places of all entries in their order: by the word that is given, the likeliest of the others first."""
        given, other, probability = self._seen_from(direction)
        return np.asarray(np.lexsort((other, -np.nan_to_num(probability, nan=-1.0), given)))

    def pruned(
        self,
        direction: Direction = "both",
        *,
        top: int | None = None,
        min_probability: float = 0.0,
        min_count: float = 0.0,
        null: bool = True,
    ) -> Lexicon:
        """The lexicon with fewer entries; the probabilities of those that are kept stay as they are.

        Args:
            direction: In which direction an entry has to be among the best and probable enough; for ``"both"``, in one
                of them at least.
            top: Keep so many translations of each word.
            min_probability: Keep only translations at least so probable.
            min_count: Keep only words that were linked at least so often.
            null: Keep null, which is one translation among the others.

        Raises:
            UsageError: The lexicon is that of a model, which has no counts, or a value cannot be.
        """
        _check_bounds(top, min_probability, min_count)
        check_argument(direction, Direction, "direction")
        if min_count > 0 and self.count is None:
            raise UsageError("the lexicon of a model has no counts; leave out the least count, or count links")
        kept = np.ones(len(self), np.bool_)
        if not null:
            kept = (self.source < len(self.source_words)) & (self.target < len(self.target_words))
        if min_count > 0 and self.count is not None:
            kept &= self.count >= min_count
        smaller = self if kept.all() else self.chosen(kept)
        ways: tuple[OneDirection, ...] = ("forward", "reverse") if direction == "both" else (direction,)
        chosen = np.zeros(len(smaller), np.bool_)
        for way in ways:
            chosen |= smaller.best(way, top, min_probability)
        return smaller if chosen.all() else smaller.chosen(chosen)

    def translations(self, word: str, side: Literal["source", "target"] = "source") -> list[tuple[str | None, float]]:
        """The translations of a word of one side with their probabilities, best first; ``None`` is null.

        Example:
            >>> from pralign.lexicons import lexicon
            >>> made = lexicon([("the house", "la maison"), ("a house", "maison")], ["0-0 1-1", "1-0"])
            >>> made.translations("maison", "target")
            [('house', 1.0)]
        """
        check_argument(side, Literal["source", "target"], "side")
        given, other, probability = self._seen_from("forward" if side == "source" else "reverse")
        number = self._numbers[side].get(word)
        places = np.flatnonzero(given == number) if number is not None else np.empty(0, np.int64)
        places = places[np.lexsort((other[places], -np.nan_to_num(probability[places], nan=-1.0)))]
        words = [*(self.target_words if side == "source" else self.source_words), None]
        found = zip(other[places].tolist(), probability[places].tolist(), strict=True)
        return [(words[place], value) for place, value in found if value == value]

    def to_dict(self) -> dict[str, list[Any]]:
        """The entries as columns, for any library that has tables."""
        rows = list(map(astuple, self))
        columns = map(list, zip(*rows, strict=True)) if rows else ([] for _ in fields(LexiconEntry))
        return dict(zip((field.name for field in fields(LexiconEntry)), columns, strict=True))

    def to_frame(self) -> Any:
        """The entries as a data frame of pandas."""
        return to_frame(self.to_dict())

    @cached_property
    def _numbers(self) -> dict[str, dict[str, int]]:
        sides = {"source": self.source_words, "target": self.target_words}
        return {side: {word: number for number, word in enumerate(words)} for side, words in sides.items()}

    def _seen_from(self, direction: OneDirection) -> tuple[Long, Long, Double]:
        """The words that are given, the others, and the probability of these given those."""
        if direction == "forward":
            return self.source, self.target, self.forward
        return self.target, self.source, self.reverse

    def best(self, direction: OneDirection, top: int | None = None, least: float = 0.0) -> NDArray[np.bool_]:
        """Which entries are among the ``top`` translations of a word, and at least so probable."""
        given, _, probability = self._seen_from(direction)
        chosen = np.nan_to_num(probability, nan=-1.0) >= least
        if top is not None:
            order = self.order(direction)
            words = given[order]
            first = np.concatenate([[True], words[1:] != words[:-1]]) if words.size else np.empty(0, np.bool_)
            starts = np.flatnonzero(first)
            rank = np.arange(words.size) - np.repeat(starts, np.diff(np.append(starts, words.size)))
            chosen[order[rank >= top]] = False
        return np.asarray(chosen)

    def chosen(self, kept: NDArray[np.bool_]) -> Lexicon:
        """The lexicon with some of its entries."""
        count = None if self.count is None else self.count[kept]
        parts = {name: getattr(self, name)[kept] for name in ("source", "target", "forward", "reverse")}
        return replace(self, **parts, count=count)


def _check_bounds(top: int | None, probability: float, count: float) -> None:
    if top is not None and top < 1:
        raise UsageError(f"at least one translation of each word has to be kept, not {top}")
    if not 0.0 <= probability <= 1.0:
        raise UsageError(f"a least probability is between 0 and 1, not {probability}")
    if not count >= 0.0:
        raise UsageError(f"a least count is at least 0, not {count}")


def _by_bytes(words: Sequence[str]) -> tuple[Long, list[str]]:
    """The place of each word in the order of bytes, which is that of code points, and the words in this order."""
    order = sorted(range(len(words)), key=words.__getitem__)
    places = np.empty(len(words), np.int64)
    places[order] = np.arange(len(words))
    return places, [words[number] for number in order]


def _with_null(counts: LinkCounts) -> tuple[Long, Long, Long]:
    """Source words, target words and counts, with null as one more word of each side."""
    nulls = counts.source_null, counts.target_null
    alone = [np.flatnonzero(null) for null in nulls]
    linked = np.flatnonzero(counts.count)
    source = [counts.source[linked], alone[0], np.full(alone[1].size, nulls[0].size)]
    target = [counts.target[linked], np.full(alone[0].size, nulls[1].size), alone[1]]
    units = [counts.count[linked], nulls[0][alone[0]], nulls[1][alone[1]]]
    return np.concatenate(source), np.concatenate(target), np.concatenate(units)


def _known(value: float) -> float | None:
    return value if value == value else None


def _whole(count: float | None) -> float | None:
    """A count as a whole number if it is one."""
    return int(count) if count is not None and count.is_integer() else count
