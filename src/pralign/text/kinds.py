"""Files that are no text: what they are, told by their first bytes, and how to make text of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pralign.characters import quoted

_SAVE = "open it there and save it as plain text (UTF-8), one sentence a line"
_SHEET = "open it there and save it as tab-separated text (UTF-8), one sentence a cell"
_UNPACK = "unpack it first"
_REPACK = "unpack it first; gzip, xz, bzip2 and zstd are read as they are"
_COPY = "copy the text out of it into a UTF-8 file, one sentence a line"

_ZIP = b"PK\x03\x04"
_MAGIC = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an old document or table of Word, Excel or PowerPoint", _SAVE),
    b"%PDF-": ("a PDF", _COPY),
    b"{\\rtf": ("a document in RTF", _SAVE),
    b"PAR1": (
        "a Parquet table",
        "if it holds both sides, say so: --layout parquet; or write its columns as tab-separated text",
    ),
    b"SQLite format 3\0": ("a database of SQLite", "write the sentences as tab-separated text first"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _UNPACK),
    b"Rar!\x1a\x07": ("a RAR archive", _UNPACK),
    b"\x1f\x9d": ("compressed by compress (.Z)", _REPACK),
    b"LZIP": ("compressed by lzip", _REPACK),
    b"\x04\x22\x4d\x18": ("compressed by lz4", _REPACK),
    b"\x89PNG": ("a picture", _COPY),
    b"\xff\xd8\xff": ("a picture", _COPY),
}
_TAR, _TAR_AT = b"ustar", 257

# What a zip archive is, by a directory that it holds, or by the beginning of what its member ``mimetype`` says.
_OFFICE = {
    "word/": ("a Word document (.docx)", _SAVE),
    "xl/": ("an Excel table (.xlsx)", _SHEET),
    "ppt/": ("a PowerPoint presentation (.pptx)", _SAVE),
}
_MIMETYPES = {
    "application/vnd.oasis.opendocument.text": ("an OpenDocument text (.odt)", _SAVE),
    "application/vnd.oasis.opendocument.spreadsheet": ("an OpenDocument table (.ods)", _SHEET),
    "application/vnd.oasis.opendocument": ("an OpenDocument file", _SAVE),
    "application/epub": ("an e-book (.epub)", _COPY),
}
_LONGEST_MIMETYPE = 100


def other_kind(head: bytes, path: str | Path) -> str | None:
    """What a file is that begins with these bytes and is no text, and what to do about it; nothing if it may be text.

    Args:
        head: Its first bytes, uncompressed.
        path: Where it is, to look further into archives.
    """
    if head.startswith(_ZIP):
        return _said(_archive(path))
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return _said(("a tar archive", _UNPACK))
    return next((_said(kind) for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def _said(kind: tuple[str, str]) -> str:
    return f"this is {kind[0]}, not text; {kind[1]}"


def _archive(path: str | Path) -> tuple[str, str]:
    """What a zip archive is: office programs write such too. One that comes through a pipe cannot be looked into."""
    from zipfile import BadZipFile, ZipFile

    if not Path(path).is_file():
        return "a zip archive", _UNPACK
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                with archive.open("mimetype") as member:
                    found = member.read(_LONGEST_MIMETYPE).decode("ascii", "replace")
                return next((kind for start, kind in _MIMETYPES.items() if found.startswith(start)), _listed(names))
    except (BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):  # cut off, or no file
        return "a zip archive", _UNPACK
    kinds = (kind for start, kind in _OFFICE.items() if any(name.startswith(start) for name in names))
    return next(kinds, _listed(names))


def _listed(names: Iterable[str]) -> tuple[str, str]:
    """A zip archive by what it holds."""
    files = [name for name in names if not name.endswith("/")]
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return (f"a zip archive of {quoted(files[0])}{more}" if files else "a zip archive"), _UNPACK
