"""The pair index as a sorted list of distinct pairs and a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Words = Sequence[int]


class NaiveIndex(NamedTuple):
    included: list[int]
    """The sentence pairs that have neither an empty nor a long side."""
    pairs: list[tuple[int, int]]
    """The distinct word pairs, target word first, in order; where a pair stands is its slot."""
    slots: dict[int, list[list[int]]]
    """For each included sentence pair, the slot of target word j and source word i."""


def naive_index(sentences: Sequence[tuple[Words, Words]], longest: int) -> NaiveIndex:
    included = [
        number
        for number, (source, target) in enumerate(sentences)
        if 0 < len(source) <= longest and 0 < len(target) <= longest
    ]
    together = {(t, s) for number in included for s in sentences[number][0] for t in sentences[number][1]}
    pairs = sorted(together)
    slot = {pair: place for place, pair in enumerate(pairs)}
    slots = {number: [[slot[t, s] for s in sentences[number][0]] for t in sentences[number][1]] for number in included}
    return NaiveIndex(included, pairs, slots)
