"""``pralign help``: commands, topics, and the manual page."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from pralign.characters import quoted
from pralign.cli.console import tell
from pralign.errors import UsageError

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="TOPIC", help="A topic or a command; without one, all topics are listed."),
]
Man = Annotated[bool, typer.Option("--man", help="Print the manual page, as man reads it.")]


def help(context: typer.Context, words: Words = None, man: Man = False) -> None:
    """Explain a command or a topic, such as formats or gold."""
    from pralign.cli.manual.description import Description, find
    from pralign.cli.manual.man import man_page
    from pralign.cli.manual.page import help_page
    from pralign.cli.manual.topics import TOPICS, topic_list, topic_page

    program = Description((), context.find_root().command)
    if man:
        if words:
            raise UsageError("--man prints one page about everything; leave out the topic")
        tell(man_page(program).removesuffix("\n"))
    elif not words:
        tell(topic_list())
    elif len(words) == 1 and words[0] in TOPICS:
        tell(topic_page(words[0]))
    elif (found := find(program, words)) is not None:
        tell(help_page(found))
    else:
        commands = [each.words for each in program.descendants() if each.path]
        raise UsageError(_unknown(" ".join(words), [*TOPICS, *commands]))


def _unknown(wanted: str, known: list[str]) -> str:
    near = get_close_matches(wanted.lower(), known)
    meant = f" (did you mean {' or '.join(near)}?)" if near else ""
    return f"there is no topic or command {quoted(wanted)}{meant}; pralign help lists topics, pralign --help commands"
