"""Strings of numbers, sorted and counted, against Python's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.strings import Strings, cut_places, joined, sorted_distinct

NUMBERS = st.one_of(st.integers(1, 3), st.integers(1, 2**32 - 1))
STRINGS = st.lists(st.lists(NUMBERS, min_size=1, max_size=7).map(tuple), max_size=80)


def as_strings(texts, units=None):
    data = np.array([number for text in texts for number in text], np.uint32)
    counts = np.ones(len(texts), np.int64) if units is None else np.array(units, np.int64)
    return Strings(data, np.cumsum([0, *map(len, texts)]), counts)


def as_tuples(strings):
    return [tuple(strings.data[a:b].tolist()) for a, b in zip(strings.start[:-1], strings.start[1:], strict=True)]


@quick(100)
@given(STRINGS, st.integers(0, 2**40))
def test_distinct_strings_come_in_order_with_their_counts(texts, unit):
    found = Strings(*sorted_distinct(as_strings(texts, [unit] * len(texts))))
    counts = Counter(texts)
    assert as_tuples(found) == sorted(counts)
    assert found.units.tolist() == [unit * counts[text] for text in sorted(counts)]


@quick(20)
@given(st.integers(0, 2**32 - 1))
def test_many_strings_with_long_beginnings_in_common(seed):
    rng = np.random.default_rng(seed)
    texts = [(1, 2, 1, 2, *rng.integers(1, 4, rng.integers(0, 9)).tolist()) for _ in range(3000)]
    assert as_tuples(Strings(*sorted_distinct(as_strings(texts)))) == sorted(set(texts))


@quick(100)
@given(STRINGS, STRINGS)
def test_cuts_are_where_strings_stop_being_smaller(texts, cuts):
    ordered, places = sorted(set(texts)), sorted(set(cuts))
    found = cut_places(as_strings(ordered), as_strings(places))
    assert found.tolist() == [sum(text < cut for text in ordered) for cut in places]


@quick(50)
@given(st.lists(STRINGS, max_size=4))
def test_parts_put_together_are_the_whole(parts):
    whole = joined([as_strings(part, range(len(part))) for part in parts])
    assert as_tuples(whole) == [text for part in parts for text in part]
    assert whole.units.tolist() == [number for part in parts for number in range(len(part))]
