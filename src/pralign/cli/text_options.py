"""``--columns``, ``--header`` and ``--tokenize``: how text is read, for every command that reads some."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from pralign.settings import option_of
from pralign.text.bitext import ReadingChoice, reading_as

ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="SOURCE,TARGET",
        help="What holds the two sides if SRC holds both: columns by name or number, fields of JSON, languages of TMX.",
        show_default="the first two columns, or what holds text",
    ),
]
HeaderOption = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of SRC has the names of columns.",
        show_default="header if --columns names some",
    ),
]
_OF_SETTINGS: Any = option_of("tokenize")
TokenizeOption = Annotated[
    str | None,
    typer.Option("--tokenize", metavar=_OF_SETTINGS.metavar, help=_OF_SETTINGS.help, show_default="spaces"),
]


def with_text_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, those that it has not already, and let it read text accordingly."""
    signature = inspect.signature(command, eval_str=True)
    offered = {"columns": ColumnsOption, "header": HeaderOption, "tokenize": TokenizeOption}
    added = {name: option for name, option in offered.items() if name not in signature.parameters}

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        with reading_as(ReadingChoice(**{name: options.pop(name, None) for name in added})):
            command(*arguments, **options)

    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in added.items()
    ]
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
    return run
