"""JSON lines: an object a pair, two of whose fields are sentences."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pralign.characters import listed, quoted
from pralign.errors import InputError, PralignError, UsageError
from pralign.text.bitext import Sentence
from pralign.text.columns import chosen_columns, wrapping
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.files import read_lines
from pralign.text.pairs import as_pair
from pralign.text.raw import display_name

# Deeper ones could be read, but perhaps not be written again.
_DEEPEST = 100
_BRACKETS = "[{"


class JsonLinesReader(CorpusReader):
    """Objects with text, or lists of words, under two names; also inside one field, such as ``translation``.

    A sentence that is ``null`` is empty, and so are both of a line that is blank. Numbers that JSON does not have
    (``NaN``, infinities) become ``null``.
    """

    name = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield a pair a line."""
        name = display_name(path)
        columns = choice.columns
        for number, line in enumerate(read_lines(path, limit), start=1):
            if not line.strip():
                yield Row("", "")
                continue
            where = f"{name}, line {number}"
            content = _parsed(line, where)
            inside = wrapping(content, columns)
            fields = content if inside is None else content[inside]
            if columns is None:
                columns = _chosen(fields, where)
            for column in columns:
                if column not in fields:
                    raise InputError(f"{where}: there is no field {quoted(column)}; there are {listed(fields)}")
            yield Row(*_sentences(fields, columns, where), _extras(content, inside, columns))


def _chosen(fields: Mapping[str, Any], where: str) -> tuple[str, str]:
    try:
        return chosen_columns(fields, None, "--columns en,fr")
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _extras(content: Mapping[str, Any], inside: str | None, columns: tuple[str, str]) -> dict[str, Any]:
    """What a line says besides the sentences."""
    if inside is None:
        return {key: value for key, value in content.items() if key not in columns}
    rest = {key: value for key, value in content[inside].items() if key not in columns}
    others = {key: value for key, value in content.items() if key != inside}
    return others | {inside: rest} if rest else others


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        content = json.loads(line, object_pairs_hook=_object, parse_float=_number, parse_constant=_nothing)
    except _RepeatedError as error:
        raise InputError(f"{where}: the field {quoted(str(error))} is there twice") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f'{where}: found {quoted(line)}; expected an object like {{"en": "...", "fr": "..."}}')
    if sum(map(line.count, _BRACKETS)) > _DEEPEST and _depth(content) > _DEEPEST:
        raise InputError(f"{where}: fields within fields, more than {_DEEPEST} deep")
    if "\\u" in line:
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(f"{where}: holds half of a character (a lone surrogate)") from None
    return content


class _RepeatedError(Exception):
    """A field occurs twice."""


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) < len(items):
        [(name, _)] = Counter(name for name, _ in items).most_common(1)
        raise _RepeatedError(name)
    return found


def _number(text: str) -> float | None:
    """A number, or nothing if it is too large to be one."""
    value = float(text)
    return value if math.isfinite(value) else None


def _nothing(constant: str) -> None:
    """What stands for a number that JSON does not have."""


def _depth(content: Any) -> int:
    """How many objects and lists are within each other."""
    deepest, level = 0, [content]
    while level:
        level = [each for each in level if isinstance(each, dict | list)]
        deepest += bool(level)
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return deepest


def _sentences(fields: Mapping[str, Any], columns: tuple[str, str], where: str) -> tuple[Sentence, Sentence]:
    source, target = ("" if fields[column] is None else fields[column] for column in columns)
    try:
        left, right = as_pair(source, target)
    except PralignError as error:
        raise InputError(f"{where}: {error}") from None
    return (
        one_line(left) if isinstance(left, str) else left,
        one_line(right) if isinstance(right, str) else right,
    )


READERS.register(JsonLinesReader.name, JsonLinesReader())
