"""Pages of the documentation, and the examples in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_MADE = {"reference", "project", "examples", "_build"}
"""Folders whose pages are made with the site."""

_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<language>\S*) *$")
RUN = ("console", "python", "pycon")
"""Languages whose fences are run."""


class Fence(NamedTuple):
    """A block of code in a page.

    Attributes:
        language: What stands after the backquotes.
        lines: What is in it.
        number: The number of its first line, from 1.
    """

    language: str
    lines: list[str]
    number: int


class Command(NamedTuple):
    """A command in a console, with what it should print.

    Attributes:
        text: The command, in one or more lines.
        output: What it prints; nothing if that does not matter.
        code: How it should end.
        number: The number of its line in the page.
    """

    text: str
    output: list[str]
    code: int
    number: int


def pages() -> list[Path]:
    """Pages that people wrote: those of the site, and the README."""
    found = [path for path in DOCS.rglob("*.md") if path.relative_to(DOCS).parts[0] not in _MADE]
    return [ROOT / "README.md", *sorted(found)]


def fences(text: str) -> Iterator[Fence]:
    """The blocks of code of a page."""
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        if (start := _FENCE.match(line)) is None:
            continue
        inside: list[str] = []
        for _, each in lines:
            if each.strip() == start["marks"]:
                break
            inside.append(each.removeprefix(start["indent"]))
        yield Fence(start["language"], inside, number + 1)


def commands(fence: Fence) -> Iterator[Command]:
    """The commands of a console, each with the lines below it."""
    rest = list(enumerate(fence.lines, start=fence.number))
    while rest:
        number, line = rest.pop(0)
        assert line.startswith("$ "), f"line {number} of a console is no command: {line}"
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(rest.pop(0)[1])
        output = []
        while rest and not rest[0][1].startswith("$ "):
            output.append(rest.pop(0)[1])
        text = "\n".join(command)
        found = re.search(r"# exit code (\d+)$", text)
        yield Command(text, output, int(found[1]) if found else 0, number)


def fits(expected: list[str], printed: list[str]) -> bool:
    """Whether lines are as a page says: a line with only an ellipsis is any lines, and one inside a line any text."""
    if not expected:
        return not printed
    if expected[0].strip() == "…":
        return any(fits(expected[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and _line_fits(expected[0], printed[0]) and fits(expected[1:], printed[1:])


def _line_fits(expected: str, printed: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.rstrip().split("…")))
    return re.fullmatch(pattern, printed.rstrip()) is not None
