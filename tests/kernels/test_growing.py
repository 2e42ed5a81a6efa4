"""Lists of numbers inside kernels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.growing import gathered, largest, longer, sort

NUMBERS = st.lists(st.integers(0, 50), max_size=60).map(lambda values: np.array(values, np.int32))


@quick(100)
@given(NUMBERS)
def test_sorting(values):
    expected = np.sort(values)
    sort(values)
    assert values.tolist() == expected.tolist()


@quick(100)
@given(NUMBERS, st.integers(0, 100))
def test_growing_keeps_what_is_there(values, size):
    found = longer(values, size)
    assert found.size >= max(size, values.size)
    assert found.dtype == values.dtype
    assert found[: values.size].tolist() == values.tolist()
    assert (found is values) == (size <= values.size)


@quick(100)
@given(NUMBERS)
def test_largest_and_gathered(values):
    assert largest(values) == max([0, *values.tolist()])
    places = np.arange(values.size)[::-1].copy()
    assert gathered(values, places).tolist() == values[::-1].tolist()
