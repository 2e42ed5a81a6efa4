"""The M-step's look at relatives: counts of word pairs become counts of classes, and these raise those of the pairs.

Most classes of target words lie within one piece of the lexicon, which can then do it alone. Those that are spread over
pieces (last characters, and classes from a file) are counted in every piece first, and the parts added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from pralign.engine import Engine
from pralign.kernels.arrays import Double, Float, Int, Long, PairTable
from pralign.kernels.relatives import (
    LEAST_KEPT,
    ClassCounts,
    ClassTotals,
    class_mass,
    count_classes,
    group_words,
    joined_classes,
    merged_classes,
    only_classes,
    refine_counted_shares,
    refine_shares,
    rows_of,
    totals_by_class,
    with_at_least,
)
from pralign.models.relatives import Level, Relatives
from pralign.store import Store
from pralign.text.sharding import load_piece

#: Sums up the counts of the word pairs of a piece.
PieceCounts = Callable[[int], Long]


@dataclass(frozen=True)
class FormLevel:
    """A level of forms: how many classes each side has, and whether those of target words are spread over pieces."""

    source_classes: int
    target_classes: int
    spread: bool

    def ranges(self, parts: int) -> Iterator[tuple[int, int]]:
        """The target classes in so many ranges."""
        edges = np.linspace(0, self.target_classes, parts + 1).astype(np.int64).tolist()
        return pairwise(edges)


def save_classes(
    store: Store, relatives: Relatives, piece_words: Sequence[int], known: Sequence[Level] | None = None
) -> tuple[FormLevel, ...]:
    """Put the classes of all words into the store, and say what the levels are like.

    What is ``known`` of classes from elsewhere goes there too, in the ranges that they are counted in.
    """
    source, target = relatives.source, relatives.target
    pieces = len(piece_words) - 1
    of_words = np.repeat(np.arange(pieces), np.diff(piece_words))
    levels = []
    for number in range(relatives.levels):
        store.save(f"forms/{number}", {"source": source.known[number], "target": target.known[number]})
        parts = np.unique(target.known[number].astype(np.int64) * pieces + of_words).size
        spread = known is not None or parts > target.sizes[number]
        levels.append(FormLevel(source.sizes[number], target.sizes[number], spread))
    for number, (level, of_level) in enumerate(zip(levels, known or (), strict=False)):
        for part, (first, last) in enumerate(level.ranges(pieces)):
            save_class_counts(store, f"known/{number}/{part}", rows_of(of_level.counts, first, last))
    return tuple(levels)


@dataclass(frozen=True)
class RelativesStep:
    """What one M-step needs to know of relatives.

    Attributes:
        store: Where classes are, and where their counts go.
        levels: The levels of forms.
        strength: How many counts relatives are worth.
        name: What the names of the counts of classes begin with.
        piece_words: The first target word of each piece, and the end.
        keep: Whether the counts of classes are kept, for pairs of words that were never seen.
        known: What is known of single classes from elsewhere, if anything; pairs of them lie in the store.
    """

    store: Store
    levels: tuple[FormLevel, ...]
    strength: float
    name: str
    piece_words: Sequence[int]
    keep: bool
    known: Sequence[ClassTotals] | None = None

    @property
    def pieces(self) -> int:
        """How many pieces the lexicon has."""
        return len(self.piece_words) - 1

    def count(self, totals: tuple[Long, Long], counts: PieceCounts, engine: Engine) -> tuple[Double, Double]:
        """Count classes, as far as no piece can do it alone; ``totals`` are the counts of single words.

        Gives back what relatives add to the normalizer of each word.
        """
        masses = np.zeros(totals[0].size), np.zeros(totals[1].size)
        for number, level in enumerate(self.levels):
            classes = self.classes(number)
            sums = ClassTotals(
                totals_by_class(classes[0], totals[0], level.source_classes),
                totals_by_class(classes[1], totals[1], level.target_classes),
            )
            if self.known is not None:
                sums = ClassTotals(*(a + b for a, b in zip(sums, self.known[number], strict=True)))
            self.store.save(f"{self.name}/{number}/totals", sums._asdict())
            for mass, of_words, of_classes in zip(masses, classes, sums, strict=True):
                mass[:] = class_mass(of_words, of_classes, mass)
        spread = [number for number, level in enumerate(self.levels) if level.spread]
        if spread:
            for _ in engine.run(SpreadCounter(self, counts, spread), range(self.pieces)):
                pass
            for place in engine.run(ClassMerger(self), product(spread, range(self.pieces))):
                for name in self.parts(*place):
                    self.store.delete(name)
        return self.strength * masses[0], self.strength * masses[1]

    def fill(self, piece: int, table: PairTable, counts: Long, added: Float) -> None:
        """Fill in what relatives add to each word pair of a piece, zero before; keep counts of classes, if wanted."""
        for number, level in enumerate(self.levels):
            of_source, of_target = self.classes(number, piece)
            groups, totals = group_words(of_target), self._totals(number)
            if not level.spread:
                refine_shares(table, counts, of_source, groups, totals, added)
                if self.keep:
                    rows = (int(groups.target[0]), groups.target.size) if groups.target.size else (0, 0)
                    sizes = (level.source_classes, *rows)
                    kept = count_classes(table, counts, of_source, groups, sizes, LEAST_KEPT)
                    self.save(f"{number}/{piece}", kept)
                continue
            for part in range(self.pieces):
                counted = load_class_counts(self.store, f"{self.name}/{number}/{part}")
                refine_counted_shares(table, counts, of_source, groups, counted, totals, added)
        added *= np.float32(self.strength)

    def parts(self, number: int, part: int) -> list[str]:
        """What pieces have counted of a range of classes, as it is called in the store."""
        return [f"{self.name}/{number}/{part}/{piece}" for piece in range(self.pieces)]

    def save(self, name: str, counts: ClassCounts) -> None:
        """Put counts of classes into the store."""
        save_class_counts(self.store, f"{self.name}/{name}", counts)

    def classes(self, number: int, piece: int | None = None) -> tuple[Int, Int]:
        """The classes of all source words, and of all target words or those of a piece."""
        classes = self.store.load(f"forms/{number}")
        words = slice(None) if piece is None else slice(*self.piece_words[piece : piece + 2])
        return classes["source"], classes["target"][words]

    def _totals(self, number: int) -> ClassTotals:
        return load_totals(self.store, f"{self.name}/{number}")


@dataclass(frozen=True)
class SpreadCounter:
    """Counts the classes of a piece whose words are spread over pieces, for each range of classes apart."""

    step: RelativesStep
    counts: PieceCounts
    numbers: Sequence[int]

    def __call__(self, piece: int) -> None:
        """Work on one piece."""
        step = self.step
        table, counts = load_piece(step.store, piece), self.counts(piece)
        for number in self.numbers:
            level = step.levels[number]
            of_source, of_target = step.classes(number, piece)
            for part, (first, last) in enumerate(level.ranges(step.pieces)):
                here = np.flatnonzero((of_target >= first) & (of_target < last)).astype(np.int32)
                groups = group_words(of_target[here])
                groups = groups._replace(word=here[groups.word])
                sizes = (level.source_classes, first, last - first)
                step.save(f"{number}/{part}/{piece}", count_classes(table, counts, of_source, groups, sizes, 1))


@dataclass(frozen=True)
class ClassMerger:
    """Adds up what pieces have counted of a range of classes."""

    step: RelativesStep

    def __call__(self, place: tuple[int, int]) -> tuple[int, int]:
        """Work on one level and range."""
        number, part = place
        known = [f"known/{number}/{part}"] if self.step.known is not None else []
        parts = [load_class_counts(self.step.store, name) for name in (*self.step.parts(number, part), *known)]
        self.step.save(f"{number}/{part}", merged_classes(parts, self.step.levels[number].source_classes))
        return place


def save_class_counts(store: Store, name: str, counts: ClassCounts) -> None:
    """Put counts of classes into a store."""
    store.save(name, {**counts._asdict(), "first": np.array([counts.first])})


def load_class_counts(store: Store, name: str) -> ClassCounts:
    """Counts of classes that lie in a store."""
    arrays = store.load(name)
    return ClassCounts(arrays["row_start"], arrays["source"], arrays["units"], int(arrays["first"][0]))


def load_totals(store: Store, name: str) -> ClassTotals:
    """The counts of single classes of a level that lie in a store."""
    arrays = store.load(f"{name}/totals")
    return ClassTotals(arrays["source"], arrays["target"])


def kept_levels(
    store: Store, name: str, levels: int, parts: int, needed: Sequence[tuple[Int, Int]] | None = None
) -> Iterator[Level]:
    """What was kept of each level for pairs of words that were never seen.

    Only what is said of ``needed`` classes is loaded, given level by level as those of source and of target words, -1
    for words that have none; all of it takes much memory.
    """
    for number in range(levels):
        totals = load_totals(store, f"{name}/{number}")
        marks = None
        if needed is not None:
            marks = [_marked(classes, of_side) for classes, of_side in zip(needed[number], totals, strict=True)]
        counts = (kept_counts(store, f"{name}/{number}/{part}") for part in range(parts))
        joined = joined_classes([part if marks is None else only_classes(part, *marks) for part in counts])
        yield Level(joined._replace(units=joined.units.astype(np.float32)), totals)


def kept_counts(store: Store, name: str) -> ClassCounts:
    """Those of some counts of classes that are worth keeping."""
    return with_at_least(load_class_counts(store, name), int(LEAST_KEPT))


def _marked(classes: Int, totals: Long) -> NDArray[np.bool_]:
    marks = np.zeros(totals.size, np.bool_)
    marks[classes[classes >= 0]] = True
    return marks
