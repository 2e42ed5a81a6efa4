"""The reference of the command line: a page for each command, from what its help is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer.main
from generated import write_pages
from markdown import fence, page, prose
from sphinx.application import Sphinx

from pralign.cli.app import app as program
from pralign.cli.manual.commands import Example
from pralign.cli.manual.description import NAME, Description
from pralign.cli.manual.parameters import Parameter

FOLDER = Path("reference", "commands")
_EXIT_CODES = """## Exit codes

0 is good, 1 failed, 2 misused. [Exit codes](../help/exit-codes.md) has the others, and says what becomes of results."""


def described() -> Description:
    """The program."""
    return Description((), typer.main.get_command(program))


def file_of(command: Description) -> str:
    """The name of the page about a command."""
    return f"{'-'.join(command.path)}.md"


def _overview(root: Description) -> str:
    blocks = ["# Commands", fence(root.usage), *map(prose, root.paragraphs)]
    for title, children in root.grouped_children().items():
        blocks += [f"## {title}", _listed(children)]
    blocks += ["## Options of all", *_options(root.options), _toctree(root.descendants())]
    return page(*blocks)


def _listed(commands: Iterable[Description]) -> str:
    return "\n".join(f"- [`{each.words}`]({file_of(each)}): {prose(each.summary)}" for each in commands)


def _toctree(commands: Iterable[Description]) -> str:
    names = "\n".join(file_of(each).removesuffix(".md") for each in commands if each.path)
    return f"```{{toctree}}\n:hidden:\n\n{names}\n```"


def command_page(command: Description) -> str:
    """All that is known of a command."""
    blocks = [f"# {NAME} {command.words}", prose(command.summary), fence(command.usage)]
    blocks += (prose(text) for text in command.paragraphs if text != command.summary)
    if command.is_group:
        blocks.append(_listed(command.children))
    blocks.append(f"```{{program}} {NAME} {command.words}\n```")
    if command.arguments:
        blocks += ["## Arguments", *(f"`{each.usage.strip('[]')}`\n: {prose(each.text)}" for each in command.arguments)]
    for title, options in command.grouped_options().items():
        blocks += [f"## {title}", *_options(options)]
    if command.examples:
        blocks += ["## Examples", *_examples(command.examples)]
    return page(*blocks, _EXIT_CODES)


def _options(options: Iterable[Parameter]) -> Iterator[str]:
    for option in options:
        value = f" {option.metavar}" if option.metavar else ""
        names = ", ".join(f"{name}{value}" for name in option.names)
        denied = ", ".join(option.negative)
        head = f"{names}, {denied}" if denied else names
        yield f"```{{option}} {head}\n{prose(option.text)}\n```"


def _examples(examples: Iterable[Example]) -> Iterator[str]:
    for comment, command in examples:
        yield prose(comment)
        yield fence(command.replace("\n", " \\\n  "), "sh")


def _write(app: Sphinx) -> None:
    root = described()
    pages = {file_of(each): command_page(each) for each in root.descendants() if each.path}
    write_pages(Path(app.srcdir) / FOLDER, {"index.md": _overview(root), **pages})


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the others are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}
