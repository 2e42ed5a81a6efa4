"""Arrays, checked against their schema."""

from __future__ import annotations

import numpy as np
import pytest

from pralign.schema import ArrayError, arrays
from pralign.schema.arrays import (
    Array,
    Facts,
    adding_up_to,
    ascending,
    between,
    check_arrays,
    indices,
    parts_of,
    starts,
)


def complaint(array, declared, sizes=None, **others):
    """What is said of an array, if anything."""
    schema = {**{name: Array() for name in others}, "it": declared}
    try:
        check_arrays({**others, "it": array}, schema, {} if sizes is None else sizes)
    except ArrayError as error:
        return str(error)
    return None


def test_types_and_shapes():
    declared = Array("float32", ("rows", 2))
    good = np.zeros((3, 2), np.float32)
    sizes = {}
    assert complaint(good, declared, sizes) is None
    assert sizes == {"rows": 3}
    assert complaint(good.astype(float), declared) == "the array it is of type float64, not float32"
    assert complaint(good[0], declared) == "the array it has 1 dimensions, not 2"
    assert complaint(good, declared, {"rows": 4}).endswith("3 by 2, where 3 should be the number of rows (4)")
    assert complaint(np.zeros((3, 1), np.float32), declared).endswith("3 by 1, where 1 should be 2")
    assert complaint(np.zeros(0), Array("float64", ("rows + 1",))) is not None
    assert complaint(np.zeros(1), Array("float64", ("rows + 1",)), sizes := {}) is None
    assert sizes == {"rows": 0}


def test_sizes_of_one_name_are_the_same():
    schema = {"start": Array("int64", ("rows + 1",)), "end": Array("int64", ("rows",))}
    check_arrays({"start": np.zeros(4, int), "end": np.zeros(3, int)}, schema, {})
    with pytest.raises(ArrayError, match="the array end has the shape 4, where 4 should be the number of rows"):
        check_arrays({"start": np.zeros(4, int), "end": np.zeros(4, int)}, schema, {})


def test_names():
    with pytest.raises(ArrayError, match=r"^the array a\\x1bb is not one that this version of pralign knows"):
        check_arrays({"it": np.zeros(1), "a\x1bb": np.zeros(1)}, {"it": Array()}, {})
    with pytest.raises(ArrayError, match="the array it is missing"):
        check_arrays({}, {"it": Array()}, {})
    check_arrays({}, {"it": Array(optional=True)}, {})
    assert str(ArrayError("weights", "is odd").inside("forward.")) == "the array forward.weights is odd"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_are_finite(value):
    for size, place in ((1, 0), (1000, 999)):
        array = np.zeros(size, np.float32)
        array[place] = value
        assert complaint(array, Array()) == "the array it has values that are not finite numbers"
        allowed = complaint(array, Array(infinite=True))
        assert (allowed is None) == (not np.isnan(value))


def test_truth_is_a_bit():
    assert complaint(np.array([0, 1], np.uint8).view(np.bool_), Array("bool", (2,))) is None
    assert complaint(np.array([0, 2], np.uint8).view(np.bool_), Array("bool", (2,))) is not None


def test_ranges_include_their_ends():
    for array in ([0.0, 1.0], [], [0.5]):
        assert complaint(np.array(array), Array(checks=(between(0, 1),))) is None
    for array in ([0.0, 1.0000001], [-1e-300], [2.0]):
        assert complaint(np.array(array), Array(checks=(between(0, 1),))).endswith("not from 0 to 1")


def test_indices_lie_below_a_size():
    check = Array(checks=(indices("words", least=-1),))
    assert complaint(np.array([-1, 0, 4]), check, {"words": 5}) is None
    assert complaint(np.empty(0, int), check, {"words": 0}) is None
    for wrong in ([5], [-2]):
        assert complaint(np.array(wrong), check, {"words": 5}).endswith("to below the number of words (5)")


def test_an_empty_array_may_be_allowed():
    declared = Array("float64", (3,), (between(1, 2),), or_empty=True)
    assert complaint(np.empty(0), declared) is None
    assert complaint(np.ones(3), declared) is None
    assert complaint(np.zeros(3), declared) is not None
    assert complaint(np.empty((0, 2)), declared) is not None


def test_sums_of_counts_are_bounded():
    check = Array(checks=(adding_up_to(10),))
    assert complaint(np.array([4, 6]), check) is None
    for wrong in ([5, 6], [-1, 2], [2**62, 2**62, 2**62, 2**62]):
        assert complaint(np.array(wrong), check) is not None


@pytest.fixture(params=[3, 1 << 20])
def part_size(request, monkeypatch):
    """Arrays that are looked at in parts of this size."""
    monkeypatch.setattr(arrays, "_AT_ONCE", request.param)
    return request.param


@pytest.mark.usefixtures("part_size")
def test_starts_never_fall():
    random = np.random.default_rng(3)
    check = starts("cells")
    for _ in range(300):
        array = random.integers(0, 6, random.integers(0, 12))
        if random.random() < 0.7:
            array = np.sort(array)
        if array.size and random.random() < 0.8:
            array[0], array[-1] = 0, 5
        right = (
            array.size > 0
            and array[0] == 0
            and array[-1] == 5
            and all(array[k] <= array[k + 1] for k in range(array.size - 1))
        )
        assert (check(array, Facts({}, {"cells": 5})) is None) == right


@pytest.mark.usefixtures("part_size")
def test_rows_rise():
    random = np.random.default_rng(4)
    seen = set()
    for _ in range(1000):
        sizes = random.integers(0, 4, 5)
        begin = np.concatenate([[0], np.cumsum(sizes)])
        rows = [np.sort(random.choice(12, size, replace=False)) for size in sizes]
        if random.random() < 0.5:
            row = rows[random.integers(5)]
            if row.size:
                row[random.integers(row.size)] = random.integers(12)
        array = np.concatenate(rows).astype(np.int32)
        right = all(row[k] < row[k + 1] for row in rows for k in range(row.size - 1))
        assert (ascending("begin")(array, Facts({"begin": begin}, {})) is None) == right
        whole = all(array[k] < array[k + 1] for k in range(array.size - 1))
        assert (ascending()(array, Facts({}, {})) is None) == whole
        seen.add(right)
    assert seen == {True, False}


def test_parts_follow_each_other(part_size):
    array = np.arange(10)
    parts = list(parts_of(array, array + 1))
    assert np.array_equal(np.concatenate([part for part, _ in parts]), array)
    assert np.array_equal(np.concatenate([part for _, part in parts]), array + 1)
    assert all(part.size <= part_size for part, _ in parts)
