"""Files of named arrays: what is written is what is read, and nothing else is taken for it."""

from __future__ import annotations

import json
import os
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pralign.store.tensors import Streamed, TensorFileError, read_tensors, write_tensors

DTYPES = ["float64", "float32", "int64", "int32", "int8", "uint64", "uint32", "uint16", "uint8", "bool"]
SHAPES = [(), (1,), (7,), (0,), (3, 4), (0, 5), (5, 0), (2, 3, 4)]

shapes = st.lists(st.integers(0, 4), max_size=3).map(tuple)
in_a_new_place = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def some(dtype, shape, seed=0):
    raw = np.random.default_rng(seed).integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8)
    if dtype == "bool":
        return np.asarray(raw[..., 0] < 128)
    return raw.view(dtype).reshape(shape)  # any bits at all, those of NaN too


def same(one, other):
    return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


def written(path, arrays):
    path.unlink(missing_ok=True)
    write_tensors(path, arrays)
    return read_tensors(path)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_written_is_read(dtype, shape, tmp_path):
    array = some(dtype, shape)
    (name, found), *others = written(tmp_path / "file", {"an array": array}).items()
    assert name == "an array"
    assert others == []
    assert same(found, array)


@in_a_new_place
@given(st.dictionaries(st.text(max_size=6), st.tuples(st.sampled_from(DTYPES), shapes), max_size=6))
@example({})
def test_many_arrays_of_any_name_are_read_in_their_order(tmp_path, kinds):
    arrays = {name: some(dtype, shape, seed) for seed, (name, (dtype, shape)) in enumerate(kinds.items())}
    arrays.pop("__metadata__", None)
    found = written(tmp_path / "file", arrays)
    assert list(found) == list(arrays)
    assert all(same(found[name], arrays[name]) for name in arrays)


def test_some_arrays_may_be_read_alone(tmp_path):
    arrays = {name: some("int32", (3,), seed) for seed, name in enumerate("abc")}
    write_tensors(tmp_path / "file", arrays)
    found = read_tensors(tmp_path / "file", ["c", "a"])
    assert list(found) == ["c", "a"]
    assert all(same(found[name], arrays[name]) for name in found)


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_that_do_not_lie_in_one_piece_are_written_as_they_look(order, tmp_path):
    whole = np.asarray(some("float32", (6, 8)), order=order)
    for array in (whole, whole[::2, 1::3], whole.T, whole[::-1]):
        assert same(written(tmp_path / "file", {"a": array})["a"], np.ascontiguousarray(array))


@in_a_new_place
@given(st.sampled_from(DTYPES), st.lists(st.integers(0, 4), max_size=5), st.booleans())
def test_an_array_that_comes_in_parts_is_one_array(tmp_path, dtype, sizes, flat):
    parts = [some(dtype, (size,) if flat else (size, 3), seed) for seed, size in enumerate(sizes)]
    shape = (sum(sizes),) if flat else (sum(sizes), 3)
    arrays = {
        "first": some("int64", (2,)),
        "parts": Streamed(np.dtype(dtype), shape, lambda: iter(parts)),
        "last": some("bool", (3,)),
    }
    found = written(tmp_path / "file", arrays)
    assert same(found["parts"], np.concatenate([np.empty((0, *shape[1:]), dtype), *parts]))
    assert same(found["first"], arrays["first"])
    assert same(found["last"], arrays["last"])


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    (tmp_path / "file").write_text("something else")
    with pytest.raises(FileExistsError):
        write_tensors(tmp_path / "file", {})
    assert (tmp_path / "file").read_text() == "something else"


def test_other_programs_read_it(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    arrays = {f"{dtype} {shape}": some(dtype, shape) for dtype in DTYPES for shape in SHAPES}
    write_tensors(tmp_path / "file", arrays)
    found = safetensors.load_file(tmp_path / "file")
    assert found.keys() == arrays.keys()
    assert all(same(found[name], arrays[name]) for name in arrays)


def test_what_other_programs_write_is_read(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    arrays = {f"{dtype} {shape}": some(dtype, shape) for dtype in DTYPES for shape in SHAPES}
    safetensors.save_file(arrays, tmp_path / "file", {"format": "some words"})
    found = read_tensors(tmp_path / "file")
    assert found.keys() == arrays.keys()
    assert all(same(found[name], arrays[name]) for name in arrays)


@pytest.mark.skipif(os.name != "posix", reason="there are no such permissions")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_may_be_read_by_those_who_may_read_new_files(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_tensors(tmp_path / "file", {"a": np.zeros(3)})
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~mask


# Damage

ARRAYS = {"one": some("float32", (3, 2)), "two": some("int64", (4,)), "none": some("uint8", (0,))}


@pytest.fixture
def whole(tmp_path):
    write_tensors(tmp_path / "whole", ARRAYS)
    return (tmp_path / "whole").read_bytes()


def test_no_part_of_a_file_is_taken_for_a_file(whole, tmp_path):
    for size in range(len(whole)):
        (tmp_path / "part").write_bytes(whole[:size])
        with pytest.raises(TensorFileError):
            read_tensors(tmp_path / "part")


def with_header(header, data=b"\0" * 64):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(**changes):
    return {"a": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]} | changes}


DAMAGED = {
    "nothing": b"",
    "words": b"this is not a file of arrays, but it is long enough to be one",
    "zeros": bytes(100),
    "a header as long as anything": struct.pack("<Q", 2**63) + b"{}",
    "a list": with_header([]),
    "a word": with_header("word"),
    "a number": with_header(b"12"),
    "no JSON": with_header(b"{no json}"),
    "no text": with_header(b"\xff\xfe\xfd\xfc"),
    "deep JSON": with_header(b"[" * 100_000),
    "an entry that is none": with_header({"a": 7}),
    "an empty entry": with_header({"a": {}}),
    "an unknown type": with_header(entry(dtype="I128")),
    "a type that is no word": with_header(entry(dtype=[1])),
    "one offset": with_header(entry(data_offsets=[0])),
    "offsets past the end": with_header(entry(shape=[20], data_offsets=[0, 160])),
    "offsets before the beginning": with_header(entry(data_offsets=[-8, 8])),
    "offsets the wrong way round": with_header(entry(data_offsets=[16, 0])),
    "offsets for fewer numbers": with_header(entry(shape=[3])),
    "offsets that are words": with_header(entry(data_offsets=["0", "16"])),
    "a shape that is nothing": with_header(entry(shape=None)),
    "a shape of words": with_header(entry(shape=["2"])),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_are_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(TensorFileError):
        read_tensors(tmp_path / "file")


ODD = {
    "offsets that are fractions": with_header(entry(data_offsets=[0.0, 16.0])),
    "a shape of fractions": with_header(entry(shape=[2.0])),
    "a shape below zero": with_header(entry(shape=[-1, -2])),
    "a shape without end": with_header(b'{"a":{"dtype":"I64","shape":[Infinity],"data_offsets":[0,16]}}'),
}


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
def test_files_with_numbers_that_cannot_be_are_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(TensorFileError):
        read_tensors(tmp_path / "file")


@in_a_new_place
@given(st.data())
def test_a_changed_byte_of_the_header_is_refused_or_changes_names_and_numbers_only(tmp_path, data):
    path = tmp_path / "changed"
    path.unlink(missing_ok=True)
    write_tensors(path, ARRAYS)
    content = bytearray(path.read_bytes())
    end = 8 + struct.unpack("<Q", content[:8])[0]
    content[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        found = read_tensors(path)
    except TensorFileError:
        return
    assert all(isinstance(array, np.ndarray) for array in found.values())


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_tensors(tmp_path / "nowhere")
