"""Dice coefficients and their table, against counting each pair of words by itself."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_matching import naive_dice
from pralign.kernels.arrays import Texts
from pralign.kernels.cooccurrence import DiceTable, dice_rows, look_up_dice
from pralign.kernels.indexing import group_by_word

WORDS = 5
SENTENCES = st.lists(st.integers(0, WORDS - 1), max_size=6)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=6)


def as_texts(pairs):
    sides = []
    for side in (0, 1):
        sides.append(np.array([word for pair in pairs for word in pair[side]], np.int32))
        sides.append(np.cumsum([0, *(len(pair[side]) for pair in pairs)]))
    return Texts(*sides)


def table_of(pairs, least, edges=(0, WORDS), words=WORDS):
    """The table, made of ranges of target words between ``edges``."""
    texts = as_texts(pairs)
    occurrences = group_by_word(texts.target, texts.target_start, words)
    counts = np.bincount(texts.source, minlength=words)
    rows = [dice_rows(texts, occurrences, counts, least, low, high) for low, high in pairwise(edges)]
    sizes, sources, values = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    assert (sources.dtype, values.dtype) == (np.int32, np.float32)
    return DiceTable(np.cumsum([0, *sizes]), sources, values)


def entries(table):
    targets = np.repeat(np.arange(table.row_start.size - 1), np.diff(table.row_start))
    return list(zip(targets.tolist(), table.source.tolist(), strict=True)), table.value.tolist()


def expected_entries(pairs, least):
    dice = naive_dice([source for source, _ in pairs], [target for _, target in pairs])
    kept = {words: value for words, value in dice.items() if value >= least}
    return list(kept), [pytest.approx(value, rel=1e-6) for value in kept.values()]


@quick(200)
@given(PAIRS, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
@example([([0, 0, 1], [2, 2, 2]), ([0], [2])], 0.0)  # in the first pair twice together, in the second once
@example([([], [1]), ([1], [])], 0.0)
@example([], 0.0)
def test_coefficients_agree_with_counting(pairs, least):
    assert entries(table_of(pairs, least)) == expected_entries(pairs, least)


@quick(100)
@given(PAIRS, st.lists(st.integers(0, WORDS), max_size=3).map(sorted))
def test_target_words_may_be_split_into_any_ranges(pairs, cuts):
    alone, together = table_of(pairs, 0.2), table_of(pairs, 0.2, [0, *cuts, WORDS])
    for one, other in zip(alone, together, strict=True):
        assert one.tolist() == other.tolist()


def test_more_coefficients_than_there_is_room_for_at_first():
    rng = np.random.default_rng(0)
    pairs = [(rng.integers(0, 60, 40).tolist(), rng.integers(0, 60, 40).tolist()) for _ in range(4)]
    table = table_of(pairs, 0.0, (0, 60), 60)
    assert table.source.size > 2048
    assert entries(table) == expected_entries(pairs, 0.0)


def test_words_that_always_occur_together_have_coefficient_one():
    table = table_of([([3, 3], [4, 4]), ([3, 1], [0, 4, 0])], 0.9)
    assert entries(table) == ([(4, 3)], [1.0])


@quick(100)
@given(PAIRS, st.sampled_from([0.0, 0.3]))
def test_what_is_in_the_table_is_found_and_nothing_else(pairs, least):
    table = table_of(pairs, least)
    known = dict(zip(*entries(table), strict=True))
    # Words beyond those of the table are words that were never seen.
    asked = list(product(range(WORDS + 2), range(WORDS + 2)))
    found = np.full(len(asked), np.nan, np.float32)
    target, source = (np.array(words, np.int32) for words in zip(*asked, strict=True))
    look_up_dice(table, source, target, found)
    assert found.tolist() == [known.get(words, 0.0) for words in asked]
