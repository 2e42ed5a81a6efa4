"""The manual page, in the language of ``man``: the same commands, options, examples and topics as everywhere."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from pralign import __version__
from pralign.cli.manual.commands import Example
from pralign.cli.manual.description import NAME, Description
from pralign.cli.manual.parameters import Parameter
from pralign.cli.manual.topics import TOPICS, topic_blocks, topic_title

_WIDTH = 64  # of lines in the file, before characters are escaped; man fills them anew
_ROOM = 66  # for the names of an option
# What manuals of other programs call these sections.
_HEADINGS = {"exit-codes": "EXIT STATUS"}
_SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}


def man_page(program: Description) -> str:
    """The whole page. It has no date, so that it is the same whenever it is made."""
    lines = [f'.TH {NAME.upper()} 1 "" "{NAME} {_escaped(__version__)}" "User Commands"', ".nh", ".ad l"]
    lines += _introduction(program)
    seen = {_said(option): "" for option in program.options}
    for description in program.descendants():
        if description.path:
            lines += _command(description, seen)
    for topic in TOPICS:
        lines += _topic(topic)
    lines += [".SH EXAMPLES", *_examples(program.examples)]
    return "\n".join(lines) + "\n"


def _introduction(program: Description) -> Iterator[str]:
    summary = program.summary.removesuffix(".")
    yield from (".SH NAME", f"{NAME} \\- {_escaped(summary[0].lower() + summary[1:])}")
    yield from (".SH SYNOPSIS", _usage(program))
    yield from (".SH DESCRIPTION", *_filled(_ABOUT))
    for option in program.options:
        yield from _tagged(_bold(option), option.text)
    yield ".SH COMMANDS"
    for title, children in program.grouped_children().items():
        yield f".SS {_escaped(title)}"
        for child in children:
            yield from _tagged(f"\\fB{_escaped(child.path[-1])}\\fR", child.summary)


_ABOUT = (
    "Give pralign two files of parallel sentences, and it says which word translates which. It learns from the text "
    "itself, both directions at once. The same help is printed by pralign --help, pralign COMMAND --help and pralign "
    "help TOPIC."
)


def _command(description: Description, seen: dict[tuple[str, str], str]) -> Iterator[str]:
    """A section about a command. What was said before of an option with the same name is not said again."""
    yield f".SH {_escaped(f'{NAME} {description.words}'.upper())}"
    yield _usage(description)
    for paragraph in description.paragraphs:
        yield from (".PP", *_filled(paragraph))
    for argument in description.arguments:
        yield from _tagged(f"\\fI{_escaped(argument.head(_ROOM))}\\fR", argument.text)
    known: dict[str, list[str]] = {}
    for title, options in description.grouped_options().items():
        yield from _options(title, [option for option in options if _said(option) not in seen])
        for option in options:
            if before := seen.setdefault(_said(option), description.words):
                known.setdefault(before, []).append(option.long_name)
    known.pop(description.words, None)
    for command, names in known.items():
        yield from (".PP", *_filled(f"As for {NAME} {command}: {', '.join(names)}."))
    if description.examples:
        yield from (".SS Examples", *_examples(description.examples))


def _said(option: Parameter) -> tuple[str, str]:
    return option.head(_ROOM), option.text


def _options(title: str, options: list[Parameter]) -> Iterator[str]:
    if options:
        yield f".SS {_escaped(title)}"
    for option in options:
        yield from _tagged(_bold(option), option.described(_ROOM))


def _topic(topic: str) -> Iterator[str]:
    yield from (f".SH {_HEADINGS.get(topic, topic.upper())}", *_filled(f"{topic_title(topic)}."))
    for block in topic_blocks(topic):
        if block.is_verbatim:
            yield from _as_it_is(block.text.split("\n"))
        elif block.rows:
            for name, text in block.rows:
                yield from _tagged(f"\\fB{_escaped(name)}\\fR", text)
        else:
            yield from (".PP", *_filled(block.text))


def _usage(description: Description) -> str:
    called = f"{NAME} {description.words}".rstrip()
    return f"\\fB{_escaped(called)}\\fR {_escaped(description.usage.removeprefix(called).lstrip())}"


def _bold(option: Parameter) -> str:
    """The head of an option, its names in bold and its value in italics."""
    head = option.head(_ROOM)
    names, space, value = head.rpartition(" ") if option.metavar else (head, "", "")
    if option.metavar and head.endswith(option.metavar):
        names, space, value = head.removesuffix(f" {option.metavar}"), " ", option.metavar
    return f"\\fB{_escaped(names)}\\fR{space}" + (f"\\fI{_escaped(value)}\\fR" if value else "")


def _tagged(tag: str, text: str) -> Iterator[str]:
    yield from (".TP", tag, *_filled(text))


def _examples(examples: Iterable[Example]) -> Iterator[str]:
    for number, (comment, command) in enumerate(examples):
        if comment:
            yield from ((".PP",) if number else ())
            yield from _filled(comment)
        yield from _as_it_is(command.replace("\n", " \\\n    ").split("\n"))


def _as_it_is(lines: Iterable[str]) -> Iterator[str]:
    yield from (".PP", ".RS 2", ".nf", *map(_escaped, lines), ".fi", ".RE")


def _filled(text: str) -> list[str]:
    return list(map(_escaped, textwrap.wrap(" ".join(text.split()), _WIDTH, break_on_hyphens=False)))


def _escaped(line: str) -> str:
    r"""A line of text in which nothing is a command of roff.

    Example:
        >>> print(_escaped(".it's a \\ and a -dash"))
        \&.it\(aqs a \e and a \-dash
    """
    shown = "".join(_SPECIAL.get(character) or _plain(character) for character in line)
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def _plain(character: str) -> str:
    return character if character.isascii() else f"\\[u{ord(character):04X}]"
