"""Text in other encodings than UTF-8: UTF-16 with a byte-order mark is read, others are named."""

from __future__ import annotations

import codecs
import io
from typing import Any, BinaryIO, cast

_BUFFER = 1 << 16
_UTF16 = {codecs.BOM_UTF16_LE: codecs.utf_16_le_decode, codecs.BOM_UTF16_BE: codecs.utf_16_be_decode}
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_MARK = 2  # bytes
_MOST_OF_A_CHARACTER = 4
_ORDERS = {"LE": "little-endian", "BE": "big-endian"}

# How many bytes are looked at. Of every other one, some have to be zero, as those of spaces are in any script, or most
# of them controls, as those of all letters are in Latin, Greek, Cyrillic, Hebrew or Arabic script.
_LOOKED_AT = 4096
_LEAST_ZEROS, _LEAST_SHARE = 2, 0.08
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r"))
_LEAST_CONTROLS, _MOST, _LEAST_LETTERS = 0.9, 0.1, 16
_SHARE_OF_UTF32 = 0.45


def has_utf16_mark(head: bytes) -> bool:
    """Whether a file that begins with these bytes says that it is UTF-16."""
    return head[:_MARK] in _UTF16 and not head.startswith(codecs.BOM_UTF32_LE)


def utf8_of(head: bytes, rest: BinaryIO) -> BinaryIO:
    """Text in UTF-16 as a stream of UTF-8, without its mark.

    Args:
        head: Its first bytes, with the mark.
        rest: What follows them.

    Reading the stream raises ``UnicodeDecodeError`` at what is no UTF-16, after all that is before it.
    """
    return cast(BinaryIO, io.BufferedReader(_Utf8OfUtf16(head, rest), _BUFFER))


class _Utf8OfUtf16(io.RawIOBase):
    """Decodes blocks, and gives out what they become."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._decode = _UTF16[head[:_MARK]]
        self._bytes = head[_MARK:]  # not decoded yet
        self._rest = rest
        self._ready = memoryview(b"")
        self._error: UnicodeDecodeError | None = None
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self._ended:
            if self._error is not None:
                raise self._error
            self._fill()
        data = self._ready[: len(buffer)]
        self._ready = self._ready[len(data) :]
        buffer[: len(data)] = data
        return len(data)

    def _fill(self) -> None:
        if len(self._bytes) < _MOST_OF_A_CHARACTER:
            block = self._rest.read(_BUFFER)
            self._ended = not block
            self._bytes += block
        try:
            text, used = self._decode(self._bytes, "strict", self._ended)
        except UnicodeDecodeError as error:
            self._error, self._ended = error, False
            text, used = self._decode(self._bytes[: error.start], "strict", True)
        self._bytes = self._bytes[used:]
        self._ready = memoryview(text.encode())


def unmarked_kind(head: bytes) -> str | None:
    r"""Which other Unicode encoding a text that begins so looks like, and what to do; nothing if none.

    Example:
        >>> unmarked_kind("a cat".encode("utf-16-le"))
        'looks like UTF-16 (little-endian); convert it first: iconv -f UTF-16LE -t UTF-8 FILE > NEW'
        >>> unmarked_kind(b"a cat")
    """
    if head.startswith(_UTF32):
        return _convert("is UTF-32", "UTF-32")
    even, odd = head[:_LOOKED_AT:2], head[1:_LOOKED_AT:2]
    if even.count(0) + odd.count(0) >= _SHARE_OF_UTF32 * (len(even) + len(odd)) and 0 in even and 0 in odd:
        return _convert("looks like UTF-32", "UTF-32")
    if _are_high(odd, even):
        return utf16_advice("LE")
    return utf16_advice("BE") if _are_high(even, odd) else None


def _are_high(those: bytes, others: bytes) -> bool:
    """Whether those of a text's bytes look like the high bytes of UTF-16, and the others like the low ones."""
    if 0 in others or len(those) < _LEAST_ZEROS:
        return False
    zeros, controls = those.count(0), len(those) - len(those.translate(None, _CONTROLS))
    other_controls = len(others) - len(others.translate(None, _CONTROLS))
    return zeros >= max(_LEAST_ZEROS, _LEAST_SHARE * len(those)) or (
        len(those) >= _LEAST_LETTERS
        and controls >= _LEAST_CONTROLS * len(those)
        and other_controls <= _MOST * len(others)
    )


def utf16_advice(order: str) -> str:
    """What to say of a text that looks like UTF-16 in the byte order ``LE`` or ``BE``."""
    return _convert(f"looks like UTF-16 ({_ORDERS[order]})", f"UTF-16{order}")


def _convert(what: str, encoding: str) -> str:
    return f"{what}; convert it first: iconv -f {encoding} -t UTF-8 FILE > NEW"
