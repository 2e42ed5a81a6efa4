"""XML as text: in which encoding a document is, and what it says in it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.files import display_name, line_limit
from pralign.text.kinds import other_kind
from pralign.text.raw import BoundedBytes, open_bytes

_BLOCK = 1 << 16
_HEAD = 1 << 10  # which holds any declaration
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# How declarations begin where characters have two bytes and there is no mark.
_UNMARKED = {"<?".encode("utf-16-le"): "utf-16-le", "<?".encode("utf-16-be"): "utf-16-be"}
_DECLARED = re.compile(rb"""<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""")
# What Python calls encodings, but is none that documents are in.
_NO_ENCODINGS = frozenset({"utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})


def encoding_of(head: bytes, name: str) -> str:
    r"""The encoding of a document that begins with these bytes: by its mark, by what it declares, or UTF-8.

    Raises:
        InputError: There is no such encoding.

    Example:
        >>> encoding_of(b'<?xml version="1.0" encoding="ISO-8859-1"?>', "FILE"), encoding_of(b"<tmx>", "FILE")
        ('iso8859-1', 'utf-8')
        >>> encoding_of("\ufeff<tmx>".encode("utf-16-le"), "FILE")
        'utf-16-le'
    """
    for beginnings in (_MARKS, _UNMARKED):
        for beginning, encoding in beginnings.items():
            if head.startswith(beginning):
                return encoding
    declared = _DECLARED.match(head)
    wanted = declared[1].decode() if declared else "utf-8"
    try:
        found = codecs.lookup(wanted).name
        is_known = found.replace("_", "-") not in _NO_ENCODINGS and "<".encode(found) == b"<"
    except (LookupError, UnicodeError):
        is_known = False
    if not is_known:
        raise InputError(
            f"{name}: says that its encoding is {quoted(wanted)}, which is not known, or not what it is in; save it as "
            "UTF-8"
        )
    return found


@contextmanager
def xml_text(path: str | Path) -> Iterator[tuple[str, Iterator[str]]]:
    """The encoding of a document, and its text, block by block. A byte-order mark is part of the text.

    Raises:
        InputError: Now or while iterating: the file cannot be read, or is not in the encoding that it says.
    """
    name = display_name(path)
    with open_bytes(path, line_limit()) as stream:
        head = b""
        while len(head) < _HEAD and (block := stream.read(_BLOCK)):
            head += block
        if trouble := other_kind(head, path):
            raise InputError(f"{name}: {trouble}")
        encoding = encoding_of(head, name)
        yield encoding, _blocks(head, stream, encoding, name)


def _blocks(head: bytes, stream: BoundedBytes, encoding: str, name: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    block = head
    try:
        while block:
            yield decoder.decode(block)
            block = stream.read(_BLOCK)
        yield decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise InputError(f"{name}: is not in the encoding that it says, {encoding}: {error}") from error
