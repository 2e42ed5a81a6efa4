"""XML from outside: read as a stream, element by element, and never trusted.

No entity is expanded, nothing is fetched, and no element may be larger than a line of text may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from pralign.errors import InputError
from pralign.text.extras import needed
from pralign.text.files import display_name, open_bytes, reason

XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def elements(path: str | Path, names: Sequence[str]) -> Iterator[Any]:
    """The elements of some names, of any namespace, whole; each is forgotten when the next is asked for.

    Raises:
        InputError: The file cannot be read, is no XML, declares entities of its own, or one element is too large.
    """
    etree = needed("lxml.etree", "xml")
    with naming_failures(path, etree), open_bytes(path) as stream:
        parser = etree.iterparse(
            stream,
            events=("end",),
            tag=[f"{{*}}{name}" for name in names],
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        first = True
        for _, element in parser:
            if first:
                check_entities(element.getroottree(), display_name(path))
                first = False
            stream.restart()
            yield element
            _forget(element)
        if first and parser.root is not None:
            check_entities(parser.root.getroottree(), display_name(path))


def _forget(element: Any) -> None:
    """Free what was read up to the end of an element."""
    element.clear()
    while element is not None:
        parent = element.getparent()
        while element.getprevious() is not None:
            del parent[0]
        element = parent


def check_entities(tree: Any, name: str) -> None:
    """Refuse a document that declares entities: a few lines of these can stand for more text than there is memory for.

    Raises:
        InputError: It does.
    """
    declared = tree.docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise InputError(
            f"{name}: declares entities of its own (<!ENTITY ...>), which is refused; put their text in place"
        )


@contextmanager
def naming_failures(path: str | Path, etree: Any) -> Iterator[None]:
    """What goes wrong while XML is read, as errors for people."""
    name = display_name(path)
    try:
        yield
    except etree.XMLSyntaxError as error:
        _refuse(name, error)
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


def _refuse(name: str, error: Any) -> NoReturn:
    message = str(error.msg or error).partition(", line")[0]
    line = f", line {error.lineno}" if error.lineno else ""
    raise InputError(f"{name}{line}: no well-formed XML: {message}") from error


def text_of(element: Any, code: Iterable[str]) -> str:
    """The text that people read in an element: that of all elements inside, but of those that hold codes.

    Args:
        element: The element.
        code: The names of elements whose content is code of other formats.
    """
    skipped = frozenset(code)
    return " ".join(filter(None, "".join(_texts(element, skipped)).replace("\r", "\n").split("\n")))


def _texts(element: Any, skipped: frozenset[str]) -> Iterator[str]:
    if element.text:
        yield element.text
    for child in element:
        if isinstance(child.tag, str) and local_name(child) not in skipped:
            yield from _texts(child, skipped)
        if child.tail:
            yield child.tail


def local_name(element: Any) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
