"""Reading lines and writing files whole."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, OutputError
from pralign.outputs import check_writable, open_output
from pralign.text.files import display_name, read_lines

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def compress_zst(data):
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})  # as the zstd program does


COMPRESSORS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": compress_zst}
DECOMPRESSORS = {"gz": gzip.decompress, "xz": lzma.decompress, "bz2": bz2.decompress, "zst": zstd.decompress}

# Every character that str.splitlines() or str.split() would cut at, besides the line feed, and some that it would not.
EXOTIC = "\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2028\u2029\u3000"
CHARACTERS = "ab \té既\ufeff|" + EXOTIC
SENTENCE = st.lists(st.sampled_from(CHARACTERS), max_size=6).map("".join)


def incompressible(lines):
    numbers = random.Random(7)
    return b"".join(numbers.randbytes(40).hex().encode() + b"\n" for _ in range(lines))


def open_files():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def lines_of(path, data):
    path.write_bytes(data)
    return list(read_lines(path))


# Reading


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\n\r\n", ["a", "b", ""]),
        (b"a\rb\nc\n", ["a\rb", "c"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\r", ["a"]),
        (b"\xef\xbb\xbfa\nb\n", ["a", "b"]),
        (b"\xef\xbb\xbf\nb\n", ["", "b"]),
        (b"\xef\xbb\xbf", []),
        (b"a\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        (b"\xef\xbb\xbf\xef\xbb\xbfa\n", ["\ufeffa"]),
        (b"a\x00b\n", ["a\x00b"]),
    ],
)
def test_only_a_line_feed_ends_a_line(tmp_path, data, lines):
    assert lines_of(tmp_path / "in", data) == lines


@pytest.mark.parametrize("character", EXOTIC)
def test_exotic_white_space_stays_in_its_line(tmp_path, character):
    sentence = f"a{character}b {character}"
    assert lines_of(tmp_path / "in", f"{sentence}\n{sentence}".encode()) == [sentence, sentence]


@settings(deadline=None)
@given(sentences=st.lists(SENTENCE, max_size=5), end=st.sampled_from(["\n", "\r\n"]))
def test_lines_written_are_lines_read(tmp_path_factory, sentences, end):
    path = tmp_path_factory.mktemp("lines") / "in"
    path.write_bytes("".join(sentence + end for sentence in sentences).encode())
    expected = [sentence.removeprefix("\ufeff") if k == 0 else sentence for k, sentence in enumerate(sentences)]
    assert list(read_lines(path)) == expected


@pytest.mark.parametrize("kind", COMPRESSORS)
@pytest.mark.parametrize("name", ["text.{}", "no-ending"])
def test_compression_is_told_by_content_not_by_name(tmp_path, kind, name):
    data = COMPRESSORS[kind]("un\n\ndéjà\u2028vu\n".encode())
    assert lines_of(tmp_path / name.format(kind), data) == ["un", "", "déjà\u2028vu"]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_compressed_file_of_several_parts_is_read_to_its_end(tmp_path, kind):
    compress = COMPRESSORS[kind]
    assert lines_of(tmp_path / "in", compress(b"a\nb") + compress(b"c\nd\n")) == ["a", "bc", "d"]


def test_a_plain_file_with_a_compressed_ending_is_read_as_it_is(tmp_path):
    assert lines_of(tmp_path / "in.gz", b"a\nb\n") == ["a", "b"]
    assert lines_of(tmp_path / "empty.gz", b"") == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be counted here")
@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_compressed_file_is_closed_after_reading(tmp_path, kind):
    path = tmp_path / "in"
    path.write_bytes(COMPRESSORS[kind](b"a\nb\n"))
    before = open_files()
    opened = [read_lines(path) for _ in range(3)]
    assert [next(lines) for lines in opened] == ["a"] * 3  # and dropped half-way
    for lines in opened:
        lines.close()
    assert open_files() == before


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_truncated_compressed_data_names_the_file_and_the_last_good_line(tmp_path, kind):
    data = COMPRESSORS[kind](incompressible(lines=5_000))
    path = tmp_path / "in"
    path.write_bytes(data[: len(data) // 2])
    read = []
    with pytest.raises(InputError) as caught:
        read.extend(read_lines(path))
    assert str(caught.value).startswith(f"{path}: damaged compressed data after line {len(read)} (")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_damaged_compressed_data_is_an_error(tmp_path, kind):
    data = bytearray(COMPRESSORS[kind](incompressible(lines=200)))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(InputError, match=r"^.*/in: (damaged compressed data|cannot read)"):
        lines_of(tmp_path / "in", bytes(data))


@pytest.mark.parametrize(
    ("data", "where", "byte"),
    [
        (b"ab\ncd\xe9f\n", "line 2, byte 3", "0xe9"),
        (b"\xfea\n", "line 1, byte 1", "0xfe"),
        (b"a\n\n\xc3\n", "line 3, byte 1", "0xc3"),
        (b"\xef\xbb\xbfab\xe9", "line 1, byte 6", "0xe9"),
        (b"a\xed\xa0\x80", "line 1, byte 2", "0xed"),
    ],
)
def test_what_is_not_utf8_is_named_by_line_and_byte(tmp_path, data, where, byte):
    path = tmp_path / "in"
    with pytest.raises(InputError) as caught:
        lines_of(path, data)
    assert str(caught.value).startswith(f"{path}, {where}: {byte} is not valid UTF-8; convert the file first")


def test_lines_before_the_bad_one_are_still_read(tmp_path):
    (tmp_path / "in").write_bytes(b"a\nb\n\xe9\n")
    lines = read_lines(tmp_path / "in")
    assert [next(lines), next(lines)] == ["a", "b"]
    with pytest.raises(InputError):
        next(lines)


def test_a_missing_file_and_a_directory_are_named(tmp_path):
    with pytest.raises(InputError, match=r"^.*/none: cannot read: No such file or directory$"):
        list(read_lines(tmp_path / "none"))
    with pytest.raises(InputError, match=rf"^{tmp_path}: cannot read: it is a directory$"):
        list(read_lines(tmp_path))


class Standard:
    """Stands for sys.stdin or sys.stdout."""

    def __init__(self, data=b""):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("compress", [bytes, *COMPRESSORS.values()])
def test_standard_input_is_read_like_a_file(monkeypatch, compress):
    monkeypatch.setattr(sys, "stdin", Standard(compress(b"\xef\xbb\xbfa\r\n\nb")))
    assert list(read_lines("-")) == ["a", "", "b"]


class Trickle(io.RawIOBase):
    """Gives one byte at a time, as a slow pipe may."""

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        byte = self._data.read(1)
        buffer[: len(byte)] = byte
        return len(byte)


@pytest.mark.parametrize("compress", [bytes, *COMPRESSORS.values()])
def test_standard_input_may_come_in_pieces(monkeypatch, compress):
    standard = Standard()
    standard.buffer = io.BufferedReader(Trickle(compress(b"a\nb\n")))
    monkeypatch.setattr(sys, "stdin", standard)
    assert list(read_lines("-")) == ["a", "b"]


def test_standard_input_has_a_name():
    assert display_name("-") == "standard input"
    assert display_name("a/b.txt") == "a/b.txt"


def test_bad_standard_input_is_named(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(b"\xe9"))
    with pytest.raises(InputError, match=r"^standard input, line 1, byte 1: 0xe9"):
        list(read_lines("-"))


# Writing


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_under_its_name_only_when_it_is_whole(tmp_path):
    target = tmp_path / "out"
    with open_output(target) as stream:
        stream.write("a\né\u2028\r\n")
        assert not target.exists()
    assert target.read_bytes() == "a\né\u2028\r\n".encode()
    assert names(tmp_path) == ["out"]


def test_a_file_that_was_there_is_replaced_whole(tmp_path):
    target = tmp_path / "out"
    target.write_text("old and long\n")
    with open_output(target) as stream:
        stream.write("new\n")
        stream.write("x\n" * 100_000)
        assert target.read_text() == "old and long\n"
    assert target.read_text().startswith("new\nx\n")


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, InputError])
@pytest.mark.parametrize("name", ["out", "out.gz", "out.zst"])
def test_a_failure_leaves_what_was_there(tmp_path, failure, name):
    (tmp_path / name).write_text("old\n")
    with pytest.raises(failure), open_output(tmp_path / name) as stream:
        stream.write("new\n")
        raise failure
    with pytest.raises(failure), open_output(tmp_path / f"new-{name}"):
        raise failure
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "old\n"


@pytest.mark.parametrize("kind", DECOMPRESSORS)
def test_the_ending_of_the_name_chooses_the_compression(tmp_path, kind):
    with open_output(tmp_path / f"out.{kind}") as stream:
        stream.write("a\n\né\n")
    data = (tmp_path / f"out.{kind}").read_bytes()
    assert DECOMPRESSORS[kind](data) == "a\n\né\n".encode()
    assert list(read_lines(tmp_path / f"out.{kind}")) == ["a", "", "é"]


@pytest.mark.parametrize("path", [None, "-"])
def test_standard_output(capsys, path):
    with open_output(path) as stream:
        stream.write("a\n")
    assert capsys.readouterr().out == "a\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to write to")
@pytest.mark.parametrize("size", [1, 100_000])  # the first fails when the file is closed, the second while writing
def test_no_space_left(size):
    full = r"^/dev/full: cannot write: No space left on device$"
    with pytest.raises(OutputError, match=full), open_output("/dev/full") as stream:
        stream.write("x" * size)


def test_a_device_is_written_to_not_replaced(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with open_output(fifo) as stream:
            stream.write("a\n")
        assert os.read(reader, 10) == b"a\n"
    finally:
        os.close(reader)
    assert fifo.is_fifo()


def test_outputs_that_cannot_be_are_refused_before_work_begins(tmp_path, monkeypatch):
    check_writable(None)
    check_writable("-")
    check_writable(tmp_path / "new")
    with pytest.raises(OutputError, match="is a directory; name a file to write to"):
        check_writable(tmp_path)
    with pytest.raises(OutputError, match=rf"none/out: the directory {tmp_path}/none does not exist"):
        check_writable(tmp_path / "none" / "out")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # whoever runs the tests may write everywhere
    with pytest.raises(OutputError, match=rf"^{tmp_path}/new: no permission to write in {tmp_path}$"):
        check_writable(tmp_path / "new")
    assert names(tmp_path) == []


def test_an_output_in_a_missing_directory_fails_when_opened_too(tmp_path):
    missing = r"none/out: cannot write: No such file or directory"
    with pytest.raises(OutputError, match=missing), open_output(tmp_path / "none" / "out"):
        pass
