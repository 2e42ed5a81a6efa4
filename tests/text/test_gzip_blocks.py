"""Gzip files in blocks: everybody reads them, and their bytes depend on nothing but the text."""

from __future__ import annotations

import gzip
import io
import random
import zlib

import pytest

from pralign.text.files import read_lines
from pralign.text.gzip_blocks import GzipBlocks


def packed(parts):
    stream = io.BytesIO()
    with GzipBlocks(stream) as file:
        for part in parts:
            assert file.write(part) == len(part)
    return stream.getvalue()


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5_000_000])
def test_what_is_written_is_read(size):
    content = random.Random(1).randbytes(size)
    assert gzip.decompress(packed([content])) == content


def test_bytes_do_not_depend_on_how_they_come():
    content = random.Random(2).randbytes(3_500_000)
    whole = packed([content])
    assert packed([content[k : k + 10_007] for k in range(0, len(content), 10_007)]) == whole
    assert packed([content[:2_900_000], content[2_900_000:]]) == whole


def test_lines_across_blocks_are_whole(tmp_path):
    lines = [f"line {number} of a text" for number in range(200_000)]
    (tmp_path / "t.gz").write_bytes(packed(f"{line}\n".encode() for line in lines))
    assert list(read_lines(tmp_path / "t.gz")) == lines


def test_a_stream_that_fails_says_so():
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            raise OSError(28, "No space left on device")

    file = GzipBlocks(Full())
    with pytest.raises(OSError, match="No space"):
        for _ in range(100):
            file.write(random.Random(3).randbytes(1 << 20))
    with pytest.raises(OSError, match="No space"):
        file.close()
    assert file.closed


def test_neither_a_name_nor_a_time_is_kept():
    member = packed([b"text"])
    assert member[3] == 0  # no name, no comment
    assert member[4:8] == bytes(4)  # no time
    assert zlib.decompressobj(31).decompress(member) == b"text"
