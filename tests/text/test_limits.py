"""Lines and compressed files have a size that they may not exceed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zlib

import pytest

from pralign.errors import InputError, UsageError
from pralign.links.files import AlignmentFile
from pralign.memory import memory_of_process
from pralign.text.bitext import Bitext
from pralign.text.files import LONGEST_LINE, line_limit, lines_up_to, read_lines

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstd.compress}
ALL = {"plain": bytes, **COMPRESSORS}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "in"

    def write(data):
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize("compress", ALL.values(), ids=ALL)
def test_a_line_has_at_most_so_many_bytes(file, compress):
    path = file(compress(b"ab\n" + b"c" * 99 + b"\nd"))
    assert list(read_lines(path, 100)) == ["ab", "c" * 99, "d"]
    lines = read_lines(path, 99)
    assert next(lines) == "ab"
    with pytest.raises(InputError) as caught:
        next(lines)
    assert str(caught.value) == (
        f"{path}, line 2: longer than 99 bytes; if that is meant, allow more by --max-line, such as --max-line 1M"
    )


@pytest.mark.parametrize("compress", ALL.values(), ids=ALL)
def test_the_last_line_has_no_end_and_a_limit_all_the_same(file, compress):
    with pytest.raises(InputError, match=r"line 1: longer than 50 bytes"):
        list(read_lines(file(compress(b"a" * 51)), 50))
    assert list(read_lines(file(compress(b"a" * 50)), 50)) == ["a" * 50]


def test_the_limit_is_16_mebibytes_unless_said_otherwise(file):
    assert line_limit() == LONGEST_LINE == 1 << 24
    path = file(zstd.compress(b"a" * (1 << 24) + b"\n"))
    before = memory_of_process()
    with pytest.raises(InputError, match=r"line 1: longer than 16,777,216 bytes; .* --max-line 67M"):
        list(read_lines(path))
    assert memory_of_process() - before < 200_000_000
    with lines_up_to("17M"):
        assert [len(line) for line in read_lines(path)] == [1 << 24]


@pytest.mark.parametrize("kind", ["xz", "bz2", "zst"])
def test_a_file_that_grows_beyond_what_text_does_is_refused(file, kind):
    data = b"a b c d\n" * 400_000
    path = file(COMPRESSORS[kind](data))
    size, read = path.stat().st_size, []
    with pytest.raises(InputError) as caught:
        read.extend(read_lines(path, 100))
    assert 1000 * size + 6400 - 8 <= 8 * len(read) <= 1000 * size + 6400
    assert str(caught.value) == (
        f"{path}, line {len(read) + 1}: {size:,} compressed bytes have become {8 * len(read) + 8:,}, which is more "
        "than text does; if that is meant, allow more by --max-line, such as --max-line 1M"
    )
    with lines_up_to("1M"):
        assert sum(1 for _ in read_lines(path)) == 400_000


def test_plain_files_may_be_as_large_as_they_are(file):
    assert sum(1 for _ in read_lines(file(b"a\n" * 50_000), 10)) == 50_000


def large_dictionary(data):
    """A file of xz that says it needs 4 GiB of memory to unpack."""
    packed = bytearray(lzma.compress(data, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]))
    size = 4 * (packed[12] + 1)
    assert packed[14:16] == b"\x21\x01"
    packed[16] = 40
    packed[12 + size - 4 : 12 + size] = zlib.crc32(packed[12 : 12 + size - 4]).to_bytes(4, "little")
    return bytes(packed)


def large_window(data, log):
    """A file of zstd that says it needs so large a window, a power of two."""
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(log - 10) << 3]) + (len(data) << 3 | 1).to_bytes(3, "little") + data


@pytest.mark.parametrize("data", [large_dictionary(b"a\n"), large_window(b"a\n", 31)], ids=["xz", "zst"])
def test_what_asks_for_gigabytes_to_be_unpacked_is_refused(file, data):
    with pytest.raises(InputError) as caught:
        list(read_lines(file(data)))
    assert "/in: takes more than 134,217,728 bytes of memory to unpack; if that is meant, allow more by" in str(
        caught.value
    )


def test_the_usual_settings_of_compressors_are_fine_with_any_limit(file):
    assert list(read_lines(file(lzma.compress(b"a\n", preset=9)), 10)) == ["a"]
    assert list(read_lines(file(large_window(b"a\n", 27)), 10)) == ["a"]
    with lines_up_to("64M"):
        assert list(read_lines(file(large_window(b"a\n", 28)))) == ["a"]


def test_files_of_xz_may_follow_each_other_with_zeros_between_and_nothing_else(file):
    one = lzma.compress(b"a\n")
    assert list(read_lines(file(one + bytes(8) + one + bytes(4)))) == ["a", "a"]
    with pytest.raises(InputError, match=r"damaged compressed data after line 1 "):
        list(read_lines(file(one + b"something else")))


class Standard:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("compress", ALL.values(), ids=ALL)
def test_standard_input_has_the_same_limits(monkeypatch, compress):
    monkeypatch.setattr(sys, "stdin", Standard(compress(b"a" * 51)))
    with pytest.raises(InputError, match=r"^standard input, line 1: longer than 50 bytes"):
        list(read_lines("-", 50))


def test_a_pipe_has_the_same_limits(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"a\n" + b"b" * 51))
    writer.start()
    with pytest.raises(InputError, match=r"/pipe, line 2: longer than 50 bytes"):
        list(read_lines(pipe, 50))
    writer.join()


def test_standard_input_that_is_closed_is_named(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"^standard input: cannot read: it is closed$"):
        list(read_lines("-"))


@pytest.mark.parametrize("size", ["0", "0.1", "much", "-1", "9" * 30 + "T"])
def test_what_is_no_size_of_a_line_is_refused(size):
    with pytest.raises(UsageError), lines_up_to(size):
        pass
    assert line_limit() == LONGEST_LINE


def test_the_limit_is_that_of_where_a_text_was_opened(file, tmp_path):
    path = file(b"a\tb" + b" " * 100)
    links = tmp_path / "links"
    links.write_bytes(b"0-0" + b" " * 100)
    with lines_up_to(50):
        bitext = Bitext.read(path)
        with pytest.raises(InputError, match=r"longer than 50 bytes"):
            AlignmentFile(links)
        alignments = AlignmentFile(links, "pharaoh")
    with pytest.raises(InputError, match=r"longer than 50 bytes"):
        list(bitext)
    with pytest.raises(InputError, match=r"longer than 50 bytes"):
        list(alignments)
    assert len(list(Bitext.read(path))) == len(list(AlignmentFile(links))) == 1


@pytest.mark.parametrize("name", ["n" * 300, "a\0b"])
def test_names_that_no_file_can_have_are_named(name):
    for read in (read_lines, Bitext.read, lambda path: AlignmentFile(path, "pharaoh")):
        with pytest.raises(InputError, match=f"^{name}: cannot read: "):
            list(read(name))
