"""Tables: files with columns, header lines, and the quotes that programs put around cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pralign.text.looks.base import Finding, look
from pralign.text.looks.sample import Side, TextSample

# Words that head columns.
_HEADINGS = """
    source target src tgt trg id text sentence sentence1 sentence2 translation translated original reference segment
    source_text target_text source_sentence target_sentence src_text tgt_text source_lang target_lang lang1 lang2
    english french german spanish italian portuguese dutch swedish danish norwegian finnish polish czech slovak russian
    ukrainian hungarian romanian greek turkish arabic hebrew hindi chinese japanese korean vietnamese thai
"""
_CODES = """
    en fr de es it pt nl sv da no nb nn fi pl cs sk ru uk hu ro el tr ar he hi zh ja ko vi th bg hr sr sl et lv lt
    ga cy mt is fa ur bn ta te eng fra fre deu ger spa ita por nld swe dan nor fin pol ces rus ukr hun ron ell tur ara
    heb hin zho jpn kor vie tha en-us en-gb pt-br zh-cn zh-tw en_us en_gb pt_br zh_cn zh_tw
"""
_KNOWN = frozenset(_HEADINGS.split() + _CODES.split())
_QUOTED = re.compile(r'"[^\s"](.*[^\s"])?"')
_SHARE, _LEAST = 0.3, 5


@look("columns")
def columns(sample: TextSample) -> Iterator[Finding]:
    """More columns than two."""
    if len(sample.files) > 1 or not sample.starts:
        return
    filled = [columns for columns in sample.columns if any(columns)]
    wide = [columns for columns in filled if any(cell.strip() for cell in columns[2:])]
    if len(wide) > 1 and 2 * len(wide) > len(filled):
        most = max(map(len, wide))
        advice = f"has {most} columns, of which the first two are used; if others are meant: cut -f 2,3 FILE > NEW"
        yield Finding("columns", advice, sample.names[0])


@look("header")
def header(sample: TextSample) -> Iterator[Finding]:
    """A first line that names columns."""
    if not sample.starts or not sample.columns:
        return
    cells = [cell.strip().strip('"').lower() for cell in sample.columns[0]]
    if len(cells) > 1 and _KNOWN.issuperset(cells) and len(set(cells)) == len(cells):
        many = len(sample.files) > 1
        cure = "remove it from both files: " if many else "say --header, or remove it: "
        cure += "tail -n +2 FILE > NEW"
        named = " and ".join(f"'{cell}'" for cell in cells[:2])
        yield Finding("header", f"is a header ({named}), not a pair of sentences; {cure}", sample.name, 1)


@look("quotes")
def quotes(sample: TextSample) -> Iterator[Finding]:
    """Quotes glued to words, as programs put them around cells of tables."""
    for side in sample.sides:
        glued = [number for number, sentence in enumerate(side.sentences) if _QUOTED.fullmatch(sentence.strip())]
        if len(glued) >= max(_LEAST, _SHARE * len(side.filled)):
            advice = (
                f"{_percent(len(glued), side)} of the sentences stand in quotes that are stuck to their first and last "
                "words, as tables are written; write it again without them"
            )
            yield Finding("quotes", advice, side.name)


def _percent(count: int, side: Side) -> str:
    return f"{100 * count / max(len(side.filled), 1):.0f} %"
