"""Turning the cells of a block from observed-major to state-major, and marking best paths."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.grids import mark_states, transpose_pairs

shapes = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=4)


def starts(sizes):
    return np.cumsum([0, *sizes])


@quick(100)
@given(shapes)
def test_each_pair_is_transposed(shapes):
    cell_start = starts(states * observed for states, observed in shapes)
    values = np.arange(cell_start[-1], dtype=np.float32)
    turned = np.empty_like(values)
    transpose_pairs(values, np.array([states for states, _ in shapes], np.int32), cell_start, turned)
    for k, (states, observed) in enumerate(shapes):
        cells = slice(cell_start[k], cell_start[k + 1])
        assert turned[cells].tolist() == values[cells].reshape(observed, states).T.ravel().tolist()


@quick(100)
@given(shapes, st.integers(0, 2**32 - 1))
def test_each_word_marks_its_state_and_null_marks_nothing(shapes, seed):
    rng = np.random.default_rng(seed)
    cell_start = starts(states * observed for states, observed in shapes)
    observed_start = starts(observed for _, observed in shapes)
    chosen = [[int(rng.integers(-1, states)) for _ in range(observed)] for states, observed in shapes]
    grid = np.zeros(cell_start[-1], np.bool_)
    flat = np.array([state for row in chosen for state in row], np.int32)
    mark_states(flat, np.array([states for states, _ in shapes], np.int32), observed_start, cell_start, grid)
    for k, (states, observed) in enumerate(shapes):
        marked = grid[cell_start[k] : cell_start[k + 1]].reshape(observed, states)
        assert marked.tolist() == [[i == state for i in range(states)] for state in chosen[k]]
