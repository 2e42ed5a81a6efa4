"""Commands of typer as plain data: what help, the manual page and completion are made from.

Typer brings its own click or takes the one that is installed, and what they keep of types differs; nothing outside
this file and ``parameters`` looks into their objects.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from pralign.cli.manual.commands import COMMANDS, GROUPS, PROGRAM, Entry, Example, group_of
from pralign.cli.manual.groups import place_of
from pralign.cli.manual.parameters import Parameter, read_parameter

NAME = "pralign"
_HELP = Parameter(("-h", "--help"), None, "Show this and exit.")


class Description:
    """All that is known of a command."""

    def __init__(self, path: tuple[str, ...], command: Any) -> None:
        """Describe a command.

        Args:
            path: The words that call it, after the name of the program; nothing for the program itself.
            command: The object of typer.
        """
        self.path = path
        self.command = command

    @property
    def words(self) -> str:
        """What calls it, without the name of the program: ``match fit``."""
        return " ".join(self.path)

    @property
    def entry(self) -> Entry:
        """What the tables say of it; for a command that is not in them, what its docstring says."""
        if not self.path:
            return PROGRAM
        return COMMANDS.get(self.words) or Entry(self.paragraphs[0] if self.paragraphs else "")

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return self.entry.summary

    @property
    def examples(self) -> tuple[Example, ...]:
        """What is done with it, and how."""
        return self.entry.examples

    @cached_property
    def paragraphs(self) -> list[str]:
        """What it does, at length."""
        text = inspect.cleandoc(self.command.help or "").partition("\f")[0]
        return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]

    @property
    def usage(self) -> str:
        """How it is called."""
        rest = ["COMMAND", "[OPTIONS]", "..."] if self.is_group else ["[OPTIONS]"]
        return " ".join([NAME, *self.path, *rest, *(each.usage for each in self.arguments)])

    @property
    def is_group(self) -> bool:
        """Whether it has commands of its own."""
        return hasattr(self.command, "commands")

    @cached_property
    def arguments(self) -> list[Parameter]:
        """What is given without the name of an option, in order."""
        return [each for each in self._parameters if not each.names]

    @cached_property
    def options(self) -> list[Parameter]:
        """Its options, by group, those used most first."""
        found = [each for each in self._parameters if each.names]
        return sorted(found, key=lambda option: place_of(self.words, option.names)[:2])

    def grouped_options(self) -> dict[str, list[Parameter]]:
        """Its options by the titles of groups, those first in which one must be given."""
        groups: dict[str, list[Parameter]] = {}
        for option in self.options:
            groups.setdefault(place_of(self.words, option.names)[2], []).append(option)
        return dict(sorted(groups.items(), key=lambda group: not any(option.required for option in group[1])))

    @cached_property
    def children(self) -> list[Description]:
        """Its commands, in the order of the tables."""
        if not self.is_group:
            return []
        known = [name for names in GROUPS.values() for name in names]
        found = [
            Description((*self.path, name), command)
            for name, command in self.command.commands.items()
            if not command.hidden
        ]
        order = {name: place for place, name in enumerate(known)}
        return sorted(found, key=lambda child: order.get(child.words, len(order)))

    def grouped_children(self) -> dict[str, list[Description]]:
        """Its commands by the titles of groups."""
        groups: dict[str, list[Description]] = {}
        for child in self.children:
            groups.setdefault("Commands" if self.path else group_of(child.words), []).append(child)
        return groups

    def descendants(self) -> Iterator[Description]:
        """Itself, its commands, and theirs."""
        yield self
        for child in self.children:
            yield from child.descendants()

    @cached_property
    def _parameters(self) -> list[Parameter]:
        shown = [each for each in self.command.params if not getattr(each, "hidden", False)]
        return [*map(read_parameter, shown), _HELP]


def find(root: Description, path: Sequence[str]) -> Description | None:
    """The command that words call, if there is one."""
    found = root
    for word in path:
        children = {child.path[-1]: child for child in found.children}
        if word not in children:
            return None
        found = children[word]
    return found
