"""How text is read, for every command that reads some: ``--layout``, ``--columns``, ``--header`` and ``--tokenize``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pralign.settings import option_of

if TYPE_CHECKING:
    from pralign.text.bitext import Bitext

_NAME = "text"


@dataclass(frozen=True)
class TextOptions:
    """What the options say of how text is to be read; ``None`` means not given."""

    layout: str | None = None
    columns: str | None = None
    header: bool | None = None
    tokenize: str | None = None

    def open(self, source: Path, target: Path | None) -> Bitext:
        """The text of two files, or of one that holds both sides."""
        from pralign.text.bitext import Bitext

        others = {"columns": self.columns, "header": self.header, "tokenize": self.tokenize}
        return Bitext.read(source, target, self.layout, **others)  # type: ignore[arg-type]

    def flags(self) -> list[str]:
        """The options as they were given."""
        values = {"--layout": self.layout, "--columns": self.columns, "--tokenize": self.tokenize}
        header = [] if self.header is None else ["--header" if self.header else "--no-header"]
        return [word for flag, value in values.items() if value is not None for word in (flag, value)] + header


_TOKENIZE: Any = option_of("tokenize")
TokenizeOption = Annotated[
    str | None,
    typer.Option("--tokenize", metavar=_TOKENIZE.metavar, help=_TOKENIZE.help, show_default=_TOKENIZE.default),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="SOURCE,TARGET",
        help="What holds the two sides if SRC holds both: columns by name or number, fields of JSON, languages of TMX.",
        show_default="the first two columns, or what holds text",
    ),
]
_OPTIONS = {
    "layout": Annotated[
        str | None,
        typer.Option(
            "--layout",
            metavar="tsv|bars|csv|jsonl|parquet|tmx|xliff",
            help="How SRC alone holds both sides; with bars, ||| is between.",
            show_default="by its name or its look",
        ),
    ],
    "columns": ColumnsOption,
    "header": Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line of SRC has the names of columns.",
            show_default="header if --columns names some",
        ),
    ],
    "tokenize": TokenizeOption,
}


def with_text_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes ``text`` the options, less those that it has anyway."""
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != _NAME]
    added = [each.name for each in fields(TextOptions) if each.name not in signature.parameters]

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        text = TextOptions(**{name: options.pop(name, None) for name in added})
        command(*arguments, **options, text=text)

    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_OPTIONS[name])
        for name in added
    ]
    run.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    return run
