"""JSON lines: an object a pair, two of whose fields are sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pralign.characters import quoted
from pralign.errors import InputError, PralignError, UsageError
from pralign.text.bitext import Sentence
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.files import display_name, read_lines
from pralign.text.pairs import as_pair, chosen_columns, unwrapped


class JsonLinesReader(CorpusReader):
    """Objects with text, or lists of words, under two names; also inside one field, such as ``translation``."""

    name = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def rows(self, path: str | Path, choice: Choice) -> Iterator[Row]:
        """Yield a pair a line."""
        name = display_name(path)
        columns = choice.columns
        for number, line in enumerate(read_lines(path), start=1):
            if not line.strip():
                yield Row("", "")
                continue
            content = _parsed(line, f"{name}, line {number}")
            fields = unwrapped(content, columns)
            if columns is None:
                columns = _chosen(fields, name)
            for column in columns:
                if column not in fields:
                    there = ", ".join(map(str, fields)) or "nothing"
                    raise InputError(f"{name}, line {number}: there is no field {column!r}; there are {there}")
            extras = {key: value for key, value in content.items() if key not in columns and value is not fields}
            yield Row(*_sentences(fields, columns, f"{name}, line {number}"), extras)


def _chosen(fields: Mapping[str, Any], name: str) -> tuple[str, str]:
    try:
        return chosen_columns(fields, None, "--columns en,fr")
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def _parsed(line: str, where: str) -> Mapping[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f'{where}: found {quoted(line)}; expected an object like {{"en": "...", "fr": "..."}}')
    return content


def _sentences(fields: Mapping[str, Any], columns: tuple[str, str], where: str) -> tuple[Sentence, Sentence]:
    try:
        source, target = as_pair(fields[columns[0]], fields[columns[1]])
        for sentence in (source, target):
            ("".join(sentence)).encode()  # an escaped half of a surrogate pair is valid JSON, but no text
    except PralignError as error:
        raise InputError(f"{where}: {error}") from None
    except UnicodeEncodeError:
        raise InputError(f"{where}: a sentence holds half of a character (a lone surrogate)") from None
    return one_line(source), one_line(target)


READERS.register(JsonLinesReader.name, JsonLinesReader())
