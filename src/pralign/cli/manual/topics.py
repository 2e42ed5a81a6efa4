"""Pages of ``pralign help TOPIC``: texts in files, with what registries and tables know filled in.

A page is plain text of at most 80 columns, in blocks with blank lines between: paragraphs at the margin; lists of names
and what they mean, indented by two; and what is shown as it is, indented by four or more. A line ``{{name}}`` stands
for what the function of that name in this file makes.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pralign.characters import escaped
from pralign.cli.console import FAILED, MISUSED
from pralign.cli.manual.page import WIDTH
from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats import FORMATS, AlignmentFormat, Record
from pralign.settings import PRESETS

_COLUMN = 12  # where what is said of a format begins
_FOLDER = Path(__file__).with_name("texts")
_LISTED = re.compile(r"  (\S(?:.*?\S)?)  +(\S.*)")
_PLACE = r"(?m)^\{\{(\w+)\}\}$"

TOPICS = (
    *("text", "formats", "gold", "presets", "models", "constraints", "heuristics", "memory", "environment"),
    "exit-codes",
)
"""The topics there are, in the order in which they are listed."""

_WHERE = ("Commands are listed by pralign --help. pralign help COMMAND is the same as", "pralign COMMAND --help.")


class Block(NamedTuple):
    """A part of a page, between two blank lines.

    Attributes:
        text: What it says, in lines.
        rows: If it is a list, its names and what they mean.
        is_verbatim: Whether its lines are shown as they are.
    """

    text: str
    rows: tuple[tuple[str, str], ...] = ()
    is_verbatim: bool = False


def topic_title(topic: str) -> str:
    """What a page is about, in a line."""
    return _read(topic)[0]


def topic_text(topic: str) -> str:
    """What a page says, without its title."""
    return re.sub(_PLACE, lambda place: _FILLED[place[1]](), _read(topic)[1])


def topic_blocks(topic: str) -> Iterator[Block]:
    """What a page says, in its parts, for those who show it in another way."""
    for block in topic_text(topic).split("\n\n"):
        if block.startswith("    "):
            yield Block(textwrap.dedent(block), is_verbatim=True)
        else:
            yield Block(block, _rows(block) if block.startswith("  ") else ())


def _rows(block: str) -> tuple[tuple[str, str], ...]:
    """The names of a list, and what is said of each; lines that only go on with that are indented further."""
    rows: list[tuple[str, str]] = []
    for line in block.split("\n"):
        if (match := _LISTED.fullmatch(line)) is not None and not line.startswith("   "):
            rows.append((match[1], match[2]))
        else:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
    return tuple(rows)


def topic_page(topic: str) -> str:
    """A page as it is printed."""
    title = topic_title(topic)
    return f"{title}\n{'-' * len(title)}\n\n{topic_text(topic)}"


def topic_list() -> str:
    """The topics there are, and what their pages are about."""
    rows = [f"  {topic:14}{topic_title(topic)}." for topic in TOPICS]
    return "\n".join(["Topics, each shown by pralign help TOPIC:", "", *rows, "", *_WHERE])


def _read(topic: str) -> tuple[str, str]:
    title, _, text = (_FOLDER / f"{topic}.txt").read_text(encoding="utf-8").partition("\n")
    return title, text.strip("\n")


def _formats() -> str:
    return "\n\n".join(map(_format, FORMATS.values()))


def _format(fmt: AlignmentFormat) -> str:
    """A format as a page shows it; its words may be those of the user, who has registered it."""
    keeps = {"possible links": fmt.holds_possible, "scores": fmt.holds_scores, "words": fmt.carries_text}
    kept = ", ".join(name for name, is_kept in keeps.items() if is_kept)
    said = f"{fmt.description}. Keeps {kept}." if kept else f"{fmt.description}."
    indent = " " * _COLUMN
    text = textwrap.fill(escaped(said), WIDTH, initial_indent=indent, subsequent_indent=indent)
    head = f"  {escaped(fmt.name):{_COLUMN - 2}}{text.lstrip()}"
    return "\n\n".join(filter(None, [head, "\n".join(f"      {escaped(line)}" for line in _example(fmt))]))


def _example(fmt: AlignmentFormat) -> list[str]:
    """The lines of a pair in a format, without scores unless it cannot do without."""
    links, possible = ((0, 0), (1, 0), (1, 1)), frozenset({(1, 0)})
    words = (["the", "house"], ["la", "maison"]) if fmt.needs_text else (None, None)
    for scores in (None, (0.98, 0.4, 0.95)):
        try:
            return list(fmt.write([Record(Alignment(links, scores, possible), *words)], fmt.default_base))
        except InputError:
            continue
    return []


def _presets() -> str:
    names = list(dict.fromkeys(name for values in PRESETS.values() for name in values))
    rows = [["", *PRESETS], *([f"--{name.replace('_', '-')}", *_values(name)] for name in names)]
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    return "\n".join(
        "    " + "".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _values(name: str) -> list[str]:
    shown = {True: "yes", False: "no", None: "-"}
    found = (values.get(name) for values in PRESETS.values())
    return [shown[value] if value is None or isinstance(value, bool) else f"{value}" for value in found]


def _exit_codes() -> str:
    codes = {
        0: "All is done.",
        FAILED: "It failed: a file is missing or wrong, or there is no room.",
        MISUSED: "It was misused: an option or a value that cannot be.",
        130: "It was interrupted, by Ctrl-C.",
        143: "It was terminated, by SIGTERM.",
        129: "Its terminal is gone (SIGHUP).",
    }
    return "\n".join(f"  {code:<4} {meaning}" for code, meaning in codes.items())


_FILLED: dict[str, Callable[[], str]] = {"formats": _formats, "presets": _presets, "exit_codes": _exit_codes}
