"""Files of named arrays in the format of safetensors, written without a second copy in memory."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

_NAMES = {
    "float64": "F64",
    "float32": "F32",
    "int64": "I64",
    "int32": "I32",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "BOOL",
}
_TYPES = {name: np.dtype(kind) for kind, name in _NAMES.items()}
_HEADER_MOST = 1 << 24
_DIMENSIONS_MOST = 8


class TensorFileError(Exception):
    """A file that is not one of named arrays, or is damaged."""


@dataclass(frozen=True)
class Streamed:
    """An array that comes in parts, so that it never is in memory as a whole.

    Attributes:
        dtype: The type of its numbers.
        shape: Its shape.
        parts: Gives the parts, which follow each other along the first axis.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    parts: Callable[[], Iterable[NDArray[Any]]]


def write_tensors(path: Path, arrays: Mapping[str, NDArray[Any] | Streamed]) -> None:
    """Write arrays to a new file."""
    with path.open("xb") as stream:
        write_stream(stream, arrays)


def write_stream(stream: BinaryIO, arrays: Mapping[str, NDArray[Any] | Streamed]) -> None:
    """Write arrays to a stream."""
    _write_header(stream, arrays)
    for array in arrays.values():
        for part in array.parts() if isinstance(array, Streamed) else [array]:
            if part.size:
                stream.write(_bytes_of(np.ascontiguousarray(part)))


def _write_header(stream: BinaryIO, arrays: Mapping[str, NDArray[Any] | Streamed]) -> None:
    """Write the types and shapes of the arrays that are to follow, in their order, one after the other."""
    header: dict[str, Any] = {}
    offset = 0
    for name, array in arrays.items():
        size = int(np.prod(array.shape, dtype=np.int64)) * array.dtype.itemsize
        header[name] = {
            "dtype": _NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)


def read_tensors(path: Path, wanted: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file, or some of them.

    Raises:
        TensorFileError: The file is damaged.
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        return read_stream(stream, wanted)


def read_stream(stream: BufferedIOBase, wanted: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Read the arrays of a stream at its beginning, or some of them, as :func:`read_tensors` does."""
    header, begin = _read_header(stream)
    names = list(header) if wanted is None else list(wanted)
    return {name: _read_array(stream, begin, _entry(header, name)) for name in names}


def read_rows(stream: BufferedIOBase, rows: Mapping[str, slice]) -> dict[str, NDArray[Any]]:
    """Read rows that follow each other of some arrays of a stream at its beginning, as :func:`read_tensors` does."""
    header, begin = _read_header(stream)
    found = {}
    for name, part in rows.items():
        entry = _entry(header, name)
        size, *others = entry["shape"]
        first, last, _ = part.indices(size)
        row = math.prod(others) * _TYPES[entry["dtype"]].itemsize
        offset = entry["data_offsets"][0]
        cut = {"data_offsets": [offset + first * row, offset + last * row], "shape": [last - first, *others]}
        found[name] = _read_array(stream, begin, {**entry, **cut})
    return found


def _entry(header: dict[str, Any], name: str) -> Mapping[str, Any]:
    if name not in header:
        raise TensorFileError(f"it has no array called {name}")
    found: Mapping[str, Any] = header[name]
    return found


def parse_tensors(content: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """The arrays of a file that was read whole, as parts of what was read.

    Raises:
        TensorFileError: The file is damaged.
    """
    length = _header_length(content[:8].tobytes(), content.size)
    begin = 8 + length
    header = _parse_header(content[8:begin].tobytes(), content.size)
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        array = content[begin + first : begin + last].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])
        arrays[name] = array if array.flags.aligned else array.copy()
    return arrays


def _read_header(stream: BufferedIOBase) -> tuple[dict[str, Any], int]:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    length = _header_length(stream.read(8), size)
    return _parse_header(stream.read(length), size), 8 + length


def _header_length(head: bytes, size: int) -> int:
    length = int.from_bytes(head, "little")
    if not 2 <= length <= min(size - 8, _HEADER_MOST):
        raise TensorFileError("its header is damaged")
    return length


def _parse_header(text: bytes, size: int) -> dict[str, Any]:
    """The types, shapes and places of the arrays of a file of ``size`` bytes, all of them within it."""
    try:
        header: dict[str, Any] = json.loads(text)
        header.pop("__metadata__", None)
        for entry in header.values():
            first, last = entry["data_offsets"]
            if not all(type(number) is int and 0 <= number <= size for number in (first, last, *entry["shape"])):
                raise TensorFileError("its header is damaged")
            bytes_of_one = _TYPES[entry["dtype"]].itemsize
            count = math.prod(entry["shape"])
            if len(entry["shape"]) > _DIMENSIONS_MOST:
                raise TensorFileError("its header is damaged")
            if not 0 <= first <= last <= size - 8 - len(text) or last - first != count * bytes_of_one:
                raise TensorFileError("an array is longer than the file")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise TensorFileError("its header is damaged") from error
    return header


def _read_array(stream: BufferedIOBase, begin: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    first, last = entry["data_offsets"]
    try:
        array = np.empty(entry["shape"], _TYPES[entry["dtype"]])
        stream.seek(begin + first)
    except (ValueError, TypeError, OverflowError) as error:  # lengths below zero, or with fractions
        raise TensorFileError("its header is damaged") from error
    if array.size and stream.readinto(_bytes_of(array)) != last - first:
        raise TensorFileError("it ends too early")
    return array


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return memoryview(array.data).cast("B")
