"""Vocabularies of decoders, in all their forms, and what is none."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from pralign.errors import InputError
from pralign.lexicons import read_vocabulary

PIECES = ["<unk>", "<s>", "</s>", "▁the", "家", "s"]


def varint(value):
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def field(number, content):
    """A field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def sentencepiece(pieces):
    """A model as SentencePiece saves it: pieces with their scores and types, then settings."""
    made = b""
    for piece in pieces:
        made += field(1, field(1, piece.encode()) + b"\x15\x00\x00\x80\xbf" + b"\x18\x03")
    return made + field(2, b"\x08\x01" + field(7, b"x" * 300)) + b"\x19" + bytes(8)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.vocab", "".join(f"{piece}\t-{k}.5\n" for k, piece in enumerate(PIECES))),
        ("v.txt", "".join(f"{piece}\n" for piece in PIECES)),
        ("v.yml", "".join(f"{piece}: {k}\n" for k, piece in enumerate(PIECES))),
        ("v.yaml", "---\n" + "".join(f'"{piece}": {k}\n' for k, piece in reversed(list(enumerate(PIECES))))),
        ("v.spm", sentencepiece(PIECES)),
        ("v.model", sentencepiece(PIECES)),
    ],
)
def test_every_form(tmp_path, name, content):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert read_vocabulary(tmp_path / name) == PIECES


def test_words_of_yaml_may_be_quoted(tmp_path):
    path = tmp_path / "v.yml"
    path.write_text('"\\"": 0\n"a\\x41\\u00e9": 1\n\'it\'\'s\': 2\n":": 3\n\'#\': 4\na:b: 5\n: : 6\n', encoding="utf-8")
    assert read_vocabulary(path) == ['"', "aAé", "it's", ":", "#", "a:b", ":"]


def test_blank_lines_keep_their_numbers(tmp_path):
    (tmp_path / "v").write_text("a\n\nb\n")
    assert read_vocabulary(tmp_path / "v") == ["a", "", "b"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v", "the house\n", "v, line 1: a vocabulary has one word a line"),
        ("v", "a: 0\n", "give it a name that ends in .yml"),
        ("v", "\n\n", "v: there are no words in this vocabulary"),
        ("v", "", "v: there are no words"),
        ("v.yml", "a: 0\nb\n", "v.yml, line 2: expected a word, a colon and a number"),
        ("v.yml", "a: 0\nb: 0\n", "v.yml, line 2: there are two words with the number 0"),
        ("v.yml", '"\\q": 0\n', "v.yml, line 1: expected"),
        ("v.yml", "a: x\n", "v.yml, line 1: expected"),
        ("v.spm", "a\t0\nb\t0\n", "v.spm: this is no model of SentencePiece; give the .vocab file"),
        ("v.spm", sentencepiece(PIECES)[:-3], "this is no model of SentencePiece"),
        ("v.spm", field(1, field(1, b"\xff")), "this is no model of SentencePiece"),
        ("v.spm", b"\x08\x01", "this is no model of SentencePiece"),
        ("v.spm", b"\xff" * 20, "this is no model of SentencePiece"),
        ("v.spm", b"", "there are no words"),
        ("none.spm", None, "none.spm: cannot read: No such file"),
        ("none", None, "none: cannot read: No such file"),
    ],
)
def test_what_is_none(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message):
        read_vocabulary(tmp_path / name)


def test_changed_models_are_read_or_refused(tmp_path):
    chance, good = random.Random(1), sentencepiece(PIECES)
    for _ in range(500):
        changed = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        (tmp_path / "v.spm").write_bytes(changed)
        with suppress(InputError):
            assert all(isinstance(word, str) for word in read_vocabulary(tmp_path / "v.spm"))
