"""Samples of texts: even, whole where the text is small, and the same for every way to read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.runs.planning.sampling import NumberedSample, draw
from pralign.text.normalisation import Normalisation


def numbered_pairs(count: int) -> list[tuple[str, str]]:
    return [(f"a{number} b", f"c{number}") for number in range(count)]


def numbers(sample) -> list[int]:
    return [int(source.split()[0][1:]) for source, _ in sample.drawn]


def test_a_small_text_is_its_own_sample():
    pairs = numbered_pairs(100)
    sample = draw(pairs, most_cells=10**6, stretch=7)
    assert sample.pairs == 100
    assert sample.drawn == pairs
    assert [len(stretch) for stretch in sample.stretches] == [7] * 14 + [2]


def test_no_text_is_no_sample():
    assert draw([]).pairs == 0
    assert draw(iter([])).stretches == ()


@given(st.integers(0, 3000), st.integers(1, 40), st.integers(1, 2000))
def test_stretches_are_evenly_spread_and_few_enough(count, stretch, most_cells):
    sample = draw(iter(numbered_pairs(count)), most_cells, stretch)
    assert sample.pairs == count
    starts = [int(part[0][0].split()[0][1:]) for part in sample.stretches]
    steps = set(np.diff(starts).tolist())
    assert len(steps) <= 1
    assert all(step % stretch == 0 for step in steps)
    if count:
        assert starts[0] == 0
        assert count - starts[-1] <= (steps or {count}).pop()
    for part, start in zip(sample.stretches, starts, strict=True):
        assert [int(source.split()[0][1:]) for source, _ in part] == list(range(start, start + len(part)))
    cells = 2 * len(sample.drawn)
    assert cells <= max(most_cells, 2 * stretch) + 2 * stretch or len(sample.stretches) == 1
    assert len(sample.drawn) == count or cells >= most_cells // 2 - 2 * stretch


def test_words_may_be_given_as_lists():
    sample = draw([(["a", "b"], ["c"])] * 50, most_cells=24, stretch=3)
    assert sample == draw([(["a", "b"], ["c"])] * 50, most_cells=24, stretch=3)
    assert [len(stretch) for stretch in sample.stretches] == [
        len(stretch) for stretch in draw([("a b", "c")] * 50, most_cells=24, stretch=3).stretches
    ]


def test_pairs_that_cannot_be_trained_on_are_left_out_of_trials():
    pairs = [("a b", "c"), ("", "x"), ("a " * 9, "c"), ("d", "e"), ("f", " ")]
    sample = draw(pairs, stretch=2)
    numbered = NumberedSample.of(sample, Normalisation(), longest=8)
    assert numbered.trained.tolist() == [True, False, False, True, False]
    assert numbered.learnable(sample).stretches == ((("a b", "c"),), (("d", "e"),))
    assert numbered.learnable(sample).pairs == 5
    assert numbered.cells.tolist() == [2, 0, 9, 1, 0]


def test_errors_while_reading_come_through():
    def broken():
        yield from numbered_pairs(5)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        draw(broken(), stretch=2)
