"""Files made to harm whoever reads them: each is refused by name, soon, and without much memory. Nothing is fetched."""

from __future__ import annotations

import gzip
import lzma
import os
import socket
import sys

import pytest

from .apart import read_apart

pytestmark = pytest.mark.slow

pytest.importorskip("resource")

# A reader takes some 60 MB before it reads anything, most of which is Python.
PEAK = 120 << 20
MANY = 40
MEGABYTE = 1 << 20


def repeated(head, piece, tail=b"", megabytes=MANY):
    """A file of so many megabytes, most of which are the same."""
    yield head
    block = piece * (MEGABYTE // len(piece) + 1)
    for _ in range(megabytes):
        yield block
    yield tail


def numbered(pattern):
    yield b"<tmx>"
    for block in range(300):
        yield b"".join(pattern % number for number in range(1000 * block, 1000 * (block + 1)))


def laughs(used):
    """Each entity is ten of the one before it."""
    entities = b"".join(b"<!ENTITY l%d '%s'>" % (k, b"&l%d;" % (k - 1) * 10) for k in range(1, 12))
    yield b"<!DOCTYPE tmx [<!ENTITY l0 'ha'>%s]><tmx><tu><tuv><seg%s</seg></tuv></tu></tmx>" % (entities, used)


SEGMENT = b"<tmx><tu><tuv xml:lang='en'><seg>"
BOMBS = {
    "a billion laughs": (lambda: laughs(b">&l11;"), "(<!ENTITY ...>) are not read"),
    "a billion laughs in an attribute": (lambda: laughs(b" x='&l11;'>"), "(<!ENTITY ...>) are not read"),
    "one large entity again and again": (
        lambda: [b"<!DOCTYPE tmx [<!ENTITY x '%s'>]>%s" % (b"x" * 100_000, SEGMENT), b"&x;" * 100_000],
        "(<!ENTITY ...>) are not read",
    ),
    "a large default of an attribute": (
        lambda: [b"<!DOCTYPE tmx [<!ATTLIST a x CDATA '%s'>]><tmx>" % (b"x" * 100_000), b"<a/>" * 100_000, b"</tmx>"],
        "amplification",
    ),
    "a large document type": (lambda: repeated(b"<!DOCTYPE tmx [", b"<!ELEMENT a ANY> ", b"]><tmx/>"), "declaration"),
    "depth": (lambda: repeated(b"", b"<a>", megabytes=3), "nested more than 256 deep"),
    "depth in a segment": (lambda: repeated(SEGMENT, b"<hi>", megabytes=4), "nested more than 256 deep"),
    "a large attribute": (lambda: repeated(b"<tmx a='", b"word ", b"'/>"), "a tag, comment, CDATA section"),
    "many attributes": (lambda: numbered(b"<a x%d=''/>"), "more than 10,000 names"),
    "a tag of many attributes": (
        lambda: [b"<tmx", *(b" x%d=''" % number for number in range(3_000_000)), b"/>"],
        "a tag, comment, CDATA section",
    ),
    "many elements": (lambda: numbered(b"<x%d/>"), "more than 10,000 names"),
    "many namespaces": (lambda: numbered(b"<a xmlns:x='urn:%d'/>"), "more than 10,000 names"),
    "many instructions": (lambda: numbered(b"<?x%d ?>"), "more than 10,000 names"),
    "a large name": (lambda: repeated(b"<", b"a"), "a tag, comment, CDATA section"),
    "a large comment": (lambda: repeated(b"<tmx><!--", b"word "), "a tag, comment, CDATA section"),
    "a large instruction": (lambda: repeated(b"<tmx><?x ", b"word "), "a tag, comment, CDATA section"),
    "a large CDATA section": (lambda: repeated(SEGMENT + b"<![CDATA[", b"word "), "a tag, comment, CDATA section"),
    "a large text": (lambda: repeated(SEGMENT, b"word "), "unit 1 has 16,"),
    "a large text of references": (lambda: repeated(SEGMENT, b"&#233;"), "unit 1 has 16,"),
    "a large code": (lambda: repeated(SEGMENT + b"<ph>", b"word "), "unit 1 has 16,"),
    "a unit of many texts": (
        lambda: repeated(b"<tmx><tu>", b"<tuv xml:lang='en'><seg>a</seg></tuv>"),
        "unit 1 has more than 10,000 texts",
    ),
    "a unit of many elements": (lambda: repeated(b"<tmx><tu>", b"<prop/>"), "unit 1 has 16,"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_little_memory(tmp_path, name):
    make, message = BOMBS[name]
    path = tmp_path / "bomb.tmx"
    with path.open("wb") as stream:
        stream.writelines(make())
    pairs, error, peak = read_apart(path, "en,fr")
    assert pairs == 0
    assert error is not None
    assert error[0] == "InputError"
    assert error[1].startswith(str(path))
    assert message in error[1]
    assert len(error[1]) < 600
    assert peak < PEAK


@pytest.mark.parametrize(
    ("compress", "head", "message"),
    [
        (gzip.compress, SEGMENT, "unit 1 has 1,0"),
        (lzma.compress, SEGMENT, "unit 1 has 1,0"),
        (lzma.compress, b"<tmx>", "compressed bytes have become"),
        (lzma.compress, b"", "a tag, comment, CDATA section"),
        (gzip.compress, b"<tmx>", "Premature end"),  # since it makes spaces not even a thousand times smaller
    ],
)
def test_a_compressed_bomb_is_refused(tmp_path, compress, head, message):
    path = tmp_path / "bomb.tmx"
    path.write_bytes(compress(head) + compress(b" " * (100 << 20)))
    pairs, error, peak = read_apart(path, "en,fr", 1_000_000)
    assert pairs == 0
    assert error is not None
    assert error[0] == "InputError"
    assert error[1].startswith(str(path))
    assert message in error[1]
    assert peak < PEAK


@pytest.mark.parametrize(
    ("kind", "head", "piece"),
    [
        ("csv", b'"', b"word\n"),
        ("csv", b"", b"word,"),
        ("jsonl", b'{"en": "', b"word "),
        ("jsonl", b"", b"[" * 1000),
        ("tsv", b"", b"word\t"),
    ],
)
def test_a_table_whose_record_never_ends_is_refused(tmp_path, kind, head, piece):
    path = tmp_path / f"bomb.{kind}"
    with path.open("wb") as stream:
        stream.writelines(repeated(head, piece))
    pairs, error, peak = read_apart(path, "en,fr" if kind == "jsonl" else "1,2")
    assert pairs == 0
    assert error is not None
    assert error[0] == "InputError"
    assert error[1].startswith(f"{path}, line 1: ")
    assert peak < PEAK + (50 << 20)


@pytest.mark.parametrize(
    ("kind", "row"),
    [("csv", b"," * 4_000_000), ("tsv", b"\t" * 4_000_000 + b"a"), ("csv", b'""' * 4_000_000 + b",")],
)
def test_a_table_of_too_many_columns_takes_no_memory_for_each(tmp_path, kind, row):
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(b"x" + row)
    _, error, peak = read_apart(path, "1,2")
    assert error is None or error[0] == "InputError"
    assert peak < PEAK + (100 << 20)


def units(megabytes):
    piece = (
        b"<tu tuid='1'><prop type='x'>y</prop><note>z</note><tuv xml:lang='en'><seg>the <hi>house</hi></seg></tuv>"
        b"<tuv xml:lang='fr'><seg>la <ph>x</ph>maison</seg></tuv></tu>\n"
    )
    head = b"<tmx><header><prop>x</prop></header>text outside<body>" + b"<x>word </x>" * 100_000
    return repeated(head, piece, b"</body></tmx>", megabytes)


def test_memory_does_not_grow_with_the_file(tmp_path):
    peaks = []
    for megabytes in (1, 12):
        path = tmp_path / "memory.tmx"
        with path.open("wb") as stream:
            stream.writelines(units(megabytes))
        pairs, error, peak = read_apart(path, "en,fr")
        assert error is None
        assert pairs >= 5000 * megabytes
        peaks.append(peak)
    assert peaks[1] - peaks[0] < 4 << 20


def test_a_large_file_within_a_translation_file_is_passed_over(tmp_path):
    path = tmp_path / "large.sdlxliff"
    with path.open("wb") as stream:
        stream.writelines(
            repeated(
                b"<xliff><file><header><reference><internal-file form='base64'>",
                b"QUJDRA==\n",
                b"</internal-file></reference></header><body><trans-unit id='1'><source>a</source><target>b</target>"
                b"</trans-unit></body></file></xliff>",
            )
        )
    pairs, error, peak = read_apart(path)
    assert (pairs, error) == (1, None)
    assert peak < PEAK


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes with names")
def test_nothing_is_fetched(tmp_path):
    # Whoever opened the pipe would wait for somebody to write.
    os.mkfifo(tmp_path / "pipe")
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.setblocking(False)
        addresses = [f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd", (tmp_path / "pipe").as_uri(), "pipe"]
        for address in addresses:
            for document_type in (
                f"<!DOCTYPE tmx SYSTEM '{address}'>",
                f"<!DOCTYPE tmx PUBLIC 'x' '{address}' [<!ENTITY % x SYSTEM '{address}'> %x;]>",
                f"<!DOCTYPE tmx [<!ENTITY x SYSTEM '{address}'>]>",
                f"<?xml-stylesheet href='{address}'?>",
            ):
                text = (
                    f"{document_type}<tmx xmlns:xi='http://www.w3.org/2001/XInclude' xml:base='{tmp_path.as_uri()}/' "
                    f"xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation='{address}'>"
                    f"<xi:include href='{address}' parse='text'/><tu><tuv xml:lang='en'><seg>a</seg></tuv>"
                    "<tuv xml:lang='fr'><seg>b</seg></tuv></tu></tmx>"
                )
                (tmp_path / "memory.tmx").write_text(text)
                pairs, error, _ = read_apart(tmp_path / "memory.tmx", "en,fr")
                assert (pairs == 1) == ("ENTITY" not in text) == (error is None)
        with pytest.raises(BlockingIOError):
            server.accept()
