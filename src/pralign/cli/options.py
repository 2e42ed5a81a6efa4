"""Options that several commands share. Those of settings are made from the settings themselves.

What a name may be is checked by the library, which knows what is registered.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pralign.settings import option_of, setting_fields

SourceFile = Annotated[
    Path, typer.Argument(metavar="SRC", help="Source sentences, or one file with both sides; - is standard input.")
]
TargetFile = Annotated[
    Path | None,
    typer.Argument(metavar="[TGT]", help="Target sentences, line by line translations of SRC.", show_default=False),
]
DevOption = Annotated[
    tuple[Path, Path, Path] | None,
    typer.Option(
        metavar="SRC TGT GOLD",
        help="Labelled pairs: train until they get no better, and set what is left open on them.",
        show_default=False,
    ),
]
TuneOption = Annotated[str, typer.Option(metavar="aer|f1", help="What --dev optimises.")]
LowercaseOption = Annotated[
    bool | None, typer.Option("--lowercase/--no-lowercase", help="Whether case is ignored.", show_default="lowercase")
]
BaseOption = Annotated[
    int | None,
    typer.Option(
        "--base", min=0, max=1, help="Number of the first word in files of links.", show_default="as the format says"
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Threads or workers to use; the result is the same.", show_default="all processors"),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes, only warnings and errors.")]
MaxLineOption = Annotated[
    str | None,
    typer.Option(
        "--max-line",
        metavar="SIZE",
        help="Read lines up to this size, such as 64M, and compressed files that grow accordingly.",
        show_default="16 MiB",
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Refuse a text of which there is something to say, as pralign check does.")
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Take at most so much memory for training, such as 2G; the rest goes to disk. With --engine ray, each "
        "worker.",
        show_default="as suits the text",
    ),
]
ScratchOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where what goes to disk goes.", show_default="where temporary files go"),
]
CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        "--run",
        metavar="DIR",
        help="Keep the state of training here, and go on from it if it is there; removed when all is done. With "
        "--engine ray, all machines must see it; an address such as s3://... will do.",
        show_default=False,
    ),
]
EngineOption = Annotated[
    str, typer.Option(metavar="threads|ray", help="Where the work is done: in this process, or by a Ray cluster.")
]
AddressOption = Annotated[
    str | None,
    typer.Option(metavar="auto|HOST:PORT", help="Where the Ray cluster is.", show_default="started here, for this run"),
]
LogOption = Annotated[
    Path | None,
    typer.Option(
        "--log-json",
        metavar="FILE",
        help="Add what happens to this file, as lines of JSON; - is standard error, instead of messages.",
        show_default=False,
    ),
]
TimestampsOption = Annotated[
    bool, typer.Option("--timestamps", envvar="PRALIGN_TIMESTAMPS", help="Begin each message with the time.")
]
CompactOption = Annotated[
    bool,
    typer.Option(
        "--compact", help="Save without what training pairs have added to the counts: less than half the size."
    ),
]


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes ``**settings`` an option for each of them; those not given are ``None``."""
    signature = inspect.signature(command, eval_str=True)
    fixed = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = signature.replace(parameters=[*fixed, *_setting_parameters()])  # type: ignore[attr-defined]
    return command


def _setting_parameters() -> Iterator[inspect.Parameter]:
    for setting in setting_fields():
        option = option_of(setting.name)
        if option is not None:
            flag = f"--{setting.name.replace('_', '-')}"
            names = [f"{flag}/--no-{flag[2:]}"] if option.kind is bool else [flag]
            made = typer.Option(
                *names, metavar=option.metavar, help=option.help, min=option.least, show_default=option.default
            )
            annotation = Annotated[option.kind | None, made]  # type: ignore[name-defined]
            yield inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
