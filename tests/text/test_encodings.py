"""Text in UTF-16, and what is told of text in other encodings."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.text.encodings import has_utf16_mark, unmarked_kind, utf8_of
from pralign.text.files import lines_up_to, read_lines
from pralign.text.kinds import other_kind

ORDERS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
both_orders = pytest.mark.parametrize(("mark", "encoding"), ORDERS.items(), ids=ORDERS.values())


class Drops(io.RawIOBase):
    """Gives few bytes at a time."""

    def __init__(self, data, size):
        self._data, self._size = io.BytesIO(data), size

    def readable(self):
        return True

    def readinto(self, buffer):
        data = self._data.read(min(self._size, len(buffer)))
        buffer[: len(data)] = data
        return len(data)


@both_orders
@settings(deadline=None)
@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30), size=st.integers(1, 7), cut=st.integers(2, 9)
)
def test_utf16_becomes_the_same_text_however_it_comes(mark, encoding, text, size, cut):
    data = mark + text.encode(encoding)
    assert utf8_of(data[:cut], io.BufferedReader(Drops(data[cut:], size), 1)).read() == text.encode()


@both_orders
def test_lines_of_utf16_are_lines(tmp_path, mark, encoding):
    text = "the café\r\n\nle 家 🙂 \u0a0a\u0d0a b"
    for data in (mark + text.encode(encoding), gzip.compress(mark + text.encode(encoding))):
        (tmp_path / "in").write_bytes(data)
        assert list(read_lines(tmp_path / "in")) == ["the café", "", "le 家 🙂 \u0a0a\u0d0a b"]
    (tmp_path / "in").write_bytes(mark)
    assert list(read_lines(tmp_path / "in")) == []


@both_orders
@pytest.mark.parametrize("wrong", [b"\xd8\x00\x00a", b"\xdc\x00", b"a"])
def test_what_is_no_utf16_is_named_with_its_line(tmp_path, mark, encoding, wrong):
    wrong = (
        wrong
        if encoding.endswith("be") or len(wrong) % 2
        else b"".join(wrong[k : k + 2][::-1] for k in range(0, len(wrong), 2))
    )
    (tmp_path / "in").write_bytes(mark + ("a\n" * 3).encode(encoding) + wrong)
    lines = read_lines(tmp_path / "in")
    assert [next(lines) for _ in range(3)] == ["a"] * 3
    with pytest.raises(InputError, match=r"/in, line 4: is no UTF-16, though the file begins like it; save"):
        next(lines)


def test_lines_of_utf16_are_bounded_too(tmp_path):
    (tmp_path / "in").write_bytes(("ab\n" + "x" * 200 + "\n").encode("utf-16"))
    with lines_up_to(100), pytest.raises(InputError, match="line 2: longer than 100 bytes"):
        list(read_lines(tmp_path / "in"))


def test_only_the_marks_of_utf16_are_its_marks():
    assert has_utf16_mark(b"\xff\xfea\0")
    assert has_utf16_mark(b"\xfe\xff\0a")
    assert not has_utf16_mark(b"\xff\xfe\0\0a\0\0\0")
    assert not has_utf16_mark(b"\xff")
    assert not has_utf16_mark(b"")


TEXTS = ["the cat sleeps", "Привет мир и ещё раз", "η γάτα κοιμάται", "a\tb\tc\td", "नमस्ते दुनिया मेरा नाम"]


@pytest.mark.parametrize("text", TEXTS)
def test_unicode_without_a_mark_is_told_from_utf8(text):
    assert unmarked_kind(text.encode()) is None
    assert "UTF-16 (little-endian)" in unmarked_kind(text.encode("utf-16-le"))
    assert "iconv -f UTF-16BE -t UTF-8" in unmarked_kind(text.encode("utf-16-be"))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf32_is_told(encoding):
    assert "iconv -f UTF-32" in unmarked_kind("the cat".encode(encoding))


@pytest.mark.parametrize("data", [b"", b"a", b"\0", b"a\0b", b"\t\t\t\t", b"a\0b c\n", b"\x1b[31m red", b"\r\r\r\r"])
def test_a_zero_here_and_there_makes_no_utf16(data):
    assert unmarked_kind(data) is None


def archive(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"[Content_Types].xml": "", "word/document.xml": ""}, "a Word document (.docx)"),
        ({"xl/workbook.xml": ""}, "an Excel table (.xlsx)"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "an OpenDocument text (.odt)"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet-template"}, "an OpenDocument table (.ods)"),
        ({"mimetype": "text/plain"}, "a zip archive of 'mimetype'"),
        ({"d/": "", "d/a.txt": "", "b.txt": ""}, "a zip archive of 'd/a.txt' and 1 more"),
        ({}, None),
    ],
)
def test_archives_are_told_by_what_they_hold(tmp_path, members, kind):
    (tmp_path / "in").write_bytes(archive(**members))
    found = other_kind((tmp_path / "in").read_bytes()[:100], tmp_path / "in")
    assert found is None if kind is None else found.startswith(f"this is {kind}, not text; ")


def test_archives_that_cannot_be_looked_into_are_still_told(tmp_path):
    data = archive(**{"word/document.xml": "x"})
    (tmp_path / "in").write_bytes(data[:40])
    for path in (tmp_path / "in", tmp_path / "none", "-"):
        assert other_kind(data[:40], path) == "this is a zip archive, not text; unpack it first"
    name = "a" * 50_000
    (tmp_path / "in").write_bytes(archive(**{name: "x"}))
    assert len(other_kind(data[:40], tmp_path / "in")) < 200


@pytest.mark.parametrize("data", [b"a b\rc d\re f\r", b"a\rb", "à\r\rb".encode(), b"\xef\xbb\xbfa\rb\r"])
def test_line_ends_of_old_macs_are_told(tmp_path, data):
    (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError, match=r"/in: lines end with \\r alone, as on old Macs; convert them first: tr"):
        list(read_lines(tmp_path / "in"))


def test_line_ends_of_old_macs_are_told_before_the_length_of_the_line(tmp_path):
    (tmp_path / "in").write_bytes(b"a cat\r" * 100)
    with lines_up_to(100), pytest.raises(InputError, match="as on old Macs"):
        list(read_lines(tmp_path / "in"))
    (tmp_path / "in").write_bytes(b"a cat\r" * 20 + b"\n")
    with pytest.raises(InputError, match="as on old Macs"):
        list(read_lines(tmp_path / "in"))
