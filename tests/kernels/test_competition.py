"""Cells among the other cells of their words, and words letter by letter, against the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from kernels.pairs import SEEDS, cells_of, lists_of_sizes, shapes_of
from oracles.naive_likeness import longest_common_subsequence
from oracles.naive_matching import naive_rivals, naive_shares
from pralign.kernels.competition import rivals, shares
from pralign.kernels.similarity import share_of_letters

TYPES = st.sampled_from([np.float32, np.float64])
KINDS = st.sampled_from(["any", "ties", "nothing"])


def draw_values(seed, count, kind, dtype):
    rng = np.random.default_rng(seed)
    values = {"any": rng.random(count), "ties": rng.integers(0, 3, count), "nothing": np.zeros(count)}[kind]
    return values.astype(dtype)


def compare(kernel, naive, values, sizes, close):
    shapes = shapes_of(sizes)
    of_source, of_target = np.full(values.size, np.nan, np.float32), np.full(values.size, np.nan, np.float32)
    kernel(values, shapes, of_source, of_target)
    for k in range(len(sizes)):
        expected = naive(cells_of(values, shapes, k))
        for found, by_definition in zip((of_source, of_target), expected, strict=True):
            np.testing.assert_allclose(cells_of(found, shapes, k), by_definition, rtol=close, atol=0)


@quick(100)
@given(SEEDS, lists_of_sizes(least=0), KINDS, TYPES)
@example(0, [(1, 1), (1, 4), (4, 1)], "any", np.float32)
def test_shares_are_of_the_sums_of_rows_and_columns(seed, sizes, kind, dtype):
    values = draw_values(seed, shapes_of(sizes).cell_start[-1], kind, dtype)
    compare(shares, naive_shares, values, sizes, 1e-6)


@quick(100)
@given(SEEDS, lists_of_sizes(least=0), KINDS, TYPES)
@example(0, [(1, 1), (1, 4), (4, 1)], "any", np.float32)
@example(0, [(3, 3)], "ties", np.float64)
def test_rivals_are_the_best_of_the_other_cells(seed, sizes, kind, dtype):
    values = draw_values(seed, shapes_of(sizes).cell_start[-1], kind, dtype)
    compare(rivals, naive_rivals, values, sizes, 1e-7)


def test_a_cell_that_leads_has_the_second_best_as_its_rival():
    of_source, of_target = np.empty(4), np.empty(4)
    rivals(np.array([4.0, 1.0, 3.0, 2.0]), shapes_of([(2, 2)]), of_source, of_target)
    assert of_source.tolist() == [1, 4, 2, 3]
    assert of_target.tolist() == [3, 2, 4, 1]


def spelled(words):
    """The letters of all words, and where each begins."""
    codes = np.array([ord(letter) for word in words for letter in word], np.int32)
    return codes, np.cumsum([0, *(len(word) for word in words)])


VOCABULARIES = st.lists(st.text("abc", max_size=7), min_size=1, max_size=5)


@quick(200)
@given(VOCABULARIES, VOCABULARIES, SEEDS)
@example(["", "abc"], ["", "abcabca"], 0)
def test_letters_in_common_are_a_share_of_the_longer_word(source, target, seed):
    rng = np.random.default_rng(seed)
    s = rng.integers(0, len(source), 12).astype(np.int32)
    t = rng.integers(0, len(target), 12).astype(np.int32)
    found = np.full(12, np.nan, np.float32)
    share_of_letters((*spelled(source), s), (*spelled(target), t), found)
    for value, a, b in zip(found, s, t, strict=True):
        longer = max(len(source[a]), len(target[b]), 1)
        assert value == pytest.approx(longest_common_subsequence(source[a], target[b]) / longer, rel=1e-6)
