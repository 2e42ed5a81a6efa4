"""The pairs that a collapsed model was trained on, and what each has added to the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long, Texts
from pralign.kernels.own_counts import OwnCounts, cells_within, choose, find_pairs, fingerprints
from pralign.schema.arrays import Array, Check, Facts, Schema, between, indices, parts_of, starts
from pralign.schema.limits import LONGEST
from pralign.text.shard import Shard

# What the parts of a model count in one pair is no more than a few times its words.
_MOST_IN_A_PAIR = 4.0 * LONGEST


@dataclass(frozen=True)
class TrainingPairs:
    """Finds a pair by its words. Pairs with the same words have added the same, so each is kept once.

    Attributes:
        texts: The sentences, words numbered as in the vocabularies.
        own: What each pair has added to the counts.
        prints: The fingerprints of the pairs, in ascending order.
        places: The pairs that have these fingerprints.
    """

    texts: Texts
    own: OwnCounts
    prints: NDArray[np.uint64]
    places: Long

    @classmethod
    def of(cls, texts: Texts, own: OwnCounts) -> Self:
        """The pairs of some texts and what they have added."""
        prints = fingerprints(texts, np.arange(texts.source_start.size - 1))
        places = np.argsort(prints, kind="stable")
        return cls(texts, own, prints[places], places)

    def find(self, shard: Shard) -> OwnCounts | None:
        """What the included pairs of a shard have added to the counts, if any of them was trained on."""
        rows = find_pairs(shard.global_texts(), shard.pairs, self.prints, self.places, self.texts)
        return choose(self.own, rows) if np.any(rows >= 0) else None

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it, to be saved; fingerprints are made anew."""
        return {**self.texts._asdict(), **{f"own.{name}": array for name, array in self.own._asdict().items()}}

    @classmethod
    def schema(cls) -> Schema:
        """What all of it must be like."""
        rows, counts = "training pairs + 1", (between(0, _MOST_IN_A_PAIR),)
        return {
            "source": Array("int32", ("source tokens",), (indices("source words"),)),
            "source_start": Array("int64", (rows,), (starts("source tokens"), _has_words)),
            "target": Array("int32", ("target tokens",), (indices("target words"),)),
            "target_start": Array("int64", (rows,), (starts("target tokens"), _has_words)),
            "own.start": Array("int64", (rows,), (starts("own links"),)),
            "own.cell": Array("int32", ("own links",), (_lies_in_its_pair,)),
            "own.forward": Array("uint16", ("own links",)),
            "own.reverse": Array("uint16", ("own links",)),
            "own.target_start": Array("int64", (rows,), (starts("own target words"), _goes_with("target_start"))),
            "own.null_target": Array("uint16", ("own target words",)),
            "own.source_start": Array("int64", (rows,), (starts("own source words"), _goes_with("source_start"))),
            "own.null_source": Array("uint16", ("own source words",)),
            "own.forward_rows": Array("float32", ("training pairs", "forward counts"), counts),
            "own.reverse_rows": Array("float32", ("training pairs", "reverse counts"), counts),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """What was saved."""
        own = OwnCounts(*(tensors[f"own.{name}"] for name in OwnCounts._fields))
        return cls.of(Texts(*(tensors[name] for name in Texts._fields)), own)


def _has_words(start: Long, facts: Facts) -> str | None:
    """No pair that is trained on is empty or endless."""
    for begin, end in parts_of(start[:-1], start[1:]):
        lengths = end - begin
        if lengths.min() < 1 or lengths.max() > LONGEST:
            return f"has sentences that do not have 1 to {LONGEST} words"
    return None


def _goes_with(words: str) -> Check:
    """A pair has a number for each of its words, on both sides, or on neither."""

    def check(start: Long, facts: Facts) -> str | None:
        known = facts.arrays["own.target_start"]
        if start.size != known.size:
            return "is of another length than those of the other side"
        for begin, end, *other in parts_of(
            start[:-1], start[1:], facts.arrays[words][:-1], facts.arrays[words][1:], known[:-1], known[1:]
        ):
            wanted = np.where(other[3] > other[2], other[1] - other[0], 0)
            if np.any(end - begin != wanted):
                return "has pairs with more or fewer counts than words"
        return None

    return check


def _lies_in_its_pair(cell: Int, facts: Facts) -> str | None:
    """Cells are those of the pair that has counted them."""
    starts = (facts.arrays[name] for name in ("own.start", "source_start", "target_start"))
    return None if cells_within(cell, *starts) else "has links outside of their pairs"
