"""Commands and groups of commands that say of themselves what their help says. Light: help itself is imported late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from pralign.cli.manual.description import Description

_MISUSED = 2


class _Helped:
    """Makes help of the tables in this package, not of what typer would say."""

    def format_help(self, context: Any, formatter: Any) -> None:
        """Write all of the help."""
        from pralign.cli.manual.page import help_page

        formatter.write(help_page(_description(self, context)))

    def format_usage(self, context: Any, formatter: Any) -> None:
        """Write how the command is called, for the help and for complaints."""
        from pralign.cli.manual.page import usage_line

        formatter.write(usage_line(_description(self, context)) + "\n")

    def get_help_option(self, context: Any) -> Any:
        """The option that shows the help. It is off: typer would take a tenth of a second to find out."""
        option = super().get_help_option(context)  # type: ignore[misc]
        if option is not None and option.default is None:
            option.default = False
        return option


class HelpedCommand(_Helped, TyperCommand):
    """A command with such help."""


class HelpedGroup(_Helped, TyperGroup):
    """A group of commands with such help, which it also shows to those who give no command."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Parse the options of the group."""
        if not args and not context.resilient_parsing:
            typer.echo(context.get_help(), err=True)
            context.exit(_MISUSED)
        return super().parse_args(context, args)


def _description(command: Any, context: Any) -> Description:
    """The command as help sees it, called as it was."""
    from pralign.cli.manual.description import Description

    path: list[str] = []
    while context.parent is not None:
        path.insert(0, context.info_name)
        context = context.parent
    return Description(tuple(path), command)
