"""``pralign completion``: what lets a shell complete what is typed."""

from __future__ import annotations

from typing import Annotated

import typer

from pralign.cli.console import tell
from pralign.errors import UsageError

Shell = Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell.")]


def completion(context: typer.Context, shell: Shell) -> None:
    """Print a script that lets a shell complete commands, options, names and files.

    The script knows everything, so completing does not start pralign. Nothing is written anywhere: let the start file
    of your shell read it.
    """
    from pralign.cli.manual.description import Description
    from pralign.cli.shells import SCRIPTS

    if shell not in SCRIPTS:
        raise UsageError(f"there is completion for {', '.join(SCRIPTS)}, not for {shell}")
    tell(SCRIPTS[shell](Description((), context.find_root().command)).removesuffix("\n"))
