"""Numbers as text, against how Python writes them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.numbers import LONGEST_NUMBER, write_number, write_units, write_whole


def written(write, value):
    text = np.full(LONGEST_NUMBER, 33, np.uint8)
    end = write(text, 2, value)
    assert text[:2].tolist() == [33, 33]
    assert set(text[end:].tolist()) <= {33}
    return text[2:end].tobytes().decode()


@quick(300)
@given(
    st.one_of(
        st.floats(0, 1),
        st.floats(0, 1e12),
        st.builds(lambda m, e: m * 10.0**e, st.floats(1, 10), st.integers(-300, 12)),
    )
)
def test_six_digits(value):
    text, expected = written(write_number, value), f"{value:g}"
    if text != expected:  # only where the seventh digit is half of the sixth, as far as a double can tell
        assert abs(Decimal(text) - Decimal(value)) <= Decimal("0.500000001") * abs(Decimal(expected).scaleb(-5))
        assert float(text) == pytest.approx(value, rel=5.1e-6)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5, 1 / 3, 0.1, 1e-4, 1e-5, 123456.0, 1234567.0, 0.00012345678, 5e-324])
def test_usual_numbers(value):
    assert written(write_number, value) == f"{value:g}"


@quick(100)
@given(st.integers(0, 2**62))
def test_whole_numbers(value):
    assert written(write_whole, value) == str(value)


@quick(100)
@given(st.integers(0, 2**38), st.integers(0, 2**24 - 1))
def test_counts_are_exact_if_they_are_whole(whole, rest):
    expected = str(whole) if rest == 0 else f"{whole + rest / 2**24:g}"
    assert written(write_units, np.int64(whole * 2**24 + rest)) == expected
