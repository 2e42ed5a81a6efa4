"""Help for a terminal: plain text in lines of at most 80 columns, however wide the terminal is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from pralign.cli.manual.commands import Example
from pralign.cli.manual.description import NAME, Description
from pralign.cli.manual.parameters import Parameter

WIDTH = 80
_INDENT = 2
_COLUMN = 26  # where what is said of an option begins
_NARROW = 14  # the same of commands and arguments


def help_page(description: Description) -> str:
    """What ``--help`` prints of a command."""
    sections = [usage_line(description), _indented(description.paragraphs)]
    sections += [
        _section(title, ((child.path[-1], child.summary) for child in children), _NARROW)
        for title, children in description.grouped_children().items()
    ]
    sections.append(_section("Arguments", _rows(description.arguments), _NARROW))
    sections += [_section(title, _rows(options), _COLUMN) for title, options in _groups(description).items()]
    sections.append(example_lines(description.examples))
    if not description.path:
        sections.append(_section("More help", _further(), _COLUMN))
    return "\n\n".join(filter(None, sections))


def _further() -> Iterator[tuple[str, str]]:
    from pralign.cli.manual.topics import TOPICS

    yield f"{NAME} COMMAND --help", "Everything about a command."
    yield f"{NAME} help TOPIC", f"Topics are {', '.join(TOPICS[:-1])} and {TOPICS[-1]}."


def usage_line(description: Description) -> str:
    """How a command is called, in a line or two."""
    return textwrap.fill(f"Usage: {description.usage}", WIDTH, subsequent_indent=" " * 7, break_on_hyphens=False)


def example_lines(examples: Iterable[Example]) -> str:
    """Examples, each below what it does; a long one goes on in the next line, as shells have it."""
    lines = ["Examples:"]
    for comment, command in examples:
        lines += [f"  # {comment}"] if comment else []
        lines.append("  " + command.replace("\n", " \\\n      "))
    return "\n".join(lines) if len(lines) > 1 else ""


def _groups(description: Description) -> dict[str, list[Parameter]]:
    """Options by group; a few are not worth groups."""
    if description.is_group:
        return {"Options": description.options}
    return description.grouped_options()


def _indented(paragraphs: Iterable[str]) -> str:
    return "\n\n".join(_filled(text, _INDENT) for text in paragraphs)


def _rows(parameters: Iterable[Parameter]) -> Iterator[tuple[str, str]]:
    room = WIDTH - _INDENT
    return ((each.head(room), each.described(room)) for each in parameters)


def _section(title: str, rows: Iterable[tuple[str, str]], column: int) -> str:
    """Names and what is said of them, in two columns; a name that is too long has a line of its own."""
    lines = []
    for head, text in rows:
        first = f"{'':{_INDENT}}{head}"
        described = _filled(text, column)
        if len(first) <= column - 2:
            described = f"{first:{column}}{described.lstrip()}".rstrip()
        else:
            lines.append(first)
        lines.append(described)
    return "\n".join([f"{title}:", *lines]) if lines else ""


def _filled(text: str, column: int) -> str:
    indent = " " * column
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
