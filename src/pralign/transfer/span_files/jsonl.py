"""JSON lines: an object a text, with a list of its spans."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.links.formats import Writable
from pralign.text.files import display_name, read_lines
from pralign.transfer.span_files.base import SPAN_FORMATS, CarriedDocument, Document, Documents, SpanFormat
from pralign.transfer.spans import AnnotatedSpan, CarriedSpan

_EXPECTED = '{"text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}'
_SPAN = '{"start": 0, "end": 3, "label": "PER"}'
_DIGITS = 6  # of a confidence


class JsonlSpans(SpanFormat):
    """One JSON object a text, on one line.

    ===========  ======================================================================================================
    ``text``     The text.
    ``spans``    Its spans, each an object with ``start``, ``end`` and ``label``. Characters are those of Unicode,
                 counted from zero, and ``end`` is the one after the last.
    ``missing``  Written only, if there are any: the source spans that have no place in the target text, in characters
                 of the source text.
    ===========  ======================================================================================================

    A span that was carried has a ``confidence`` too, and ``"unsure": true`` if that is below the threshold. All other
    keys, of texts and of spans, travel along. A blank line stays a blank line.
    """

    name = "jsonl"
    description = "one JSON object a text, with a list of spans"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def read(self, path: str | Path) -> Documents:
        """The text of each line."""
        return Documents(parse_jsonl(read_lines(path), display_name(path)))

    def write(self, stream: Writable, carried: Iterable[CarriedDocument]) -> None:
        """Write one line a text."""
        stream.writelines(f"{_line(each)}\n" for each in carried)


def parse_jsonl(lines: Iterable[str], name: str) -> Iterator[Document]:
    """The texts of lines without line ends; ``name`` is what messages call the file.

    Raises:
        InputError: While iterating: a line holds something else.

    Example:
        >>> line = '{"text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER", "id": 7}], "page": 4}'
        >>> [document] = parse_jsonl([line], "sample")
        >>> document.spans, document.extras
        ((AnnotatedSpan(start=0, end=3, label='PER', attributes={'id': 7}),), {'page': 4})
    """
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        yield _document(line, where) if line.strip() else Document("", where=where, is_blank=True)


def _document(line: str, where: str) -> Document:
    content = _content(line, where)
    text, items = content.get("text"), content.get("spans")
    if not isinstance(text, str):
        _fail(where, line if "text" not in content else text, f"a text as 'text', as in {_EXPECTED}")
    if not isinstance(items, list):
        _fail(where, line if "spans" not in content else items, f"a list as 'spans', as in {_EXPECTED}")
    spans = [_span(item, len(text), f"{where}, span {number}") for number, item in enumerate(items, start=1)]
    return Document(text, tuple(spans), _without(content, "text", "spans", "missing"), where)


def _content(line: str, where: str) -> dict[str, Any]:
    try:
        content = json.loads(line, parse_constant=_finite, parse_float=_finite)
        if "\\" in line:  # an escaped half of a surrogate pair is valid JSON, but no text
            json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: holds half of a character (a lone surrogate), which is no text") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        _fail(where, line, f"an object like {_EXPECTED}")
    return content


def _finite(text: str) -> float:
    """A number that can be written again."""
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number


def _span(item: Any, length: int, where: str) -> AnnotatedSpan:
    if not isinstance(item, dict):
        _fail(where, item, f"an object like {_SPAN}")
    for key in ("start", "end"):
        if type(item.get(key)) is not int:
            _fail(where, item.get(key), f"a whole number as {key!r}")
    start, end, label = item["start"], item["end"], item.get("label")
    if not isinstance(label, str) or not label:
        _fail(where, label, "a text as 'label'")
    if not 0 <= start <= length or not 0 <= end <= length:
        _fail(where, [start, end], f"places within the text, which has {length} characters")
    if start >= end:
        _fail(where, [start, end], "a start before the end, which is the character after the last")
    return AnnotatedSpan(start, end, label, _without(item, "start", "end", "label"))


def _fail(where: str, found: object, expected: str) -> NoReturn:
    try:
        text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    except RecursionError:
        text = "brackets within brackets"
    raise InputError(f"{where}: found {quoted(text)}; expected {expected}")


def _line(carried: CarriedDocument) -> str:
    document, target, answer = carried
    if document.is_blank:
        return ""
    content: dict[str, Any] = {"text": target.text, "spans": [_carried(span) for span in answer.carried]}
    if answer.missing:
        content["missing"] = [
            {"start": span.start, "end": span.end, "label": span.label, **_others(span)} for span in answer.missing
        ]
    content |= _without(document.extras, "text", "spans", "missing")
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{document.where}: JSON cannot hold this: {error}") from error


def _carried(span: CarriedSpan) -> dict[str, Any]:
    content: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    content["confidence"] = round(span.confidence, _DIGITS)
    if span.unsure:
        content["unsure"] = True
    return content | _others(span)


def _others(span: AnnotatedSpan | CarriedSpan) -> dict[str, Any]:
    """What travels along: what the source file says of how sure a span is, is not about the target."""
    return _without(span.attributes, "start", "end", "label", "confidence", "unsure")


def _without(content: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in keys}


SPAN_FORMATS.register(JsonlSpans.name, JsonlSpans())
