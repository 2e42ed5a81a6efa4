"""Files that hold both sides of a pair on one line, with a tab or three bars between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pralign.errors import InputError, UsageError
from pralign.text.files import display_name

TSV, BARS = "tsv", "bars"

_BARS = " ||| "
_LOOKED_AT = 1000  # characters of a line
# How other kinds of files begin, and what to say of them.
_OTHERS = [
    (re.compile(r'"[^"]*"[,;]"'), "columns are separated by commas or semicolons; say so: --layout csv"),
    (re.compile(r'\s*\{\s*"'), "this is JSON; say so: --layout jsonl"),
    (re.compile(r"\s*<(\?xml|!DOCTYPE|tmx|xliff)\b"), "this is XML; say so: --layout tmx or --layout xliff"),
]
_WRONG_SIDES = {
    TSV: "no tab between the source and the target sentence",
    BARS: "found {found} times ' ||| ' where one is needed between the source and the target sentence; "
    "use a tab or two files if the text itself holds bars",
}


def split_lines(lines: Iterator[str], path: str | Path, layout: str | None) -> Iterator[tuple[str, str]]:
    """The pairs of lines; without a layout, the first that is not blank tells.

    Raises:
        InputError: A line has not two sides.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip(" \t"):
            yield "", ""
            continue
        if layout is None:
            layout = layout_of(line, path)
        sides = split_line(line, layout)
        if len(sides) < 2 or (layout == BARS and len(sides) > 2):
            raise InputError(
                f"{display_name(path)}, line {number}: {_WRONG_SIDES[layout].format(found=len(sides) - 1)}"
            )
        yield sides[0], sides[1]


def split_line(line: str, layout: str) -> list[str]:
    """The columns of a line of a file that holds both sides."""
    return line.split("\t") if layout == TSV else f" {line} ".split(_BARS)


def layout_of(line: str, path: str | Path) -> str:
    """How a file holds both sides, by its first line that is not blank.

    Raises:
        UsageError: It holds one side only.
        InputError: It holds both in another way.
    """
    if ".tsv" in Path(str(path)).suffixes or "\t" in line:
        return TSV
    if _BARS.strip() in line:
        return BARS
    name = display_name(path)
    for beginning, what in _OTHERS:
        if beginning.match(line[:_LOOKED_AT]):
            raise InputError(f"{name}: {what}")
    raise UsageError(
        f"TGT is missing: {name} holds one side only, without a tab or ' ||| ' between two; name the file with the "
        "translations after it"
    )
