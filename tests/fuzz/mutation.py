"""Inputs made from others by small changes, always the same: for where no fuzzer watches which code they reach."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"

# What readers have stumbled over, or might: numbers at the edge of types, characters that are not what they seem,
# brackets and marks of the formats, and the first bytes of compressed files.
PIECES = [
    *(
        b"0",
        b"1",
        b"-1",
        b"00",
        b"999999999",
        b"9999999999",
        b"4294967296",
        b"9" * 25,
        b"9" * 5000,
        b"1e400",
        b"-1e400",
    ),
    *(b"nan", b"inf", b"-inf", b"1_0", b"0x10", b"1.5", b".5", b"1e-400", "٣".encode(), "²".encode(), "½".encode()),
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\x0b", b"\x1b[31m", b"\x7f", b"\xc2\x85", b"\xc2\xa0", b"\xff"),
    *("\ufeff".encode(), "\u2028".encode(), "\u202e".encode(), "\u0301".encode(), "İ".encode(), "家".encode()),
    *(b"\xed\xa0\x80", b"\xf0\x9f\x92\xa9", b"\xc0\xaf", b"\xf4\x90\x80\x80"),
    *(b"-", b"?", b"p", b":", b" ||| ", b"({", b"})", b"NULL", b"NULL ({ })", b"S", b"P", b"=", b",", b"_", b"+"),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"null",
        b"true",
        b'"links"',
        b'"scores"',
        b'"\\ud800"',
        b"[" * 2000,
        b'{"a":' * 900,
    ),
    *(b"# Sentence pair (1) source length 2 target length 3 alignment score : 0.1", b"LEX", b"HMMF", b"FERR"),
    *(b"\x1f\x8b\x08", b"\xfd7zXZ\x00", b"BZh9", b"\x28\xb5\x2f\xfd"),
    *(b"a" * 300, b"0-0 " * 300, b"\n" * 300),
]


def corpus_of(name: str) -> list[bytes]:
    """The inputs that are kept for a target."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def mutations(corpus: Sequence[bytes], seed: int, count: int) -> Iterator[bytes]:
    """The inputs themselves, and then so many that are made from them."""
    yield from corpus
    numbers = random.Random(seed)
    for _ in range(count):
        data = numbers.choice(corpus)
        for _ in range(numbers.choice((1, 1, 2, 4, 8))):
            data = numbers.choice(_WAYS)(data, numbers, corpus)
        yield data


def _place(data: bytes, numbers: random.Random) -> tuple[int, int]:
    """The beginning and the end of a stretch, mostly a short one."""
    begin = numbers.randint(0, len(data))
    return begin, min(begin + int(numbers.expovariate(0.2)), len(data))


def _flip(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = numbers.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << numbers.randrange(8)]) + data[place + 1 :]


def _delete(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    begin, end = _place(data, numbers)
    return data[:begin] + data[end:]


def _repeat(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    begin, end = _place(data, numbers)
    return data[:end] + data[begin:end] * numbers.choice((1, 2, 50)) + data[end:]


def _insert(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    begin, end = _place(data, numbers)
    return data[:begin] + numbers.choice(PIECES) + data[numbers.choice((begin, end)) :]


def _renumber(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"[0-9]+", data))
    if not found:
        return data
    chosen = numbers.choice(found)
    return data[: chosen.start()] + numbers.choice(PIECES[:22]) + data[chosen.end() :]


def _splice(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    other = numbers.choice(corpus)
    return data[: numbers.randint(0, len(data))] + other[numbers.randint(0, len(other)) :]


def _swap_lines(data: bytes, numbers: random.Random, corpus: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    numbers.shuffle(lines)
    return b"\n".join(lines)


_WAYS: list[Callable[[bytes, random.Random, Sequence[bytes]], bytes]] = [
    _flip,
    _delete,
    _repeat,
    _insert,
    _insert,
    _renumber,
    _splice,
    _swap_lines,
]
