"""Files of other formats that are made of text, such as XML or JSON: their lines can be read, but are no sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from pralign.text.looks.base import ALL, Finding, look
from pralign.text.looks.sample import TextSample

_TAKE_OUT = "take the sentences out first, one a line"
_PROGRAM = "write the sentences of each side to a file of their own, one a line"
# What the beginning of a file tells, in this order.
_BEGINNINGS = (
    (re.compile(r"(<\?xml[^>]*>\s*)?(<!DOCTYPE tmx[^>]*>\s*)?<tmx\b", re.I), "a translation memory (TMX)", _PROGRAM),
    (re.compile(r"(<\?xml[^>]*>\s*)?<xliff\b", re.I), "a translation file (XLIFF)", _PROGRAM),
    (re.compile(r"(<!DOCTYPE html|<html\b)", re.I), "a web page (HTML)", _TAKE_OUT),
    (re.compile(r"<(\?xml|!DOCTYPE)", re.I), "XML", _TAKE_OUT),
    (re.compile(r"WEBVTT\b"), "subtitles (WebVTT)", _TAKE_OUT),
    (re.compile(r"1\n\d\d:\d\d:\d\d[,.]\d+ --> "), "subtitles (SRT)", _TAKE_OUT),
    (re.compile(r"(#.*\n)*(msgid|msgctxt) \""), "a message catalogue (PO)", _PROGRAM),
    (re.compile(r"(#.*\n)*1(-\d+)?(\t[^\t\n]*){9}(\n|$)"), "a treebank (CoNLL-U)", "write one sentence a line first"),
    (re.compile(r"(\d+-\d+ )*\d+-\d+\n((\d+-\d+ )*\d+-\d+\n|\n){3}"), "alignments", "name the files with the text"),
)
_LOOKED_AT = 20  # lines
_LONGEST = 100_000
_JSON_KEY = re.compile(r'\s*"[^"]*"\s*:')


@look("format", hides=[ALL])
def other_format(sample: TextSample) -> Iterator[Finding]:
    """Files that are no sentences."""
    if not sample.starts:
        return
    for name, lines in zip(sample.names, sample.lines, strict=True):
        found = _kind_of(lines)
        if found is not None:
            yield Finding("format", f"this looks like {found[0]}, not like sentences; {found[1]}", name)


def _kind_of(lines: Sequence[str]) -> tuple[str, str] | None:
    """What a file is, and what to do."""
    head = "\n".join(lines[:_LOOKED_AT]).lstrip()[:_LONGEST]
    if _is_json(head):
        return "JSON", _PROGRAM
    return next(((what, cure) for pattern, what, cure in _BEGINNINGS if pattern.match(head)), None)


def _is_json(head: str) -> bool:
    """Whether a file begins as a JSON object does, or an array of some, on one line or on several."""
    first, _, rest = head.partition("\n")
    if first.strip() in ("{", "[", "[{"):
        return (first.strip() == "[" and rest.lstrip().startswith("{")) or bool(_JSON_KEY.match(rest))
    if not first.startswith(('{"', '[{"')):
        return False
    try:
        return isinstance(json.loads(first), dict | list)
    except (ValueError, RecursionError):
        return bool(_JSON_KEY.match(first.lstrip("[{")))
